"""What a classifier answered, checked: every way to be wrong has its own words."""

import numpy as np

OWNER = "ClassifierMap"
# Probabilities need not add up better than this: float32 networks round.
SUM_TOLERANCE = 1e-3


def checked_classes(classes, name):
    """Return the classes of a classifier as an array of two or more."""
    several = isinstance(classes, list) and np.ndim(classes[0]) > 0
    if several or np.ndim(classes) != 1:
        raise ValueError(
            f"{OWNER}: the classifier ({name}) has several outputs at once. Make a map "
            "of each."
        )
    if len(classes) < 2:
        raise ValueError(
            f"{OWNER}: the classifier ({name}) knows 1 class only, {list(classes)}, so "
            "there is nothing to tell apart. Fit it to two classes or more."
        )
    return np.asarray(classes)


def numbers(answers, name):
    """Return answers as an array of floats of its own."""
    try:
        return np.array(answers, dtype=np.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise ValueError(
            f"{OWNER}: the classifier ({name}) must return numbers, one row per "
            f"object; what it returned can not be read as such ({error}). Wrap it in a "
            "function that returns an array of probabilities."
        ) from error


def check_table(r, n_rows, n_columns, name):
    """Raise a ValueError unless r has the shape (n_rows, n_columns)."""
    if r.shape != (n_rows, n_columns):
        mend = ""
        if r.size == n_rows:  # the probability of one class
            mend = " For two classes return both: np.column_stack([1 - p, p])."
        raise ValueError(
            f"{OWNER}: the classifier ({name}) must return one row per object and one "
            f"column per class, ({n_rows}, {n_columns}); it returned an array of shape "
            f"{r.shape}.{mend}"
        )


def check_finite_rows(r, name):
    """Raise a ValueError if decision values are NaN or infinite."""
    _refuse(~np.isfinite(r).all(axis=1), r, "finite numbers", name)


def checked_probabilities(p, name):
    """Return probabilities whose rows add up to 1 exactly, if they nearly did."""
    sums = p.sum(axis=1, keepdims=True)
    # Written so that NaN is wrong too.
    right = (p >= 0.0).all(axis=1) & (np.abs(sums[:, 0] - 1.0) <= SUM_TOLERANCE)
    _refuse(~right, p, "probabilities, not negative and adding up to 1", name)
    return p / sums


def one_hot(answers, n_rows, classes, name):
    """Return 1 in the column (n, C) of each predicted label, 0 elsewhere."""
    labels = np.asarray(answers)
    if labels.shape == (n_rows, 1):
        labels = labels[:, 0]
    if labels.shape != (n_rows,):
        raise ValueError(
            f"{OWNER}: predict of the classifier ({name}) must return one label per "
            f"object, ({n_rows},); it returned an array of shape {labels.shape}."
        )
    if classes is None:
        classes = checked_classes(np.unique(labels), name)
    r = labels[:, None] == classes
    strange = ~r.any(axis=1)
    if strange.any():
        raise ValueError(
            f"{OWNER}: the classifier ({name}) predicts {labels[strange][0]!r}, which "
            f"is not among its classes {classes.tolist()[:10]}. Set classes_ of the "
            "classifier to all that it may predict."
        )
    return r.astype(np.float64), classes


def _refuse(wrong, r, wanted, name):
    if wrong.any():
        raise ValueError(
            f"{OWNER}: the classifier ({name}) must return {wanted}; {wrong.sum()} of "
            f"{len(r)} rows are not, the first {np.round(r[wrong][0, :5], 4)}. Look at "
            "what it says of them, or wrap it in a function that mends them."
        )
