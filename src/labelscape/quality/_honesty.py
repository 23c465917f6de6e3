"""Honesty: how much of the separation on a map is there for points it has not seen.

A supervised map is fitted to labels, so of course it separates them. Three numbers tell
whether that means anything: the accuracy of nearest neighbours on the map for the
points it was fitted to (*seen*), for points it was not (*unseen*), and both again for
labels that were shuffled and so mean nothing (the *null*).
"""

import warnings
from dataclasses import dataclass, field
from html import escape
from threading import Event
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_array

from labelscape._core.checks import check_finite, check_labels, missing_extra
from labelscape._core.errors import InputError
from labelscape._core.label_signal import LabelsSayNothing
from labelscape._core.points.ranks import nearest_neighbors
from labelscape._core.points.spaces import Points
from labelscape._core.progress import Progress
from labelscape._core.rules import check_argument, either, number, one_of, whole
from labelscape._core.tables import html_table, text_table
from labelscape.quality._knn import vote
from labelscape.quality._verdict import Verdict, judged

# A result that shuffled labels give this often or more is no result.
SIGNIFICANT = 0.05


class Split(NamedTuple):
    """Accuracies of one fit: on the map for seen and unseen points, and in the data."""

    seen: float
    unseen: float
    original: float


@dataclass(frozen=True, eq=False, repr=False)
class HonestyReport:
    """How much of the separation on a map is real.

    Attributes
    ----------
    seen : float
        k-NN accuracy on the map for the points that it was fitted to.
    unseen : float
        The same for held-out points, with neighbours among the fitted ones.
    gap : float
        ``seen - unseen``: separation that new points do not have.
    original : float
        k-NN accuracy in the original space for the same held-out points.
    null : float
        Mean gap with shuffled labels: what the method makes out of nothing.
    null_seen, null_unseen : float
        Mean accuracies with shuffled labels.
    p_value : float
        How often shuffled labels do as well on unseen points.
    verdict : Verdict
        All of this as a record with ``real`` and ``kept``; prints as one sentence.
    chance : str
        The p-value in words, with what so few shuffles can show.
    k : int
        Number of neighbours that vote.
    splits, null_splits : list of Split
        The single fits behind the means.
    """

    seen: float
    unseen: float
    gap: float
    original: float
    null: float
    null_seen: float
    null_unseen: float
    p_value: float
    verdict: Verdict
    k: int
    splits: list = field(default_factory=list)
    null_splits: list = field(default_factory=list)

    @property
    def level(self):
        """The verdict in a word: "real", "mixed" or "made"."""
        return self.verdict.level

    @property
    def chance(self):
        """The p-value in words, with what so few shuffles can show."""
        n = len(self.null_splits)
        as_good = _as_good(self.null_splits, self.unseen)
        shuffles = "1 shuffle" if n == 1 else f"{n} shuffles"
        if as_good == 0:
            least = f"p ≤ {self.p_value:.2g}, the least that {n} can show"
            return f"None of {shuffles} did as well on unseen points ({least})."
        found = f"p = {self.p_value:.2g}"
        return f"{as_good} of {shuffles} did as well on unseen points ({found})."

    def __str__(self):
        return f"{text_table(*self._table())}\n{self.verdict}\n{self.chance}"

    __repr__ = __str__

    def _repr_html_(self):
        words = escape(f"{self.verdict} {self.chance}")
        return f"{html_table(*self._table())}<p>{words}</p>"

    def to_frame(self):
        """Return the single fits as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            With columns ``labels`` ("true" or "shuffled"), ``seen``, ``unseen``,
            ``gap``, ``original``.
        """
        try:
            import pandas as pd
        except ImportError:
            missing_extra("pandas", "dev", "to_frame()")
        kinds = ["true"] * len(self.splits) + ["shuffled"] * len(self.null_splits)
        frame = pd.DataFrame([*self.splits, *self.null_splits], columns=Split._fields)
        frame.insert(0, "labels", kinds)
        frame.insert(3, "gap", frame["seen"] - frame["unseen"])
        return frame

    def _table(self):
        header = [f"{self.k}-NN accuracy", "true labels", "shuffled labels"]
        rows = [
            ["on the map, seen points", f"{self.seen:.3f}", f"{self.null_seen:.3f}"],
            [
                "on the map, unseen points",
                f"{self.unseen:.3f}",
                f"{self.null_unseen:.3f}",
            ],
            ["gap", f"{self.gap:+.3f}", f"{self.null:+.3f}"],
            ["in the data, unseen points", f"{self.original:.3f}", ""],
        ]
        return header, rows


