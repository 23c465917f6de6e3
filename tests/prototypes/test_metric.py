"""Every prototype model says in one record how it measures."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    ICF,
    LGMLVQ,
    KMeansPrototypes,
    LiRaMLVQ,
    LocalLiRaMLVQ,
    LVQAndGrow,
    PushAndGrow,
)

KINDS = {
    GLVQ: "euclidean",
    GRLVQ: "diagonal",
    GMLVQ: "matrix",
    LiRaMLVQ: "matrix",
    LGMLVQ: "local",
    LocalLiRaMLVQ: "local",
    PushAndGrow: "euclidean",
    LVQAndGrow: "euclidean",
    KMeansPrototypes: "euclidean",
    ICF: "euclidean",
}
LVQ_FAMILY = [model for model in KINDS if model.__name__.endswith("LVQ")]
every_model = pytest.mark.parametrize("model", KINDS, ids=lambda m: m.__name__)


def data(n=60, n_features=4, n_classes=3):
    rng = np.random.default_rng(0)
    y = np.arange(n) % n_classes
    centers = 2.0 * rng.normal(size=(n_classes, n_features))
    return centers[y] + rng.normal(size=(n, n_features)), y


def fitted(model, **options):
    if model in LVQ_FAMILY:
        options = {"max_iter": 5, "prototypes_per_class": 2, **options}
    return model(**options).fit(*data())


@every_model
def test_the_kind_of_metric_and_whether_it_is_squared_are_facts_of_the_model(model):
    metric = fitted(model).metric_
    assert metric.kind == KINDS[model]
    assert metric.is_squared == (model in LVQ_FAMILY)


@every_model
def test_distances_are_lengths_under_the_factor_of_each_prototype(model):
    metric, (X, _) = fitted(model).metric_, data()
    for p, w in enumerate(metric.prototypes):
        factor = np.eye(4) if metric.factor(p) is None else metric.factor(p)
        factor = np.diag(factor) if factor.ndim == 1 else factor
        lengths = np.linalg.norm((X - w) @ factor.T, axis=1)
        np.testing.assert_allclose(metric.lengths(X)[:, p], lengths, rtol=1e-9)
        compared = lengths**2 if metric.is_squared else lengths
        np.testing.assert_allclose(metric.distances(X)[:, p], compared, rtol=1e-9)


@pytest.mark.parametrize("model", [LGMLVQ, LocalLiRaMLVQ])
@pytest.mark.parametrize("localization", ["class", "prototype"])
def test_local_factors_belong_to_classes_or_to_prototypes(model, localization):
    model = fitted(model, localization=localization)
    metric, Psi = model.metric_, model.local_matrices_
    shared = np.eye(4) if metric.shared is None else model.omega_
    owner = [0, 0, 1, 1, 2, 2] if localization == "class" else range(6)
    for factor, local in zip(metric.factors, owner, strict=True):
        np.testing.assert_allclose(factor, Psi[local] @ shared)


@every_model
def test_the_nearest_prototype_decides(model):
    model, (X, _) = fitted(model), data()
    nearest = model.metric_.distances(X).argmin(axis=1)
    np.testing.assert_array_equal(model.prototype_labels_[nearest], model.predict(X))


@every_model
def test_images_have_the_distances_of_the_shared_part(model):
    metric, (X, _) = fitted(model).metric_, data()
    gaps = metric.images(X)[:, None] - metric.images(metric.prototypes)
    if metric.local is not None:
        gaps = np.einsum("nls,lms->nlm", gaps, metric.local[metric.local_of])
    lengths = np.linalg.norm(gaps, axis=2)
    np.testing.assert_allclose(lengths, metric.lengths(X), rtol=1e-9)


def test_only_local_metrics_without_a_shared_one_have_no_common_space():
    without = [model for model in KINDS if not fitted(model).metric_.has_common_space]
    assert without == [LGMLVQ]


@every_model
def test_blocks_of_distances_are_the_distances(model):
    metric, (X, _) = fitted(model).metric_, data()
    whole = metric.distances(X)
    np.testing.assert_array_equal(metric.by_blocks(X, lambda D: D), whole)


def test_precomputed_dissimilarities_have_distances_but_no_factors():
    X, y = data()
    D = np.linalg.norm(X[:, None] - X, axis=2)
    model = PushAndGrow(metric="precomputed").fit(D, y)
    metric, plain = model.metric_, PushAndGrow().fit(X, y).metric_
    assert metric.kind == "precomputed"
    np.testing.assert_allclose(metric.distances(D), plain.distances(X), rtol=1e-6)
    for ask in (metric.images, metric.factor):
        with pytest.raises(ValueError, match="prototypes have no features"):
            ask(0)


def test_classes_that_have_not_come_yet_do_not_shift_the_local_metrics():
    X, y = data()
    seen = y != 1
    model = LGMLVQ().partial_fit(X[seen], y[seen], classes=[0, 1, 2])
    for prototype in range(2):
        np.testing.assert_array_equal(
            model.metric_.factor(prototype), model.local_matrices_[prototype]
        )


@every_model
def test_the_record_refers_to_the_model_and_is_not_kept_by_it(model):
    model = fitted(model)
    assert model.metric_.prototypes is model.prototypes_
    assert "metric_" not in vars(model)


@every_model
def test_whole_numbers_are_measured_as_numbers(model):
    metric, (X, _) = fitted(model).metric_, data()
    X = np.rint(X)
    np.testing.assert_array_equal(metric.distances(X.astype(int)), metric.distances(X))


@every_model
def test_a_model_that_is_not_fitted_has_no_metric(model):
    with pytest.raises(NotFittedError):
        _ = model().metric_
