"""Arguments that are right: small data, by the name of the argument.

A function of which a needed argument is not listed here is not covered yet, and
`test_fuzz.py` says so: add a maker. ``owner.argument`` goes before ``argument``.
"""

import inspect
from collections.abc import Callable, Iterable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from labelscape import (
    boundary,
    datasets,
    embeddings,
    hosts,
    jobs,
    prototypes,
    quality,
    save,
    scene,
)
from labelscape._core.columns import Categories
from labelscape._core.errors import PYTHON

Y = np.arange(24) % 3
X = np.random.RandomState(0).normal(size=(24, 4)) + 1.5 * Y[:, None]
PLANE = X[:, :2].copy()
MASK = np.arange(24) < 6
ROWS = (f"{x[0]:.6f},{x[1]:.6f},{y}" for x, y in zip(X, Y, strict=True))
CSV = "\n".join(["a,b,kind", *ROWS])

# Parameters that decide how long a fit takes; the defaults are for real data.
QUICK: dict[str, Any] = {
    "max_iter": 3,
    "n_init": 1,
    "epochs": 2,
    "early_exaggeration_iter": 2,
    "resolution": 12,
    "n_splits": 2,
    "n_resamples": 2,
    "judge": False,
    "quality": False,
    "regions": False,
    "perplexity": 4.0,
}


def _table() -> Any:
    return datasets.read_table(_written("table.csv", CSV), label="kind")


def _written(name: str, text: str) -> Path:
    path = Path(name).resolve()
    path.write_text(text)
    return path


def _model_path() -> str:
    if not Path("model.npz").exists():
        save(_matrix_model(), "model.npz")
    return "model.npz"


def _kept_path() -> str:
    if not Path("kept.labelscape").exists():
        result = jobs.map_table(_table(), "lfda", judge=False)
        save(jobs.kept_map(result), "kept.labelscape")
    return "kept.labelscape"


@cache
def _matrix_model() -> Any:
    return prototypes.LiRaMLVQ(random_state=0, max_iter=3).fit(X, Y)


@cache
def _picture() -> Any:
    model = boundary.ClassifierMap(GaussianNB().fit(X, Y), PCA(2), 12, random_state=0)
    return model.fit(X)


@cache
def _map_result() -> Any:
    return jobs.map_table(_table(), "lda", judge=False)


@cache
def _audit_report() -> Any:
    return quality.audit.audit(X, Y, random_state=0)


@cache
def _scene() -> Any:
    subject, data = scene.Subject(PLANE), scene.Data(X, Y)
    return scene.build_scene(subject, data, scene.Trust(quality=False))


