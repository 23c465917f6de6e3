"""Sammon, CCA, DD-HDS and ClassiMap, which differ in the weights of pairs."""

import warnings
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from sklearn.utils.validation import column_or_1d

from labelscape._core.estimator import shared_parameters
from labelscape._core.labels import (
    check_labels,
    checked_labels,
    exact_labels,
    is_label,
    label_array,
    other_length,
)
from labelscape._core.learned import Learned, classes
from labelscape._core.params import one_of
from labelscape.embeddings._base import warn_of_random_labels
from labelscape.embeddings.stress._base import TEXTS, NarrowingMap, StressMap
from labelscape.embeddings.stress._weights import (
    BY_CLASS,
    BY_NEARER,
    FALLS,
    UNLABELED,
    inverse_weights,
)


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class Sammon(StressMap):
    r"""Map that preserves all distances, especially short ones.

    If a plane cannot show all distances, Sammon's mapping compresses groups rather than
    splitting them: neighbors stay neighbors, but not all neighbors on the map are
    neighbors in the data.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=2
        Power of the errors. 2 is Sammon's mapping; with 1, large errors matter less.
    {metric}
    {init}
    n_pivots : int or None, default=None
        Number of pivots, each of which moves all other samples. None means 10 n, at
        most 50,000.
    max_iter : int, default=300
        Maximum number of majorization steps after the pivots.
    tol : float, default=1e-6
        Stop when three steps in a row lower the stress by less than this fraction.
    {pivot_seed}
    {verbose}
    callback : callable or None, default=None
        Called 50 times during the pivots, and after each step of majorization, with a
        dict of ``epoch``, ``stress`` (during the pivots on at most 2000 samples) and
        ``embedding``. Returning ``True`` stops the fit.

    Attributes
    ----------
    {attributes}
    {seen}

    See Also
    --------
    WeightedMDS : A similar stress, with a weight for every pair.
    CCA : Splits groups rather than compressing them.

    Notes
    -----
    With :math:`\delta` the dissimilarities and :math:`d` the distances on the map, the
    fit minimizes

    .. math:: \frac{1}{\sum_{i<j} \delta_{ij}}
              \sum_{i<j} \frac{(\delta_{ij} - d_{ij})^2}{\delta_{ij}}

    Identical samples have the weight of the smallest positive dissimilarity. The pivots
    find the overall shape quickly; majorization then lowers the stress step by step.

    References
    ----------
    J. W. Sammon. A nonlinear mapping for data structure analysis. IEEE Transactions on
    Computers, 1969.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import Sammon
    >>> X, _ = load_iris(return_X_y=True)
    >>> sammon = Sammon(random_state=0).fit(X)
    >>> sammon.embedding_.shape
    (150, 2)
    >>> round(sammon.stress_, 3)
    0.004
    >>> sammon.transform([[5.0, 3.4, 1.5, 0.2]]).shape
    (1, 2)
    """

    p: int = 2
    max_iter: int = 300

    _keeps: ClassVar = (
        "Preserves all distances, especially short ones; labels are not used."
    )

    _turns = 10

    def _weights(self, labels, spread):
        # With weights above 1, the pivot rule would overshoot, so pairs below the 5%
        # quantile have equal weights.
        n = len(labels)
        return inverse_weights(spread.low, n), inverse_weights(spread.smallest, n)

    def _news(self, lam):
        return {"epoch": self.n_iter_}


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class CCA(NarrowingMap):
    r"""Map on which neighbors are true neighbors, but some groups are split.

    Only points that are near each other *on the map* have weight, so a folded or closed
    surface is cut open and laid flat. Points that are near on the map are near in the
    data, but some neighbors in the data are separated.

    Parameters
    ----------
    {components}
    p : {1, 2}, default=2
        Power of the errors.
    weighting : {"normal", "exponential", "step"}, default="normal"
        How the weight falls with the distance d on the map. "normal" is the weight of
        DD-HDS. "exponential" is exp(-d/r), with r = lambda times the mean
        dissimilarity. "step" is 1 up to the middle of "normal", and 0 beyond.
    {narrowing}

    Attributes
    ----------
    {attributes}
    {seen}

    See Also
    --------
    Sammon : Compresses groups rather than splitting them.
    DDHDS : Penalizes false and lost neighbors equally.

    Notes
    -----
    CCA minimizes :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p F(d_{ij})` by the pivot
    rule: one sample, the pivot, stays in place, and all others move along the line to
    it. Weights are constant during a move; otherwise, points would move apart to get
    smaller weights. Therefore, the stress may rise from epoch to epoch.

    References
    ----------
    P. Demartines and J. Hérault. Curvilinear component analysis: a self-organizing
    neural network for nonlinear mapping of data sets. IEEE Transactions on Neural
    Networks, 1997.

    Examples
    --------
    >>> from sklearn.datasets import make_swiss_roll
    >>> from labelscape.embeddings import CCA
    >>> X, _ = make_swiss_roll(200, random_state=0)
    >>> CCA(random_state=0).fit_transform(X).shape
    (200, 2)
    """

    p: int = 2
    weighting: str = "normal"

    _keeps: ClassVar = (
        "Preserves distances that are short on the map, but may split groups; labels "
        "are not used."
    )

    # Samples have no class, so all weights depend on the distance on the map.
    _kind = BY_CLASS
    _rules: ClassVar = {"weighting": one_of(*FALLS)}