def honesty(
    estimator,
    X,
    y,
    n_splits=5,
    n_permutations=20,
    k=5,
    *,
    test_size=0.5,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
):
    """Measure how much of the separation on a supervised map is real.

    Parameters
    ----------
    estimator : map with ``fit``
        Fitted to (X, y) of a part of the data; ``transform`` never sees a label. A map
        without ``transform`` gets that of :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Objects.
    y : array-like of shape (n,)
        Class labels.
    n_splits : int, default=5
        Number of random splits into fitted and held-out points.
    n_permutations : int, default=20
        Number of fits with shuffled labels. The smallest p-value that can come out is
        ``1 / (1 + n_permutations)``.
    k : int, default=5
        Number of neighbours that vote.
    test_size : float, default=0.5
        Share of points held out. Half: both accuracies are then means over equally
        many points.
    n_jobs : int, optional
        Number of processes.
    random_state : int, RandomState instance or None, default=None
        Seed of splits and shuffles, and of the estimator where it has none of its
        own. The result does not depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict (``fit``, ``seen``, ``unseen``). Returning
        True begins no further fits, once there is a shuffled one to compare with.

    Returns
    -------
    HonestyReport
        With ``gap``, ``null``, ``p_value`` and the ``verdict`` in words.

    Notes
    -----
    Shuffled fit i uses split i modulo ``n_splits``, so there are ``n_splits +
    n_permutations`` fits in all. The mean over splits is compared with single shuffled
    fits, which scatter more: the p-value errs on the careful side.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from labelscape.quality import honesty
    >>> X, y = load_wine(return_X_y=True)
    >>> found = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    >>> print(str(found.verdict)[:23])
    The separation is real:
    """
    owner = "honesty"
    check_argument(owner, "n_splits", n_splits, whole(1))
    check_argument(owner, "n_permutations", n_permutations, whole(1))
    check_argument(owner, "k", k, whole(1))
    check_argument(owner, "test_size", test_size, number(above=0.0, below=1.0))
    check_argument(owner, "n_jobs", n_jobs, either(whole(), one_of(None)))
    estimator = _with_transform(estimator)
    X = check_array(X, dtype=[np.float64, np.float32], ensure_all_finite=False)
    check_finite(X, owner=owner)
    classes, codes = check_labels(y, len(X), owner=owner)
    labels = classes[codes]
    splits = _splits(X, codes, classes, n_splits, test_size, k, random_state)

    rng = check_random_state(random_state)
    seeds = rng.randint(np.iinfo(np.int32).max, size=n_splits + n_permutations)
    found, stop = [], Event()

    def fits():
        for fit, seed in enumerate(seeds):
            if stop.is_set() and fit > n_splits:  # one shuffled fit at least
                return
            split = splits[fit % n_splits]
            labeled = labels if fit < n_splits else _shuffled(labels, split, seed)
            yield delayed(_fit_and_score)(estimator, X, k, labeled, *split, seed)

    with Progress("honesty", len(seeds), verbose, callback) as bar:
        # One fit at a time, or a bundle of quick ones would outrun the callback.
        run = Parallel(n_jobs=n_jobs, batch_size=1, return_as="generator")
        for split in run(fits()):
            found.append(split)
            if bar.step(
                len(found), fit=len(found), seen=split.seen, unseen=split.unseen
            ):
                stop.set()
    return _report(found[:n_splits], found[n_splits:], k)


def _fit_and_score(estimator, X, k, labels, fitted, held_out, seed):
    """Fit a map to some points and return the three accuracies."""
    _, codes = np.unique(labels, return_inverse=True)
    n_classes = codes.max() + 1
    model = _seeded(clone(estimator), seed)
    Z = _own_map(model, X[fitted], labels[fitted])
    Z_new = _positions(model, model.transform(X[held_out]), len(held_out))

    def accuracy(found, truth):
        neighbors, _ = found
        return float(np.mean(vote(codes[fitted][neighbors], n_classes) == truth))

    return Split(
        seen=accuracy(Points(Z).kneighbors(k), codes[fitted]),
        unseen=accuracy(nearest_neighbors(Z, k, Z_new), codes[held_out]),
        original=accuracy(
            nearest_neighbors(X[fitted], k, X[held_out]), codes[held_out]
        ),
    )


