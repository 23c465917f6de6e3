"""Iterative case filtering: keep the training objects that a 1-NN classifier needs."""

import numpy as np

from labelscape._core.checks import (
    check_params,
    either,
    function,
    number,
    one_of,
    whole,
)
from labelscape._core.docs import shared_parameters
from labelscape._core.progress import Progress
from labelscape.prototypes._euclidean import EuclideanPrototypes
from labelscape.prototypes._group_docs import GROUP_TEXTS
from labelscape.prototypes._icf_reduction import edited, filtered


@shared_parameters(GROUP_TEXTS)
class ICF(EuclideanPrototypes):
    r"""Training objects as prototypes: what a nearest-neighbour classifier cannot miss.

    Iterative case filtering first removes noise: objects that their neighbours would
    misclassify. Then, pass after pass, it removes those deep inside a class, which
    others of their class stand in for. What is left lies along the borders. An object
    takes the class of the nearest of these. The fit is deterministic.

    Parameters
    ----------
    n_neighbors : int, default=3
        Neighbours that vote on whether an object is noise.
    {alpha_for_quality}
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each pass with a dict of ``iteration`` and ``n_prototypes``.
        Returning True ends the fit, with the result so far.

    Attributes
    ----------
    {classes}
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The kept objects, sorted by class.
    prototype_indices_ : ndarray of shape (n_prototypes,)
        Where they are in the training set.
    members_ : list of ndarray
        Indices of the training objects that each prototype stands for: those of its
        class to which no other one is nearer.
    weights_ : list of ndarray
        Their shares in it: 1 for the object itself, 0 for the others.
    {groups}
    history_ : dict of ndarray
        ``n_prototypes`` that remained after editing and after each pass.
    loss_curve_ : list of float
        ``1 - quality``, one entry.
    n_iter_ : int
        Number of passes, editing among them.

    Notes
    -----
    Takes :math:`O(n^2)` time per pass, in blocks; no n × n matrix is held. No class is
    ever lost: if editing would remove all of its objects, the one nearest to their mean
    stays.

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

    def __init__(self, n_neighbors=3, *, alpha=2.0, verbose=False, callback=None):
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.verbose = verbose
        self.callback = callback

    def _check_parameters(self):
        check_params(
            self,
            n_neighbors=whole(1),
            alpha=number(above=0.0),
            callback=either(function(), one_of(None)),
        )

    def _find(self, space, classes):
        kept = self._filtered(space.X, classes)
        # Sorted by class, and by index inside a class.
        kept = kept[np.argsort(classes[kept], kind="stable")]
        self.prototype_indices_ = kept

        prototypes, owner = space.X[kept], classes[kept]
        group = space.nearest_own(prototypes, owner, classes)
        group[kept] = np.arange(len(kept))  # a duplicate of another one, too
        weights = np.zeros(len(classes))
        weights[kept] = 1.0
        model = self._measured(space, classes, prototypes, owner, group, weights)
        self.loss_curve_ = [float(1.0 - model.quality)]
        return model

    def _filtered(self, X, classes):
        """Return the objects to keep, and note how many were left after each pass."""
        counts = []
        with Progress("ICF", None, self.verbose, self.callback) as progress:

            def after_pass(count):
                counts.append(count)
                return progress.step(iteration=len(counts), n_prototypes=count)

            kept = np.flatnonzero(edited(X, classes, self.n_neighbors))
            kept = filtered(X, classes, kept, after_pass)
        self.history_ = {"n_prototypes": np.array(counts)}
        self.n_iter_ = len(counts)
        return kept
