"""Which method to take: the one that tells unseen rows apart, and explains itself."""

import inspect
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA
from sklearn.utils import check_random_state

from labelscape._core.arguments import arguments, instance, optional
from labelscape._core.arguments import seed as seed_rule
from labelscape._core.rules import function, whole
from labelscape.datasets import Table
from labelscape.jobs._scaling import scaler_for
from labelscape.jobs._steps import Begin, Step, silent
from labelscape.jobs.methods import method_named
from labelscape.quality._internal import (
    Split,
    Voters,
    balanced_accuracy,
    draw_split,
    some_units,
    units_of,
)

# Two kinds of lines, of which one can read what counts, and a map of any shape.
CANDIDATES = ("liram", "lfda", "crossfit")
LINEAR = ("liram", "lfda", "lda", "nca", "pca")
# Lines are taken while they lose no more than this to the best.
WITHIN = 0.03
# They are tried on so many rows, half of which they do not see.
TRIED_ON = 1200
VOTES = 5
# Of more features, the principal components stand for all where methods are tried.
MOST_FEATURES, MOST_PAIRED = 200, 1000


@dataclass(frozen=True)
class Tried:
    """How a candidate did: None if it could not map the rows."""

    method: str
    unseen: float | None


@dataclass(frozen=True)
class Choice:
    """The method that was taken, and all that were tried; prints as a sentence.

    Examples
    --------
    >>> print(Choice("lfda", (Tried("liram", 0.9), Tried("lfda", 0.95))))
    Taken: Local Fisher discriminant, which tells 95 % of unseen rows apart (LiRaM LVQ
    90 %). It shows which features count, and none does better by more than 3 points.
    """

    method: str
    tried: tuple[Tried, ...]

    def __str__(self) -> str:
        known = {one.method: one.unseen for one in self.tried}
        name, own = method_named(self.method).title, known[self.method]
        if own is None:
            return f"Taken: {name}; none of the methods could be tried on a part."
        others = ", ".join(
            f"{method_named(one.method).title} {_percent(one.unseen)}"
            for one in sorted(self.tried, key=lambda one: -(one.unseen or 0.0))[:4]
            if one.method != self.method
        )
        is_linear = self.method in LINEAR
        why = (
            "It shows which features count, and none does better by more than 3 points."
            if is_linear
            else "No map by lines comes within 3 points of it."
        )
        says = f"which tells {_percent(own)} of unseen rows apart ({others})"
        return f"Taken: {name}, {says}. {why}"

    def record(self) -> dict[str, Any]:
        """Return the choice as plain numbers."""
        unseen = {one.method: one.unseen for one in self.tried}
        return {"method": self.method, "unseen": unseen, "words": str(self)}


def _percent(share: float | None) -> str:
    return "not at all" if share is None else f"{share:.0%}".replace("%", " %")


@arguments(
    table=instance(Table),
    dimensions=whole(1),
    seed=seed_rule(),
    begin=optional(function()),
)
def choose_method(
    table: Table, *, dimensions: int = 2, seed: int = 0, begin: Begin | None = None
) -> Choice:
    """Return the method for a table: by what it makes of rows that it never saw.

    Candidates are LiRaM LVQ, LFDA and the cross-fitted map. A map by lines is taken
    while it is within 0.03 of the best, because it explains itself.

    Parameters
    ----------
    table : Table
        Labelled data.
    dimensions : int, default=2
        Of the maps that are tried.
    seed : int, default=0
        Draws the rows.
    begin : callable, default=None
        Told what begins, as in `map_table`.

    Returns
    -------
    Choice

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> choose_method(load("iris")).method in ("liram", "lfda")
    True
    """
    told = (begin or silent)(Step("choosing", "", len(CANDIDATES)))
    X = scaler_for(table.X).fit_transform(table.X)
    # LFDA holds all pairs of features.
    names = [
        name
        for name in CANDIDATES
        if (name != "lfda" or X.shape[1] <= MOST_PAIRED)
        and method_named(name).has_dimensions(dimensions)
    ]
    codes = np.unique(np.asarray(table.y), return_inverse=True)[1]
    rng = check_random_state(seed)
    units = units_of(X, table.groups, owner="choose_method").of_row
    some = some_units(codes, units, TRIED_ON, rng)
    X, codes, units = _narrow(X[some], seed), codes[some], units[some]
    split = draw_split(codes, units, 0.5, rng)
    n_classes = int(codes.max()) + 1
    tried = []
    for name in names:
        estimator = method_named(name).make(
            min(dimensions, X.shape[1]), len(split.fitted), n_classes, seed
        )
        unseen = _unseen(estimator, X, codes, units, split, n_classes)
        tried.append(Tried(name, unseen))
        if callable(told):
            told()
    return chosen_of(tried)


def chosen_of(tried: Sequence[Tried]) -> Choice:
    """Return the choice among methods that were tried; the first if none could be."""
    known = {one.method: one.unseen for one in tried if one.unseen is not None}
    if not known:
        return Choice(tried[0].method, tuple(tried))
    best = max(known.values())
    lines = {name: known[name] for name in LINEAR if name in known}
    near = {name: unseen for name, unseen in lines.items() if unseen >= best - WITHIN}
    pool = near or known
    return Choice(max(pool, key=lambda name: pool[name]), tuple(tried))


def _narrow(X: NDArray[np.float64], seed: int) -> NDArray[np.float64]:
    """Return rows by their principal components, where features are many."""
    if X.shape[1] <= MOST_FEATURES:
        return X
    width = min(MOST_FEATURES, len(X) - 1)
    return np.asarray(PCA(width, random_state=seed).fit_transform(X))


def _unseen(
    estimator: Any,
    X: NDArray[np.float64],
    codes: NDArray[Any],
    units: NDArray[np.intp],
    split: Split,
    n_classes: int,
) -> float | None:
    """Return how many unseen rows neighbours on the map name rightly, by class."""
    fitted, new = split
    takes_groups = "groups" in inspect.signature(estimator.fit).parameters
    known = {"groups": units[fitted]} if takes_groups else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the map itself will say it again
            estimator.fit(X[fitted], codes[fitted], **known)
    except (ValueError, np.linalg.LinAlgError):
        return None
    Z = getattr(estimator, "embedding_", None)
    Z = estimator.transform(X[fitted]) if Z is None else Z
    voters = Voters(np.asarray(Z), codes[fitted], units[fitted], n_classes, VOTES)
    judged = voters.judge(np.asarray(estimator.transform(X[new])))
    return balanced_accuracy(judged, codes[new], n_classes)