def _seeded(model, seed):
    """Give a seed to whatever in a model would draw its own."""
    unset = {
        name: int(seed)
        for name, value in model.get_params().items()
        if name.split("__")[-1] == "random_state" and value is None
    }
    return model.set_params(**unset)


def _own_map(model, X, labels):
    """Return what the map shows of the points that it was fitted to."""
    with warnings.catch_warnings():
        # That labels say nothing is what the shuffled ones are for, and what the
        # verdict tells of the true ones.
        warnings.simplefilter("ignore", LabelsSayNothing)
        model.fit(X, labels)
    Z = getattr(model, "embedding_", None)
    return _positions(model, model.transform(X) if Z is None else Z, len(X))


def _positions(model, Z, n):
    """Check the places that a map gave to n points."""
    Z = np.ascontiguousarray(np.asarray(Z), dtype=np.float64)
    if Z.ndim != 2 or len(Z) != n or Z.shape[1] == 0:
        raise InputError(
            f"{type(model).__name__} gave an array of shape {Z.shape} for the "
            f"places of {n} points. A map has one row of coordinates per point.",
            owner="honesty",
        )
    lost = np.flatnonzero(~np.isfinite(Z).all(axis=1))
    if len(lost):
        raise InputError(
            f"{type(model).__name__} placed {len(lost)} of {n} points at NaN "
            f"or infinity, the first in row {lost[0]}. Points without a place have no "
            "neighbours: look at its parameters, or at the scale of X.",
            owner="honesty",
        )
    return Z


def _report(true, shuffled, k):
    seen, unseen, original = np.mean(true, axis=0)
    null_seen, null_unseen, _ = np.mean(shuffled, axis=0)
    as_good = _as_good(shuffled, unseen)
    p_value = (1 + as_good) / (1 + len(shuffled))
    return HonestyReport(
        seen=float(seen),
        unseen=float(unseen),
        gap=float(seen - unseen),
        original=float(original),
        null=float(null_seen - null_unseen),
        null_seen=float(null_seen),
        null_unseen=float(null_unseen),
        p_value=float(p_value),
        # With few shuffles no p-value is small: then at least one must do as well.
        verdict=judged(
            seen,
            unseen,
            null_unseen,
            original,
            by_luck=as_good > 0 and p_value > SIGNIFICANT,
        ),
        k=k,
        splits=true,
        null_splits=shuffled,
    )


def _as_good(shuffled, unseen):
    """Return how many fits with shuffled labels do as well on unseen points."""
    return sum(split.unseen >= unseen for split in shuffled)


def _with_transform(estimator):
    """Return the estimator, or its kernel map if it cannot place new points itself."""
    if hasattr(estimator, "transform"):
        return estimator
    if not hasattr(estimator, "fit"):
        raise TypeError(
            f"honesty: {type(estimator).__name__} has no fit, so it is no map. Give an "
            "estimator such as LFDA() or TSNE()."
        )
    # Maps stand a floor above their quality: imported here, when one is at hand, they
    # do not come along with every score.
    from labelscape.embeddings import KernelMap

    return KernelMap(estimator)


def _splits(X, codes, classes, n_splits, test_size, k, random_state):
    """Return pairs (fitted, held out) of point indices, with all classes in both."""
    counts = np.bincount(codes)
    if counts.min() < 2:
        rarest = classes.tolist()[counts.argmin()]
        raise InputError(
            f"class {rarest!r} has 1 object, but each class needs one to fit "
            "and one to hold out. Leave the class out or merge it.",
            owner="honesty",
        )
    splitter = StratifiedShuffleSplit(
        n_splits, test_size=test_size, random_state=random_state
    )
    try:
        splits = list(splitter.split(X, codes))
    except ValueError as error:
        raise InputError(
            f"the data cannot be split so: {error}", owner="honesty"
        ) from error
    if len(splits[0][0]) <= k:
        raise InputError(
            f"only {len(splits[0][0])} points are fitted, too few for k = {k} "
            "neighbours. Lower k or test_size.",
            owner="honesty",
        )
    return splits


def _shuffled(labels, split, seed):
    """Shuffle labels within the fitted and within the held-out points.

    So each class is as frequent in both as it was: a rare one never vanishes from the
    points that a map is fitted to.
    """
    rng = np.random.RandomState(seed)
    shuffled = labels.copy()
    for part in split:
        shuffled[part] = rng.permutation(labels[part])
    return shuffled
