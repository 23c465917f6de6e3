"""Features on one scale, for methods that measure distances."""

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import StandardScaler

# Lengths of rows that differ by no more than this share are one length, and fewer rows
# may have one by chance.
ALIKE, FEWEST = 1e-3, 10


def scaler_for(X: NDArray[np.float64]) -> StandardScaler:
    """Return what puts the features of a table on one scale, not yet fitted.

    Rows of one length are directions, as embeddings of texts and images often are:
    their distance is that of their angle, ``sqrt(2 - 2 cos)``, which a scale for each
    feature would spoil. They are only moved, to a mean of 0.
    """
    scaler = StandardScaler(with_std=not _are_directions(X))
    # An array, as what comes after it was fitted to, whatever is set for all of
    # scikit-learn.
    return scaler.set_output(transform="default")


def _are_directions(X: NDArray[np.float64]) -> bool:
    lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
    longest = lengths.max()
    if len(X) < FEWEST or not 0.0 < longest < np.inf:
        return False
    # Categories, as numbers 0 and 1, have one length too, and mean no direction.
    return bool(
        longest - lengths.min() <= ALIKE * longest and not np.isin(X, (0.0, 1.0)).all()
    )
