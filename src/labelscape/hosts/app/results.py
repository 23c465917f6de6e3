"""What a run of the app gives, whichever method it was, and the files of it."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import labelscape
from labelscape._core.errors import InputError
from labelscape._model_file import can_hold
from labelscape.datasets import Table
from labelscape.datasets._internal import classes_in, csv_options, shown_in
from labelscape.hosts.app import script
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.method_forms import SAVED_MODEL, method_of
from labelscape.hosts.app.progress import Telling
from labelscape.hosts.app.records import Fit, Placing, Settings
from labelscape.hosts.page import html_page
from labelscape.jobs import (
    AUTO,
    ClassifyResult,
    MapResult,
    PlacedRows,
    Step,
    classifier_scene,
    classify_table,
    explaining,
    map_scene,
    map_table,
    method_named,
    place_rows,
    placement_csv,
    placement_record,
    positions_csv,
    prototype_scene,
    prototype_table,
    refit_table,
    verdict_of,
)
from labelscape.jobs._internal import (
    MANY_ROWS,
    audit_or_reason,
    kept_model,
    placement_scene,
    with_audit,
)
from labelscape.newcomers import TableMap
from labelscape.scene import Scene, decode, encode

# How the page of a table calls the settings that mend it.
WORDING = PageWording({})
# The map and what explains it, in the folder of a run.
KEPT = ("model", "explains")


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came out of a fit."""

    # The data.
    table: Table
    # The method that was taken.
    method: str
    # What the page shows.
    scene: Scene
    # (n_rows, 2 or 3) The places, in full precision.
    positions: Any
    # One sentence.
    summary: str
    # How far to believe it.
    verdict: Any
    # What the code that repeats it imports.
    imports: list[str]
    # That code.
    fit: str
    # What can be saved of it.
    model: Any = None
    # The model behind the scene's explanations.
    explains: Any = None

    def write(self, folder: Path, reader: script.Reader) -> None:
        """Write the files of the run; the session brings them to their place.

        ``reader`` is the code that reads the table.
        """
        _write_page(self.scene, folder)
        places = positions_csv(self.table, self.positions)
        path = folder / "positions.csv"
        path.write_text(places, encoding="utf-8", newline="")
        if self.model is not None:
            # Some maps place new rows by comparing them with those of the fit.
            path = folder / f"{KEPT[0]}.labelscape"
            labelscape.save(self.model, path, include_data=True)
        if self.explains is not None:
            labelscape.save(self.explains, folder / f"{KEPT[1]}.labelscape")
        (folder / "repeat.py").write_text(self._code(reader), encoding="utf-8")

    def _code(self, reader: script.Reader) -> str:
        return script.code(
            title=self.scene.title,
            version=labelscape.__version__,
            imports=self.imports,
            reader=reader,
            fit=self.fit,
            n_axes=self.positions.shape[1],
        )


def _write_page(scene: Scene, folder: Path) -> None:
    """Write what a page shows, for the app and as a file of its own."""
    data = encode(scene)
    (folder / "scene.lscn").write_bytes(data)
    (folder / "page.html").write_bytes(html_page(data, title=scene.title))


def outcome_of(table: Table, order: Fit, telling: Telling) -> Outcome:
    """Fit the method that was asked for, and audit the table."""
    settings = order.settings
    if order.start is not None:
        return _refitted(table, settings, order.start, telling)
    outcome = _fitted(table, settings, order.model, telling)
    if outcome.scene.audit is not None or outcome.scene.audit_note:
        return outcome  # of a map it is a part
    report, why_not = audit_or_reason(
        table, settings.audit, seed=settings.seed, begin=telling.begin
    )
    scene = with_audit(outcome.scene, table, report, why_not, WORDING)
    return replace(outcome, scene=scene)


def _fitted(
    table: Table, settings: Settings, model: Path | None, telling: Telling
) -> Outcome:
    if settings.method == SAVED_MODEL:
        return _saved_model(table, settings, model, telling)
    if settings.method == AUTO:
        return _map(table, settings, telling)
    make = {"map": _map, "prototypes": _prototypes, "classifier": _classifier}
    return make[method_of(settings.method).group](table, settings, telling)


PIPELINE = [
    "from sklearn.pipeline import make_pipeline",
    "from sklearn.preprocessing import StandardScaler",
]
SCENE = "from labelscape.scene import build_scene"
PICTURE = [
    "from labelscape.boundary import ClassifierMap",
    "from labelscape.jobs import held_out_rows",
    SCENE,
]


def _map(table: Table, settings: Settings, telling: Telling) -> Outcome:
    found = map_table(
        table,
        settings.method,
        seed=settings.seed,
        judge=settings.honesty,
        islands=settings.islands,
        audit=settings.audit,
        parameters=settings.parameters,
        begin=telling.begin,
        callback=telling,
    )
    more, code = _map_again(found, settings.seed)
    imports = [*PIPELINE, *script.imports_of(found.model[-1]), *more]
    return _drawn(found, settings, telling, imports=imports, code=code)