@shared_parameters(TEXTS)
class DDHDS(NarrowingMap):
    r"""Map that penalizes false and lost neighbors equally.

    This is data-driven high-dimensional scaling. Pairs have weight if they are near in
    the data or near on the map, so both lost and false neighbors have a cost. The range
    of near distances is computed from the dissimilarities. This makes the method
    suitable for data of many dimensions, where all distances are similar.

    Parameters
    ----------
    {components}
    {power}
    {narrowing}

    Attributes
    ----------
    {attributes}
    {seen}

    See Also
    --------
    Sammon : Compresses groups rather than splitting them.
    CCA : Splits groups rather than compressing them.
    ClassiMap : Uses classes to choose between compressing and splitting.

    Notes
    -----
    DD-HDS minimizes :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p F(\min(\delta_{ij},
    d_{ij}))` by the pivot rule, with :math:`F(x) = 1 - \Phi((x - \mu)/\theta)`,
    :math:`\mu = \mathrm{mean}(\delta) - 2 (1 - \lambda)\,\mathrm{std}(\delta)` and
    :math:`\theta = 2 \lambda\,\mathrm{std}(\delta)`. A sample far from all others gets
    a larger lambda, so that its pairs keep at least 0.1% of their initial weight.

    References
    ----------
    S. Lespinats, M. Verleysen, A. Giron and B. Fertil. DD-HDS: a tool for visualization
    and exploration of high-dimensional data. IEEE Transactions on Neural Networks,
    2007.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import DDHDS
    >>> X, _ = load_iris(return_X_y=True)
    >>> DDHDS(random_state=0).fit_transform(X).shape
    (150, 2)
    """

    _keeps: ClassVar = (
        "Preserves neighborhoods of data with very many features; labels are not used."
    )

    _kind = BY_NEARER


@shared_parameters(TEXTS)
class ClassiMap(NarrowingMap):
    r"""Map that keeps each class together and allows splits between classes.

    The map preserves distances. Where a plane cannot show all distances, samples of one
    class are compressed (as by Sammon's mapping), and samples of different classes are
    split apart (as by CCA).

    **ClassiMap separates classes that overlap.** Once two classes are separate on the
    map, pairs between them have no cost. For example, in three overlapping Gaussian
    classes, 72% of the samples have a nearest neighbor of their class in the data, and
    100% on the map. Use ClassiMap to see the shape of classes that you know to be
    different. To see how different these classes are, use ``transform`` of held-out
    samples or :func:`labelscape.quality.honesty`. The fit warns if labels cannot be
    predicted from the data.

    Parameters
    ----------
    {components}
    {power}
    {narrowing}

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    {attributes}
    {seen}

    See Also
    --------
    CCA : The same method without labels.
    labelscape.quality.report : Scores of a map, with and without classes.

    Notes
    -----
    ClassiMap minimizes :math:`\sum_{i<j} |\delta_{ij} - d_{ij}|^p w_{ij}` by the pivot
    rule. The weight is :math:`F(\delta_{ij})` inside a class and :math:`F(d_{ij})`
    between classes, with F as in :class:`DDHDS`. Each sample without a label (-1, None
    or NaN) is a class of its own.

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
        "Preserves distances, and puts unavoidable errors where they do not mix "
        "classes."
    )

    _kind, _needs_labels = BY_CLASS, True
    # One class is allowed, and no class if all labels are missing.
    _learned: ClassVar[Learned] = {"classes_": classes(0)}

    def _labels(self, y, given):
        """Return the class number of each sample, or -1 for no label."""
        name, n = type(self).__name__, given.n
        if y is None:
            check_labels(y, n, owner=name)  # type: ignore[arg-type]  # raises
        labels = column_or_1d(label_array(y, owner=name), warn=True)
        missing = np.array([_is_missing(label) for label in labels], dtype=bool)
        known = exact_labels(labels[~missing])
        if len(labels) != n:
            remedy = "Give one label per sample: -1 or None if it is unknown."
            raise other_length(n, len(labels), owner=name, remedy=remedy)
        checked_labels(known, owner=name)
        if len(set(known.tolist())) > 1:  # one class is unusual, but not an error here
            check_labels(known, len(known), owner=name)
        self.classes_, numbers = np.unique(known, return_inverse=True)
        if missing.any() and self.classes_.tolist() == [1]:
            warnings.warn(
                f"{name}: y contains only -1 and 1, and -1 means that a sample has no "
                "label. If -1 is a class, give it another name, such as 0.",
                stacklevel=5,
            )
        codes = np.full(n, UNLABELED)
        codes[~missing] = numbers
        warn_of_random_labels(given, numbers, rows=np.flatnonzero(~missing), owner=name)
        return codes


def _is_missing(label):
    if not is_label(label):
        return True
    number = isinstance(label, int | float | np.number) and not isinstance(label, bool)
    return bool(number and label == UNLABELED)
