"""The Parzen estimate that the parameters of a FisherMetric ask for."""

import numpy as np
from sklearn.utils.validation import check_array

from labelscape._core.checks import (
    LARGEST_VALUE,
    SMALLEST_SPREAD,
    Rule,
    check_finite,
    check_labels,
    either,
    flag,
    number,
    one_of,
    whole,
)
from labelscape.geometry._bandwidth import loo_bandwidth, median_bandwidth
from labelscape.geometry._parzen import choose_points, given_points

GIVEN = "the points of parzen_points"


def _is_pair(value):
    return isinstance(value, tuple) and len(value) == 2


PARZEN_RULES = {
    "bandwidth": either(one_of("loo", "median"), number(above=0)),
    "parzen_points": either(
        one_of("all"),
        whole(2),
        number(above=0, below=1),
        Rule("a tuple (points, labels)", _is_pair),
    ),
    "parzen_selection": one_of("random", "kmeans"),
    "class_weight": one_of(None, "balanced"),
    "bandwidth_scale": number(above=0),
    "exclude_self": flag(),
}


def has_given_points(metric):
    """Return whether the user has given the Parzen points, with labels of their own."""
    return _is_pair(metric.parzen_points)


def parzen_estimate(metric, X, y, random_state):
    """Return classes, Parzen estimate, and each object's own centre (n,) or None."""
    balanced = metric.class_weight == "balanced"
    if has_given_points(metric):
        classes, parzen = _given(metric, X.shape[1], balanced)
        own = None
    else:
        classes, class_of = check_labels(y, len(X), owner="FisherMetric")
        parzen, own = choose_points(
            X,
            class_of,
            _count(metric.parzen_points, len(X)),
            selection=metric.parzen_selection,
            balanced=balanced,
            random_state=random_state,
        )
    return classes, parzen._replace(bandwidth=_bandwidth(metric, parzen)), own


def _given(metric, n_features, balanced):
    """Return classes and estimate of the points that the user gave."""
    Q = check_array(
        metric.parzen_points[0],
        dtype=np.float64,
        ensure_all_finite=False,
        input_name=GIVEN,
    )
    if Q.shape[1] != n_features:
        raise ValueError(
            f"FisherMetric: {GIVEN} must have the features of X, {n_features}; they "
            f"have {Q.shape[1]}."
        )
    check_finite(Q, owner="FisherMetric", name=GIVEN)
    owner = "FisherMetric: parzen_points"
    classes, class_of = check_labels(metric.parzen_points[1], len(Q), owner=owner)
    return classes, given_points(Q, class_of, balanced=balanced)


def _count(parzen_points, n):
    if isinstance(parzen_points, str):
        return n
    if isinstance(parzen_points, float | np.floating):
        return int(np.ceil(parzen_points * n))
    return min(n, parzen_points)


def _bandwidth(metric, parzen):
    """Return the width of the estimate: a number whose square is one too."""
    if not isinstance(metric.bandwidth, str):
        width = float(metric.bandwidth)
    elif metric.bandwidth == "median":
        width = median_bandwidth(parzen)
    else:
        width = float(metric.bandwidth_scale) * loo_bandwidth(parzen)
    if not SMALLEST_SPREAD <= width <= LARGEST_VALUE:
        raise ValueError(
            f"FisherMetric: the bandwidth is {width:.3g}, and its square is too "
            f"{'small' if width < 1.0 else 'large'} for a number. Choose bandwidth or "
            "bandwidth_scale nearer to the distances of the objects."
        )
    return width
