"""Iterative case filtering: keep the training samples that a 1-NN classifier needs."""

from typing import ClassVar

import numpy as np

from labelscape._core.estimator import Progress, shared_parameters
from labelscape._core.learned import Learned, whole_numbers
from labelscape._core.params import whole
from labelscape._core.points.distances import nearest_neighbors, squared_norms
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.prototypes.grow._base import GROUP_TEXTS, EuclideanPrototypes


@shared_parameters(GROUP_TEXTS)
class ICF(EuclideanPrototypes):
    r"""Prototypes are the training samples that a nearest-neighbor classifier needs.

    Iterative case filtering first removes noise, that is, samples that their neighbors
    would misclassify. Then it repeatedly removes samples far inside a class, which
    other samples of the class can replace. The remaining samples, near the borders, are
    the prototypes. A new sample gets the class of the nearest prototype. The fit is
    deterministic.

    Parameters
    ----------
    n_neighbors : int, default=3
        Neighbors that vote on whether a sample is noise.
    {alpha_for_quality}
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each pass with a dict of ``iteration`` and ``n_prototypes``.
        Returning True ends the fit with the current result.

    Attributes
    ----------
    {classes}
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The kept samples, sorted by class.
    prototype_indices_ : ndarray of shape (n_prototypes,)
        Row numbers of the prototypes in the training set.
    members_ : list of ndarray
        Indices of the training samples that each prototype represents: the samples of
        its class that are nearest to it.
    weights_ : list of ndarray
        Weights of these samples: 1 for the prototype itself, 0 for the others.
    {groups}
    history_ : dict of ndarray
        ``n_prototypes``: samples left after the removal of noise and after each pass.
    loss_curve_ : list of float
        A single value, ``1 - quality``.
    n_iter_ : int
        Number of passes, including the removal of noise.
    {seen}

    Notes
    -----
    Each pass takes :math:`O(n^2)` time. Distances are computed in blocks, so no n × n
    matrix is stored. Every class keeps a sample: if all of its samples are noise,
    the one nearest to their mean is kept.

    References
    ----------
    H. Brighton, C. Mellish: Advances in instance selection for instance-based learning
    algorithms. Data Mining and Knowledge Discovery 6, 2002.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.prototypes import ICF
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ICF().fit(X, y)
    >>> len(model.prototypes_), model.n_iter_
    (58, 5)
    >>> bool((X[model.prototype_indices_] == model.prototypes_).all())
    True
    """

    _keeps: ClassVar = "Uses some rows of the table as prototypes."
    _rules: ClassVar = {"n_neighbors": whole(1)}
    _learned: ClassVar[Learned] = {"prototype_indices_": whole_numbers("prototypes")}

    def __init__(
        self, n_neighbors=3, *, alpha=2.0, verbose=False, callback=None
    ) -> None:
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.verbose = verbose
        self.callback = callback

    def _find(self, space, classes):
        kept = self._filtered(space.X, classes)
        # Sort by class, and by index within a class.
        kept = kept[np.argsort(classes[kept], kind="stable")]
        self.prototype_indices_ = kept

        prototypes, owner = space.X[kept], classes[kept]
        group = space.nearest_own(prototypes, owner, classes)
        group[kept] = np.arange(len(kept))  # itself, not a duplicate
        weights = np.zeros(len(classes))
        weights[kept] = 1.0
        model = self._measured(space, classes, prototypes, owner, group, weights)
        self.loss_curve_ = [float(1.0 - model.quality)]
        return model

    def _filtered(self, X, classes):
        """Return the samples to keep; store the number that remains after each pass."""
        counts = []
        with Progress.of(self, None) as progress:

            def after_pass(count):
                counts.append(count)
                return progress.step(iteration=len(counts), n_prototypes=count)

            kept = np.flatnonzero(edited(X, classes, self.n_neighbors))
            kept = filtered(X, classes, kept, after_pass)
        self.history_ = {"n_prototypes": np.array(counts)}
        self.n_iter_ = len(counts)
        return kept


# Iterative case filtering: the samples that a nearest-neighbor classifier needs.


def edited(X, classes, n_neighbors=3):
    """Return a mask of samples that Wilson editing keeps, at least one per class."""
    neighbors, _ = nearest_neighbors(X, min(n_neighbors, len(X) - 1))
    votes = classes[neighbors]
    counts = (votes[:, :, None] == votes[:, None, :]).sum(axis=2)
    winner = np.take_along_axis(votes, counts.argmax(axis=1)[:, None], axis=1)[:, 0]
    keep = winner == classes
    for c in np.setdiff1d(classes, classes[keep]):
        rows = np.flatnonzero(classes == c)
        offsets = X[rows] - X[rows].mean(axis=0)
        keep[rows[squared_norms(offsets).argmin()]] = True
    return keep


def superfluous(X, classes):
    """Return a mask (n,) of the samples that others of their class can replace."""
    # x reaches the samples of its class that are nearer than any sample of another
    # class. Summed over a class, the numbers of samples that x reaches and that reach x
    # are equal, so a class never loses all its samples.
    points = Points(X)

    def block(rows):
        D = points.squared_rows(rows)
        same = classes[rows, None] == classes
        nearest_other = np.where(same, np.inf, D).min(axis=1)
        reached = same & (nearest_other[:, None] > D)
        reached[np.arange(len(D)), np.arange(rows.start, rows.stop)] = False
        return reached.sum(axis=1), reached.sum(axis=0)

    parts = map_blocks(block, row_blocks(len(X), 3 * 8 * len(X)))
    reachable = np.concatenate([reach for reach, _ in parts])
    return reachable > np.sum([cover for _, cover in parts], axis=0)


def filtered(X, classes, kept, after_pass):
    """Return sorted indices of the samples that remain after repeated passes."""
    stopped = after_pass(len(kept))
    while not stopped:
        flagged = superfluous(X[kept], classes[kept])
        if not flagged.any():
            break
        kept = kept[~flagged]
        stopped = after_pass(len(kept))
    return kept
