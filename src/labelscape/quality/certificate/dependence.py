"""Dependence of rows: rows near each other, in the table or in space, that are alike.

A test that holds out random rows is valid if the rows are independent, or if their
labels are. If neighbors are alike beyond their class and also have the same label more
often than by chance, a held-out row may get its label from a neighbor in time or space.
A table that is sorted by class, and then by day, is harmless if rows of other days give
the same answer. So a finding also needs that near rows are better voters than others.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from scipy.sparse import csr_array
from scipy.special import gammaln
from scipy.stats import rankdata

from labelscape._core.columns import ShownColumn, is_counter, selected_features
from labelscape._core.points.distances import (
    nearest_in_rows,
    nearest_neighbors,
    squared_distances,
)
from labelscape._core.types import Array, Bools, Floats, Ints
from labelscape._resampling.chance import LabelShuffle
from labelscape._resampling.trial import VOTERS
from labelscape._resampling.units import RowUnits
from labelscape._resampling.voters import balanced_accuracy, weighted_vote
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.records import ROW_ORDER, Finding

# Number of neighbors of a row, minimum number of rows, and maximum numbers of tested
# rows and features.
NEIGHBORS, FEWEST_ROWS, MOST_ROWS, MOST_FEATURES = 8, 30, 6000, 20
# Number of shuffles of the rows, none of which may reach the likeness of neighbors. A
# mean correlation with neighbors below ALIKE changes little.
N_SHUFFLES, ALIKE = 499, 0.1
# Number of shuffles of the labels, and level of the test that neighbors share labels.
N_LABEL_SHUFFLES, LEVEL = 199, 0.05
# Maximum number of rows that are classified, with and without the rows near them, and
# the smallest difference of the accuracies that counts. Near rows are a share of the
# table and of a class, so that the class has other rows.
MOST_CLASSIFIED, LOSS, NEAR_SHARE, CLASS_SHARE = 1000, 0.02, 0.2, 0.5
# The table may be sorted by a feature if its steps differ in sign by more than this, or
# if its correlation with neighbors is higher.
SORTED, FEWEST_STEPS = 0.8, 10
# A table is sorted by a column if the probability of such an order is at most
# exp(BY_CHANCE), and if at least this many rows, on average, have the same value.
BY_CHANCE, ROWS_OF_BLOCK = np.log(1e-6), 5


class Place(NamedTuple):
    """Where rows are: their order in the table, or a pair of coordinates."""

    at: Floats  # (n, 1) or (n, 2)
    columns: tuple[str, ...] = ()
    # Whether the columns may be measurements, on which other features depend.
    is_unsure: bool = False


def dependent_rows(
    X: Array, codes: Ints, names: Sequence[str], units: RowUnits, rows: Ints
) -> list[Finding]:
    """Return findings if rows near each other, in order or in coordinates, are alike.

    ``rows`` (n,) are the numbers of the samples X (n, d) in the table. With groups of
    the user, rows of different groups count as independent.
    """
    if units.grouped:
        return []
    first = np.sort(np.unique(units.of_row[rows], return_index=True)[1])
    X, codes, rows = X[first], codes[first], rows[first]
    places = list(_named_places(names, X))
    used = {name for place in places for name in place.columns}
    others = [j for j, name in enumerate(names) if str(name) not in used]
    features = X[:, others], codes, [str(names[j]) for j in others]
    found = [one for place in places for one in _alike(*features, place)]
    return found or _alike(*features, Place(rows[:, None].astype(np.float64)))


def with_shown_places(
    report: HonestyReport,
    X: Array,
    y: Any,
    names: Sequence[str],
    columns: Sequence[ShownColumn],
) -> HonestyReport:
    """Return the report, with findings on coordinates that are shown, not features."""
    numbers = [column for column in columns if column.kind == "number"]
    if len(numbers) < 2 or report.units.grouped or report.unseen is None:
        return report
    at = np.column_stack([column.values for column in numbers])
    is_first = report.units.first_copy == np.arange(len(X))
    rows = np.flatnonzero(np.isfinite(at).all(axis=1) & is_first)
    rows = np.sort(RandomState(0).permutation(rows)[:MOST_ROWS])
    codes = np.unique(np.asarray(y)[rows], return_inverse=True)[1]
    places = _named_places([column.name for column in numbers], at[rows])
    found = [one for place in places for one in _alike(X[rows], codes, names, place)]
    if not found:
        return report
    verdict = replace(report.verdict, alike_near=place_of(found))
    return replace(report, verdict=verdict, warnings=[*report.warnings, *found])


def place_of(findings: Sequence[Finding]) -> str:
    """Return the place where near rows are alike; empty if nowhere."""
    for one in findings:
        if one.code == "near in space":
            return " and ".join(one.subjects)
        if one.code == "near in order":
            return ROW_ORDER
    return ""


def _alike(X: Array, codes: Ints, names: Sequence[str], place: Place) -> list[Finding]:
    """Return a finding if rows near a place are alike, beyond class and by label."""
    if len(X) < FEWEST_ROWS or not X.shape[1]:
        return []
    near = nearest_neighbors(place.at, NEIGHBORS)[0]
    if not _share_labels(codes, near):
        return []
    chosen = selected_features(X, codes, MOST_FEATURES)
    tested = [j for j in chosen if not is_counter(X[:, j], place.at[:, 0])]
    strata = codes if place.columns else _sorted_blocks(X, codes)
    W = csr_array(
        (np.ones(near.size), near.ravel(), np.arange(len(X) + 1) * NEIGHBORS),
        shape=(len(X), len(X)),
    )
    R = _residuals(X[:, tested], strata, place, W)
    likeness = _likeness(R, W)
    if likeness.max(initial=0.0) < ALIKE or not _is_rare(R, W, strata, likeness):
        return []
    loss = _loss_without_near_rows(X, codes, place.at)
    if loss < LOSS:
        return []
    code = "near in space" if place.columns else "near in order"
    column = str(names[tested[int(likeness.argmax())]])
    what = (code, place.columns, len(X))
    return [Finding(*what, sure="likely", figure=loss, column=column)]


def _loss_without_near_rows(X: Array, codes: Ints, at: Floats) -> float:
    """Return how much less accurate neighbors in the data are if near rows don't vote.

    They are compared with votes without as many random rows of the same classes.
    """
    n, rng, sizes = len(X), RandomState(0), np.bincount(codes)
    rows = np.sort(rng.permutation(n)[:MOST_CLASSIFIED])
    few = min(NEAR_SHARE * n, CLASS_SHARE * float(np.median(sizes)))
    near = nearest_neighbors(at, max(NEIGHBORS, int(few)), at[rows])[0]
    X = _scaled(X.astype(np.float64))
    D = squared_distances(X[rows], X)
    np.put_along_axis(D, rows[:, None], np.inf, axis=1)
    counts = np.array([np.bincount(codes[one], minlength=len(sizes)) for one in near])
    keys = rng.uniform(size=D.shape)
    np.put_along_axis(keys, rows[:, None], 0.0, axis=1)  # a row is near itself
    drawn = np.argsort(codes + keys, axis=1)
    position = np.arange(n) - (np.cumsum(sizes) - sizes)[codes[drawn]]
    is_drawn = np.empty(D.shape, dtype=bool)
    left_out = position < np.take_along_axis(counts, codes[drawn], axis=1)
    np.put_along_axis(is_drawn, drawn, left_out, axis=1)
    is_near = np.zeros(D.shape, dtype=bool)
    np.put_along_axis(is_near, near, True, axis=1)
    others, without = (_accuracy(D, codes, rows, out) for out in (is_drawn, is_near))
    return others - without


def _accuracy(D: Floats, codes: Ints, rows: Ints, is_out: Bools) -> float:
    """Return the accuracy of neighbors by distances D (m, n), without some of them."""
    nearest = nearest_in_rows(np.where(is_out, np.inf, D), VOTERS)[0]
    n_classes = int(codes.max()) + 1
    answers = weighted_vote(nearest, codes, n_classes)
    return balanced_accuracy(answers, codes[rows], n_classes)


def _share_labels(codes: Ints, near: Ints) -> bool:
    """Whether neighbors have the same label more often than by chance."""

    def shared(labels: Array) -> Array:
        return np.asarray((labels[:, near] == labels[:, :, None]).mean(axis=(1, 2)))

    shuffle = LabelShuffle(codes, np.arange(len(codes)))
    by_chance = shuffle.scores(shared, N_LABEL_SHUFFLES, RandomState(0))
    n_reached = int((by_chance >= shared(codes[None])[0]).sum())
    return (1 + n_reached) / (1 + N_LABEL_SHUFFLES) <= LEVEL


def _likeness(R: Floats, W: csr_array) -> Floats:
    """Return the mean correlation of rows with their neighbors, for each feature."""
    return np.asarray((R * (W @ R)).mean(axis=0) / NEIGHBORS)


def _is_rare(R: Floats, W: csr_array, strata: Ints, likeness: Floats) -> bool:
    """Whether no shuffle within strata reaches the largest, or the mean, likeness."""
    rows, rng = np.arange(len(R)), RandomState(0)
    shuffle = LabelShuffle(rows, rows, strata)
    largest = mean = True
    for _ in range(N_SHUFFLES):
        drawn = _likeness(R[shuffle.draw(rng)], W)
        largest &= bool(drawn.max() < likeness.max())
        mean &= bool(drawn.mean() < likeness.mean())
        if not (largest or mean):
            return False
    return True


def _residuals(X: Array, strata: Ints, place: Place, W: csr_array) -> Floats:
    """Return the ranks of features within strata; 0 for features without variation."""
    R = _scaled(_ranks(X, strata))
    if place.is_unsure:
        x, y = _ranks(place.at, strata).T
        R = _without(R, np.column_stack([x, y, x * x, x * y, y * y]))
    if not place.columns and R.size:
        # The table may be sorted by some features, and others may depend on them.
        is_key = _sorting(R, strata)
        overall = _scaled(_ranks(X, np.zeros_like(strata)))
        likeness = np.maximum(_likeness(R, W), _likeness(overall, W))
        is_key[likeness.argmax()] |= likeness.max() > SORTED
        keys = R[:, is_key]
        R[:, is_key] = 0.0
        R = _without(R, np.hstack([keys, keys**2, keys**3]))
    return R


def _sorting(R: Floats, strata: Ints) -> Bools:
    """Return the columns that rise, or fall, in nearly all steps within strata."""
    steps = np.sign(np.diff(R, axis=0)[strata[1:] == strata[:-1]])
    n_steps = np.maximum(np.abs(steps).sum(axis=0), FEWEST_STEPS)
    return np.asarray(np.abs(steps.sum(axis=0)) > SORTED * n_steps)


def _ranks(X: Array, strata: Ints) -> Floats:
    """Return the ranks of values among the rows of a stratum, from -1 to 1."""
    ranks = np.empty(X.shape)
    for rows in np.split(
        np.argsort(strata, kind="stable"), np.cumsum(np.bincount(strata))[:-1]
    ):
        ranks[rows] = 2.0 * rankdata(X[rows], axis=0) / (len(rows) + 1) - 1.0
    return ranks


def _without(R: Floats, trend: Floats) -> Floats:
    """Return columns without their linear regression on other columns."""
    trend = trend - trend.mean(axis=0)
    return _scaled(R - trend @ np.linalg.lstsq(trend, R, rcond=None)[0])


def _scaled(R: Floats) -> Floats:
    """Return columns with variance 1; columns that do not vary become 0."""
    R = R - R.mean(axis=0)
    spread = np.sqrt((R**2).mean(axis=0))
    spread[spread < 1e-6] = np.inf
    return R / spread


def _sorted_blocks(X: Array, codes: Ints) -> Ints:
    """Return the class of each row, divided by the columns that sort the table."""
    # In a table that is sorted by class, then by site, neighbors are of one site, but
    # rows of a class and site may have any order.
    starts = np.diff(codes) != 0
    if starts.sum() > 2 * codes.max():
        starts[:] = False
    changes = X[1:] != X[:-1]
    few = np.flatnonzero(changes.sum(axis=0) <= len(X) / ROWS_OF_BLOCK)
    X, changes, j = X[:, few], changes[:, few], 0
    steps = np.sign(np.diff(X, axis=0))
    while j < len(few):
        finer = starts | changes[:, j]
        inside = steps[~starts, j]
        is_sorted = abs(inside).sum() == abs(inside.sum()) > 0
        are_blocks = finer.sum() < len(X) / ROWS_OF_BLOCK
        if is_sorted and are_blocks and _orders(starts) - _orders(finer) > -BY_CHANCE:
            starts, j = finer, -1  # within its blocks, another column may be sorted
        j += 1
    block = np.concatenate([[0], np.cumsum(starts)])
    return np.unique(block * (codes.max() + 1) + codes, return_inverse=True)[1]


def _orders(starts: Array) -> float:
    """Return the logarithm of the number of orders of the rows within blocks."""
    sizes = np.bincount(np.concatenate([[0], np.cumsum(starts)]))
    return float(gammaln(sizes + 1.0).sum())


# Coordinates, by the names of two columns that differ in one word only.

_PAIRS = (
    (
        "longitude longitud longitudine lon long lng längengrad laengengrad 経度 经度 "
        "долгота",
        "latitude latitud latitudine lat breitengrad 緯度 纬度 широта",
    ),
    ("easting eastings rechtswert", "northing northings hochwert"),
    ("row rows zeile ligne fila riga 行", "col cols column spalte colonne columna 列"),
    ("x", "y"),
)
# Words beside "x" and "y" in names of coordinates: "pos_x" is one, "acc_x" is not.
_OF_PLACES = (
    "coord coords coordinate coordinates koordinate pos position utm loc location site "
    "plot tree cell centroid center region image img pixel px pxl fullres array "
    "spatial well plate field grid gps dd decimal m km deg"
)
_WORD = re.compile(r"[^\W\d_]+|\d+")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def _named_places(names: Sequence[str], X: Array) -> Iterator[Place]:
    """Yield the pairs of columns that are called like coordinates."""
    split = {
        tuple(_WORD.findall(_INNER_CAPITAL.sub(" ", str(name)).lower())): j
        for j, name in enumerate(names)
    }
    for words, j in split.items():
        for place, (firsts, seconds) in product(range(len(words)), _PAIRS):
            if words[place] not in firsts.split():
                continue
            before, after = words[:place], words[place + 1 :]
            others = (split.get((*before, word, *after)) for word in seconds.split())
            k = next((k for k in others if k is not None), None)
            is_plane = firsts == "x"
            if is_plane and (
                not set(before + after) <= set(_OF_PLACES.split())
                or (*before, "z", *after) in split
            ):
                continue
            if k is not None:
                is_unsure = is_plane and len(words) == 1
                yield Place(X[:, [j, k]], (str(names[j]), str(names[k])), is_unsure)
