"""The result of a run of the app, and its files, for any method."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import labelscape
from labelscape import datasets, jobs
from labelscape._core.errors import InputError
from labelscape._model_file import can_hold
from labelscape.datasets import Table
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.forms import GIVEN, OTHERS, POSITIONS, SAVED_MODEL
from labelscape.hosts.app.records import Job, News
from labelscape.hosts.notebook.live import Pace, pairs
from labelscape.hosts.page import html_page
from labelscape.jobs import (
    AUTO,
    MapResult,
    Step,
    certify_table,
    classify_table,
    map_table,
    methods,
    positions_csv,
    prototype_table,
    refit_table,
)
from labelscape.jobs._internal import with_audit
from labelscape.scene import Data, Scene, Subject, Trust, build_scene, encode

WORDING = PageWording({})  # settings have the names on the page of a table
KEPT = ("model", "explains")  # the map and its explanation, in the folder of a run

Report = Callable[[News], None]

# Updates look smooth at this interval, and do not slow down the fit.
SECONDS_BETWEEN = 0.25


class Reporter:
    """Reports the steps of a fit, and the map during the fit, to the page."""

    def __init__(self, report: Report, table: Table) -> None:
        self._report, self._table = report, table
        self._pace = Pace(SECONDS_BETWEEN)
        self._has_scene = False

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of a job that reports to this reporter."""
        return {"begin": self.begin, "callback": self}

    def begin(self, step: Step) -> Callable[..., Any]:
        """Report that a step begins; see `labelscape.jobs`."""
        self._report(News(step=step.name, total=step.total))
        done = 0

        def advance(*_: object) -> None:
            nonlocal done
            done += 1
            self._report(News(done=done))

        return advance

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Report an iteration, at most four times per second."""
        if not self._pace.is_due():
            return
        loss = record.get("loss")
        Z = record.get("embedding")
        # Some methods fit only a part of the rows, and place the others at the end.
        has_all_rows = Z is not None and len(Z) == len(self._table.X)
        self._report(
            News(
                iteration=int(record["iteration"]),
                loss=float(loss) if loss is not None and np.isfinite(loss) else None,
                positions=pairs(Z) if has_all_rows else b"",
                scene=self._first_scene(Z) if has_all_rows else b"",
            )
        )

    def _first_scene(self, Z: Any) -> bytes:
        """Return a scene with positions and classes; empty after the first call."""
        if self._has_scene:
            return b""
        self._has_scene = True
        scene = build_scene(
            Subject(np.asarray(Z)),
            Data(y=self._table.y),
            Trust(quality=False, note="the map is still being fitted"),
            title=self._table.name,
        )
        return encode(scene)


# A run as Python code that reproduces its files.
SCRIPT = '''"""{title}

Repeats a run of the Labelscape app (version {version}).
"""

{imports}

{code}
with open("{file}", "w", newline="", encoding="utf-8") as file:
    file.write({text})
print("Written: {file}")
'''


def script(title: str, *lines: str, file: str, text: str) -> str:
    """Return Python code that runs ``lines`` and writes ``text`` to ``file``."""
    code = "\n".join(lines)
    nodes = ast.walk(ast.parse(f"{code}\n{text}"))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    imports = [
        f"from {room.__name__} import {', '.join(names)}"
        for room in (datasets, jobs)
        if (names := sorted(used & {*room.__all__}))
    ]
    return SCRIPT.format(
        title=_safe(title),
        version=labelscape.__version__,
        imports="\n".join(imports),
        code=code,
        file=file,
        text=text,
    )


def _safe(title: str) -> str:
    """Replace characters of a title that would break the docstring around it."""
    plain = title.replace("\\", " ").replace('"', "'")
    return "".join(sign if sign.isprintable() else " " for sign in plain)


@dataclass(frozen=True)
class FitOutcome:
    """The result of a fit, with its scene."""

    fitted: Any  # the result of a function of `labelscape.jobs`
    scene: Scene
    summary: str  # one sentence
    code: str  # Python code that computes ``fitted``
    # Parts to save: the model, and the model behind the scene's explanations.
    model: Any = None
    explains: Any = None

    def write(self, job: Job, table: str) -> None:
        """Write the files of the run; ``table`` is the code that reads the table."""
        write_page(self.scene, job.folder)
        fitted, places = self.fitted, "fitted.embedding"
        if not hasattr(fitted, "embedding"):  # a classifier: the map of its scene
            places = f"fitted.scene(seed={job.settings.order.seed}).maps[0].positions"
        positions = getattr(fitted, "embedding", self.scene.maps[0].positions)
        path = job.folder / "positions.csv"
        text = positions_csv(fitted.table, positions)
        path.write_text(text, encoding="utf-8", newline="")
        # With data: some maps place new rows by comparing them with training rows.
        # Users cannot download the second file, so there is no need to warn that its
        # prototypes may be training samples.
        for name, model in zip(KEPT, (self.model, self.explains), strict=True):
            if model is not None:
                path = job.folder / f"{name}.labelscape"
                labelscape.save(model, path, include_data=True)
        code = script(
            self.scene.title,
            f"table = {table}",
            f"fitted = {self.code}",
            # A different name from the positions saved on the page.
            file="positions-repeated.csv",
            text=f"positions_csv(fitted.table, {places})",
        )
        (job.folder / "repeat.py").write_text(code, encoding="utf-8")


def write_page(scene: Scene, folder: Path) -> None:
    """Write two files: a scene for the app, and an HTML page of the scene."""
    data = encode(scene)
    (folder / "scene.lscn").write_bytes(data)
    (folder / "page.html").write_bytes(html_page(data, title=scene.title))


def outcome_of(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Fit the requested method, and audit the table."""
    order = job.settings.order
    way = order.method if job.start is None else "refit"
    if way not in WAYS:
        way = methods.method_named(way, None).group
    outcome = WAYS[way](table, job, reporter)
    scene = outcome.scene
    if scene.audit is not None or scene.audit_note:
        return outcome  # its table was audited together with the map
    how = (order.audit, order.seed, reporter.begin, WORDING)
    return replace(outcome, scene=with_audit(scene, table, *how))


