"""What a metric warns of: outliers, and lengths that tell nothing apart."""

import warnings

import numpy as np

from labelscape._core.checks import column_name
from labelscape._core.points.arrays import namespace_of, to_numpy

# Objects beside which all others are one place: mostly fill values.

# Farther than so many usual distances from the middle, an object is an outlier.
FAR = 1e8
# So many rows tell what is usual.
FEW = 100


def warn_of_outliers(X, center, feature_names):
    """Warn in words if an object is absurdly far from the middle of the others.

    Shapes: X (n, d), center (d,), feature_names (d,).
    """
    few = np.abs(X[:: -(-len(X) // FEW)] - center).max(axis=1)
    usual = np.median(few[few > 0.0]) if few.any() else np.inf
    if np.abs([X.max(axis=0) - center, X.min(axis=0) - center]).max() <= FAR * usual:
        return
    gaps = np.abs(X - center)
    far = np.flatnonzero(gaps.max(axis=1) > FAR * usual)
    row, column = far[0], gaps[far[0]].argmax()
    more = f", and {len(far) - 1} more rows are like it" if len(far) > 1 else ""
    warnings.warn(
        f"FisherMetric: {column_name(column, feature_names)} is "
        f"{X[row, column]:.3g} in row {row}, more than {FAR:.0e} times as far from the "
        f"middle as objects usually are{more}. Beside it all others are one place. If "
        "it stands for a missing value, drop or impute it.",
        stacklevel=3,
    )


# Whether a metric still tells near points apart.

# Distances below this are ties.
TIE = 1e-9
# As many as t-SNE looks at with its usual perplexity of 30.
MANY = 90


def warn_if_saturated(D, n_close=None, *, owner="FisherMetric"):
    """Warn in words if a point has too many others at no distance (section 4).

    Shapes: D (n, n).
    """
    n = D.shape[0]
    limit = max(1, min(MANY, (n - 1) // 3)) if n_close is None else n_close
    full = int((_ties(D) > limit).sum())
    if full:
        warnings.warn(
            f"{owner}: the metric is saturated: {full} of {n} objects have more "
            f"than {limit} others at distance 0, so nothing orders them. "
            "Posteriors are 0 or 1 there: raise bandwidth (or bandwidth_scale), or "
            "set regularization above 0.",
            stacklevel=3,
        )


def _ties(D):
    """Return how many others are at no distance of each point (n,)."""
    xp = namespace_of(D)
    if xp is not None:
        return to_numpy(xp.count_nonzero(D < TIE, axis=1)) - 1
    return np.array([np.count_nonzero(row < TIE) - 1 for row in D])