def _refitted(
    table: Table, settings: Settings, start: Path, telling: Telling
) -> Outcome:
    """Return a map that was fitted again to labels that were decided on."""
    model, explains = (_kept(start / f"{name}.labelscape") for name in KEPT)
    found = refit_table(
        table,
        settings.decisions,
        settings.method,
        model=model,
        seed=settings.seed,
        judge=settings.honesty,
        islands=settings.islands,
        audit=settings.audit,
        parameters=settings.parameters,
        begin=telling.begin,
        callback=telling,
    )
    if len(table.X) <= MANY_ROWS:  # or it would take longer than the map
        explains = None
    code = script.REFIT if model is None else script.REFIT_FROM
    again = code.format(
        method=settings.method,
        seed=settings.seed,
        parameters=dict(settings.parameters),
        decisions=dict(settings.decisions),
    )
    functions = "refit_table" if model is None else "map_table, refit_table"
    imports = [f"from labelscape.jobs import {functions}"]
    return _drawn(
        found, settings, telling, imports=imports, code=again, explains=explains
    )


def _kept(path: Path) -> Any:
    return labelscape.load(path) if path.exists() else None


def _drawn(
    found: MapResult,
    settings: Settings,
    telling: Telling,
    *,
    imports: list[str],
    code: str,
    explains: Any = None,
) -> Outcome:
    """Return a map with its scene; ``code`` are the lines that make it again."""
    telling.begin(Step("drawing"))
    explained = explaining(found, seed=settings.seed, model=explains)
    scores = found.quality.scores
    on_a_line = script.ON_A_LINE if found.embedding.shape[1] == 1 else ""
    return Outcome(
        table=found.table,
        method=found.method,
        scene=map_scene(found, seed=settings.seed, explains=explained, wording=WORDING),
        positions=_places(found.embedding),
        summary=f"Trustworthiness {scores['trustworthiness']:.3f}, "
        f"continuity {scores['continuity']:.3f}.",
        imports=imports,
        fit=code + on_a_line,
        model=_savable(found.model),
        explains=_savable(explained.model),
        verdict=verdict_of(found),
    )


