"""What a classifier answered, checked: every way to be wrong has its own words."""

import numpy as np

from labelscape._core.probabilities import as_numbers, refuse_rows

OWNER = "ClassifierMap"


def source(name):
    """Return who is meant in an error: the classifier of this name."""
    return f"{OWNER}: the classifier ({name})"


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
            f"{OWNER}: the classifier ({name}) knows 1 class only, "
            f"{np.asarray(classes).tolist()}, so there is nothing to tell apart. Fit "
            "it to two classes or more."
        )
    return np.asarray(classes)


def numbers(answers, name):
    """Return answers as an array of floats of its own."""
    return as_numbers(
        answers, wanted="numbers, one row per object", source=source(name)
    )


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
    wrong = ~np.isfinite(r).all(axis=1)
    refuse_rows(wrong, r, wanted="finite numbers", source=source(name))


def one_hot(answers, n_rows, classes, name):
    """Return 1 in the column (n, C) of each predicted label, 0 elsewhere."""
    labels = np.asarray(answers)
    if labels.shape == (n_rows, 1):
        labels = labels[:, 0]
    if labels.shape != (n_rows,):
        raise ValueError(
            f"{OWNER}: predict of the classifier ({name}) must return one label per "
            f"object, ({n_rows},); it returned an array of shape {labels.shape}. If "
            "these are probabilities, pass the function predict itself."
        )
    if classes is None:
        _refuse_numbers(labels, name)
        classes = checked_classes(_sorted(labels, name), name)
    r = labels[:, None] == classes
    strange = ~r.any(axis=1)
    if strange.any():
        _refuse_numbers(labels[strange], name)
        raise ValueError(
            f"{OWNER}: the classifier ({name}) predicts "
            f"{labels[strange].tolist()[0]!r}, which is not among its classes "
            f"{classes.tolist()[:10]}. Set classes_ of the classifier to all that it "
            "may predict."
        )
    return r.astype(np.float64), classes


def _refuse_numbers(labels, name):
    """Raise a ValueError if labels are the continuous numbers of a regression."""
    if labels.dtype.kind != "f":
        return
    uneven = labels[np.isfinite(labels) & (labels != np.round(labels))]
    if len(uneven):
        raise ValueError(
            f"{OWNER}: predict of the classifier ({name}) returns continuous numbers, "
            f"such as {uneven[0]:.4g}, not labels. Pass a classifier, or a function "
            "that returns probabilities."
        )


def _sorted(labels, name):
    """Return the different labels in their order."""
    try:
        return np.unique(labels)
    except TypeError:
        raise ValueError(
            f"{OWNER}: predict of the classifier ({name}) returns labels of several "
            "kinds, such as text and numbers, which can not be sorted. Set classes_ of "
            "the classifier to all that it may predict."
        ) from None