MAKERS: dict[str, Callable[[], Any]] = {
    "X": X.copy,
    "hyperbolic_focus.X": PLANE.copy,
    "hyperbolic_strength.X": PLANE.copy,
    "Y": X.copy,
    "x": lambda: X[0].copy(),
    "y": Y.copy,
    "correct_for": lambda: np.arange(24) // 12,
    "Z": lambda: PLANE / 10.0,
    "inverse_transform.Z": PLANE.copy,
    "embedding": PLANE.copy,
    "labels": Y.copy,
    "is_prototype": MASK.copy,
    "prototypes": lambda: X[:6].copy(),
    "plot_map.regions": lambda: GaussianNB().fit(PLANE, Y).predict_proba,
    "plot_map.prototypes": lambda: PLANE[:6].copy(),
    "plot_comparison.prototypes": lambda: [0, 2],
    "prototype_labels": lambda: Y[:6].copy(),
    "samples": lambda: X[6:].copy(),
    "plot_comparison.samples": lambda: X[6:8].copy(),
    "plot_comparison.sample_names": lambda: ["six", "seven"],
    "sample_labels": lambda: Y[6:].copy(),
    "data": X.copy,
    "distances": lambda: np.array([1.0, 2.0, 2.5]),
    "prototype_distances": lambda: np.array([[0.0, 1, 2], [1, 0, 1.5], [2, 1.5, 0]]),
    "focus": lambda: np.array([0.5, 0.5]),
    "strength": lambda: 0.7,
    "center": lambda: np.array([0.2, -0.1]),
    "fraction": lambda: 0.3,
    "sizes": lambda: np.full(24, 9.0),
    "classes": lambda: np.arange(3),
    "sample_weight": lambda: np.linspace(0.5, 1.0, 24),
    "validation": lambda: (X[:6].copy(), Y[:6].copy()),
    "lower": lambda: X.min(axis=0) - 9.0,
    "upper": lambda: X.max(axis=0) + 9.0,
    "explain.scale": lambda: np.ones(4),
    "fixed": lambda: [1],
    "explain.categories": lambda: [
        Categories("wood", ("a", "b"), np.array([3]), np.array([[0.0], [1.0]]))
    ],
    "target": lambda: 2,
    "maps": lambda: {"one": PLANE.copy(), "other": X[:, 2:].copy()},
    "n_neighbors": lambda: 3,
    "n_classes": lambda: 3,
    "n": lambda: 20,
    "n_samples": lambda: 10,
    "max_pairs": lambda: 50,
    "classifier": lambda: GaussianNB().fit(X, Y),
    "compare.classifier": lambda: DecisionTreeClassifier(random_state=0).fit(X, Y),
    "classify_table.classifier": lambda: "logistic",
    "embedder": lambda: PCA(2),
    "projection": lambda: PCA(2),
    "TableMap.projection": lambda: PCA(2).fit(X),
    "honesty.estimator": lambda: PCA(2),
    "labels_from": lambda: KMeans(2, n_init=1),
    "way": lambda: "stripes",
    "report": lambda: _audit_report(),
    "subject": lambda: scene.Subject(PLANE),
    "build_scene.data": lambda: scene.Data(
        X,
        Y,
        columns={"batch": ["a", "b", None] * 8, "dose": Y / 2.0},
        categories=[
            Categories("wood", ("a", "b"), np.array([3]), np.array([[0.0], [1.0]]))
        ],
    ),
    "trust": lambda: scene.Trust(quality=False, audit=_audit_report()),
    "wording": lambda: PYTHON,
    "a": lambda: 0,
    "b": lambda: 1,
    "honesty.k": lambda: 2,
    "islands.estimator": lambda: PCA(2),
    "model": lambda: _matrix_model(),
    "plot_classifier_map.model": lambda: _picture(),
    "plot_growth.model": lambda: prototypes.PushAndGrow().fit(X, Y),
    "map_cells.cells": lambda: X.copy(),
    "without.rows": lambda: [0, 1],
    "plot_s.model": lambda: embeddings.PLSDA().fit(X, Y),
    "classify_table.model": lambda: _model_path(),
    "comparison": lambda: _picture().compare(
        DecisionTreeClassifier(random_state=0).fit(X, Y), X
    ),
    "model_or_map": PLANE.copy,
    "scene": lambda: scene.encode(_scene()),
    "encode.scene": lambda: _scene(),
    "given": lambda: scene.encode(_scene()),
    "title": lambda: "A title",
    "path": lambda: "written.html",
    "load.path": lambda: _model_path(),
    "file": lambda: "table.csv",
    "source": lambda: _written("table.csv", CSV),
    "label": lambda: "kind",
    "rows": lambda: X[:, :2].copy(),
    "record": lambda: {"label": "kind"},
    "datasets.load.name": lambda: "iris",
    "name": lambda: "lda",
    "classifier_named.name": lambda: "svm",
    "Reading.read.name": lambda: "trees",
    "Reading.check.owner": lambda: "read_table",
    "Reading.words_in.column": lambda: "kind",
    "Reading.ids_in.column": lambda: "kind",
    "Reading.shown_in.columns": lambda: ["kind"],
    "method": lambda: "lda",
    "prototype_table.method": lambda: "kmeans",
    "methods": lambda: ["pca", "lda"],
    "group": lambda: "map",
    "table": _table,
    "result": lambda: _map_result(),
    "found": lambda: _map_result(),
    "written": lambda: Path("map.html"),
    "parameters": dict,
    "n_components": lambda: 2,
    "n_features": lambda: 4,
    "n_rows": lambda: 24,
    "seed": lambda: 0,
    "random_state": lambda: 0,
    "ids": lambda: [f"object {i}" for i in range(24)],
    "texts": lambda: [f"text {i}" for i in range(24)],
    "held_out": MASK.copy,
    "class_points": MASK.copy,
    "thumbnails": lambda: np.zeros((24, 3, 3)),
    "feature_names": lambda: ["a", "b", "c", "d"],
    "feature_kinds": lambda: [None, "truth", None, "date"],
    "imputed": lambda: {"x1": [1, 2]},
    "function": lambda: print,
    "news": lambda: {"iteration": 1},
    "kept_map.result": lambda: jobs.map_table(_table(), "lfda", judge=False),
    "receptive_fields.sites": lambda: PLANE[:3],
    "place_rows.model": lambda: _kept_path(),
    "place_rows.rows": lambda: _written("new.csv", CSV),
    "place_rows.ids": lambda: "a",
    "place_rows.group": lambda: "b",
    "placed": lambda: jobs.place_rows(_kept_path(), _written("new.csv", CSV)),
    "decisions": lambda: {0: _table().y[0].item()},
    "n_decided": lambda: 2,
    "read_decisions.path": lambda: _written("labels.csv", "row,given,label\n"),
    "refit_table.model": lambda: _map_result().model,
    "positions": PLANE.copy,
    "from_json.text": lambda: _table().encoder.to_json(),
    "selection =.value": lambda: [2, 0],
    "object =.value": lambda: 3,
    "level =.value": lambda: "data",
    "map =.value": lambda: 0,
    "color_by =.value": lambda: "class",
}

# Records whose methods take arguments, by the name of their class.
RECORDS: dict[str, Callable[[], Any]] = {
    "Explorer": lambda: hosts.explore(PLANE, X, Y, quality=False),
    "Reading": lambda: datasets.Reading(label="kind"),
    "AuditReport": lambda: _audit_report(),
    "Finding": lambda: quality.audit.Finding("constant", ("age",), 1),
    "TableEncoder": lambda: _table().encoder,
    "Method": lambda: jobs.method_named("lda"),
}

NOTHING = inspect.Parameter.empty


def good(owner: str, argument: str) -> Any:
    """Return a right value of an argument; `NOTHING` if nobody knows one."""
    parts = owner.split(".")
    for start in range(len(parts)):
        maker = MAKERS.get(".".join([*parts[start:], argument]))
        if maker is not None:
            return deepcopy(maker())
    if argument in QUICK:
        return QUICK[argument]
    return deepcopy(MAKERS[argument]()) if argument in MAKERS else NOTHING


def needed(owner: str, arguments: Iterable[str]) -> dict[str, Any]:
    """Return right values of some arguments."""
    return {name: good(owner, name) for name in arguments}