def _places(Z: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a map with two or three columns: one of one column has no height."""
    return np.pad(Z, ((0, 0), (0, 1))) if Z.shape[1] == 1 else Z[:, :3]


def _map_again(found: MapResult, seed: int) -> tuple[list[str], str]:
    """Return the lines that make a map again, and what else they import."""
    model, most = script.pipeline(found.model), method_named(found.method).fits_rows
    if most is not None and found.fitted is not None:
        again = script.MAP_OF_SOME.format(model=model, most=most, seed=seed)
        again += script.AS_FITTED if hasattr(found.model[-1], "embedding_") else ""
        return ["from labelscape.jobs import fitted_rows"], again
    groups = script.groups_of(found.model[-1], found.table)
    return [], script.MAP.format(model=model, groups=groups)


def _prototypes(table: Table, settings: Settings, telling: Telling) -> Outcome:
    found = prototype_table(
        table,
        settings.method,
        parameters=settings.parameters,
        seed=settings.seed,
        judge=settings.honesty,
        begin=telling.begin,
        callback=telling,
    )
    telling.begin(Step("drawing"))
    scene, estimator = prototype_scene(found, seed=settings.seed), found.model[-1]
    return Outcome(
        table=table,
        method=settings.method,
        scene=scene,
        positions=scene.maps[0].positions,
        summary=f"{len(estimator.prototypes_)} prototypes.",
        imports=[*PIPELINE, script.import_of(type(estimator)), SCENE],
        fit=script.PROTOTYPES.format(
            model=script.pipeline(found.model), seed=settings.seed
        ),
        model=found.model,
        explains=found.model,
        verdict=found.verdict,
    )


def _classifier(table: Table, settings: Settings, telling: Telling) -> Outcome:
    found = classify_table(
        table,
        settings.method,
        parameters=settings.parameters,
        seed=settings.seed,
        begin=telling.begin,
    )
    last = found.classifier[-1]
    how = script.pipeline(found.classifier)
    return _pictured(
        found,
        settings,
        telling,
        imports=[*PIPELINE, script.import_of(type(last))],
        how=f"{how}\nclassifier.fit(X[fitted], y[fitted])",
    )


def _saved_model(
    table: Table, settings: Settings, model: Path | None, telling: Telling
) -> Outcome:
    if model is None:
        raise InputError("Choose the file of the model.", parameter="model")
    found = classify_table(
        table,
        model=model,
        parameters=settings.parameters,
        seed=settings.seed,
        begin=telling.begin,
    )
    given = settings.model_name or "model.labelscape"
    return _pictured(
        found,
        settings,
        telling,
        imports=["from labelscape import load as load_model"],
        how=f"load_model({given!r})  # the file that you gave the app",
    )


def _pictured(
    found: ClassifyResult,
    settings: Settings,
    telling: Telling,
    *,
    imports: list[str],
    how: str,
) -> Outcome:
    """Return the picture of a classifier; ``how`` is the code that makes it."""
    telling.begin(Step("drawing"))
    scene = classifier_scene(found, seed=settings.seed)
    model = _savable(found.classifier)
    return Outcome(
        table=found.table,
        method=settings.method,
        scene=scene,
        positions=scene.maps[0].positions,
        summary=f"What {found.name} decides, and where.",
        imports=[*PICTURE, *_of_projection(found.picture), *imports],
        fit=script.CLASSIFIER.format(
            classifier=how,
            picture=script.picture(found.picture),
            seed=settings.seed,
            rows=len(found.picture.embedding_),
        ),
        model=model,
        explains=None if scene.model is None else model,
        verdict=found.verdict,
    )


def _of_projection(picture: Any) -> list[str]:
    """Return the lines that import the map under a picture that was asked for."""
    if picture.projection is None:
        return []
    return [*PIPELINE, *script.imports_of(picture.projection[-1])]


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


# New rows on the map of a run.

# Numbers of a placement that a page is told; its rows are in the table.
TOLD = ("n_rows", "n_unlike", "rate", "drift_p", "has_drifted", "moved")


@dataclass(frozen=True)
class Placed:
    """New rows on a map, the map for `labelscape.load`, and what the page shows."""

    rows: PlacedRows
    kept: TableMap
    scene: Scene

    @property
    def summary(self) -> str:
        """What is known of them as a whole, in a few sentences."""
        rows, found = self.rows, self.rows.placement
        parts = [found.unlike_words, found.drift_words, rows.filled_words]
        parts += [rows.unknown_words, rows.empty_words]
        return " ".join(part for part in parts if part)

    @property
    def record(self) -> dict[str, Any]:
        """What a page is told of them, in numbers."""
        found, said = placement_record(self.rows), self.rows.placement.predictions
        counts = Counter([] if said is None else map(str, said.tolist()))
        classes = [{"name": name, "count": n} for name, n in counts.most_common()]
        return {name: found[name] for name in TOLD} | {"classes": classes}

    def write(self, folder: Path, code: str) -> None:
        """Write the files of the run; the session brings them to their place."""
        _write_page(self.scene, folder)
        path = folder / "placed.csv"
        path.write_text(placement_csv(self.rows), encoding="utf-8", newline="")
        labelscape.save(self.kept, folder / "model.labelscape")
        (folder / "repeat.py").write_text(code, encoding="utf-8")


def placed_on(
    order: Placing, table: Table, rows: Any, labels: Any, telling: Telling
) -> Placed:
    """Place rows on the map of a finished run; ``table`` is what it was fitted to.

    ``labels`` are the classes of the new rows, as far as their table knows.
    """
    on, reading = order.on, order.settings.reading
    path = on.folder / "model.labelscape"
    if not path.exists():
        raise InputError("The run has no model that could place new rows.")
    telling.begin(Step("placing", order.source.name))
    kept = kept_model(labelscape.load(path), table, seed=on.settings.seed)
    found = place_rows(kept, rows, **roles(order), reading=reading)
    telling.begin(Step("drawing"))
    scene = placement_scene(
        decode((on.folder / "scene.lscn").read_bytes()),
        table,
        kept,
        found,
        name=order.source.name,
        labels=labels,
        **_looked_at(order, table, rows),
    )
    return Placed(found, kept, scene)


def _looked_at(order: Placing, table: Table, rows: Any) -> dict[str, Any]:
    """Return what new rows have of the columns that are shown with the map's rows."""
    if isinstance(rows, Table):
        return {"shown": rows.shown, "texts": rows.texts}
    options, text = csv_options(order.settings.reading), order.on.settings.reading.text
    names = [one.name for one in table.shown]
    return {
        "shown": shown_in(rows, names, options) if names else (),
        "texts": None if text is None else classes_in(rows, str(text), options),
    }


def roles(order: Placing) -> dict[str, str]:
    """Return which columns name the new rows, and say which belong together."""
    reading = order.settings.reading
    found = {"ids": reading.id, "group": reading.group or reading.id}
    return {role: str(key) for role, key in found.items() if key}


def code_of(order: Placing, reader: script.Reader, rows: script.Reader) -> str:
    """Return the code that places the rows again."""
    on = order.on.settings
    return script.placing_code(
        title=f"{order.source.name} on {order.settings.placed_on_name}",
        version=labelscape.__version__,
        reader=reader,
        rows=rows,
        method=on.method,
        parameters=on.parameters,
        seed=on.seed,
    )
