"""Fitted models of every kind, with options that change their attributes.

Each estimator that a model file may hold is here by itself, with its defaults: also one
that is written tomorrow.
"""

import inspect
import warnings
from functools import cache

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler

from labelscape._model_file._registry import STEPS, model_named, model_names
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import (
    CCA,
    LFDA,
    SNE,
    XOM,
    ClassiMap,
    ClassNeRV,
    FisherKernelTSNE,
    FisherMDS,
    FisherTSNE,
    KernelMap,
    Sammon,
    WeightedMDS,
)
from labelscape.geometry import FisherMetric
from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    LGMLVQ,
    KMeansPrototypes,
    LocalLiRaMLVQ,
    PushAndGrow,
)

N = 24
Y = np.array(["a", "b", "c"])[np.arange(N) % 3]
X = np.random.default_rng(0).normal(size=(N, 4)) + 2.0 * np.eye(4)[np.arange(N) % 3]
D = np.sqrt(np.square(X[:, None] - X[None]).sum(axis=2))
NEW = X[::5] + 0.05

# Small fits: what is looked at is their shape.
SMALL = {
    "random_state": 0,
    "max_iter": 3,
    "early_exaggeration_iter": 3,
    "perplexity": 5,
    "n_steps": 5,
    "resolution": 12,
}


def made(cls, **options):
    """Return an estimator with a fast fit."""
    known = inspect.signature(cls).parameters
    small = {name: value for name, value in SMALL.items() if name in known}
    return cls(**small | options)


def _by_name(name):
    options = {"embedder": made(Sammon), "classifier": made(GLVQ).fit(X, Y)}
    known = inspect.signature(model_named(name)).parameters
    needed = {key: options[key] for key in options if key in known}
    if name == "TableMap":
        needed["projection"] = LFDA().fit(X, Y)
    return made(model_named(name), **needed)


def _streamed():
    model = made(LGMLVQ, prototypes_per_class=2, localization="prototype")
    return model.partial_fit(X[Y != "c"], Y[Y != "c"], classes=np.unique(Y))


def _with_holes():
    holes = X.copy()
    holes[::7, 1] = np.nan
    return made(GMLVQ, missing="ignore").fit(holes, Y)


def _table():
    import pandas as pd

    return pd.DataFrame(X, columns=list("pqrs"))


def _fisher(**options):
    return made(FisherMetric, **options)


OPTIONS = {
    "GLVQ watched": lambda: made(GLVQ).fit(X, Y, validation=(NEW, Y[::5])),
    "GLVQ of two classes": lambda: made(GLVQ).fit(X[Y != "c"], Y[Y != "c"]),
    "GLVQ of a table": lambda: made(GLVQ).fit(_table(), Y),
    "GMLVQ of float32": lambda: made(GMLVQ).fit(X.astype(np.float32), Y),
    "GMLVQ with holes": _with_holes,
    "LGMLVQ streamed": _streamed,
    "LocalLiRaMLVQ by prototype": lambda: made(
        LocalLiRaMLVQ, prototypes_per_class=2, localization="prototype"
    ).fit(X, Y),
    "LocalLiRaMLVQ reduced": lambda: made(LocalLiRaMLVQ).fit(X, Y).reduced(1),
    "KMeansPrototypes of all": lambda: KMeansPrototypes(k=1.0).fit(X, Y),
    "PushAndGrow precomputed": lambda: PushAndGrow(metric="precomputed").fit(D, Y),
    "FisherMetric few": lambda: _fisher(parzen_points=9).fit(X, Y),
    "FisherMetric kmeans": lambda: _fisher(
        parzen_points=12, parzen_selection="kmeans"
    ).fit(X, Y),
    "FisherMetric given": lambda: _fisher(parzen_points=(X + 0.01, Y)).fit(X, Y),
    "FisherMetric seen": lambda: _fisher(exclude_self=False).fit(X, Y),
    "FisherMetric graph": lambda: _fisher(method="graph", n_neighbors=3).fit(X, Y),
    "FisherMetric left": lambda: _fisher(rule="left", n_steps="auto").fit(X, Y),
    "FisherMetric of a classifier": lambda: _fisher(estimator=made(GLVQ).fit(X, Y)).fit(
        X, Y
    ),
    "FisherMetric cross-fitted": lambda: _fisher(estimator="auto").fit(X, Y),
    "FisherKernelTSNE cross-fitted": lambda: made(
        FisherKernelTSNE, metric=_fisher(estimator="auto")
    ).fit(X, Y),
    "Sammon precomputed": lambda: made(Sammon, metric="precomputed").fit(D),
    "CCA by Fisher": lambda: made(CCA, metric=_fisher()).fit(X, Y),
    "CCA exponential": lambda: made(CCA, weighting="exponential").fit(X),
    "ClassiMap without a label": lambda: made(ClassiMap).fit(X, np.full(N, -1)),
    "ClassNeRV precomputed": lambda: made(ClassNeRV, metric="precomputed").fit(D, Y),
    "SNE precomputed": lambda: made(SNE, metric="precomputed").fit(D),
    "XOM precomputed": lambda: made(XOM, metric="precomputed").fit(D),
    "KernelMap precomputed": lambda: KernelMap(
        made(Sammon, metric="precomputed"), metric="precomputed"
    ).fit(D),
    "KernelMap by Fisher": lambda: KernelMap(
        made(Sammon).fit(X), metric=_fisher(), n_centers=9
    ).fit(X, Y),
    "FisherKernelTSNE of some": lambda: made(
        FisherKernelTSNE, train_size=18, metric=_fisher().fit(X, Y)
    ).fit(X, Y),
    "FisherTSNE by a metric": lambda: made(
        FisherTSNE, metric=_fisher(regularization=0.3).fit(X, Y)
    ).fit(X, Y),
    "FisherMDS by a metric": lambda: made(FisherMDS, metric=_fisher().fit(X, Y)).fit(
        X, Y
    ),
    "WeightedMDS of prototypes": lambda: made(WeightedMDS).fit(
        X, Y, is_prototype=np.arange(N) < 6
    ),
    "ClassifierMap of a metric": lambda: made(
        ClassifierMap, classifier=_fisher().fit(X, Y), projection=LFDA().fit(X, Y)
    ).fit(X, Y),
    "ClassifierMap of places": lambda: made(
        ClassifierMap, classifier=made(GMLVQ).fit(X, Y), projection=X[:, :2] + 0.01
    ).fit(X, Y),
    "Pipeline": lambda: make_pipeline(StandardScaler(), made(GMLVQ)).fit(X, Y),
    "Pipeline of a map": lambda: make_pipeline(
        RobustScaler(), MinMaxScaler(), made(Sammon)
    ).fit(X, Y),
}
NAMES = [name for name in model_names() if name not in STEPS]
KINDS = {name: lambda name=name: _by_name(name).fit(X, Y) for name in NAMES} | OPTIONS


@cache
def fitted(kind):
    """Return the fitted model of a kind; copy it before changes."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # three iterations are few
        return KINDS[kind]()


def new_objects(model):
    """Return samples in the form that a model needs."""
    last = model[-1] if hasattr(model, "steps") else model
    metric = getattr(last, "metric", None)
    given = isinstance(metric, str) and metric == "precomputed"
    return D[::5] + 0.05 if given else NEW
