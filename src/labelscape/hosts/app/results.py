"""What a fit of the app gives, whichever method it was, and the files of it."""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import labelscape
from labelscape.datasets import Table
from labelscape.hosts.app import script
from labelscape.hosts.app.method_forms import choices
from labelscape.hosts.app.progress import Telling
from labelscape.hosts.page import html_page
from labelscape.jobs import (
    PICTURED,
    TEST_SIZE,
    Step,
    can_stratify,
    classifier_scene,
    classify_table,
    explaining,
    map_scene,
    map_table,
    prototype_scene,
    prototype_table,
)
from labelscape.scene import Scene, encode

# How a formula may begin that a spreadsheet computes. A class that is called -1 is a
# number all the same. The rule of csv.ts.
FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True)
class Outcome:
    """What came out of a fit.

    Attributes
    ----------
    table : Table
        The data.
    scene : Scene
        What the page shows.
    positions : ndarray of shape (n_rows, 2)
        The places, in full precision.
    model : estimator or None
        What can be saved of it.
    explains : estimator or None
        The model behind the scene's explanations.
    summary : str
        One sentence.
    verdict, level : str or None
        What honesty says, if it was measured.
    imports : list of str
        What the code that repeats it imports.
    fit : str
        That code.
    """

    table: Table
    scene: Scene
    positions: Any
    model: Any
    explains: Any
    summary: str
    verdict: str | None
    level: str | None
    imports: list[str]
    fit: str

    def write(self, folder: Path, origin: Mapping[str, Any]) -> None:
        """Write the files of the run; the session brings them to their place."""
        data = encode(self.scene)
        (folder / "scene.lscn").write_bytes(data)
        page = html_page(data, title=self.scene.title)
        (folder / "page.html").write_bytes(page)
        self._write_positions(folder / "positions.csv")
        if self.model is not None:
            # Some maps place new rows by comparing them with those of the fit.
            path = folder / "model.labelscape"
            labelscape.save(self.model, path, include_data=True)
        if self.explains is not None:
            labelscape.save(self.explains, folder / "explains.labelscape")
        (folder / "repeat.py").write_text(self._code(origin), encoding="utf-8")

    def _write_positions(self, path: Path) -> None:
        """Write the place of each row with its name and class."""
        ids, y = self.table.ids, self.table.y
        assert y is not None
        names = range(len(y)) if ids is None else ids.tolist()
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", "class", "x", "y"])
            for name, label, place in zip(names, y, self.positions, strict=True):
                words = (_as_text(name), _as_text(label))
                writer.writerow([*words, *(repr(float(v)) for v in place)])

    def _code(self, origin: Mapping[str, Any]) -> str:
        embedded = origin["embedded"]
        reader = "read_table" if embedded is None else "load"
        return script.code(
            title=self.scene.title,
            version=labelscape.__version__,
            imports=[f"from labelscape.datasets import {reader}", *self.imports],
            table=script.table_code(origin["settings"], origin["file"], embedded),
            fit=self.fit,
        )


def outcome_of(
    table: Table, settings: Mapping[str, Any], model: str | None, telling: Telling
) -> Outcome:
    """Fit the method that was asked for."""
    group = choices()[settings["method"]].group
    if group == "map":
        return _map(table, settings, telling)
    if group == "prototypes":
        return _prototypes(table, settings, telling)
    return _classifier(table, settings, model, telling)


PIPELINE = [
    "from sklearn.pipeline import make_pipeline",
    "from sklearn.preprocessing import StandardScaler",
]
SCENE = "from labelscape.scene import build_scene"


def _map(table: Table, settings: Mapping[str, Any], telling: Telling) -> Outcome:
    found = map_table(
        table,
        settings["method"],
        seed=settings["seed"],
        judge=settings["honesty"],
        parameters=settings["parameters"],
        begin=telling.begin,
        callback=telling,
    )
    telling.begin(Step("drawing"))
    explains = explaining(found)
    estimator = found.model[-1]
    honest = found.honesty
    scores = found.quality.scores
    return Outcome(
        table,
        map_scene(found, seed=settings["seed"], prototypes=explains),
        np.pad(found.embedding, ((0, 0), (0, 1)))[:, :2],  # it may have one column
        _savable(found.model),
        _savable(explains),
        f"Trustworthiness {scores['trustworthiness']:.3f}, "
        f"continuity {scores['continuity']:.3f}. {found.honesty_note}".strip(),
        str(honest.verdict) if honest else None,
        honest.level if honest else None,
        [*PIPELINE, script.import_of(type(estimator))],
        script.MAP.format(estimator=script.constructor(estimator))
        + (script.ON_A_LINE if found.embedding.shape[1] == 1 else ""),
    )


def _prototypes(table: Table, settings: Mapping[str, Any], telling: Telling) -> Outcome:
    seed = settings["seed"]
    found = prototype_table(
        table,
        settings["method"],
        parameters=settings["parameters"],
        seed=seed,
        begin=telling.begin,
        callback=telling,
    )
    telling.begin(Step("drawing"))
    scene = prototype_scene(found, seed=seed)
    estimator = found.model[-1]
    return Outcome(
        table,
        scene,
        scene.maps[0].positions,
        found.model,
        found.model,
        str(found),
        None,
        None,
        [*PIPELINE, script.import_of(type(estimator)), SCENE],
        script.PROTOTYPES.format(estimator=script.constructor(estimator), seed=seed),
    )


def _classifier(
    table: Table, settings: Mapping[str, Any], model: str | None, telling: Telling
) -> Outcome:
    is_file, seed = settings["method"] == "model", settings["seed"]
    if is_file and model is None:
        raise ValueError("Choose the file of the model.")
    found = classify_table(
        table,
        "svm" if is_file else settings["method"],
        model=model,
        parameters=settings["parameters"],
        seed=seed,
        begin=telling.begin,
    )
    telling.begin(Step("drawing"))
    scene = classifier_scene(found, seed=seed)
    imports = [
        "from labelscape.boundary import ClassifierMap",
        SCENE,
        "from sklearn.model_selection import train_test_split",
    ]
    if is_file:
        imports.append("from labelscape import load as load_model")
        given = settings.get("model_name", "model.labelscape")
        how = f"load_model({given!r})  # the file that you gave the app"
    else:
        last = found.classifier[-1]
        imports += [*PIPELINE, script.import_of(type(last))]
        how = f"make_pipeline(StandardScaler(), {script.constructor(last)})"
        how += "\nclassifier.fit(X[fitted], y[fitted])"
    return Outcome(
        table,
        scene,
        scene.maps[0].positions,
        _savable(found.classifier),
        _savable(found.classifier) if scene.model is not None else None,
        " ".join(str(found).split()),
        None,
        None,
        imports,
        script.CLASSIFIER.format(
            classifier=how,
            seed=seed,
            rows=PICTURED,
            test_size=TEST_SIZE,
            stratify="y" if can_stratify(table.y) else None,
        ),
    )


def _savable(model: Any) -> Any:
    """Return a model if a model file can hold it and is of use, else None."""
    if model is None:
        return None
    last = model[-1] if hasattr(model, "steps") else model
    is_ours = type(last).__module__.startswith("labelscape.")
    is_of_use = hasattr(model, "predict") or hasattr(model, "transform")
    return model if is_ours and is_of_use else None


def _as_text(value: Any) -> str:
    """Return a name or class so that no spreadsheet takes it for a formula."""
    text = str(value)
    is_safe = not text.startswith(FORMULA) or NUMBER.fullmatch(text)
    return text if is_safe else f"'{text}"
