"""The result of a run of the app, and its files, for any method."""

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import labelscape
from labelscape import datasets, jobs
from labelscape._core.errors import InputError
from labelscape._model_file import can_hold
from labelscape.datasets import Table
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.forms import GIVEN, OTHERS, POSITIONS, SAVED_MODEL
from labelscape.hosts.app.records import Job, News, Settings
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


def _options(settings: Settings) -> str:
    """Return the seed and the parameters of a job as Python code."""
    parameters = dict(settings.parameters)
    given = f", parameters={parameters!r}" if parameters else ""
    return f"seed={settings.seed}{given}"


def map_code(settings: Settings) -> str:
    """Return the Python code that reproduces a map."""
    return f"map_table(table, {settings.method!r}, judge=False, {_options(settings)})"


def _safe(title: str) -> str:
    """Replace characters of a title that would break the docstring around it."""
    plain = title.replace("\\", " ").replace('"', "'")
    return "".join(sign if sign.isprintable() else " " for sign in plain)


@dataclass(frozen=True, kw_only=True)
class FitOutcome:
    """The result of a fit."""

    table: Table
    # The chosen method.
    method: str
    scene: Scene
    positions: Any  # (n_rows, 1 to 3) in full precision
    # A summary in one sentence.
    summary: str
    verdict: Any
    # Python code that computes ``fitted``, and code for its positions.
    code: str
    places: str = "fitted.embedding"
    # Parts to save, and the model behind the scene's explanations.
    model: Any = None
    explains: Any = None

    def write(self, folder: Path, table: str) -> None:
        """Write the files of the run; ``table`` is the code that reads the table."""
        write_page(self.scene, folder)
        places = positions_csv(self.table, self.positions)
        path = folder / "positions.csv"
        path.write_text(places, encoding="utf-8", newline="")
        if self.model is not None:
            # Some maps place new rows by comparing them with training rows.
            path = folder / f"{KEPT[0]}.labelscape"
            labelscape.save(self.model, path, include_data=True)
        if self.explains is not None:
            # With data, although it needs none: users cannot download this file, so
            # there is no need to warn that its prototypes may be training samples.
            path = folder / f"{KEPT[1]}.labelscape"
            labelscape.save(self.explains, path, include_data=True)
        code = script(
            self.scene.title,
            f"table = {table}",
            f"fitted = {self.code}",
            # A different name from the positions saved on the page.
            file="positions-repeated.csv",
            text=f"positions_csv(fitted.table, {self.places})",
        )
        (folder / "repeat.py").write_text(code, encoding="utf-8")


def write_page(scene: Scene, folder: Path) -> None:
    """Write two files: a scene for the app, and an HTML page of the scene."""
    data = encode(scene)
    (folder / "scene.lscn").write_bytes(data)
    (folder / "page.html").write_bytes(html_page(data, title=scene.title))


def outcome_of(table: Table, order: Job, reporter: Reporter) -> FitOutcome:
    """Fit the requested method, and audit the table."""
    settings = order.settings
    fit = _Fit(table, settings, reporter)
    if order.start is not None:
        return fit.again(order.start)
    if settings.method == SAVED_MODEL:
        outcome = fit.classifier(order.model)
    elif settings.method == GIVEN:
        outcome = _given(table, order, reporter)
    elif settings.method == AUTO:
        outcome = fit.mapped()
    else:
        ways = (fit.mapped, fit.prototypes, fit.classifier)
        make = dict(zip(("map", "prototypes", "classifier"), ways, strict=True))
        outcome = make[methods.method_named(settings.method, None).group]()
    if outcome.scene.audit is not None or outcome.scene.audit_note:
        return outcome  # its table was audited together with the map
    scene = with_audit(
        outcome.scene, table, settings.audit, settings.seed, reporter.begin, WORDING
    )
    return replace(outcome, scene=scene)


def _given(table: Table, order: Job, reporter: Reporter) -> FitOutcome:
    """Return a map from another program, with its certificate."""
    settings, source = order.settings, order.positions
    name = str(settings.parameters[POSITIONS])
    positions = name if source is None else source.path
    labeled = (
        None
        if source is None
        else jobs.positions.labeled_rows(order.source.path, settings.reading)
    )
    fitted = certify_table(
        table, positions, seed=settings.seed, begin=reporter.begin, labeled=labeled
    )
    reporter.begin(Step("drawing"))
    return FitOutcome(
        table=table,
        method=GIVEN,
        scene=fitted.scene(OTHERS[GIVEN], settings.seed, WORDING),
        positions=fitted.embedding,
        summary=f"Positions: {name}.",
        code=f"certify_table(table, {name!r}, seed={settings.seed})",
        verdict=fitted.honesty.verdict,
    )


