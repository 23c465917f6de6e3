"""ClassiMap: where a map must err, let it err where the classes do not mind."""

import warnings
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import column_or_1d

from labelscape._core.checks import (
    check_labels,
    checked_labels,
    exact_labels,
    is_label,
    label_array,
)
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.fits.learned import Learned, classes
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.points.spaces import Points
from labelscape.embeddings.stress._base import NarrowingMap
from labelscape.embeddings.stress._docs import TEXTS
from labelscape.embeddings.stress._weights import BY_CLASS, UNLABELED


@shared_parameters(TEXTS)
class ClassiMap(NarrowingMap):
    r"""Map that keeps each class whole and tears between classes.

    Distances stay as they are. But where a plane has no room for all of them, pairs of
    one class are rather pressed together (as by Sammon's mapping), and pairs of
    different classes are rather torn apart (as by CCA).

    **It separates classes that overlap.** Once two classes are apart on the map, their
    pairs cost nothing. Three Gaussian classes of which nearest neighbours tell 72 % in
    the data come out as three islands, 100 %. Use it to see the shape of the classes
    when you know that they are different, and :func:`labelscape.quality.honesty`, or
    ``transform`` of objects that were not fitted, to see how different they are. The
    fit warns where labels cannot be told from the data at all.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=1
        Power of the errors. 1 is that of the paper; 2 keeps neighbourhoods better in
        most of our measurements.
    {lambdas}
    {metric}
    {init}
    {pivots}
    {pivot_seed}
    {verbose}
    {callback}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    {attributes}
    {fitted_metric}

    See Also
    --------
    CCA : The same without labels.
    labelscape.quality.report : Scores of a map, with and without regard to classes.

    Notes
    -----
    It lowers :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p w_{ij}` by the pivot rule. The
    weight is :math:`F(\delta_{ij})` inside a class and :math:`F(d_{ij})` between
    classes, with F as in :class:`DDHDS`. Objects without a label (-1, None or NaN) are
    of another class than every other object.

    References
    ----------
    S. Lespinats, A. Meyer-Baese and M. Aupetit. A new supervised non-linear mapping.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import ClassiMap
    >>> X, y = load_iris(return_X_y=True)
    >>> classimap = ClassiMap(random_state=0).fit(X, y)
    >>> classimap.embedding_.shape
    (150, 2)
    >>> classimap.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    _keeps: ClassVar = (
        "Keeps distances, and puts unavoidable errors where they do not mix classes."
    )

    _kind = BY_CLASS
    # One class is unusual, none is possible: labels that are all missing.
    _learned: ClassVar[Learned] = {"classes_": classes(0)}

    def __init__(
        self,
        n_components=2,
        *,
        p=1,
        lambda_start=0.9,
        lambda_end=0.1,
        metric="euclidean",
        init="pca",
        n_pivots=None,
        max_iter=0,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.p = p
        self.lambda_start = lambda_start
        self.lambda_end = lambda_end
        self.metric = metric
        self.init = init
        self.n_pivots = n_pivots
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _labels(self, y, given):
        """Return the class number of each object, -1 for those without a label."""
        name, n = type(self).__name__, given.n
        if y is None:
            check_labels(y, n, owner=name)  # raises, in the words of all estimators
        labels = column_or_1d(label_array(y, owner=name), warn=True)
        missing = np.array([_is_missing(label) for label in labels], dtype=bool)
        known = exact_labels(labels[~missing])
        if len(labels) != n:
            raise InputError(
                f"X has {n} objects but y has {len(labels)} labels. Give one "
                "label per object, -1 or None where there is none.",
                owner=name,
            )
        checked_labels(known, owner=name)
        if len(set(known.tolist())) > 1:  # one class is unusual, but no error here
            check_labels(known, len(known), owner=name)
        self.classes_, numbers = np.unique(known, return_inverse=True)
        if missing.any() and self.classes_.tolist() == [1]:
            warnings.warn(
                f"{name}: y holds -1 and 1 only, and -1 means that an object has no "
                "label. If it is a class, give it another name, such as 0.",
                stacklevel=4,
            )
        found = np.full(n, UNLABELED)
        found[~missing] = numbers
        self._look_for_meaning(given, np.flatnonzero(~missing), numbers)
        return found

    def _look_for_meaning(self, given, labeled, class_of):
        """Warn if the labels cannot be told from the data."""
        precomputed = not isinstance(given, Points)
        X = given.D[:, labeled] if precomputed else given.X
        warn_if_labels_say_nothing(
            X[labeled],
            class_of,
            owner=type(self).__name__,
            precomputed=precomputed,
            stacklevel=5,
        )

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _is_missing(label):
    if not is_label(label):
        return True
    number = isinstance(label, int | float | np.number) and not isinstance(label, bool)
    return bool(number and label == UNLABELED)