def _given(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Return a map from another program, with its certificate."""
    order, source, labeled = job.settings.order, job.positions, None
    positions = name = str(job.settings.parameters[POSITIONS])
    if source is not None:
        positions = str(source.path)
        labeled = jobs.positions.labeled_rows(job.source.path, order.reading)
    fitted = certify_table(
        table, positions, seed=order.seed, begin=reporter.begin, labeled=labeled
    )
    reporter.begin(Step("drawing"))
    scene = fitted.scene(OTHERS[GIVEN], order.seed, WORDING)
    code = order.code("certify", "certify_table", repr(name))
    return FitOutcome(fitted, scene, f"Positions: {name}.", code)


def _mapped(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Return a map."""
    fitted = map_table(
        table, **job.settings.order.arguments("map"), **reporter.arguments
    )
    return _drawn(fitted, job, reporter, job.settings.order.map_code())


def _refitted(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Return a map that was fitted again to corrected labels."""
    order, decisions = job.settings.order, job.settings.decisions
    assert job.start is not None
    paths = [job.start / f"{name}.labelscape" for name in KEPT]
    model, explains = (labelscape.load(p) if p.exists() else None for p in paths)
    fitted = refit_table(
        table,
        decisions,
        **order.arguments("refit"),
        model=model,
        explained_by=explains,
        **reporter.arguments,
    )
    given = [repr(decisions), repr(order.method)]
    if model is not None:
        given.append(f"model={order.map_code()}.model")
    code = order.code("refit", "refit_table", *given)
    return _drawn(fitted, job, reporter, code)


def _drawn(fitted: MapResult, job: Job, reporter: Reporter, code: str) -> FitOutcome:
    """Return a map with its scene; ``code`` reproduces it."""
    reporter.begin(Step("drawing"))
    scores = fitted.quality.scores
    summary = (
        f"Trustworthiness {scores['trustworthiness']:.3f}, "
        f"continuity {scores['continuity']:.3f}."
    )
    scene = fitted.scene(seed=job.settings.order.seed, wording=WORDING)
    models = (_savable(fitted.model), _savable(fitted.explains.model))
    return FitOutcome(fitted, scene, summary, code, *models)


def _prototypes(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Return a prototype model."""
    order = job.settings.order
    how = order.arguments("prototypes") | reporter.arguments
    fitted = prototype_table(table, **how)
    given = (repr(order.method), "judge=False")
    code = order.code("prototypes", "prototype_table", *given)
    summary = f"{len(fitted.model[-1].prototypes_)} prototypes."
    return _pictured(fitted, job, reporter, code, summary, fitted.model)


def _classifier(table: Table, job: Job, reporter: Reporter) -> FitOutcome:
    """Return a classifier, trained here or saved, with its decision regions."""
    order = job.settings.order
    name, given = order.method, repr(order.method)
    if name == SAVED_MODEL:
        name, file = "svm", job.settings.model_name or "model.labelscape"
        given = f"model={file!r}"
        if job.model is None:
            raise InputError("Choose the file of the model.", parameter="model")
    how = order.arguments("classify")
    fitted = classify_table(table, name, model=job.model, **how, begin=reporter.begin)
    code = order.code("classify", "classify_table", given)
    summary = f"Decision regions of {fitted.name}."
    model = _savable(fitted.classifier)
    return _pictured(fitted, job, reporter, code, summary, model)


def _pictured(
    fitted: Any, job: Job, reporter: Reporter, code: str, summary: str, model: Any
) -> FitOutcome:
    """Return a classifier or a prototype model with its scene."""
    reporter.begin(Step("drawing"))
    scene = fitted.scene(seed=job.settings.order.seed)
    explains = None if scene.model is None else model
    return FitOutcome(fitted, scene, summary, code, model, explains)


# What to do for a group of methods, or for a choice besides the methods.
WAYS = {
    "map": _mapped,
    AUTO: _mapped,
    "prototypes": _prototypes,
    "classifier": _classifier,
    SAVED_MODEL: _classifier,
    GIVEN: _given,
    "refit": _refitted,
}


def _savable(model: Any) -> Any:
    """Return a model or map that can be saved and applied to new rows; else None."""
    if model is None or not can_hold(model):
        return None
    last = model[-1] if hasattr(model, "steps") else model
    is_ours = type(last).__module__.startswith("labelscape.")
    is_map = is_ours and hasattr(model, "transform")
    return model if is_map or hasattr(model, "predict") else None
