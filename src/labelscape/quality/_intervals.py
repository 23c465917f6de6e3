"""How far the figures of a sample may be from those of the whole."""

import numpy as np
from scipy.stats import t

# How sure an interval is: of 100, one may miss the figure of the whole.
CONFIDENCE = 0.99


def half_width(values, n, ends=(0.0, 1.0)):
    """Return within what the mean of all n objects is, by m random ones among them.

    Student's interval of the mean of ``values`` (m,), which lie between two ends, drawn
    without replacement. As if one object more had been at each end: a hundred objects
    without a fault do not prove that there is none.
    """
    m = len(values)
    if m >= n:
        return 0.0
    cautious = np.concatenate([values, ends])
    spread = cautious.std(ddof=1) * np.sqrt((1.0 - m / n) / m)
    reach = t.ppf((1.0 + CONFIDENCE) / 2.0, m + 1) * spread
    return float(reach + abs(cautious.mean() - values.mean()))


def interval(score, width):
    """Return the ends of an interval of a measure, which is between 0 and 1."""
    low, high = score - width, score + width
    return max(low, min(score, 0.0)), min(high, max(score, 1.0))


def reach(score, ends):
    """Return the half width of an `interval`, of which one side may be cut off."""
    low, high = ends
    return max(score - low, high - score)


def point_scores(found, has_classes):
    """Return for the measures that are means over points what each point gives (m,)."""
    unit, k = found.penalty_unit, found.k
    scores = {
        "trustworthiness": 1.0 - unit * (found.false_within + found.false_between),
        "continuity": 1.0 - unit * (found.tears_within + found.tears_between),
    }
    if has_classes:
        scores |= {
            "class_trustworthiness": 1.0 - unit * found.false_between,
            "class_continuity": 1.0 - unit * found.tears_within,
            "knn_accuracy": 1.0 * found.first_map,
            "neighbourhood_hit": found.same_map / k,
        }
    return scores


def half_widths(found, has_classes):
    """Return the half widths of the measures that are means over random points."""
    scores = point_scores(found, has_classes)
    return {name: half_width(values, found.n) for name, values in scores.items()}


def precise(count, queries, n, has_classes, tolerance, rng):
    """Return the neighbourhoods of random points, as many as it takes."""
    order = None
    while True:
        found, m = count(queries), len(queries)
        widest = max(half_widths(found, has_classes).values())
        if tolerance is None or m >= n or widest <= tolerance:
            return found
        if order is None:
            rest = np.setdiff1d(np.arange(n), queries)
            order = np.concatenate([queries, rng.permutation(rest)])
        # As many as it seems to take, and a few more.
        wanted = max(2.0 * m, 1.1 * m * (widest / tolerance) ** 2)
        queries = np.sort(order[: int(min(wanted, n))])
