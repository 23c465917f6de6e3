"""SNE and ClassNeRV: maps that preserve the neighbors of each sample."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from labelscape._core.estimator import shared_parameters
from labelscape._core.labels import check_labels
from labelscape._core.learned import Learned, classes
from labelscape._core.params import finite, number
from labelscape.embeddings._base import warn_of_random_labels
from labelscape.embeddings.nerv._base import TEXTS, SoftNeighborMap

# Squares of narrower and wider widths are 0 or infinite.
NARROWEST, WIDEST = 1e-153, 1e150


@shared_parameters(TEXTS)
class SNE(SoftNeighborMap):
    r"""Stochastic Neighbor Embedding: a map that loses few neighbors.

    Each sample has soft (weighted) neighbors in the data, within a width that gives the
    requested perplexity, and soft neighbors on the map, within a width that is the same
    for all samples. The fit penalizes neighbors that are far apart on the map.
    Weights on the map are Gaussian, without the long tails of t-SNE, so groups are
    closer together and distances are more meaningful.

    Parameters
    ----------
    {components}
    {run}

    Attributes
    ----------
    {attributes}
    map_width_ : float
        Width of the neighborhoods on the map: the median of the widths in the data.
        This width only sets the scale of the map.
    {fitted}
    {seen}

    See Also
    --------
    ClassNeRV : A similar map, with a cost of false neighbors that depends on labels.
    KernelTSNE : t-SNE, whose long-tailed weights on the map separate groups.
    NEXOM : A map with the same aim, computed row by row with little memory.

    Notes
    -----
    With dissimilarities :math:`\delta`, distances :math:`d` on the map, the
    :math:`\sigma_i` that gives :math:`p_i` its perplexity, and a common :math:`\gamma`,

    .. math:: p_{ij} \propto e^{-\delta_{ij}^2 / 2 \sigma_i^2}, \qquad
              q_{ij} \propto e^{-d_{ij}^2 / 2 \gamma^2}, \qquad
              \frac{1}{n} \sum_{i \neq j} p_{ij} \ln \frac{p_{ij}}{q_{ij}}

    is minimized, where each :math:`p_i` and each :math:`q_i` adds up to 1. This is the
    original, asymmetric SNE, but the fit uses L-BFGS instead of gradient descent with
    noise. It starts from PCA, with perplexities of n/2, n/4 and so on, down to the
    requested one, and is deterministic. An iteration computes n² exponentials, and n ×
    n numbers are kept in memory, so SNE is a method for thousands of samples.

    References
    ----------
    G. Hinton and S. Roweis. Stochastic neighbor embedding. NIPS 15, 2003.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import SNE
    >>> X, _ = load_iris(return_X_y=True)
    >>> sne = SNE().fit(X)
    >>> sne.embedding_.shape
    (150, 2)
    >>> sne.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    _keeps: ClassVar = (
        "Keeps neighbors together, with soft weights; labels are not used."
    )
    _learned: ClassVar[Learned] = {"map_width_": finite(NARROWEST, WIDEST)}

    # A lost neighbor costs 1, on the map and for new samples; a false one costs 0.
    _new_tau = 1.0

    def _costs(self, y, given):
        return np.zeros(given.n, dtype=np.int64), (1.0, 1.0)

    @property
    def _map_w(self):
        return 0.5 / self.map_width_**2

    def _on_map(self, neighbors):
        w = np.median(neighbors.w)
        self.map_width_ = float(np.sqrt(0.5 / w))
        return neighbors._replace(w=np.full(len(neighbors.w), w))


