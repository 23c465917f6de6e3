"""Gap or cut: the dip and its definition, clusters of noise, and planted gaps."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.random import RandomState
from scipy.optimize import linprog
from scipy.special import erf
from sklearn.base import BaseEstimator
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans, MeanShift
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA

from labelscape.quality import certify, honesty
from labelscape.quality.certificate._dip import dip_statistic
from labelscape.quality.certificate.gaps import (
    ClassGap,
    _between,
    find_gaps,
)
from labelscape.quality.certificate.verdict import Verdict


def slow_dip(x):
    """The smallest distance of a unimodal distribution, by a linear program per mode.

    The variables are the distribution at each sample, left of and right of the mode,
    and the distance. It is convex up to the mode, where it may jump, and concave after.
    """
    x, n = np.sort(x), len(x)
    return min(_distance(x, n, mode) for mode in range(n))


def _distance(x, n, mode):
    sides = [np.eye(n + 2)[i] for i in range(n)]
    left, right = sides[: mode + 1], [np.eye(n + 2)[n], *sides[mode + 1 :]]
    distance = np.eye(n + 2)[n + 1]
    rows, bounds = [left[-1] - right[0]], [0.0]
    for i in range(n):
        ends = [(sides[i], i / n, (i + 1) / n)]
        if i == mode:
            ends = [(left[-1], i / n, i / n), (right[0], (i + 1) / n, (i + 1) / n)]
        for value, below, above in ends:
            rows += [value - distance, -value - distance]
            bounds += [below, -above]
    for part, at, sign in ((left, x[: mode + 1], 1), (right, x[mode:], -1)):
        slopes = [
            (part[i + 1] - part[i]) / (at[i + 1] - at[i]) for i in range(len(at) - 1)
        ]
        for one, other in pairwise(slopes):
            rows, bounds = [*rows, sign * (one - other)], [*bounds, 0.0]
        for slope in slopes:
            rows, bounds = [*rows, -slope], [*bounds, 0.0]
    return linprog(distance, A_ub=np.array(rows), b_ub=bounds, bounds=(0, 1)).fun


@pytest.mark.parametrize("seed", range(6))
def test_the_dip_is_that_of_its_definition(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=13) + 4.0 * (np.arange(13) % 2) * (seed % 2)
    assert dip_statistic(np.sort(x)) == pytest.approx(slow_dip(x), abs=1e-9)


def test_the_dip_of_ties_is_that_of_separate_values():
    spread = np.repeat([0.0, 1.0, 5.0, 6.0], 5)
    apart = spread + 1e-9 * np.arange(20)
    assert dip_statistic(spread) == pytest.approx(dip_statistic(apart), abs=1e-6)
    assert dip_statistic(np.zeros(10)) == 0.05


def test_without_a_gap_the_p_value_is_rarely_small():
    rng = np.random.default_rng(0)
    shapes = {
        "even": rng.uniform(-1.0, 2.0, size=(400, 90)),
        "mode beside the border": rng.normal(0.7, 1.0, size=(400, 90)),
        "tail": rng.exponential(size=(400, 90)) - 0.7,
    }
    for along in shapes.values():
        none = np.zeros(90)
        p_values = [_between(row, none, row > 0.0).p_value for row in along]
        assert np.mean(np.array(p_values) <= 0.05) <= 0.07


def gaps(X, y, seed=0):
    classes, codes = np.unique(y, return_inverse=True)
    return find_gaps(X, codes, np.arange(len(X)), classes, RandomState(seed))


def clouds(n, d, seed):
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, n)
    ring = np.c_[3 * np.cos(angle), 3 * np.sin(angle), np.zeros((n, d - 2))]
    return {
        "normal": rng.normal(size=(n, d)),
        "uniform": rng.uniform(size=(n, d)),
        "correlated": rng.normal(size=(n, d)) @ rng.normal(size=(d, d)),
        "tails": rng.normal(size=(n, d)) / np.sqrt(rng.chisquare(4, (n, 1)) / 4),
        "ring": ring + 0.3 * rng.normal(size=(n, d)),
        "plane": rng.normal(size=(n, 2)) * [1.0, 0.5],
    }


def test_clusters_of_clouds_have_no_gap():
    found = [
        gap
        for seed in range(4)
        for X in clouds(300, [2, 6, 12, 20][seed], seed).values()
        for recipe in (
            KMeans(4, n_init=1, random_state=seed),
            AgglomerativeClustering(5),
            AgglomerativeClustering(6, linkage="average"),
        )
        for gap in gaps(X, recipe.fit_predict(X), seed)
    ]
    assert len(found) > 150
    assert np.mean([gap.kind == "gap" for gap in found]) <= 0.05


@pytest.mark.parametrize("d", [2, 20])
@pytest.mark.parametrize("rare", [1, 20])
def test_planted_gaps_are_found(d, rare):
    kinds = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        n = 400 if rare == 1 else 6300
        y = (np.arange(n) % (rare + 1) == 0).astype(int)
        X = rng.normal(size=(n, d))
        X[:, 0] += 5.0 * y
        kinds += [gap.kind for gap in gaps(X, y, seed)]
    assert kinds.count("gap") >= 4


def test_few_rows_of_a_class_are_too_few_to_tell():
    kinds = []
    for seed in range(12):
        rng = np.random.default_rng(seed)
        y = (np.arange(1050) % 21 == 0).astype(int)
        X = rng.normal(size=(1050, 3))
        X[:, 0] += 4.2 * y
        (found,) = gaps(X, y, seed)
        kinds.append(found.kind)
        assert min(found.n_rows) < 100
        if found.kind == "too few":
            light = Verdict("yes", None, gaps=(found,)).lights[2]
            assert light.answer == "Not enough rows to tell"
            assert light.figure == "there are too few rows of 1 next to 0 to test this."
    assert kinds.count("too few") >= 2


def discrete(n, seed):
    """Tables without groups, with few different values."""
    rng = np.random.default_rng(seed)
    factor, noise = rng.normal(size=(n, 1)), rng.normal(size=(n, 10))
    return {
        "binary items": (factor + noise > rng.normal(size=10)) * 1.0,
        "sparse counts": rng.poisson(0.3, size=(n, 10)) * 1.0,
        "counts": rng.poisson(3.0, size=(n, 5)) * 1.0,
        "5 levels": np.clip(np.round(3 + 0.8 * factor + 0.8 * noise), 1, 5),
        "rounded": np.round(2.0 * noise[:, :4]) / 2.0,
    }


@pytest.mark.parametrize("kind", discrete(20, 0))
def test_cuts_of_discrete_values_are_no_gaps(kind):
    found = []
    for seed in range(4):
        X = discrete(500, seed)[kind]
        above = np.median(X, axis=0) < X
        labels = [2 * above[:, 0] + above[:, 1], X[:, 0] > np.quantile(X[:, 0], 0.8)]
        labels.append(KMeans(3, n_init=1, random_state=seed).fit_predict(X))
        found += [g.kind for y in labels if len(set(y)) > 1 for g in gaps(X, y, seed)]
    assert found.count("too few values") > 0
    assert found.count("gap") == 0


@pytest.mark.parametrize("step", [0.1, 0.5, 1.0])
def test_planted_gaps_in_rounded_values_are_found(step):
    kinds = []
    for seed in range(5):
        y = np.arange(400) % 2
        X = np.random.default_rng(seed).normal(size=(400, 10))
        X[:, 0] += 5.0 * y
        kinds += [gap.kind for gap in gaps(step * np.round(X / step), y, seed)]
    assert kinds == 5 * ["gap"]


def test_rare_values_of_a_column_of_zeros_hide_no_gap():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.normal(size=(400, 4))
    X[:, 0] += 5.0 * y
    (without,) = gaps(X, y)
    edge = 9.0 * (rng.permutation(400) < 6)  # as a pixel at the edge of pictures
    (found,) = gaps(np.c_[X, edge], y)
    assert (without.kind, found.kind) == ("gap", "gap")


def test_rows_that_occur_thrice_have_the_gaps_of_their_values():
    X, y = load_iris(return_X_y=True)
    X = X + 0.01 * np.random.default_rng(0).normal(size=X.shape)
    once, thrice = gaps(X, y), gaps(np.repeat(X, 3, axis=0), np.repeat(y, 3))
    assert [gap.kind for gap in once] == [gap.kind for gap in thrice]


def test_groups_of_two_values_are_too_few_different_values_to_tell():
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = np.c_[y, rng.normal(size=(300, 4))]
    found = certify(X, X[:, :2] + 0.1 * rng.normal(size=(300, 2)), y, random_state=0)
    assert (found.verdict.real, found.verdict.gap) == ("yes", "untested")
    assert found.gaps == []
    assert "computed" not in [leak.code for leak in found.warnings]
    light = found.verdict.lights[2]
    assert (light.state, light.answer) == ("none", "Too few different values to tell")
    assert light.figure == "there are too few different values to test 0 and 1."


def test_a_cut_beside_pairs_of_too_few_values_is_not_called_no_gap():
    pairs = [
        ClassGap((0, 1), "cut", 0.9, 0.0, 0.3, (200, 200)),
        ClassGap((1, 2), "too few values", 0.01, 0.0, 3.0, (200, 200)),
    ]
    assert Verdict("yes", None, gaps=tuple(pairs)).gap == "untested"
    assert Verdict("yes", None, gaps=tuple(pairs), as_good=0.5).gap == "no"
    pairs[0] = ClassGap((0, 1), "gap", 0.01, 0.0, 3.0, (200, 200))
    assert Verdict("yes", None, gaps=tuple(pairs)).gap == "partly"


def slow_border(along):
    """The larger p-value of both sides, of samples that do not get more frequent."""
    p_values = []
    for side in (sorted(-along[along < 0]), sorted(along[along >= 0])):
        k = int(np.ceil(0.6 * len(side)))
        shares = [x / side[k - 1] for x in side[: k - 1]]
        z = (np.mean(shares) - 0.5) / np.sqrt(1.0 / 12.0 / len(shares))
        p_values.append(0.5 * (1.0 - erf(z / np.sqrt(2.0))))
    return max(p_values)


@pytest.mark.parametrize("apart", [0.0, 2.0, 3.0, 5.0])
def test_the_p_value_of_a_border_is_that_of_its_definition(apart):
    rng = np.random.default_rng(int(apart))
    is_b = np.arange(90) % 3 == 0
    along = rng.normal(size=90) + apart * (is_b - 0.5)
    border = _between(along, np.zeros(90), is_b)
    assert border.spread_p_value == border.p_value
    assert border.p_value == pytest.approx(slow_border(along), rel=1e-6)
    assert border.n_rows == (np.sum(along < 0), np.sum(along >= 0))


def test_classes_that_are_apart_with_another_between_them_are_no_pair():
    X = np.random.default_rng(0).uniform(size=(600, 2))
    found = gaps(X, np.floor(3 * X[:, 0]))
    assert [(gap.classes, gap.kind) for gap in found] == [
        ((0.0, 1.0), "cut"),
        ((1.0, 2.0), "cut"),
    ]


def test_a_class_apart_from_two_others_has_a_gap():
    X, y = load_iris(return_X_y=True)
    kinds = {gap.classes: gap.kind for gap in gaps(X, y)}
    assert kinds[0, 1] == "gap"
    assert kinds[1, 2] != "gap"


def test_overlapping_classes_are_neither_gap_nor_cut():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    (found,) = gaps(rng.normal(size=(400, 3)) + y[:, None], y)
    assert found.kind == "overlap"
    assert 0.1 < found.share < 0.35


def test_labels_of_k_means_on_noise_are_real_and_without_a_gap():
    X = np.random.default_rng(0).normal(size=(400, 8))
    y = KMeans(3, n_init=3, random_state=0).fit_predict(X)
    found = honesty(PCA(2), X, y, n_refits=0, random_state=0)
    assert (found.verdict.real, found.verdict.gap) == ("yes", "no")
    assert found.verdict.lights[2].state == "bad"
    assert "share one continuous group of rows" in str(found.verdict)
    assert [leak.code for leak in found.warnings] == ["computed"]
    assert all(isinstance(gap, ClassGap) for gap in found.gaps)


def test_the_recipe_of_labels_is_tried_on_data_without_groups():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    recipe = KMeans(3, n_init=1)
    y = recipe.set_params(random_state=0).fit_predict(X)
    recipe = KMeans(3, n_init=1)
    none = certify(X, X[:, :2], y, random_state=0, labels_from=recipe).verdict
    assert none.as_good > 0.05
    assert "KMeans makes labels with gaps at least as deep" in str(none)
    corners = np.array([[0, 0, 0, 0], [6, 6, 0, 0], [0, 6, 6, 0]])
    X += corners[np.arange(200) % 3]
    y = KMeans(3, n_init=3, random_state=0).fit_predict(X)
    some = certify(X, X[:, :2], y, random_state=0, labels_from=recipe).verdict
    assert some.as_good == 1 / 40
    assert some.gap == "yes"


def test_what_is_no_recipe_is_refused():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 2
    for recipe in ("KMeans", KMeans):
        with pytest.raises(ValueError, match="labels_from must be the clustering"):
            certify(X, X, y, labels_from=recipe)


def test_hard_tables_are_untested_or_no_gap():
    rng = np.random.default_rng(0)
    few = gaps(rng.normal(size=(14, 2)), np.arange(14) % 2)
    assert few == ()
    constant = gaps(np.zeros((60, 3)), np.arange(60) % 2)
    assert all(gap.kind != "gap" for gap in constant)
    equal = gaps(np.repeat(rng.normal(size=(10, 2)), 12, axis=0), np.arange(120) % 2)
    assert all(gap.kind != "gap" for gap in equal)


@pytest.mark.parametrize("recipe", [DBSCAN(), HDBSCAN(copy=True), MeanShift()])
def test_a_recipe_that_finds_one_cluster_finds_no_gap(recipe):
    X, y = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 2
    found = certify(X, X[:, :2], y, random_state=0, labels_from=recipe)
    assert 0.0 < found.verdict.as_good < 1.0


class Recipe(BaseEstimator):
    def __init__(self, labels=None):
        self.labels = labels

    def fit_predict(self, X):
        return self.labels


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([np.nan, *range(89)], "contains NaN or None, 1 in all, the first in row 0"),
        (range(89), "one label for each of the 90 samples, got"),
        (None, "must be an array, got None"),
        (np.zeros((90, 2)), "one label for each of the 90 samples, got"),
        (np.linspace(0.0, 1.0, 90), "not continuous numbers"),
        ([{}] * 90, "cannot be sorted"),
    ],
)
def test_a_recipe_that_returns_no_labels_is_named(labels, words):
    X, y = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 2
    with pytest.raises(ValueError, match=words) as caught:
        certify(X, X[:, :2], y, labels_from=Recipe(labels))
    assert str(caught.value).startswith("certify: labels_from.fit_predict(X) ")


@pytest.mark.parametrize(("n", "more"), [(3, "1 other pair "), (4, "2 other pairs ")])
def test_other_pairs_are_counted_in_singular_and_plural(n, more):
    others = [ClassGap((c, 9), "cut", 0.5, 0.0, 0.0, (90, 90)) for c in range(n)]
    overlap = ClassGap((8, 9), "overlap", 0.5, 0.1, 0.0, (90, 90))
    words = Verdict("yes", None, gaps=(*others, overlap)).lights[2].figure
    assert f" and {more}share one continuous group" in words
