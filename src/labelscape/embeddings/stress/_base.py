"""Base of Sammon, CCA, DD-HDS and ClassiMap, which differ in the weights of pairs."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.estimator import Progress, shared_parameters
from labelscape._core.learned import Learned
from labelscape._core.params import Rule, array, either, number, one_of, whole
from labelscape._core.rows.answers import lazy
from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Array
from labelscape.embeddings._base import (
    MAP_TEXTS,
    ComparingMap,
    initial_map,
    on_principal_axes,
    rows_of_new,
    straight_map,
)
from labelscape.embeddings.stress._descent import Stress, majorized, placed
from labelscape.embeddings.stress._weights import (
    INVERSE,
    UNLABELED,
    Penalty,
    Spread,
    annealed,
    falling_weights,
    spread_of,
)

# With more turns of the pivot rule, scores that use classes change by less than 0.01,
# for all n.
MOST_PIVOTS = 50_000


def _is_spread(value):
    four = type(value) is tuple and len(value) == len(Spread._fields)
    return four and all(number(0).holds(part) for part in value)


@dataclass(eq=False, repr=False, kw_only=True)
class StressMap(ComparingMap):
    """Base of maps that minimize ``sum w |delta - d|^p``; subclasses define w."""

    # ``_weights(labels, spread)`` returns two ``Weights``: for the pivot rule, and for
    # the stress.
    p: int = 1
    init: Any = "pca"
    n_pivots: int | None = None
    max_iter: int = 0
    tol: float = 1e-6
    random_state: Any = None

    _training_data = ("embedding_", "training_X_", "_spread")
    # Number of turns as pivot for each sample, if there are few samples.
    _turns = 50
    # Not used by weights that do not narrow.
    lambda_start = lambda_end = 1.0
    _rules: ClassVar = {
        "p": whole(1, 2),
        "init": either(one_of("pca", "random"), array(2)),
        "n_pivots": either(one_of(None), whole(0, limit=10**7)),
        "max_iter": whole(0),
        "tol": number(low=0),
    }
    _learned: ClassVar[Learned] = {
        "_spread": Rule("a tuple of four numbers of at least 0", _is_spread),
    }

    def _map_of(self, given, y):
        labels = self._labels(y, given)
        sample = FixedSubset(given)
        random_state = check_random_state(self.random_state)
        Z = self._start(given, sample.spread, random_state)
        self.stress_, self.loss_curve_, self.n_iter_ = 0.0, [], 0
        if sample.spread.mean > 0.0:
            Z = self._descend(Z, given, sample, labels, random_state)
        self._spread = tuple(sample.spread)
        # A map that starts from a given array is not rotated.
        keep = not isinstance(self.init, str)
        return Z.T.copy() if keep else on_principal_axes(Z.T)

    @lazy
    @shared_parameters(MAP_TEXTS)
    def transform(self, X) -> Array:
        """Place new samples on the map; fitted samples stay where they are.

        A new sample starts at the position of its nearest neighbor and follows the
        pivot rule, with all fitted samples as pivots. A copy of a fitted sample gets
        the position of that sample. Labels are not used.

        Parameters
        ----------
        {new_X}

        {places}
        """
        X, rows = rows_of_new(self, X)
        labels = np.full(len(self.embedding_), UNLABELED)
        weights = self._weights(labels, Spread(*self._spread))[0]
        return placed(rows, len(X), self.embedding_, weights, self._lambdas)

    def _needed_to_place(self):
        return self._training_data

    def _labels(self, y, given):
        """Return the class number of each sample, or -1 for no label."""
        return np.full(given.n, UNLABELED)

    def _start(self, given, spread, random_state):
        """Return the initial map (q, n); equal points may coincide."""
        q = self.n_components
        if isinstance(self.init, str) and self.init == "pca":
            Z = straight_map(given, q)
        else:
            name = type(self).__name__
            Z = initial_map(self.init, given, q, random_state, owner=name)
        if isinstance(self.init, str) and self.init == "random":
            Z *= spread.mean / np.sqrt(2.0 * q)  # distances are right on average
        return np.ascontiguousarray(Z.T)

    @property
    def _lambdas(self):
        return float(self.lambda_start), float(self.lambda_end)

    def _steps(self, Z, given, spread, weights, random_state):
        """Yield map, lambda and stress, which is None before the majorization."""
        n_pivots = self.n_pivots
        if n_pivots is None:
            n_pivots = min(self._turns * given.n, MOST_PIVOTS)
        penalty = self._penalty(spread, 0.5)
        how = (weights[0], penalty, self._lambdas, n_pivots, random_state)
        for lam in PivotRun(given, *how).stages(Z):
            yield Z, lam, None
        if self.max_iter > 0:  # otherwise the stress of all pairs is not needed
            last = self._lambdas[1]
            stress = Stress(given, weights[1], last, self._penalty(spread, SMOOTHED))
            rules = {"max_iter": self.max_iter, "tol": self.tol}
            for moved, value in majorized(Z, stress, **rules):
                yield moved, last, value

    def _penalty(self, spread, reach):
        return Penalty(self.p if spread.std > 0.0 else 2, reach * spread.std)

    def _descend(self, Z, given, sample, labels, random_state):
        """Return the map (q, n), optimized from Z, and store the loss curve."""
        weights = self._weights(labels, sample.spread)
        few = weights[1]._replace(labels=weights[1].labels[sample.rows])
        smooth = self._penalty(sample.spread, SMOOTHED)
        on_sample = Stress(sample.given, few, self._lambdas[1], smooth)

        def stress(Z):
            return on_sample(Z[:, sample.rows])

        value = None
        with Progress.of(self, STAGES + self.max_iter) as progress:
            steps = self._steps(Z, given, sample.spread, weights, random_state)
            for Z, lam, value in steps:
                self.n_iter_ += 1
                if progress.watched and value is None:
                    value = stress(Z)
                if value is not None:
                    self.loss_curve_.append(value)
                if progress.watched and progress.step(
                    self.n_iter_,
                    value,
                    named="stress",
                    **self._news(lam),
                    embedding=Z.T,
                ):
                    break
        self.stress_ = stress(Z) if value is None else value
        return Z

    def _news(self, lam):
        return {"epoch": self.n_iter_, "lambda": lam}


# Base of CCA, DD-HDS and ClassiMap, whose weights narrow with lambda.


@dataclass(eq=False, repr=False, kw_only=True)
class NarrowingMap(StressMap):
    """Base of maps whose weights fall with delta or d, as ``_kind`` determines."""

    lambda_start: float = 0.9
    lambda_end: float = 0.1

    weighting = "normal"
    _rules: ClassVar = {
        "lambda_start": number(above=0),
        "lambda_end": number(above=0),
    }

    def _weights(self, labels, spread):
        weights = falling_weights(self._kind, labels, spread, self.weighting)
        return weights, weights


# A run of the pivot rule: the order of the pivots, and their rates.

# The share of the error that a turn corrects, at the beginning and at the end.
FIRST_ALPHA, LAST_ALPHA = 0.5, 0.01
STAGES = 50  # a run pauses this many times, for callbacks
# Pivots that are processed together have at most this number of pairs, and are at most
# as many as the second number.
BLOCK_PAIRS, LARGEST_BLOCK = 2**20, 256
# Bytes of dissimilarities, and number of points, that one thread computes at a time.
ROWS_BUDGET, POINTS_BUDGET = 2**21, 2**15


class Turns(NamedTuple):
    """The pivots of a block, in order, with their parameters and random seeds."""

    pivots: np.ndarray
    labels: np.ndarray
    lambdas: np.ndarray
    alphas: np.ndarray
    numbers: np.ndarray


class PivotRun:
    """A run of the pivot rule: the order of the pivots, and the parameters of each."""

    # Pivots are drawn in a new random order after all have had a turn. lambda falls
    # linearly between ``lambdas``, alpha exponentially from 0.5 to 0.01.

    def __init__(self, given, weights, penalty, lambdas, n_pivots, random_state):
        self.given, self.weights, self.penalty = given, weights, penalty
        self.first_lambda = lambdas[0]
        t = np.linspace(0.0, 1.0, n_pivots)
        self.lambdas = lambdas[0] + (lambdas[1] - lambdas[0]) * t
        self.alphas = annealed(FIRST_ALPHA, LAST_ALPHA, t)
        self.pivots = pivot_order(given.n, n_pivots, random_state)
        self.numbers = random_state.randint(2**31) + np.arange(n_pivots)
        self.block = min(LARGEST_BLOCK, max(1, BLOCK_PAIRS // given.n))

    def stages(self, Z):
        """Move the map Z (q, n) in 50 stages; yield lambda after each stage."""
        pauses = np.unique(np.linspace(0, len(self.pivots), STAGES + 1).astype(int))
        for start, stop in pairwise(pauses):
            for first in range(start, stop, self.block):
                self._take_turns(Z, slice(first, min(first + self.block, stop)))
            yield float(self.lambdas[stop - 1])

    def _take_turns(self, Z, span):
        from labelscape.embeddings.stress._kernels import follow, places_at_turn

        pivots = self.pivots[span]
        D, lambdas = self._rows(pivots, self.lambdas[span])
        labels = self.weights.labels[pivots]
        turns = Turns(pivots, labels, lambdas, self.alphas[span], self.numbers[span])
        # Indexing would give another memory layout than ``take``, and require another
        # compilation.
        among_them = (Z.take(pivots, axis=1), D.take(pivots, axis=1))
        places = places_at_turn(*among_them, turns, self.weights, self.penalty)
        everyone = np.arange(self.given.n)

        def move(points):
            them = (everyone, points.start, points.stop)
            follow(Z, *them, D, places, turns, self.weights, self.penalty)

        _in_threads(move, row_blocks(self.given.n, 8 * len(Z), POINTS_BUDGET))

    def _rows(self, pivots, lambdas):
        """Return the dissimilarities (b, n) of the pivots, and lambda of each turn."""
        from labelscape.embeddings.stress._kernels import held_lambdas

        D, held = np.empty((len(pivots), self.given.n)), lambdas.copy()

        def fill(rows):
            D[rows] = self.given.rows(pivots[rows])
            if self.weights.kind != INVERSE:
                wanted = (D[rows], pivots[rows], lambdas[rows])
                held_lambdas(self.weights, *wanted, self.first_lambda, held[rows])

        _in_threads(fill, row_blocks(len(pivots), 8 * self.given.n, ROWS_BUDGET))
        return D, held


def pivot_order(n, n_pivots, random_state):
    """Return the order of the pivots: repeated random permutations of all samples."""
    rounds = [random_state.permutation(n) for _ in range(-(-n_pivots // n))]
    return np.concatenate([np.empty(0, dtype=np.intp), *rounds])[:n_pivots]


def _in_threads(function, blocks):
    # A single block is computed sooner than another thread starts.
    if len(blocks) == 1:
        function(blocks[0])
    else:
        map_blocks(function, blocks)


# Mean, deviation and stress are computed on all samples up to this number, or on a
# subset of this size: its 2 million pairs are enough.
LARGEST_SAMPLE = 2000
# With p = 1, errors below this share of the deviation are majorized as squares.
SMOOTHED = 0.01


class FixedSubset:
    """A fixed subset of the samples, with the spread of its dissimilarities."""

    def __init__(self, given):
        self.rows, self.given = np.arange(given.n), given
        if given.n > LARGEST_SAMPLE:
            drawn = np.random.default_rng(0).permutation(given.n)[:LARGEST_SAMPLE]
            self._take(given, np.sort(drawn))
        delta = self.given.condensed()
        if not delta.any():  # nearly all samples are equal: use distinct ones
            self._take(given, given.distinct()[0][:LARGEST_SAMPLE])
            delta = self.given.condensed()
        self.spread = spread_of(delta)

    def _take(self, given, rows):
        self.rows, self.given = rows, given.subset(rows)


TEXTS = MAP_TEXTS | {
    "lambdas": """
    lambda_start, lambda_end : float, default=0.9 and 0.1
        Range of the weights, at the start and at the end. The weight is 1/2 if
        a dissimilarity is 2 (1 - lambda) standard deviations below the mean.
        At 0.9, nearly all pairs have weight; at 0.1, only the closest few percent.""",
    "init": """
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Initial map. "pca" starts from PCA scores, or from classical MDS for other
        dissimilarities. A map that starts from an array keeps its orientation; other
        maps are rotated to their principal axes.""",
    "pivot_seed": """
    random_state : int, RandomState or None, default=None
        Seed of the order of the pivots, and of the random start.""",
    "callback": """
    callback : callable or None, default=None
        Called 50 times during the pivots, and after each step of majorization, with a
        dict of ``epoch``, ``lambda``, ``stress`` (at the last lambda, on at most 2000
        samples) and ``embedding``. Returning ``True`` stops the fit.""",
    "pivots": """
    n_pivots : int or None, default=None
        Number of pivots. Each moves all other samples. None means 50 n, at most 50,000.
    max_iter : int, default=0
        Number of majorization steps after the pivots. Each step uses all pairs and
        lowers the stress further.
    tol : float, default=1e-6
        Stop when three steps in a row change the stress by less than this fraction.""",
    "attributes": """
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    stress_ : float
        Weighted error of the map, relative to a map with all points in one place; 0
        means that all distances are exact. It is computed on at most 2000 samples, or
        on all samples after majorization.
    loss_curve_ : list of float
        Stress after each epoch. Without ``callback`` or ``verbose``, epochs of the
        pivots are not included.
    n_iter_ : int
        Number of epochs: stages of the pivots and majorization steps.
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted samples, with which ``transform`` compares new samples. None if
        ``metric="precomputed"``.""",
}
# The parameters from lambda_start on, and the attributes, of maps whose weights narrow.
_PARAMETERS = [
    "lambdas",
    "metric",
    "init",
    "pivots",
    "pivot_seed",
    "verbose",
    "callback",
]
TEXTS["narrowing"] = "".join(TEXTS[name] for name in _PARAMETERS)
TEXTS["attributes"] += TEXTS["fitted_metric"]
TEXTS["power"] = """
    p : {1, 2}, default=1
        Power of the errors. The paper uses 1; 2 preserves neighborhoods better in
        most of our measurements."""