@shared_parameters(TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class ClassNeRV(SoftNeighborMap):
    r"""Map that keeps neighbors within classes and avoids false ones between classes.

    A plane cannot show all neighbors of high-dimensional data correctly: some neighbors
    are lost, and some points that are near on the map are false neighbors. Labels
    determine which error has a cost: lost neighbors within a class, so that classes
    stay together, and false neighbors between classes, to prevent overlap.

    **ClassNeRV separates classes that overlap**, like every map that uses labels. Use
    it to see the shape of classes that you know to be different. To see how different
    these classes are, use :func:`labelscape.quality.honesty` or ``transform`` of
    held-out samples. The fit warns if labels cannot be predicted from the data.

    Parameters
    ----------
    {components}
    tau_intra : float, default=1
        Cost of a lost neighbor of the same class. A false neighbor costs ``1 -
        tau_intra``.
    tau_inter : float, default=0
        Cost of a lost neighbor of another class. If both costs are equal, labels
        are not used, and the method is NeRV, the Neighbor Retrieval Visualizer.
    {run}

    Attributes
    ----------
    {attributes}
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    {fitted}
    {seen}

    See Also
    --------
    ClassiMap : A map with the same aim, which uses distances instead of neighbors.
    FisherKernelTSNE : A map of neighbors, with a metric learned from the labels.

    Notes
    -----
    Each sample :math:`i` weights its neighbors, in the data and on the map:

    .. math:: \beta_{ij} \propto e^{-\delta_{ij}^2 / 2 \sigma_i^2}, \qquad
              b_{ij} \propto e^{-d_{ij}^2 / 2 \sigma_i^2}

    with :math:`\delta` the dissimilarities, :math:`d` the distances on the map, and the
    :math:`\sigma_i` that gives :math:`\beta_i` the perplexity. The fit minimizes the
    mean over the samples of

    .. math:: \tau_\in D(\beta_i^\in, b_i^\in)
              + (1 - \tau_\in) D(b_i^\in, \beta_i^\in)
              + \tau_{\notin} D(\beta_i^{\notin}, b_i^{\notin})
              + (1 - \tau_{\notin}) D(b_i^{\notin}, \beta_i^{\notin})

    where :math:`\in` marks the weights of samples of the same class, :math:`\notin` the
    weights of other samples, :math:`\tau` are the two parameters and :math:`D(p, q) =
    \sum_j p_j \ln(p_j / q_j) + q_j - p_j`, the Kullback-Leibler divergence of weights
    that need not add up to 1.

    The fit starts from PCA and uses perplexities of n/2, n/4 and so on, down to the
    requested one; it is deterministic. An iteration computes n² exponentials, and n × n
    numbers are kept in memory, so ClassNeRV is a method for thousands of samples.

    References
    ----------
    B. Colange, J. Peltonen, M. Aupetit, D. Dutykh and S. Lespinats. Steering
    distortions to preserve classes and neighbors in supervised dimensionality
    reduction. NeurIPS 2020. J. Venna, J. Peltonen, K. Nybo, H. Aidos and S. Kaski.
    Information retrieval perspective to nonlinear dimensionality reduction for data
    visualization. Journal of Machine Learning Research, 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import ClassNeRV
    >>> X, y = load_iris(return_X_y=True)
    >>> nerv = ClassNeRV().fit(X, y)
    >>> nerv.embedding_.shape
    (150, 2)
    >>> nerv.transform(X[:3] + 0.01).shape
    (3, 2)
    """

    tau_intra: float = 1
    tau_inter: float = 0

    _keeps: ClassVar = (
        "Keeps neighbors together inside each class, and avoids false neighbors "
        "between classes."
    )
    _rules: ClassVar = {
        "tau_intra": number(low=0, high=1),
        "tau_inter": number(low=0, high=1),
    }
    _learned: ClassVar[Learned] = {"classes_": classes()}
    _map_w, _needs_labels = None, True

    def _costs(self, y, given):
        name = type(self).__name__
        self.classes_, codes = check_labels(y, given.n, owner=name)
        if self.tau_intra != self.tau_inter:  # otherwise labels are not used
            warn_of_random_labels(given, codes, owner=name)
        return codes, (float(self.tau_intra), self._new_tau)

    @property
    def _new_tau(self):
        return float(self.tau_inter)
