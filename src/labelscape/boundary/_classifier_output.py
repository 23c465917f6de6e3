"""Scores of each class, for any kind of classifier."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.exceptions import NotFittedError

from labelscape._core.checks import named_as
from labelscape._core.errors import InputError
from labelscape._core.learned import Learned
from labelscape._core.numerics import (
    answer_bytes,
    as_numbers,
    checked_probabilities,
    refuse_rows,
)
from labelscape._core.params import finite, whole
from labelscape._core.threads import map_blocks, row_blocks

OWNER = "ClassifierMap"
BLOCK_BYTES = 2**26  # memory of a block of samples for a classifier
PART_BYTES = 2**20  # smaller blocks for scikit-learn, in several threads
# From this percentile of all leads (best minus second score) on, the certainty is 1.
CERTAIN_PERCENTILE = 95
USUAL_ODDS = 20.0  # odds of the best class if its decision value has the median lead


@dataclass(eq=False)
class ClassScores:
    """The scores r (n, C') of a classifier for its classes."""

    # Probabilities if the classifier has them, otherwise decision values (for two
    # classes one column, positive for the second class), otherwise 1 for the predicted
    # class and 0 for other classes.
    classifier: Any
    classes_: Any = None
    sharpness: float = 1.0
    n_predictions: int = 0
    _learned: ClassVar[Learned] = {
        "sharpness": finite(above=0),
        "n_predictions": whole(0),
    }

    def __post_init__(self):
        if self.classes_ is None:
            self.classes_ = getattr(self.classifier, "classes_", None)
        if self.classes_ is not None:
            self.classes_ = self._checked_classes(self.classes_)
        if self.kind == "decision" and _votes_by_pairs(self.classifier):
            raise self._error(
                "compares classes in pairs. Call "
                "classifier.set_params(decision_function_shape='ovr'), which needs no "
                "new fit."
            )

    @property
    def kind(self):
        """The kind of scores: "probability", "decision" or "label"."""
        if not isinstance(self.classifier, type):
            for method, kind in _KINDS.items():
                if hasattr(self.classifier, method):
                    return kind
            if callable(self.classifier):
                return "probability"
        raise InputError(
            "classifier must be fitted and have predict_proba, decision_function or "
            f"predict, or be a function from X to probabilities; got {self.name}.",
            owner=OWNER,
        )

    @property
    def name(self):
        """The name of the classifier."""
        of_function = getattr(self.classifier, "__name__", None)
        return of_function or type(self.classifier).__name__

    @property
    def called(self):
        """The name of the classifier in an error message."""
        return f"the classifier ({self.name})"

    def _error(self, words, method=""):
        """Return an error about the classifier, or about one of its methods."""
        return InputError(f"{method}{self.called} {words}", owner=OWNER)

    @property
    def n_outputs(self):
        """Number of columns of r: 1 for decision values of two classes, else C."""
        n = len(self.classes_)
        return 1 if self.kind == "decision" and n == 2 else n

    def values(self, Z):
        """Return r (n, C') for samples Z (n, D), computed in blocks."""
        n_classes = 0 if self.classes_ is None else len(self.classes_)
        size = answer_bytes(Z.shape[1], n_classes)
        if n_classes and _is_of_sklearn(self.classifier):
            blocks = row_blocks(len(Z), size, PART_BYTES)
            parts = map_blocks(lambda rows: self._block(Z[rows]), blocks)
        else:  # other classifiers may not be thread-safe
            parts = [self._block(Z[r]) for r in row_blocks(len(Z), size, BLOCK_BYTES)]
        self.n_predictions += len(Z)
        return np.concatenate(parts)

    def ranked(self, r):
        """Return the index of the best class, its score and its lead, each (n,)."""
        if r.shape[1] == 1:
            return (r[:, 0] > 0).astype(np.intp), np.abs(r[:, 0]), np.abs(r[:, 0])
        winners = r.argmax(axis=1)
        first_two = np.partition(r, -2, axis=1)[:, -2:]
        return winners, first_two[:, 1], first_two[:, 1] - first_two[:, 0]

    def labels(self, r):
        """Return the class (n,) of the highest scores."""
        return self.classes_[self.ranked(r)[0]]

    def certainty(self, r):
        """Return how certain the classifier is, from 0 to 1, about each sample."""
        return self.certainty_of(*self.ranked(r)[1:])

    def certainty_of(self, best, lead):
        """Return the certainty, from the best score and its lead over the second."""
        # This is the probability of the best class. For decision values, it is the lead
        # divided by its 95th percentile, at most 1. For predicted labels, it is 1.
        if self.kind == "probability":
            return best
        if self.kind == "label":
            return np.ones_like(best)
        unit = np.percentile(lead, CERTAIN_PERCENTILE)
        return np.clip(lead / unit, 0.0, 1.0) if unit > 0.0 else np.zeros_like(lead)

    def sharpen(self, r):
        """Choose the softmax factor from the decision values r of samples."""
        lead = self.ranked(r)[2]
        usual = np.median(lead[lead > 0.0]) if (lead > 0.0).any() else 1.0
        self.sharpness = float(np.log(USUAL_ODDS) / usual)

    def predict_proba(self, Z):
        """Return probabilities (n, C) for a metric: r itself, or its softmax."""
        r = self.values(Z)
        if self.kind != "decision":
            return r
        if r.shape[1] == 1:
            r = np.column_stack([np.zeros(len(r)), r])
        p = np.exp(self.sharpness * (r - r.max(axis=1, keepdims=True)))
        return p / p.sum(axis=1, keepdims=True)

    def _block(self, Z):
        answers, n = self._answers(Z), len(Z)
        if self.kind == "label":
            return self._one_hot(answers, n)
        source = f"{OWNER}: {self.called}"
        r = as_numbers(answers, wanted="numbers, one row per sample", source=source)
        if self.kind == "decision":
            r = _of_two_classes(r, self.classes_)
        if self.classes_ is None:
            self.classes_ = _numbered_classes(r, self.kind)
        columns = "n_classes" if self.classes_ is None else self.n_outputs
        if r.shape != (n, columns):
            remedy = ""
            if r.size == n:  # the probability of one class
                remedy = " Return both probabilities: np.column_stack([1 - p, p])."
            raise self._error(
                "must return one row per sample and one column per class, "
                f"({n}, {columns}); it returned an array of shape {r.shape}.{remedy}"
            )
        if self.kind == "probability":
            return checked_probabilities(r, source=source)
        wrong = ~np.isfinite(r).all(axis=1)
        refuse_rows(np.asarray(wrong), r, wanted="finite numbers", source=source)
        return r

    def _answers(self, Z):
        method = next((m for m in _KINDS if hasattr(self.classifier, m)), None)
        answer = self.classifier if method is None else getattr(self.classifier, method)
        try:
            return answer(named_as(self.classifier, Z))
        except NotFittedError as error:
            raise NotFittedError(
                f"{OWNER}: {self.called} is not fitted yet. Fit the classifier first, "
                "because ClassifierMap does not fit it."
            ) from error

    def _checked_classes(self, classes):
        """Return the classes of the classifier as an array, after a check."""
        several = isinstance(classes, list) and np.ndim(classes[0]) > 0
        if several or np.ndim(classes) != 1:
            raise self._error("has several outputs. Make one map per output.")
        if len(classes) < 2:
            raise self._error(
                f"has only 1 class, {np.asarray(classes).tolist()}, so there is "
                "nothing to separate. Fit it to at least two classes."
            )
        return np.asarray(classes)

    def _one_hot(self, answers, n):
        """Return an indicator matrix (n, C): 1 for the predicted label, 0 elsewhere."""
        labels = np.asarray(answers)
        if labels.shape == (n, 1):
            labels = labels[:, 0]
        if labels.shape != (n,):
            raise self._error(
                f"must return one label per sample, ({n},); it returned an array of "
                f"shape {labels.shape}. If these are probabilities, pass the "
                "function model.predict instead of the model.",
                "predict of ",
            )
        if self.classes_ is None:
            self._refuse_numbers(labels)
            try:
                classes = np.unique(labels)
            except TypeError:
                raise self._error(
                    "returns labels of several kinds, such as text and numbers, "
                    "which cannot be sorted. Set classes_ of the classifier to all "
                    "classes that it may predict.",
                    "predict of ",
                ) from None
            self.classes_ = self._checked_classes(classes)
        r = labels[:, None] == self.classes_
        unknown = labels[~r.any(axis=1)]
        if len(unknown):
            self._refuse_numbers(unknown)
            raise self._error(
                f"predicts {unknown.tolist()[0]!r}, which is not among its classes "
                f"{self.classes_.tolist()[:10]}. Set classes_ of the classifier to all "
                "classes that it may predict."
            )
        return r.astype(np.float64)

    def _refuse_numbers(self, labels):
        """Raise an error if labels are continuous numbers, as from a regression."""
        if labels.dtype.kind != "f":
            return
        uneven = labels[np.isfinite(labels) & (labels != np.round(labels))]
        if len(uneven):
            raise self._error(
                f"returns continuous numbers, such as {uneven[0]:.4g}, not labels. "
                "Pass a classifier, or a function that returns probabilities.",
                "predict of ",
            )


# Methods of a classifier, best first, and the kind of their results.
_KINDS = {
    "predict_proba": "probability",
    "decision_function": "decision",
    "predict": "label",
}


def _is_of_sklearn(classifier):
    """Whether a classifier and all of its parts are from scikit-learn."""
    params: dict[str, Any] = getattr(classifier, "get_params", dict)()
    parts = [value for value in params.values() if hasattr(value, "get_params")]
    modules = [type(part).__module__ for part in (classifier, *parts)]
    is_own = any(callable(value) for value in params.values())  # a user's function
    return all(name.startswith("sklearn.") for name in modules) and not is_own


def _votes_by_pairs(classifier):
    """Whether each decision value compares a pair of classes."""
    last = classifier[-1] if hasattr(classifier, "steps") else classifier
    several = len(getattr(classifier, "classes_", ())) > 2
    return several and getattr(last, "decision_function_shape", None) == "ovo"


def _numbered_classes(r, kind):
    """Return class numbers if classes have no names; None if r has one column."""
    if kind == "decision":
        return np.arange(max(2, r.shape[1]))
    return np.arange(r.shape[1]) if r.ndim == 2 and r.shape[1] > 1 else None


def _of_two_classes(r, classes):
    """Return decision values of two classes as one column; others are unchanged."""
    if r.ndim == 1:
        return r[:, None]
    if r.shape[1:] == (2,) and classes is not None and len(classes) == 2:
        return r[:, 1:] - r[:, :1]
    return r
