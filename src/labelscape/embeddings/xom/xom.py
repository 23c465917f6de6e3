"""XOM: a map that fills a given shape."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.estimator import Printed, Progress, shared_parameters
from labelscape._core.params import either, one_of, whole
from labelscape._core.points.spaces import Points
from labelscape.embeddings._base import initial_map
from labelscape.embeddings.stress._weights import annealed
from labelscape.embeddings.xom._base import (
    POSITIVE_OR_NONE,
    XOM_TEXTS,
    ExploratoryMap,
    fitted_into,
)
from labelscape.embeddings.xom._neighborhoods import (
    WIDE,
    attraction_cost,
    sampled_vectors,
)

EPOCHS = 50  # number of reports during a run


@shared_parameters(XOM_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class XOM(ExploratoryMap):
    r"""Map that fills a given shape and preserves neighbors.

    The Exploratory Observation Machine reverses a self-organizing map: points are drawn
    from a shape on the map, and each point attracts the nearest sample and its
    neighbors in the data. The result fills the shape; distances are approximate.

    Parameters
    ----------
    {components}
    structure : str or array-like of shape (m, n_components), default="box"
        The shape. "box" is uniform in the unit square or cube, "disc" is uniform in the
        disc or ball inside, "lattice" has the sites of a regular lattice, and
        "gaussians" is a mixture of Gaussians around the corners of a regular polygon.
        An array lists points, or the centers of Gaussians if ``spread`` is given.
    {n_sites}
    winner : {"nearest", "heskes"}, default="nearest"
        The sample to which a drawn point belongs. "nearest" chooses the sample with the
        nearest position, "heskes" the sample whose neighborhood is nearest on average.
        "heskes" has a cost function, but takes n² operations per step and at most 500
        samples.
    n_steps : int or None, default=None
        Number of points drawn. None means 20 points per sample, but at least 20000.
    learning_rate, learning_rate_end : float, default=0.5 and 0.01
        Rate :math:`\eta` of the first and the last step.
    sigma, sigma_end : float or None, default=None
        Width of the neighborhood in the data at the first and the last step, as a
        dissimilarity. By default, the 80% quantile of all dissimilarities, and 0.75
        times the median distance to the nearest neighbor (ignoring duplicates).
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial map: PCA (classical MDS for dissimilarities) or random positions, scaled
        to fit into the structure; or given positions, which are used unchanged.
    {metric}
    random_state : int, RandomState or None, default=None
        Seed of the drawn points.
    {verbose}
    callback : callable or None, default=None
        Called 50 times during a fit with a dict of ``epoch``, ``cost``, ``stress``,
        ``eta``, ``sigma`` and ``embedding``, a view of the current map. Returning
        ``True`` stops the fit.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, in the coordinates of the structure; it is not rotated or scaled.
    {stress}
    loss_curve_ : list of float
        The cost (eq. 5 of the paper), computed 50 times during a fit with the current
        ``sigma``. The cost is the mean over 100 fixed points of the structure,
        because n points would take n² operations.
    n_iter_ : int
        Number of steps.
    {width}
    {fitted}
    {seen}

    See Also
    --------
    NEXOM : A similar map without a given shape; false neighbors repel each other.

    Notes
    -----
    Each step uses a drawn point :math:`s`, the dissimilarities :math:`\delta` and all
    positions :math:`y_i` (eqs. 2-4; squared distances inside :math:`h`):

    .. math::
        \Psi &= \arg\min_i |s - y_i|^2 \quad\text{or}\quad
                \arg\min_i \sum_j h_\sigma(\delta_{ij}) |s - y_j|^2 \\
        y_i &\leftarrow y_i - \min(2 \eta\, h_\sigma(\delta_{\Psi i}), 1) (y_i - s),
        \quad h_\sigma(\delta) = e^{-\delta^2/2\sigma^2}

    where :math:`\eta` and :math:`\sigma` fall exponentially from step to step. A step
    computes one row of distances, so memory grows linearly with n.

    References
    ----------
    A. Wismüller. The Exploration Machine. WSOM 2009. K. Bunte et al. Exploratory
    Observation Machine (XOM) with Kullback-Leibler Divergence for Dimensionality
    Reduction and Visualization. ESANN 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import XOM
    >>> X, _ = load_iris(return_X_y=True)
    >>> Z = XOM(structure="disc", random_state=0).fit_transform(X)
    >>> Z.shape
    (150, 2)
    >>> bool((((Z - 0.5) ** 2).sum(axis=1) <= 0.25).all())
    True
    """

    n_sites: int | None = None
    spread: float | None = None
    winner: str = "nearest"
    n_steps: int | None = None

    _in_paper: ClassVar = {
        "init": Printed("random", "PCA already gives the large-scale arrangement."),
    }
    _keeps: ClassVar = (
        "Arranges the data in a simple shape, with neighbors side by side; labels are "
        "not used."
    )
    _rules: ClassVar = {
        "n_steps": either(whole(1, limit=10**9), one_of(None)),
        "sigma": POSITIVE_OR_NONE,
    }

    def _one_place(self, n):
        return np.tile(self._shape(n).center, (n, 1))

    def _explored(self, given, pairs, wide, nearest):
        self._check_heskes(given.n)
        structure, at_first, at_last = self._shape(given.n), self.sigma, self.sigma_end
        if at_first is None:
            at_first = np.quantile(pairs.delta, WIDE)
        if at_last is None:
            at_last = 0.75 * np.median(nearest)
        take_steps = self._rule(given, at_last)
        random_state = check_random_state(self.random_state)
        Z = initial_map(self.init, given, self.n_components, random_state, owner="XOM")
        Z = fitted_into(structure, Z) if isinstance(self.init, str) else Z
        Y = np.ascontiguousarray(Z.T)
        total = self.n_steps or max(20 * given.n, 20_000)
        rates = self.learning_rate, self.learning_rate_end
        S = sampled_vectors(structure)
        ends = np.linspace(0, total, min(EPOCHS, total) + 1).astype(int)

        with Progress.of(self, len(ends) - 1) as progress:
            for epoch, (first, end) in enumerate(pairwise(ends), start=1):
                t = np.arange(first, end) / max(total - 1, 1)
                eta, sigma = annealed(*rates, t), annealed(at_first, at_last, t)
                take_steps(Y, structure.sample(random_state, end - first), eta, sigma)
                self.n_iter_ = int(end)
                now = {"eta": float(eta[-1]), "sigma": float(sigma[-1])}
                cost = attraction_cost(S, Y.T, given, sigma[-1], self.winner)
                if self._report(progress, pairs, Y, epoch, cost, **now):
                    break
        return np.ascontiguousarray(Y.T)

    def _rule(self, given, sigma_end):
        """Return a function that moves Y, given (Y, random points, eta, sigma)."""
        from labelscape.embeddings.xom import _kernels as kernels

        if self.winner == "heskes":
            D = given.matrix()
            unit = D.max()
            squares = (D / unit) ** 2
            return lambda Y, S, eta, sigma: kernels.heskes_steps(
                Y, squares, S, eta, sigma / unit
            )
        if isinstance(given, Points):
            centered = given.X - given.X.mean(axis=0)
            unit = np.abs(centered).max()
            # float32 needs half the memory, and has relative errors of a millionth.
            dtype = np.float64 if sigma_end < 1e-4 * unit else np.float32
            features = np.ascontiguousarray(centered.T / unit, dtype=dtype)
            return lambda Y, S, eta, sigma: kernels.steps_on_data(
                Y, features, S, eta, sigma / unit
            )
        return lambda Y, *steps: kernels.steps_on_matrix(Y, given.D, *steps)
