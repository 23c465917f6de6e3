"""Every fitted attribute is declared, and a changed one makes no loop read outside."""

import inspect
from copy import deepcopy

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from tests.faults.kinds import KINDS, NAMES, X, Y, fitted, made, new_objects

from labelscape._core.errors import InputError
from labelscape._model_file._declared import check_model, declared_of
from labelscape._model_file._registry import model_named
from labelscape.embeddings import CCA, LFDA, Sammon
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GLVQ, GRLVQ, LGMLVQ, PushAndGrow


def inner(model):
    """Yield a model, and the models of ours inside it."""
    for _, step in getattr(model, "steps", ()):
        yield from inner(step)
    if declared_of(type(model)):
        yield model
    for part in vars(model).values():
        if isinstance(part, BaseEstimator):
            yield from inner(part)


@pytest.mark.parametrize("kind", KINDS)
def test_every_fitted_attribute_is_declared(kind):
    for model in inner(fitted(kind)):
        known = model.get_params(deep=False).keys() | declared_of(type(model)).keys()
        made_anew = set(getattr(model, "_rebuilt", ()))
        assert vars(model).keys() - known - made_anew == set()


@pytest.mark.parametrize("name", NAMES)
def test_training_data_are_declared_attributes(name):
    cls = model_named(name)
    assert set(getattr(cls, "_training_data", ())) <= declared_of(cls).keys()


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_fit_leaves_behind_is_in_order(kind):
    for model in inner(fitted(kind)):
        if vars(model).keys() - model.get_params(deep=False).keys():
            check_model(model)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_says_that_a_model_is_not_fitted(name):
    model = made(model_named(name), **_needed(name))
    for method in ("predict", "transform", "pairwise", "explain", "support", "place"):
        if hasattr(model, method):
            with pytest.raises((ValueError, AttributeError), match="not fitted"):
                getattr(model, method)(X[:1] if method != "explain" else X[0])


def _needed(name):
    needed = {"embedder": Sammon(), "classifier": GLVQ().fit(X, Y)}
    known = inspect.signature(model_named(name)).parameters
    needed = {key: value for key, value in needed.items() if key in known}
    return needed | {"projection": LFDA()} if name == "TableMap" else needed


# What compiled loops rely on, broken by hand: they look at no index themselves.
CHANGED = {
    "labels cut": ("LGMLVQ", "prototype_labels_", lambda a: a[:1]),
    "labels beyond": ("GLVQ", "prototype_labels_", lambda a: np.full(3, "z")),
    "classes cut": ("GMLVQ", "classes_", lambda a: a[:-1]),
    "prototypes cut": ("GRLVQ", "prototypes_", lambda a: a[:1]),
    "map repeated": ("ClassiMap", "embedding_", lambda a: np.vstack([a, a])),
    "map of NaN": ("CCA", "embedding_", lambda a: a * np.nan),
    "spread of NaN": ("Sammon", "_spread", lambda spread: (np.nan,) * 4),
    "rows of NaN": ("CCA", "training_X_", lambda a: a * np.nan),
    "rows wider": ("XOM", "training_X_", lambda a: np.hstack([a, a])),
    "rows cut": ("SNE", "training_X_", lambda a: a[:5]),
    "coefficients cut": ("KernelMap", "coefficients_", lambda a: a[:2]),
    "points cut": (
        "FisherMetric",
        "_parzen",
        lambda p: p._replace(points=p.points[1:]),
    ),
    "starts beyond": (
        "FisherMetric",
        "_parzen",
        lambda p: p._replace(starts=p.starts + 9),
    ),
    "pairs cut": (
        "CrossFittedTSNE",
        "pairs_",
        lambda pairs: pairs._replace(places=pairs.places[1:]),
    ),
}


@pytest.mark.parametrize("change", CHANGED)
def test_a_loop_is_not_entered_with_arrays_that_do_not_fit_together(change):
    kind, attribute, changed = CHANGED[change]
    model = deepcopy(fitted(kind))
    setattr(model, attribute, changed(getattr(model, attribute)))
    asked = next(
        m for m in ("decision_function", "transform", "pairwise") if hasattr(model, m)
    )
    with pytest.raises(InputError, match=r"are inconsistent.* Fit it again"):
        getattr(model, asked)(new_objects(model))


def test_a_stream_does_not_write_beyond_prototypes_that_were_cut():
    model = made(GRLVQ).fit(X, Y)
    model.prototypes_ = model.prototypes_[:1]
    with pytest.raises(InputError, match="are inconsistent"):
        model.partial_fit(X, Y)


@pytest.mark.parametrize(
    "change",
    [
        {"prototypes_per_class": 3},
        {"n_components": 2},
        {"prototypes_per_class": {"a": 2}},
    ],
)
def test_a_stream_can_not_go_on_with_another_shape(change):
    model = made(LGMLVQ).fit(X, Y).set_params(**change)
    with pytest.raises(InputError, match="cannot change the number"):
        model.partial_fit(X, Y)


def test_a_metric_follows_what_is_set_by_hand():
    metric = made(FisherMetric).fit(X, Y)
    before = metric.pairwise(X)
    metric.epsilon_ = 100.0 * metric.epsilon_
    assert (metric.pairwise(X) >= before).all()
    assert metric.pairwise(X).sum() > before.sum()


def test_a_fit_forgets_what_only_an_earlier_one_had():
    model = made(CCA, metric=made(FisherMetric)).fit(X, Y)
    model.set_params(metric="euclidean").fit(X, Y)
    assert not hasattr(model, "metric_")
    np.testing.assert_array_equal(model.transform(X), made(CCA).fit(X, Y).transform(X))
    D = np.abs(X[:, :1] - X[:, 0])
    grown = PushAndGrow(metric="precomputed").fit(D, Y)
    assert not hasattr(grown.set_params(metric="euclidean").fit(X, Y), "variances_")


def test_distances_of_a_prototype_metric_want_the_features_of_the_model():
    metric = made(GLVQ).fit(X, Y).metric_
    with pytest.raises(InputError, match="a table with 4 features"):
        metric.distances(X[:, :1])
    with pytest.raises(InputError, match="contains NaN"):
        metric.lengths(np.full((2, 4), np.nan))


@pytest.mark.parametrize("kind", KINDS)
def test_a_notebook_can_show_every_model(kind):
    model = fitted(kind)
    assert type(model).__name__ in model._repr_html_()
    unfitted = type(model)(**model.get_params(deep=False))
    assert type(model).__name__ in unfitted._repr_html_()


@pytest.mark.parametrize("kind", ["GLVQ", "FisherMetric", "KernelTSNE", "LFDA"])
def test_checking_changes_nothing(kind):
    model = fitted(kind)
    before = dict(vars(model))
    check_model(model)
    assert all(vars(model)[name] is value for name, value in before.items())
    assert new_objects(model).shape[1] == model.n_features_in_
