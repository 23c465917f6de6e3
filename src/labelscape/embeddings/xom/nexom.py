"""NE-XOM: neighbors in the data attract, false neighbors on the map repel."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.errors import InputError
from labelscape._core.estimator import Printed, Progress, shared_parameters
from labelscape._core.params import (
    CheckedRecord,
    array,
    check_argument,
    either,
    flag,
    instance,
    number,
    one_of,
    optional,
    whole,
)
from labelscape.embeddings._base import initial_map, on_principal_axes
from labelscape.embeddings.stress._weights import annealed
from labelscape.embeddings.xom._base import (
    NAMES,
    POSITIVE,
    RULES,
    XOM_TEXTS,
    ExploratoryMap,
    fitted_into,
)
from labelscape.embeddings.xom._neighborhoods import (
    WIDE,
    Calls,
    DataNeighborhoods,
    Draws,
    MoveRule,
    Steps,
)

# Share of the cost for lost neighbors; the rest is for false neighbors.
TAU = {"kl": 1.0, "reverse_kl": 0.0}
# Standard deviation of z-scored Wine along its first principal axis. The paper's
# lengths on the map are in the units of the data, ours in units of this deviation.
WINE = 2.1693
# Settings of the paper for one of its data sets.
OF_DATASETS: dict[str, dict[str, Any]] = {
    "wine": {
        "learning_rate": 0.1 / WINE**2,
        "learning_rate_end": 0.001 / WINE**2,
        "sigma_end": 0.5,
        "gamma": 3.0 / WINE,
        "gamma_end": 0.05 / WINE,
    },
    "usps": {"sigma": 25.0, "sigma_end": 4.0},
}
# Degrees of freedom of the noise "t": the smallest integer with finite fourth moments.
T_FREEDOM = 5


@shared_parameters(XOM_TEXTS)
@dataclass(frozen=True)
class NEXOMVariant(CheckedRecord):
    """Less common settings of NE-XOM, described in its paper.

    Parameters
    ----------
    {n_sites}
    winner : {"nearest", "heskes"}, default="nearest"
        The sample to which a point of the structure belongs. "nearest" chooses the
        sample with the nearest position, "heskes" the sample whose neighborhood
        diverges least from that of the point. "heskes" minimizes a cost function, but
        takes n² operations per step and at most 500 samples.
    noise_kind : {"normal", "uniform", "t"}, default="normal"
        Distribution of the noise, along each axis.
    clip : float, default=0.5
        Maximum step, as a fraction of the distance to the attracting point.
    scale_step : bool, default=False
        Whether to divide steps by gamma², as in the paper; this needs clipping.
    rescale : bool, default=True
        Whether to scale the finished map so that its distances match those in the data.
        If False, ``gamma`` sets the scale. A map in a structure is never scaled.

    Examples
    --------
    >>> from labelscape.embeddings import NEXOM, NEXOMVariant
    >>> NEXOM(variant=NEXOMVariant(rescale=False)).variant.clip
    0.5
    """

    n_sites: int | None = None
    spread: float | None = None
    winner: str = "nearest"
    noise_kind: str = "normal"
    clip: float = 0.5
    scale_step: bool = False
    rescale: bool = True

    _rules: ClassVar = {
        "n_sites": RULES["n_sites"],
        "spread": RULES["spread"],
        "winner": RULES["winner"],
        "noise_kind": one_of("normal", "uniform", "t"),
        "clip": number(above=0, high=1),
        "scale_step": flag(),
        "rescale": flag(),
    }


@shared_parameters(XOM_TEXTS)
@dataclass(eq=False, repr=False, kw_only=True)
class NEXOM(ExploratoryMap):
    r"""Map that preserves neighborhoods, from large to small.

    In each step of the Neighbor Embedding Exploratory Observation Machine, one sample
    attracts its neighbors in the data and repels samples that are near it on the map
    but not in the data. Neighborhoods are wide at first, so the map gets its overall
    shape first and details later.

    Parameters
    ----------
    {components}
    structure : None, str or array-like of shape (m, n_components), default=None
        The shape that the map should fill: "box", "disc", "lattice", "gaussians" or
        given points, as in :class:`XOM`. The map is then in the coordinates of the
        structure. With None, the data determine the shape of the map.
    divergence : {"kl", "reverse_kl"} or float, default="kl"
        The divergence to minimize. "kl", as in the paper, penalizes lost neighbors;
        "reverse_kl" penalizes false neighbors. A number tau from 0 to 1 gives weight
        tau to "kl" and 1 - tau to "reverse_kl": 0.8 gives fewer false neighbors than
        "kl" and only a few more lost neighbors.
    kernel : {"gaussian", "t"}, default="gaussian"
        Neighborhood on the map. "t" has long tails, so samples are farther apart.
    sigma : {"per_point", "global"} or float, default="per_point"
        Initial width of the neighborhoods in the data: a number, or an 80% quantile:
        "per_point" of each sample's dissimilarities, "global" of all dissimilarities.
    sigma_end : float or None, default=None
        Final width of the neighborhoods in the data. None means half the median
        distance to the nearest neighbor, but at least the smallest distance between
        different samples.
    gamma, gamma_end : float, default=0.5 and 0.1
        Initial and final width of the neighborhoods on the map, in units of the
        standard deviation of the initial map along its wider axis.
    learning_rate, learning_rate_end : float, default=0.5 and 0.05
        Rate :math:`\eta` of the first and the last step.
    noise : float, default=0.1
        Standard deviation of the noise that is added to the position of the attracting
        sample, in units of the current gamma. Not used with a structure.
    variant : NEXOMVariant or None, default=None
        Less common settings: the winner of a point of the structure, the kind of noise,
        the maximum step and the scale. By default, those of `NEXOMVariant()`.
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial map: PCA (classical MDS for dissimilarities), random positions, or given
        positions. PCA and random positions are scaled to fit into a structure.
    max_iter : int or None, default=None
        Number of epochs, with one step for every sample. None means 50 for up to 500
        samples and 10 for 2000 or more; in between, 20,000 to 25,000 steps in total.
    {metric}
    random_state : int, RandomState or None, default=None
        Seed of the order of the samples and of the noise.
    {verbose}
    callback : callable or None, default=None
        Called after every epoch with a dict of ``epoch``, ``cost``, ``stress``,
        ``eta``, ``sigma`` (the median over the samples), ``gamma`` and ``embedding``, a
        view of the map before rotation and scaling. Returning ``True`` stops the fit.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map, on its principal axes, or in the coordinates of the structure.
    {stress}
    loss_curve_ : list of float
        The cost (eq. 7 of the paper) after every epoch, with its ``sigma`` and
        ``gamma``. It is the mean over a fixed set of 100 samples, or of 100 points of
        the structure, to save time.
    n_iter_ : int
        Number of epochs.
    {width}
    {fitted}
    {seen}

    See Also
    --------
    XOM : Map that fills a given shape, by attraction only.

    Notes
    -----
    For each sample :math:`j`, in random order, with :math:`s = y_j` + noise, all
    positions :math:`y_i` move by

    .. math:: y_i \leftarrow y_i - \mathrm{clip}(2 \eta (h_i - g_i)) (y_i - s), \quad
        h_i = e^{-\delta_{ji}^2/2\sigma_j^2}, \quad g_i = e^{-|y_i - s|^2/2\gamma^2}

    which lowers the Kullback-Leibler divergence :math:`\sum_i h_i \ln(h_i/g_i) - h_i +
    g_i` of the two neighborhoods (eqs. 7 and 9). With ``kernel="t"``, :math:`g_i = 1/(1
    + |y_i - s|^2/\gamma^2)` and its gradient has a factor :math:`2 g_i`. The rates
    :math:`\eta, \sigma, \gamma` fall exponentially from step to step. An epoch takes n²
    moves; rows of :math:`\delta` are computed in blocks, so memory grows as n.

    With a number :math:`\tau` instead of "kl" (:math:`\tau = 1`), the divergence is
    :math:`\tau D(h, g) + (1 - \tau) D(g, h)`, and :math:`h_i - g_i` becomes
    :math:`\tau (h_i - g_i) + (1 - \tau) g_i \ln(h_i / g_i)`.

    With a structure, :math:`s` is drawn from the structure n times per epoch, and
    :math:`j` is its winner: :math:`\arg\min_i |s - y_i|^2`, or the sample with the
    least divergence (eq. 8).

    References
    ----------
    K. Bunte, B. Hammer, T. Villmann, M. Biehl and A. Wismüller. Exploratory Observation
    Machine (XOM) with Kullback-Leibler Divergence for Dimensionality Reduction and
    Visualization. ESANN 2010.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.embeddings import NEXOM
    >>> X, _ = load_iris(return_X_y=True)
    >>> nexom = NEXOM(random_state=0).fit(X)
    >>> nexom.embedding_.shape
    (150, 2)
    >>> nexom.stress_ < 0.1
    True
    """

    structure: Any = None
    divergence: str | float = "kl"
    kernel: str = "gaussian"
    sigma: str | float = "per_point"
    gamma: float = 0.5
    gamma_end: float = 0.1
    learning_rate_end: float = 0.05
    noise: float = 0.1
    variant: NEXOMVariant | None = None
    max_iter: int | None = None

    _in_paper: ClassVar = {
        "max_iter": Printed(50, "Thousands of samples need fewer epochs."),
        "variant": Printed(
            NEXOMVariant(scale_step=True),
            "Steps divided by gamma² are too long.",
        ),
    }
    _keeps: ClassVar = (
        "Preserves neighborhoods, from large to small; labels are not used."
    )
    _rules: ClassVar = {
        "structure": either(one_of(None, *NAMES), array(2)),
        "divergence": either(one_of("kl", "reverse_kl"), number(low=0, high=1)),
        "kernel": one_of("gaussian", "t"),
        "sigma": either(one_of("per_point", "global"), POSITIVE),
        "gamma": POSITIVE,
        "gamma_end": POSITIVE,
        "noise": number(low=0),
        "variant": optional(instance(NEXOMVariant)),
        "max_iter": optional(whole(1)),
    }

    @classmethod
    def as_in_paper(cls, dataset=None, **changes):
        """Return an unfitted estimator with the settings of its paper.

        Parameters
        ----------
        dataset : {"wine", "usps"} or None, default=None
            Use the rates and widths that the paper gives for this data set, with
            features of mean 0 and variance 1. None: only the settings that are the
            same for Wine and USPS.
        **changes
            Parameters to set to other values.

        Returns
        -------
        estimator : NEXOM
            The settings of the paper, and our defaults elsewhere.

        Examples
        --------
        >>> from labelscape.embeddings import NEXOM
        >>> NEXOM.as_in_paper("usps").sigma
        25.0
        """
        check_argument("as_in_paper", "dataset", dataset, one_of(None, *OF_DATASETS))
        return super().as_in_paper(**OF_DATASETS.get(dataset, {}) | changes)

    @property
    def _choices(self):
        return self.variant or NEXOMVariant()

    def _one_place(self, n):
        if self.structure is None:
            return np.zeros((n, self.n_components))
        return np.tile(self._shape(n).center, (n, 1))

    def _explored(self, given, pairs, wide, nearest):
        if self.structure is not None:  # otherwise there is no winner
            self._check_heskes(given.n)
        random_state = check_random_state(self.random_state)
        Y = self._first_map(given, random_state)
        unit = 1.0 if self.structure is None else Y.std(axis=1).max()
        sigma_start, sigma_end = self._widths(pairs, wide, nearest)
        neighbors = DataNeighborhoods(given, min(sigma_start.min(), sigma_end))
        sampling = self._sampling(given)
        n, n_epochs = given.n, self.max_iter or default_epochs(given.n)

        def sigma(samples, at):
            return annealed(sigma_start[samples], sigma_end, at)

        with Progress.of(self, n_epochs) as progress:
            for epoch in range(n_epochs):
                t = np.arange(epoch * n, (epoch + 1) * n) / max(n_epochs * n - 1, 1)
                eta = annealed(self.learning_rate, self.learning_rate_end, t)
                gamma = annealed(float(self.gamma), float(self.gamma_end), t)
                strength = 2.0 * eta / (gamma**2 if self._choices.scale_step else 1.0)
                steps = Steps(t, strength, unit * gamma, sigma)
                sampling.take_steps(Y, neighbors, steps, random_state)
                self.n_iter_ = epoch + 1
                now = {
                    "eta": float(eta[-1]),
                    "sigma": float(annealed(np.median(sigma_start), sigma_end, t[-1])),
                    "gamma": float(gamma[-1]),
                }
                cost = sampling.cost(Y.T, sigma(slice(None), t[-1]), steps.gamma[-1])
                if self._report(progress, pairs, Y, self.n_iter_, cost, **now):
                    break
        if self.structure is not None:
            return np.ascontiguousarray(Y.T)
        Z = on_principal_axes(Y.T)
        return Z * pairs.scale(Z) if self._choices.rescale else Z

    def _sampling(self, given):
        """Return the source of random points, and the rule for moving samples."""
        name = self.divergence
        tau = TAU[name] if isinstance(name, str) else float(name)
        rule = MoveRule(self.kernel, tau, float(self._choices.clip))
        if self.structure is None:
            return Calls(given, rule, self._noise)
        return Draws(given, rule, self._shape(given.n), self._choices.winner)

    def _widths(self, pairs, wide, nearest):
        """Return the sigma of each sample in the first step, and in the last step."""
        end = self.sigma_end
        if end is None:
            end = max(nearest.min(), 0.5 * np.median(nearest))
        if self.sigma == "per_point":
            # A sample with very many duplicates may have a quantile of 0.
            return np.maximum(wide, end), end
        start = np.quantile(pairs.delta, WIDE) if self.sigma == "global" else self.sigma
        return np.full(len(wide), start), end

    def _first_map(self, given, random_state):
        """Return the initial map (q, n), standardized or fitted into the structure."""
        # A given map in a structure is used unchanged.
        q = self.n_components
        Z = initial_map(self.init, given, q, random_state, owner="NEXOM")
        size = Z.std(axis=0).max()
        if not size > 0.0:
            raise InputError(
                "init puts all samples in one position, so they cannot be separated. "
                "Pass different positions, or init='pca'.",
                owner="NEXOM",
                parameter="init",
            )
        if self.structure is None:
            return np.ascontiguousarray((Z - Z.mean(axis=0)).T / size)
        if isinstance(self.init, str):
            Z = fitted_into(self._shape(given.n), Z)
        return np.ascontiguousarray(Z.T)

    def _noise(self, random_state, gamma):
        """Return the noise s - y_j (n, q) of an epoch, with deviation noise * gamma."""
        shape = (len(gamma), self.n_components)
        kind = self._choices.noise_kind
        if kind == "normal":
            unit = random_state.normal(size=shape)
        elif kind == "uniform":
            unit = random_state.uniform(-np.sqrt(3.0), np.sqrt(3.0), size=shape)
        else:
            unit = random_state.standard_t(T_FREEDOM, size=shape)
            unit *= np.sqrt((T_FREEDOM - 2) / T_FREEDOM)
        return self.noise * gamma[:, None] * unit


def default_epochs(n):
    """Return 50 for up to 500 samples, 10 for 2000 or more, else a power of n."""
    return round(50.0 * 5.0 ** -np.clip(np.log(n / 500.0) / np.log(4.0), 0.0, 1.0))
