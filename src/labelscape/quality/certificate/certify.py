"""Certify: whether the separation on a given map is real.

The map is not fitted again. Positions of held-out rows (one half) are predicted from
the data and the positions of the other half. Then nearby rows of the other half vote.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.random import RandomState
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.utils import check_random_state

from labelscape._core.checks import matrix_argument
from labelscape._core.columns import enlarged, without_far_cells
from labelscape._core.estimator import Progress
from labelscape._core.params import COMMON, arguments
from labelscape._core.points.distances import nearest_neighbors
from labelscape._core.threads import one_blas_thread
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.classifiers import discriminant_answers
from labelscape._resampling.trial import Fit, Split
from labelscape._resampling.voters import balanced_accuracy, vote
from labelscape.quality.certificate.fits import N_SPLITS, JudgedFit
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.sentences import SMALL_GAP
from labelscape.quality.certificate.table_trial import TableTrial

OWNER = "certify"
# At most about this many rows are tested, half of them against the other half.
MOST_TESTED = 6000
# Number of neighbors in the data that predict a position, and of random errors added to
# a linear prediction.
N_NEIGHBORS = 5
# With more features, this many principal components predict positions.
MOST_FEATURES = 100
# If spreads of features differ by more than this factor, the data are used in two
# forms: unchanged and standardized.
UNLIKE = 2.0


@arguments(random_state=COMMON["random_state"])
def certify(
    X, Z, y, groups=None, random_state=None, *, labels_from=None
) -> HonestyReport:
    """Test whether the separation on a map is real, from positions alone.

    Use it for maps that cannot be fitted again, such as positions from a notebook, a
    file or a figure.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data of the map, such as its features or their principal components.
    Z : array-like of shape (n, q)
        The map: the position of each row of X.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient; rows of one group stay together in
        all splits.
    random_state : int, RandomState instance or None, default=None
        Seed of splits and shuffles.
    labels_from : estimator with ``fit_predict``, optional
        The clustering that made the labels, such as ``KMeans(8)``. It is applied to
        simulated data without groups, with the distributions and correlations of the
        features of X. The verdict states how often simulated gaps are at least as deep.

    Returns
    -------
    HonestyReport
        The report of :func:`honesty`, with ``place_errors`` and ``misplaced``, the rows
        whose positions cannot be predicted from the data.

    Notes
    -----
    The rows are split into halves. The positions of the held-out half are predicted
    from the data, either from the positions of neighbors in the other half or by a
    linear model. The better method is chosen within the other half. A row may have
    several predicted positions. At each position, neighbors vote as in :func:`honesty`,
    and the row gets the class with the most votes. If a map was drawn from its labels
    alone, its positions cannot be predicted, and the score falls to chance.

    A supervised map was also fitted to the labels of the held-out rows. Therefore the
    labels must also be predictable from the data alone. The p-value is the larger of
    two p-values: for the map, and for the data (twice the smaller p-value of neighbors
    and of a linear model). The p-value for the data is exact for any map.

    Predicted positions are less accurate than those of a fitted map, so ``unseen`` and
    ``kept`` are lower bounds. If there are more than about 6,000 rows, a random sample
    of this size is tested.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.decomposition import PCA
    >>> from labelscape.quality import certify
    >>> X, y = load_wine(return_X_y=True)
    >>> X = (X - X.mean(axis=0)) / X.std(axis=0)
    >>> certify(X, PCA(2).fit_transform(X), y, random_state=0).verdict.real
    'yes'

    Random labels, and a map that was drawn from them:

    >>> rng = np.random.default_rng(0)
    >>> y = rng.permutation(y)
    >>> Z = np.c_[np.cos(y), np.sin(y)] + rng.normal(scale=0.1, size=(len(y), 2))
    >>> certify(X, Z, y, random_state=0).verdict.real
    'no'
    """
    rng = check_random_state(random_state)
    trial = TableTrial.of_table(
        X, y, groups, rng, OWNER, MOST_TESTED, recipe=labels_from
    )
    Z = matrix_argument(OWNER, "Z", Z, n_rows=len(trial.about["units"].of_row))
    if trial.problem.why_not:
        return trial.untested()
    X = without_far_cells(enlarged(trial.problem.X, axis=0))
    problem = trial.problem._replace(X=X)
    places = PredictedPlaces.of(problem.X, enlarged(Z[problem.rows]), rng)
    bar = partial(Progress, OWNER, verbose=False, callback=None)
    judge = partial(_judged_places, places)
    trial = trial._replace(problem=problem, is_given=True)
    report = trial.report(judge, rng, bar, N_SPLITS)
    # Some rows were never held out: their positions are predicted from all others.
    errors: Any = report.place_errors
    missed = np.flatnonzero(np.isnan(errors[problem.rows]))
    others = np.flatnonzero(~np.isin(problem.units, problem.units[missed]))
    if len(missed) and len(others) > N_NEIGHBORS:
        at = next(places.predicted(Split(others, missed), rng)).mean
        errors[problem.rows[missed]] = places.errors(missed, at)
    return report


class Prediction(NamedTuple):
    """Predicted positions of held-out rows, from one model."""

    mean: Floats
    # The candidates: fitted rows near each held-out row, or random positions of all.
    near: Ints | None
    drawn: list[Floats]


class PredictedPlaces(NamedTuple):
    """A map Z (n, q), and the data (n, d) in several forms, which predict positions."""

    given: Floats
    Z: Floats  # the map without impossible positions
    spaces: list[Floats]
    spread: float  # the median distance between positions

    @classmethod
    def of(cls, X: Array, Z: Floats, rng: RandomState) -> "PredictedPlaces":
        """Return a map and the data of its rows."""
        X = np.asarray(X - X.mean(axis=0), dtype=np.float64)
        spread = X.std(axis=0)
        used = np.isfinite(spread) & (spread > 0)
        X, spread = X[:, used], spread[used]
        if not used.any():
            X, spread = np.zeros((len(Z), 1)), np.ones(1)
        spaces = [X / spread]
        if spread.max() > UNLIKE * spread.min():
            spaces.append(X / spread.max())
        with one_blas_thread():
            few = min(MOST_FEATURES, len(X) - 1)
            spaces = [
                S if S.shape[1] <= few else PCA(few, random_state=rng).fit_transform(S)
                for S in spaces
            ]
        given, Z = Z, without_far_cells(Z)
        a, b = rng.randint(len(Z), size=(2, 1000))
        between = np.linalg.norm(Z[a] - Z[b], axis=1)
        return cls(given, Z, spaces, float(np.median(between[a != b])))

    def errors(self, rows: Ints, at: Floats) -> Floats:
        """Return distances of rows from predicted positions, divided by ``spread``."""
        distances = np.linalg.norm(self.given[rows] - at, axis=1)
        return np.asarray(distances / (self.spread or 1.0))

    def predicted(self, split: Split, rng: RandomState) -> Iterator[Prediction]:
        """Yield each model's predicted positions of held-out rows, best model first."""
        # The candidates are the positions of a row's neighbors in the data, or the
        # linear prediction plus the errors of random rows. Predictions without errors
        # would be closer together than rows are. Errors of near rows are not used,
        # because they would lead to the positions of these rows.
        fitted, unseen = split
        Z, half = (
            without_far_cells(self.Z[fitted]),
            rng.permutation(len(fitted)) % 2 == 0,
        )
        n_near = min(N_NEIGHBORS, len(fitted) - 1)
        models: list[tuple[Floats, Prediction]] = []
        for S in self.spaces:
            own = nearest_neighbors(S[fitted], n_near)[0]
            near = nearest_neighbors(S[fitted], n_near, S[unseen])[0]
            models.append(
                (Z[own].mean(axis=1), Prediction(Z[near].mean(axis=1), near, []))
            )
        S, own_line = self.spaces[0], np.empty_like(Z)
        for part in (half, ~half):
            own_line[part] = _line(S[fitted[~part]], Z[~part], S[fitted[part]])
        mean, errors = _line(S[fitted], Z, S[unseen]), Z - own_line
        which = rng.randint(len(Z), size=(N_NEIGHBORS, len(unseen)))
        models.append(
            (own_line, Prediction(mean, None, [mean + errors[i] for i in which]))
        )
        sizes = [np.median(np.linalg.norm(Z - own, axis=1)) for own, _ in models]
        for i in np.argsort(sizes, kind="stable"):
            yield models[i][1]