class _Fit(NamedTuple):
    """A fit with its settings and its reporter."""

    table: Table
    settings: Settings
    reporter: Reporter

    def _how(self, **more: Any) -> dict[str, Any]:
        """Return the arguments that all jobs have, and ``more`` arguments."""
        settings = self.settings
        common = {"parameters": settings.parameters, "seed": settings.seed}
        return common | {"begin": self.reporter.begin, **more}

    def _measuring(self) -> dict[str, Any]:
        """Return the arguments of a job that fits a map, without the method."""
        wanted = self.settings
        return self._how(
            judge=wanted.honesty,
            islands=wanted.islands,
            audit=wanted.audit,
            callback=self.reporter,
        )

    def mapped(self) -> FitOutcome:
        """Return a map."""
        fitted = map_table(self.table, self.settings.method, **self._measuring())
        return self._drawn(fitted, map_code(self.settings))

    def again(self, start: Path) -> FitOutcome:
        """Return a map that was fitted again to corrected labels."""
        paths = [start / f"{name}.labelscape" for name in KEPT]
        model, explains = (labelscape.load(p) if p.exists() else None for p in paths)
        settings = self.settings
        order = (settings.decisions, settings.method)
        fitted = refit_table(
            self.table, *order, model=model, explained_by=explains, **self._measuring()
        )
        first = "" if model is None else f"model={map_code(settings)}.model, "
        code = (
            f"refit_table(table, {dict(settings.decisions)!r}, {settings.method!r}, "
            f"{first}{_options(settings)})"
        )
        return self._drawn(fitted, code)

    def _drawn(self, fitted: MapResult, code: str) -> FitOutcome:
        """Return a map with its scene; ``code`` reproduces it."""
        self.reporter.begin(Step("drawing"))
        seed, scores = self.settings.seed, fitted.quality.scores
        return FitOutcome(
            table=fitted.table,
            method=fitted.method,
            scene=fitted.scene(seed=seed, wording=WORDING),
            positions=fitted.embedding,
            summary=f"Trustworthiness {scores['trustworthiness']:.3f}, "
            f"continuity {scores['continuity']:.3f}.",
            code=code,
            model=_savable(fitted.model),
            explains=_savable(fitted.explains.model),
            verdict=fitted.verdict,
        )

    def prototypes(self) -> FitOutcome:
        """Return a prototype model."""
        settings = self.settings
        how = self._how(judge=settings.honesty, callback=self.reporter)
        fitted = prototype_table(self.table, settings.method, **how)
        given = f"{settings.method!r}, judge=False, {_options(settings)}"
        summary = f"{len(fitted.model[-1].prototypes_)} prototypes."
        code = f"prototype_table(table, {given})"
        return self._pictured(fitted, code, summary, fitted.model)

    def classifier(self, model: Path | None = None) -> FitOutcome:
        """Return a classifier, trained here or saved, with its decision regions."""
        settings = self.settings
        given = repr(settings.method)
        if settings.method == SAVED_MODEL:
            given = f"model={settings.model_name or 'model.labelscape'!r}"
            if model is None:
                raise InputError("Choose the file of the model.", parameter="model")
        name = "svm" if model else settings.method
        fitted = classify_table(self.table, name, model=model, **self._how())
        code = f"classify_table(table, {given}, {_options(settings)})"
        summary = f"Decision regions of {fitted.name}."
        return self._pictured(fitted, code, summary, _savable(fitted.classifier))

    def _pictured(self, fitted: Any, code: str, words: str, model: Any) -> FitOutcome:
        """Return a classifier or a prototype model with its scene."""
        self.reporter.begin(Step("drawing"))
        scene = fitted.scene(seed=self.settings.seed)
        return FitOutcome(
            table=fitted.table,
            method=self.settings.method,
            scene=scene,
            positions=scene.maps[0].positions,
            summary=words,
            code=code,
            places=f"fitted.scene(seed={self.settings.seed}).maps[0].positions",
            model=model,
            explains=None if scene.model is None else model,
            verdict=fitted.verdict,
        )


def _savable(model: Any) -> Any:
    """Return a model or map that can be saved and applied to new rows; else None."""
    if model is None or not can_hold(model):
        return None
    last = model[-1] if hasattr(model, "steps") else model
    is_ours = type(last).__module__.startswith("labelscape.")
    is_map = is_ours and hasattr(model, "transform")
    return model if is_map or hasattr(model, "predict") else None
