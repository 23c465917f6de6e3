"""What a run of the app gives, whichever method it was, and the files of it."""

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
from labelscape.hosts.app.forms import SAVED_MODEL, method_of
from labelscape.hosts.app.records import Job, News, Settings
from labelscape.hosts.notebook.live import Pace, pairs
from labelscape.hosts.page import html_page
from labelscape.jobs import (
    AUTO,
    MapResult,
    Step,
    classify_table,
    map_table,
    positions_csv,
    prototype_table,
    refit_table,
)
from labelscape.jobs._internal import explaining, with_audit
from labelscape.scene import Data, Scene, Subject, Trust, build_scene, encode

# How the page of a table calls the settings that correct it.
WORDING = PageWording({})
# The map and what explains it, in the folder of a run.
KEPT = ("model", "explains")


# What a fit reports to the page: its step, and the map while it forms.

Tell = Callable[[News], None]

# Often enough to look alive, seldom enough not to hold up the fit.
SECONDS_BETWEEN = 0.25


class Telling:
    """Passes on what a fit reports, a few times per second."""

    def __init__(self, tell: Tell, table: Table) -> None:
        self._tell, self._table = tell, table
        self._pace = Pace(SECONDS_BETWEEN)
        self._has_scene = False

    def begin(self, step: Step) -> Callable[..., Any]:
        """Report that a step begins; see `labelscape.jobs`."""
        self._tell(News(step=step.name, total=step.total))
        done = 0

        def advance(*_: object) -> None:
            nonlocal done
            done += 1
            self._tell(News(done=done))

        return advance

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Take what a fit reports of one iteration."""
        if not self._pace.is_due():
            return
        loss = record.get("loss")
        Z = record.get("embedding")
        # Some learn from a part of the rows, and place the others when they are done.
        has_all_rows = Z is not None and len(Z) == len(self._table.X)
        self._tell(
            News(
                iteration=int(record["iteration"]),
                loss=float(loss) if loss is not None and np.isfinite(loss) else None,
                positions=pairs(Z) if has_all_rows else b"",
                scene=self._first_scene(Z) if has_all_rows else b"",
            )
        )

    def _first_scene(self, Z: Any) -> bytes:
        """Return a scene with nothing but places and classes, once."""
        if self._has_scene:
            return b""
        self._has_scene = True
        scene = build_scene(
            Subject(np.asarray(Z)),
            Data(y=self._table.y),
            Trust(quality=False, note="the map is still being made"),
            title=self._table.name,
        )
        return encode(scene)


# A run as Python code, which gives the same files again: by the job that the app did.

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
    """Return the code of a run: ``lines`` make what ``text`` writes to ``file``."""
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


def _asked(settings: Settings) -> str:
    """Return the options of a job as code."""
    parameters = dict(settings.parameters)
    given = f", parameters={parameters!r}" if parameters else ""
    return f"seed={settings.seed}{given}"


def map_code(settings: Settings) -> str:
    """Return the code that makes a map again."""
    return f"map_table(table, {settings.method!r}, judge=False, {_asked(settings)})"


def _safe(title: str) -> str:
    """Return a title that neither ends nor breaks the docstring that it is in."""
    shown = title.replace("\\", " ").replace('"', "'")
    return "".join(sign if sign.isprintable() else " " for sign in shown)


@dataclass(frozen=True, kw_only=True)
class FitOutcome:
    """What came out of a fit."""

    table: Table
    # The method that was chosen.
    method: str
    scene: Scene
    # (n_rows, 1 to 3) The places, in full precision.
    positions: Any
    # One sentence.
    summary: str
    verdict: Any
    # The code that makes ``found`` again, and that of the positions in it.
    code: str
    places: str = "found.embedding"
    # What can be saved of it, and the model behind the scene's explanations.
    model: Any = None
    explains: Any = None

    def write(self, folder: Path, table: str) -> None:
        """Write the files of the run; ``table`` is the code that reads the table."""
        write_page(self.scene, folder)
        places = positions_csv(self.table, self.positions)
        path = folder / "positions.csv"
        path.write_text(places, encoding="utf-8", newline="")
        if self.model is not None:
            # Some maps place new rows by comparing them with those of the fit.
            path = folder / f"{KEPT[0]}.labelscape"
            labelscape.save(self.model, path, include_data=True)
        if self.explains is not None:
            labelscape.save(self.explains, folder / f"{KEPT[1]}.labelscape")
        code = script(
            self.scene.title,
            f"table = {table}",
            f"found = {self.code}",
            # Not the name of the positions that are saved from the page.
            file="positions-repeated.csv",
            text=f"positions_csv(found.table, {self.places})",
        )
        (folder / "repeat.py").write_text(code, encoding="utf-8")


def write_page(scene: Scene, folder: Path) -> None:
    """Write what a page shows, for the app and as a file of its own."""
    data = encode(scene)
    (folder / "scene.lscn").write_bytes(data)
    (folder / "page.html").write_bytes(html_page(data, title=scene.title))


def outcome_of(table: Table, order: Job, telling: Telling) -> FitOutcome:
    """Fit the method that was asked for, and audit the table."""
    settings = order.settings
    if order.start is not None:
        return _refitted(table, settings, order.start, telling)
    outcome = _fitted(table, settings, order.model, telling)
    if outcome.scene.audit is not None or outcome.scene.audit_note:
        return outcome  # of a map it is a part
    scene = with_audit(
        outcome.scene, table, settings.audit, settings.seed, telling.begin, WORDING
    )
    return replace(outcome, scene=scene)


def _fitted(
    table: Table, settings: Settings, model: Path | None, telling: Telling
) -> FitOutcome:
    if settings.method == SAVED_MODEL:
        return _classifier(table, settings, telling, model)
    if settings.method == AUTO:
        return _map(table, settings, telling)
    make = {"map": _map, "prototypes": _prototypes, "classifier": _classifier}
    return make[method_of(settings.method).group](table, settings, telling)


def _measuring(settings: Settings, telling: Telling) -> dict[str, Any]:
    """Return what maps are asked beside their method."""
    return {
        "seed": settings.seed,
        "judge": settings.honesty,
        "islands": settings.islands,
        "audit": settings.audit,
        "parameters": settings.parameters,
        "begin": telling.begin,
        "callback": telling,
    }


def _map(table: Table, settings: Settings, telling: Telling) -> FitOutcome:
    found = map_table(table, settings.method, **_measuring(settings, telling))
    return _drawn(found, settings, telling, map_code(settings))


def _refitted(
    table: Table, settings: Settings, start: Path, telling: Telling
) -> FitOutcome:
    """Return a map that was fitted again to labels that were decided on."""
    model, explains = (_kept(start / f"{name}.labelscape") for name in KEPT)
    found = refit_table(
        table,
        settings.decisions,
        settings.method,
        model=model,
        **_measuring(settings, telling),
    )
    first = "" if model is None else f"model={map_code(settings)}.model, "
    code = (
        f"refit_table(table, {dict(settings.decisions)!r}, {settings.method!r}, "
        f"{first}{_asked(settings)})"
    )
    return _drawn(found, settings, telling, code, explains)


def _kept(path: Path) -> Any:
    return labelscape.load(path) if path.exists() else None


def _drawn(
    found: MapResult,
    settings: Settings,
    telling: Telling,
    code: str,
    explains: Any = None,
) -> FitOutcome:
    """Return a map with its scene; ``code`` makes it again."""
    telling.begin(Step("drawing"))
    explained = explaining(found, seed=settings.seed, model=explains)
    scores = found.quality.scores
    return FitOutcome(
        table=found.table,
        method=found.method,
        scene=found.scene(seed=settings.seed, explains=explained, wording=WORDING),
        positions=found.embedding,
        summary=f"Trustworthiness {scores['trustworthiness']:.3f}, "
        f"continuity {scores['continuity']:.3f}.",
        code=code,
        model=_savable(found.model),
        explains=_savable(explained.model),
        verdict=found.verdict,
    )


def _prototypes(table: Table, settings: Settings, telling: Telling) -> FitOutcome:
    found = prototype_table(
        table,
        settings.method,
        parameters=settings.parameters,
        seed=settings.seed,
        judge=settings.honesty,
        begin=telling.begin,
        callback=telling,
    )
    code = f"{settings.method!r}, judge=False"
    return _pictured(
        found,
        settings,
        telling,
        code=f"prototype_table(table, {code}, {_asked(settings)})",
        summary=f"{len(found.model[-1].prototypes_)} prototypes.",
        model=found.model,
    )


def _classifier(
    table: Table, settings: Settings, telling: Telling, model: Path | None = None
) -> FitOutcome:
    """Return the picture of a classifier that is trained, or of a saved one."""
    given = repr(settings.method)
    if settings.method == SAVED_MODEL:
        given = f"model={settings.model_name or 'model.labelscape'!r}"
        if model is None:
            raise InputError("Choose the file of the model.", parameter="model")
    found = classify_table(
        table,
        "svm" if model else settings.method,
        model=model,
        parameters=settings.parameters,
        seed=settings.seed,
        begin=telling.begin,
    )
    return _pictured(
        found,
        settings,
        telling,
        code=f"classify_table(table, {given}, {_asked(settings)})",
        summary=f"What {found.name} decides, and where.",
        model=_savable(found.classifier),
    )


def _pictured(
    found: Any,
    settings: Settings,
    telling: Telling,
    *,
    code: str,
    summary: str,
    model: Any,
) -> FitOutcome:
    """Return a classifier with its scene, which is its picture."""
    telling.begin(Step("drawing"))
    scene = found.scene(seed=settings.seed)
    return FitOutcome(
        table=found.table,
        method=settings.method,
        scene=scene,
        positions=scene.maps[0].positions,
        summary=summary,
        code=code,
        places=f"found.scene(seed={settings.seed}).maps[0].positions",
        model=model,
        explains=None if scene.model is None else model,
        verdict=found.verdict,
    )


def _savable(model: Any) -> Any:
    """Return a model if a model file can hold it and is of use, else None.

    Of use is what predicts, and a map of ours: others are made again as quickly.
    """
    if model is None or not can_hold(model):
        return None
    last = model[-1] if hasattr(model, "steps") else model
    is_ours = type(last).__module__.startswith("labelscape.")
    is_map = is_ours and hasattr(model, "transform")
    return model if is_map or hasattr(model, "predict") else None