def _line(X: Floats, Z: Floats, new: Floats) -> Floats:
    """Predict the positions of new rows by ridge regression."""
    with one_blas_thread():
        places = Ridge(1.0).fit(X, Z).predict(new)
    return np.asarray(places).reshape(len(new), -1)


def _judged_places(places: PredictedPlaces, k: int, fit: Fit) -> JudgedFit:
    """Return the classes for which fitted rows near the predicted positions vote."""
    # A linear model can repeat what the map has learned from all labels. It is not used
    # if it separates held-out rows better than the data do.
    fitted, unseen = fit.split
    X, X_new = fit.data
    on_map, n_classes = fit.voters(places.Z[fitted], k), fit.problem.n_classes
    S, truth = places.spaces[0], fit.codes[unseen]
    original = on_map._replace(Z=S[fitted]).judge(S[unseen])
    linear = discriminant_answers(X, on_map.codes, X_new)
    most = SMALL_GAP + max(
        balanced_accuracy(one, truth, n_classes) for one in (original, linear)
    )
    seen, lowest = on_map.judge_themselves(), np.inf
    for guess in places.predicted(fit.split, RandomState(fit.seed)):
        # A row gets the class for which map neighbors of the rows near it in the data
        # vote. The near rows have no vote, because the test is about the map.
        if guess.near is None:
            votes = np.column_stack([on_map.judge(drawn) for drawn in guess.drawn])
        else:
            votes = seen[guess.near]
        judged = vote(votes, n_classes)
        score = balanced_accuracy(judged, truth, n_classes)
        if score < lowest:
            lowest, answers, at = score, judged, guess.mean
        if score <= most:
            break
    return JudgedFit(
        fit.split,
        fit.codes,
        seen=seen,
        unseen=answers,
        original=original,
        linear=linear,
        place_errors=places.errors(unseen, at),
    )
