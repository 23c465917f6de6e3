"""Two classifiers on one map, and where they disagree."""

from typing import NamedTuple

import numpy as np

from labelscape.boundary._grid import Regions


class ClassifierComparison(NamedTuple):
    """Two classifiers on one map.

    Attributes
    ----------
    first, second : Regions
        What each of them decides where.
    names : tuple of str
        What they are called.
    differ : ndarray of shape (n_rows, n_columns)
        Where on the grid they decide for different classes.
    share : float
        Which part of the grid that is, cells far from all data left out. The area of a
        map is not the number of objects: see ``share_of_objects``.
    share_of_objects : float or None
        Of which part of the given objects the classifiers say different things.
    places : ndarray of shape (n_samples, 2) or None
        Places of these objects.
    objects_differ : ndarray of shape (n_samples,) or None
        Of which of them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from labelscape.boundary import ClassifierMap
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> model = ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=50).fit(X)
    >>> comparison = model.compare(tree, X)
    >>> comparison.names
    ('GaussianNB', 'DecisionTreeClassifier')
    >>> round(comparison.share_of_objects, 3)
    0.04
    """

    first: Regions
    second: Regions
    names: tuple
    differ: np.ndarray
    share: float
    share_of_objects: float | None = None
    places: np.ndarray | None = None
    objects_differ: np.ndarray | None = None

    def __repr__(self):
        first, second = self.names
        words = (
            f"{first} and {second} differ on {self.share:.0%} of the picture near data"
        )
        if self.share_of_objects is not None:
            words += f", and for {self.share_of_objects:.1%} of the objects"
        return words

    def plot(self, **options):
        """Draw both pictures and where they differ.

        Parameters
        ----------
        **options
            As for :func:`labelscape.plotting.plot_classifier_comparison`.

        Returns
        -------
        matplotlib Figure
        """
        from labelscape.plotting import plot_classifier_comparison

        return plot_classifier_comparison(self, **options)


def compared(first, second, names, objects=None):
    """Return the comparison of two Regions on the same grid.

    ``objects``, if given, holds places (n, 2) and the labels of both classifiers.
    """
    differ = first.labels != second.labels
    near = ~first.far
    share = float(differ[near].mean()) if near.any() else 0.0
    if objects is None:
        return ClassifierComparison(first, second, names, differ, share)
    places, one, other = objects
    apart = one != other
    return ClassifierComparison(
        first, second, names, differ, share, float(apart.mean()), places, apart
    )
