"""Whether a metric still tells near points apart."""

import warnings

import numpy as np

# Distances below this are ties.
TIE = 1e-9
# As many as t-SNE looks at with its usual perplexity of 30.
MANY = 90


def warn_if_saturated(D, n_close=None, *, owner="FisherMetric"):
    """Warn in words if a point has too many others at no distance (section 4).

    Parameters
    ----------
    D : ndarray of shape (n, n)
        Distances.
    n_close : int, default=None
        How many ties are too many; 90, or a third of the others if that is fewer.
    owner : str
        Who warns.
    """
    limit = max(1, min(MANY, (len(D) - 1) // 3)) if n_close is None else n_close
    ties = np.array([np.count_nonzero(row < TIE) - 1 for row in D])
    full = int((ties > limit).sum())
    if full:
        warnings.warn(
            f"{owner}: the metric is saturated: {full} of {len(D)} objects have more "
            f"than {limit} others at distance 0, so nothing orders them. "
            "Posteriors are 0 or 1 there: raise bandwidth (or bandwidth_scale), or "
            "set regularization above 0.",
            stacklevel=3,
        )
