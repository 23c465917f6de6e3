"""Findings about a table, other than wrong labels."""

from collections import Counter
from dataclasses import replace

import numpy as np

from labelscape._core.errors import Setting
from labelscape._core.labels import spellings
from labelscape._core.points.spaces import Points
from labelscape._resampling.chance import LabelShuffle
from labelscape._resampling.units import FEWEST_CROSSED, units_per_class
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality.certificate.leaks import ABOUT_ROWS, find_leaks
from labelscape.quality.records import Finding

# The nearest of this many neighbors is a near copy if it is at least this much nearer
# than the last one.
NEIGHBORS, NEAREST = 10, 0.1
# Near copies are reported if at most this many are expected by chance in the table.
BY_CHANCE = 0.05
# Near copies are searched among at most this many rows, because all pairs are compared.
MOST_ROWS = 20_000


def table_findings(table, columns, gaps, p, random_state):
    """Yield problems of rows, columns and classes."""
    # ``columns`` are the source columns of the features, ``gaps`` has the rows with
    # missing values of each column, p (n, C) are held-out class probabilities.
    X, names, classes, codes, _, units, places = table
    accuracy = balanced_accuracy(p.argmax(axis=1), codes, len(classes))
    yield from equal_rows(units, codes)
    yield from nearly_equal_rows(places, units)
    yield from stand_ins(X, names)
    yield from rare_classes(classes, codes, units)
    yield from silent_columns(X, columns)
    yield from leaks(table, columns, accuracy)
    yield from telling_gaps(gaps, codes, units, random_state)


def equal_rows(units, codes):
    """Yield copies of rows, and copies with different classes."""
    copies = units.copies
    if len(copies):
        remedy = Setting("copies", "drop")
        yield Finding("copies", (), len(copies), copies, remedy=remedy)
    first = units.first_copy
    rows = np.flatnonzero(np.isin(first, first[codes != codes[first]]))
    if len(rows):
        yield Finding("contradictions", (), len(rows), rows)


def nearly_equal_rows(X, units):
    """Yield rows that are much nearer to another row than expected by chance."""
    # If m neighbors are uniform in d dimensions, the nearest is closer than r times the
    # last one with a probability of about (m - 1) r^d. r is chosen so that 0.05 near
    # copies are expected by chance in the table, with d estimated from the neighbors.
    rows = np.unique(units.first_copy)
    if not 3 * NEIGHBORS < len(rows) <= MOST_ROWS:
        return
    neighbors, distances = Points(X[rows]).kneighbors(NEIGHBORS)
    dimension = _dimension(distances)
    chance = BY_CHANCE / ((NEIGHBORS - 1) * len(rows))
    ratio = min(NEAREST, chance ** (1.0 / dimension))
    near = distances[:, 0] < ratio * distances[:, -1]
    if units.grouped:  # rows of one group are known to be related
        near &= units.of_row[rows[neighbors[:, 0]]] != units.of_row[rows]
    near &= distances[:, 0] > 0  # rows at distance 0 are equal
    if near.any():
        both = np.union1d(rows[near], rows[neighbors[near, 0]])
        yield Finding("near copies", (), len(both), both, "likely")


def _dimension(distances):
    """Return the dimension of the data, from the distances of neighbors."""
    # The median of 1 / mean_k log(r_m / r_k) (Levina and Bickel 2005), which a few near
    # copies do not affect.
    with np.errstate(divide="ignore", invalid="ignore"):  # rows at distance 0
        growth = np.log(distances[:, -1:] / distances[:, :-1]).mean(axis=1)
        dimensions = 1.0 / growth
    known = dimensions[np.isfinite(dimensions) & (dimensions > 0)]
    return max(1.0, float(np.median(known))) if len(known) else 1.0


NEARLY_ALL = 0.995  # share of rows with one value in a nearly constant column
# Minimum count of a missing-value code; and minimum number of different other values,
# except for usual codes.
OFTEN, OTHERS = 3, 10
NEGATIVE_CODES = (-9.0, -99.0, -999.0, -9999.0, -99999.0)
POSITIVE_CODES = (99.0, 999.0, 9999.0, 99999.0)


