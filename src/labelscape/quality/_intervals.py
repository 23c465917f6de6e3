"""How far the figures of a sample may be from those of the whole."""

import numpy as np
from scipy.stats import t

# How sure an interval is: of 100, one may miss the figure of the whole.
CONFIDENCE = 0.99


def half_width(shares, n):
    """Return within what the mean of all n objects is, by m random ones among them.

    Student's interval of the mean of ``shares`` (m,), which lie between 0 and 1, drawn
    without replacement. As if one object more had been shown rightly and one wrongly:
    a hundred objects without a fault do not prove that there is none.
    """
    m = len(shares)
    if m >= n:
        return 0.0
    cautious = np.concatenate([shares, [0.0, 1.0]])
    spread = cautious.std(ddof=1) * np.sqrt((1.0 - m / n) / m)
    reach = t.ppf((1.0 + CONFIDENCE) / 2.0, m + 1) * spread
    return float(reach + abs(cautious.mean() - shares.mean()))


def half_widths(found, has_classes):
    """Return the half widths of the measures that are means over random points."""
    unit, n, k = found.penalty_unit, found.n, found.k
    shares = {
        "trustworthiness": unit * (found.false_within + found.false_between),
        "continuity": unit * (found.tears_within + found.tears_between),
    }
    if has_classes:
        shares |= {
            "class_trustworthiness": unit * found.false_between,
            "class_continuity": unit * found.tears_within,
            "knn_accuracy": found.first_map,
            "neighbourhood_hit": found.same_map / k,
        }
    return {name: half_width(1.0 * values, n) for name, values in shares.items()}
