"""Objects beside which all others are one place: mostly fill values."""

import warnings

import numpy as np

from labelscape._core.checks import column_name

# Farther than so many usual distances from the middle, an object is an outlier.
FAR = 1e8
# So many rows tell what is usual.
FEW = 100


def warn_of_outliers(X, centre, feature_names):
    """Warn in words if an object is absurdly far from the middle of the others.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        The objects.
    centre : ndarray of shape (d,)
        Their middle, which the outliers have not dragged away.
    feature_names : ndarray of shape (d,) or None
        What the columns are called.
    """
    few = np.abs(X[:: -(-len(X) // FEW)] - centre).max(axis=1)
    usual = np.median(few[few > 0.0]) if few.any() else np.inf
    if np.abs([X.max(axis=0) - centre, X.min(axis=0) - centre]).max() <= FAR * usual:
        return
    gaps = np.abs(X - centre)
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