def silent_columns(X, columns):
    """Yield constant and nearly constant columns; a column may have many features."""
    features: dict[str, list[int]] = {}
    for j, column in enumerate(columns):
        features.setdefault(str(column), []).append(j)
    # A column is nearly constant if nearly all of its values are the median.
    middle = np.partition(X, len(X) // 2, axis=0)[len(X) // 2] == X
    shares = {name: middle[:, j].all(axis=1).mean() for name, j in features.items()}
    for code, least, below in (
        ("constant", 1.0, np.inf),
        ("nearly constant", NEARLY_ALL, 1.0),
    ):
        names = [name for name, share in shares.items() if least <= share < below]
        if names:
            remedy = Setting("drop", names)
            yield Finding(code, tuple(names), len(names), remedy=remedy)


def stand_ins(X, names):
    """Yield values such as -999 that are probably missing-value codes."""
    codes = [stand_in_values(column) for column in X.T]
    for j, values in enumerate(codes):
        for value in values:
            rows = np.flatnonzero(X[:, j] == value)
            what = ("missing code", (str(names[j]),), len(rows), rows)
            # The reading option is about all columns.
            used = (value == X).any(axis=0).tolist()
            harmed = [
                str(name)
                for name, is_used, others in zip(names, used, codes, strict=True)
                if is_used and value not in others
            ]
            if harmed and value == 0.0:  # then 0 is an ordinary value in this table
                continue
            remedy = None if harmed else Setting("missing_values", [f"{value:g}"])
            column = harmed[0] if harmed else ""
            yield Finding(*what, "likely", remedy, float(value), column)


def stand_in_values(column):
    """Return extreme values of a column that are repeated and far from all others."""
    values, counts = np.unique(column, return_counts=True)
    low, high = 0, len(values)
    far = []
    while high - low > 2:
        left = _is_far(values[low:high], counts[low:high])
        right = _is_far(-values[low:high][::-1], counts[low:high][::-1], sign=-1)
        if not (left or right):
            break
        if left:
            far.append(float(values[low]))
        if right:
            far.append(float(values[high - 1]))
        low, high = low + left, high - right
    return sorted(far)


def _is_far(values, counts, sign=1):
    """Return whether the first value is repeated, and far from the other values.

    ``values`` are sorted, after a multiplication with ``sign``.
    """
    if counts[0] < OFTEN:
        return False
    value, next_one = sign * values[0], sign * values[1]
    # The only negative value can be a code such as -9, also near the other values.
    if sign > 0 and value in NEGATIVE_CODES and next_one >= 0:
        return True
    if value == 0 and abs(next_one) <= 1:  # counts, shares and binary values
        return False
    # Usual codes may be nearer than others: by half of the range of the other values.
    is_code = value in (*NEGATIVE_CODES, *POSITIVE_CODES)
    if value in POSITIVE_CODES and 2 * next_one > value:  # as in years up to 99
        is_code = False
    if not is_code and len(values) <= OTHERS:
        return False
    last = -2 if counts[-1] >= OFTEN and len(values) > 2 else -1  # may be a code, too
    times = 0.5 if is_code and len(values) > OTHERS else 1.0
    return bool(values[1] - values[0] > times * (values[last] - values[1]))


# A class with fewer units is not checked: models without one of its units are biased
# against it.
FEWEST = 10


def spelled_alike(classes, codes):
    """Yield classes whose names differ only in case or spaces."""
    for same in spellings(classes, codes):
        rows = np.flatnonzero(np.isin(codes, same[1:]))
        names = tuple(str(classes[c]) for c in same)
        remedy = Setting("merge_classes", "case")
        yield Finding("class names", names, len(rows), rows, "likely", remedy)


def too_rare(codes, units, n_classes):
    """Return the classes with too few units for a check."""
    inner = units.inside(codes)
    if inner is None:
        return np.flatnonzero(units_per_class(codes, units.of_row, n_classes) < FEWEST)
    # Models without one of the groups know the class from the other groups.
    few = units_per_class(codes, inner, n_classes) < FEWEST
    few |= units_per_class(codes, units.of_row, n_classes) < FEWEST_CROSSED
    return np.flatnonzero(few)


def rare_classes(classes, codes, units):
    """Yield a finding about the classes with too few units."""
    rare = too_rare(codes, units, len(classes))
    if len(rare):
        rows = np.flatnonzero(np.isin(codes, rare))
        names = tuple(str(classes[c]) for c in rare)
        yield Finding("rare classes", names, len(rows), rows)


# Significance level of missing values that are related to the class, over all columns.
SIGNIFICANT, N_SHUFFLES = 0.05, 1999


def leaks(table, columns, accuracy):
    """Yield features, and a row order, that reveal the classes.

    ``accuracy`` is the balanced accuracy on held-out rows.
    """
    X, names, classes, codes, _, units, _ = table
    column_of = dict(zip(names, columns, strict=True))
    for leak in find_leaks(X, names, classes, codes, units, accuracy):
        if leak.code in ABOUT_ROWS:  # of the whole table
            yield replace(leak, count=len(codes))
        else:
            column = column_of[leak.subjects[0]]
            yield replace(leak, remedy=Setting("drop", [column]))


def telling_gaps(gaps, codes, units, random_state):
    """Yield columns whose missing values are related to the class."""
    # With g_c missing values in the n_c rows of class c, sum_c g_c^2 / n_c is compared
    # with its values for labels shuffled between units, as in a chi-squared test.
    if not gaps:
        return
    shuffle = LabelShuffle(codes, units.of_row)
    observed = _spreads(gaps, codes)
    as_large = np.zeros(len(gaps))
    for _ in range(N_SHUFFLES):
        as_large += _spreads(gaps, shuffle.draw(random_state)) >= observed - 1e-12
    p = (1 + as_large) / (1 + N_SHUFFLES)
    for (name, rows), chance in zip(gaps.items(), p.tolist(), strict=True):
        if chance * len(gaps) <= SIGNIFICANT:
            what = ("missing values", (name,), len(rows), rows)
            yield Finding(*what, "likely", figure=chance)


def _spreads(gaps, codes):
    """Return, per column, the sum over classes of (missing values)^2 / class size."""
    sizes = np.bincount(codes)
    sums = [np.bincount(codes[rows], minlength=len(sizes)) for rows in gaps.values()]
    return (np.array(sums) ** 2 / np.maximum(sizes, 1)).sum(axis=1)


# A column explains hidden groups if it does so in more than this share of the classes.
MOST_OF_THEM = 0.5
CONFOUNDED = 0.01  # significance level of the confounding of batches and classes


def shapes(hidden_groups, outliers, batches, swaps):
    """Yield findings about the data: subgroups, outliers, batches and swapped names."""
    if hidden_groups:
        rows = np.sort(np.concatenate([one.rows[1] for one in hidden_groups]))
        names = tuple(str(one.label) for one in hidden_groups)
        figure = max(one.chance for one in hidden_groups)
        named = Counter(one.column for one in hidden_groups)
        column, count = named.most_common(1)[0]
        column = column if count > MOST_OF_THEM * len(names) else ""
        what = ("hidden groups", names, len(rows), rows)
        yield Finding(*what, "likely", figure=figure, column=column)
    if len(outliers):
        yield Finding("outliers", (), len(outliers), np.sort(outliers), "likely")
    for swap in swaps:
        names = tuple(map(str, swap.classes))
        yield Finding(
            "swapped names",
            names,
            len(swap.rows),
            np.sort(swap.rows),
            "likely",
            figure=swap.n_agree,
            column=str(swap.batch),
        )
    if batches is not None and batches.is_detected:
        yield Finding("batch", (), 0, sure="likely", figure=batches.accuracy)
    if batches is not None and batches.p <= CONFOUNDED:
        v = batches.confounding
        yield Finding("batch and class", (), 0, sure="likely", figure=v)
