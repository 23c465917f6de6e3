"""Fitting a map to a table: scaling, choice of rows, progress and warnings."""

import inspect
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import clone
from sklearn.preprocessing import StandardScaler
from sklearn.utils.metaestimators import available_if

from labelscape._core.checks import ConstantFeatures, constant_words, nothing_differs
from labelscape._core.estimator import Callback
from labelscape._core.threads import ignored
from labelscape._core.types import Array, Floats, Ints
from labelscape._resampling.sampling import drawn_by_class
from labelscape.datasets import Table, TableEncoder
from labelscape.embeddings import LandmarkMap

# Row lengths are equal if they differ by at most this share. With fewer rows than this,
# they may be equal by chance.
ALIKE, FEWEST = 1e-3, 10


def scaler_for(X: Floats, encoder: TableEncoder | None = None) -> StandardScaler:
    """Return an unfitted scaler for a table's features."""
    # Rows of equal length are directions, such as embeddings of texts and images. They
    # are only centered, because scaling each feature would distort their angles. A
    # table of one column of vectors is only centered, too: all features have the same
    # unit, and features that vary more are more informative.
    is_vector = encoder is not None and [*encoder.vectors] == encoder.column_names
    is_vector = is_vector and len(encoder.codes) == 1  # type: ignore[union-attr]
    lengths = np.sqrt(np.einsum("ij,ij->i", X, X))
    longest = lengths.max()
    are_directions = (
        len(X) >= FEWEST
        and 0.0 < longest < np.inf
        and longest - lengths.min() <= ALIKE * longest
        # Rows of categories, encoded as 0 and 1, have equal lengths, too.
        and not np.isin(X, (0.0, 1.0)).all()
    )
    # The next step gets an array, regardless of global settings.
    is_moved = is_vector or bool(are_directions)
    return StandardScaler(with_std=not is_moved).set_output(transform="default")


# Rows that a map is fitted to, and positions of all rows.


def by_landmarks(
    estimator: Any, X: Floats, table: Table, n_landmarks: int, seed: int
) -> tuple[Any, Floats, Ints | None]:
    """Fit a map to landmarks; return the model, and the same results as `mapped`."""
    landmark_map = LandmarkMap(estimator, n_landmarks, measure=False, random_state=seed)
    landmark_map.fit(X, np.asarray(table.y), table.groups)
    model, landmarks = landmark_map.estimator_, landmark_map.landmarks_
    callbacks = [n for n in model.get_params() if n.split("__")[-1] == "callback"]
    model.set_params(**dict.fromkeys(callbacks))
    fitted = None if len(landmarks) == len(X) else landmarks
    return model, landmark_map.embedding_, fitted


def fitted_rows(y: Any, most: int, seed: int = 0) -> Ints:
    """Return the rows to fit a map to: all, or a sample with rows of each class."""
    if len(y) <= most:
        return np.arange(len(y))
    _, codes = np.unique(np.asarray(y), return_inverse=True)
    return drawn_by_class(codes, most, np.random.RandomState(seed))


def mapped(
    estimator: Any, X: Floats, table: Table, most: int | None, seed: int
) -> tuple[Floats, Ints | None]:
    """Fit a map; return positions of all rows, and the rows of the fit (None: all)."""
    y = np.asarray(table.y)
    if most is not None and len(X) > most:
        fitted = fitted_rows(y, most, seed)
        estimator.fit(X[fitted], y[fitted])
        return placed_around(estimator, X, fitted), fitted
    takes_groups = "groups" in inspect.signature(estimator.fit_transform).parameters
    known = {"groups": table.groups} if takes_groups else {}
    Z = np.asarray(estimator.fit_transform(X, y, **known), dtype=np.float64)
    drawn = getattr(estimator, "train_indices_", None)
    return Z, None if drawn is None or len(drawn) == len(X) else drawn


def placed_around(estimator: Any, X: Floats, fitted: Ints) -> Floats:
    """Return positions of all rows on a map that was fitted to some of them."""
    Z = np.array(estimator.transform(X), dtype=np.float64)
    if hasattr(estimator, "embedding_"):  # transform may change them slightly
        Z[fitted] = estimator.embedding_
    return Z


