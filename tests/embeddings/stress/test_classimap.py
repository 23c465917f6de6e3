import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import norm

from labelscape._core.points.spaces import Points
from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.embeddings import CCA, ClassiMap
from labelscape.embeddings.stress._base import FixedSubset, PivotRun
from labelscape.embeddings.stress._weights import (
    BY_CLASS,
    Penalty,
    falling_weights,
)

# Most labels here are arbitrary, and the map rightly says so.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*labels cannot be predicted from the data"
)

rng = np.random.default_rng(0)
X = rng.normal(size=(36, 6))
y = np.arange(36) % 3
QUICK = {"n_pivots": 300, "random_state": 0}


def slow_map_by_input_distance(start, run, p):
    """The pivot rule with the weights F(delta), straight from the specification."""
    D = squareform(pdist(X))
    mean, std = pdist(X).mean(), pdist(X).std()
    Y = start.copy()
    for i, alpha, lam in zip(run.pivots, run.alphas, run.lambdas, strict=True):
        others = np.arange(36) != i
        lines = Y[others] - Y[i]
        d = np.linalg.norm(lines, axis=1)
        gap = D[i, others] - d
        w = norm.sf(D[i, others], mean - 2 * (1 - lam) * std, 2 * lam * std)
        step = alpha * w * gap
        if p == 1:
            longest = alpha * w * std / 2
            step = np.clip(gap, -longest, longest)
        Y[others] += (step / d)[:, None] * lines
    return Y


@pytest.mark.parametrize("p", [1, 2])
def test_with_one_class_it_is_the_method_of_input_distances(p):
    options = {"p": p, "lambda_end": 0.5, **QUICK}  # so wide that no row is held
    start = X[:, :2]
    Z = ClassiMap(init=start, **options).fit_transform(X, np.zeros(36, dtype=int))
    given = Points(X)
    spread = FixedSubset(given).spread
    weights = falling_weights(BY_CLASS, np.zeros(36, dtype=int), spread)
    penalty, seed = Penalty(p, spread.std / 2), np.random.RandomState(0)
    run = PivotRun(given, weights, penalty, (0.9, 0.5), 300, seed)
    assert_allclose(Z, slow_map_by_input_distance(start, run, p), atol=1e-4)


@pytest.mark.filterwarnings("ignore:The number of unique classes")
@pytest.mark.parametrize("p", [1, 2])
def test_with_a_class_for_each_object_it_is_cca(p):
    Z = ClassiMap(p=p, **QUICK).fit_transform(X, np.arange(36))
    assert_array_equal(Z, CCA(p=p, **QUICK).fit_transform(X))


@pytest.mark.parametrize(
    "nothing", [np.full(36, -1), np.array([None] * 36), np.full(36, np.nan)]
)
def test_without_any_label_it_is_cca(nothing):
    model = ClassiMap(p=2, **QUICK).fit(X, nothing)
    assert_array_equal(model.embedding_, CCA(**QUICK).fit_transform(X))
    assert len(model.classes_) == 0


def test_missing_labels_may_be_written_in_several_ways():
    numbers = np.where(np.arange(36) < 6, -1, y)
    words = np.array([None if k < 0 else "abc"[k] for k in numbers], dtype=object)
    floats = np.where(numbers < 0, np.nan, numbers)
    model = ClassiMap(**QUICK).fit(X, numbers)
    assert_array_equal(model.classes_, [0, 1, 2])
    for labels in (words, floats):
        assert_array_equal(
            ClassiMap(**QUICK).fit_transform(X, labels), model.embedding_
        )
    assert not np.array_equal(ClassiMap(**QUICK).fit_transform(X, y), model.embedding_)


def test_names_of_classes_do_not_matter():
    Z = ClassiMap(**QUICK).fit_transform(X, y)
    assert_array_equal(ClassiMap(**QUICK).fit_transform(X, np.array(list("zax"))[y]), Z)


def test_minus_one_and_one_alone_are_doubtful_labels():
    with pytest.warns(UserWarning, match="-1 means that a sample has no label"):
        ClassiMap(**QUICK).fit(X, np.where(y > 0, 1, -1))


def test_overlapping_classes_come_apart_on_the_map():
    # The behaviour that the documentation warns of.
    label = np.arange(150) % 3

    def accuracy(places):
        gaps = cdist(places, places) + np.diag(np.full(150, np.inf))
        return np.mean(label[gaps.argmin(axis=1)] == label)

    found = []
    for seed in range(5):
        data = np.random.default_rng(seed).normal(size=(150, 10))
        data[np.arange(150), label] += 1.5
        Z = ClassiMap(random_state=seed).fit_transform(data, label)
        found.append((accuracy(data), accuracy(Z)))
    # Of 12 draws 0.60 (standard deviation 0.03) and 0.976 (0.015).
    in_data, on_map = np.mean(found, axis=0)
    assert in_data < 0.8
    assert on_map > 0.94


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (None, "requires y to be passed"),
        (np.zeros(35, dtype=int), "36 samples but y has 35 labels"),
        (np.linspace(0.1, 1.0, 36), "continuous numbers"),
    ],
)
def test_unusable_labels_get_one_clear_sentence(labels, words):
    with pytest.raises(ValueError, match=words):
        ClassiMap().fit(X, labels)


def test_labels_without_meaning_are_warned_about_whatever_the_metric():
    rng = np.random.default_rng(0)
    noise, labels = rng.normal(size=(60, 8)), rng.choice([0, 1, -1], size=60)
    D = squareform(pdist(noise))
    for metric, given in (("euclidean", noise), ("precomputed", D)):
        with pytest.warns(LabelsSayNothing, match="ClassiMap: the labels cannot be"):
            ClassiMap(metric=metric, **QUICK).fit(given, labels)