def as_chosen(estimator: Any) -> Any:
    """Return an unfitted copy with the parameters that the fit chose, for tests."""
    # If sharpened probabilities were chosen, ``focus`` is not fixed, because sharpening
    # is not tried with a fixed focus.
    chosen: dict[str, Any] = {}
    is_sharpened = getattr(estimator, "sharpness_", 1) > 1
    if getattr(estimator, "focus_", None) is not None and not is_sharpened:
        chosen["focus"] = estimator.focus_
    if getattr(estimator, "bandwidth", None) == "cv" and hasattr(estimator, "factor_"):
        chosen |= {"bandwidth": "global", "bandwidth_factor": estimator.factor_}
    return clone(estimator).set_params(**chosen) if chosen else estimator


# Context of a fit: progress callback, warnings, timing.


@contextmanager
def watched(estimator: Any, callback: Callback | None, table: Table) -> Iterator[None]:
    """Call ``callback`` during a fit, and warn about constant columns."""
    # Estimators of other libraries have callbacks with other arguments.
    is_ours = type(estimator).__module__.startswith("labelscape.")
    with constant_features_named(table.X, table.feature_names):
        if callback is None or not is_ours or "callback" not in estimator.get_params():
            yield
            return
        # A function, because clones do not copy functions and their references.
        estimator.set_params(callback=lambda news: callback(news))
        try:
            yield
        finally:
            estimator.set_params(callback=None)


class Clock:
    """Measures the duration of each step, in seconds."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, name: str) -> None:
        """Record the duration of the step that ends now."""
        now = perf_counter()
        self.seconds[name] = round(now - self._last, 3)
        self._last = now


@contextmanager
def constant_features_named(X: Array, names: Sequence[str]) -> Iterator[None]:
    """Warn about constant columns by name, in place of the estimator's warning."""
    constant = X.min(axis=0) == X.max(axis=0)
    if constant.all():
        raise nothing_differs("there is nothing to draw")
    if constant.any():
        words = constant_words(constant, names)
        verb = "are" if constant.sum() > 1 else "is"
        warnings.warn(f"{words} and {verb} ignored.", ConstantFeatures, stacklevel=2)
    with ignored(ConstantFeatures):
        yield


# A classifier of table columns.


class OfColumns:
    """Applies a classifier of table columns to encoded features."""

    def __init__(self, model: Any, encoder: TableEncoder) -> None:
        self.model, self.encoder = model, encoder
        self.n_features_in_ = len(encoder.feature_names)

    @property
    def classes_(self) -> Array:
        """The classes of the classifier."""
        return np.asarray(self.model.classes_)

    def predict(self, X: Array) -> Array:
        """Return the predicted class of each row."""
        return np.asarray(self.model.predict(self._frame(X)))

    @available_if(lambda self: hasattr(self.model, "predict_proba"))
    def predict_proba(self, X: Array) -> Array:
        """Return the class probabilities of each row."""
        return np.asarray(self.model.predict_proba(self._frame(X)))

    def _frame(self, X: Array) -> Any:
        """Convert features back to a data frame with the classifier's columns."""
        import pandas as pd  # a classifier of named columns was fitted to a data frame

        encoder = self.encoder
        X = np.asarray(X, dtype=np.float64)
        plain = X / encoder.factor + encoder.shift
        known = {one.name: one for one in encoder.categories}
        first = {name: j for j, name in reversed([*enumerate(encoder.feature_columns)])}
        kinds = {code.name: code.kind for code in encoder.codes}
        columns = {}
        for name in map(str, self.model.feature_names_in_):
            values: Any = plain[:, first[name]]
            if kinds[name] == "boolean":
                values = values > 0.5
            elif kinds[name] == "date":
                values = pd.to_datetime(np.round(values * 86400e3), unit="ms")
            elif name in known:
                gaps = cdist(X[:, known[name].features], known[name].codes)
                values = np.array(known[name].words, dtype=object)[gaps.argmin(axis=1)]
                with suppress(ValueError):  # numbers that are categories
                    values = values.astype(np.float64)
            columns[name] = values
        return pd.DataFrame(columns)
