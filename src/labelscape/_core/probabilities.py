"""What a classifier answered, checked: probabilities are not taken on trust."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.points.arrays import namespace_of

# Probabilities need not add up better than this: float32 networks round.
SUM_TOLERANCE = 1e-3

Matrix = NDArray[np.float64]


def answer_bytes(n_features: int, n_classes: int) -> int:
    """Return what one object costs a classifier while it answers.

    A support vector machine compares all classes in pairs: with 200 classes that is
    20,000 numbers for an object of any size.
    """
    return 8 * max(n_features, n_classes * (n_classes - 1) // 2)


def softmax(scores: Matrix) -> Matrix:
    """Turn scores (n, C) into probabilities where they stand; SciPy's makes copies."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=1, keepdims=True)
    return scores


def array_softmax(scores: Any) -> Any:
    """Return the same for an array of another library."""
    xp = namespace_of(scores)
    powers = xp.exp(scores - xp.max(scores, axis=1, keepdims=True))
    return powers / xp.sum(powers, axis=1, keepdims=True)


def as_numbers(answers: Any, *, wanted: str, source: str) -> Matrix:
    """Return what somebody's function answered as floats, in an array of its own."""
    try:
        return np.array(answers, dtype=np.float64)
    # The last is what a network's tensors raise that still hold their slopes.
    except (TypeError, ValueError, RuntimeError) as error:
        reason = re.sub(r"np\.\w+\((.*?)\)", r"\1", str(error))  # np.str_('yes')
        raise ValueError(
            f"{source} must return {wanted}; what it returned can not be read as "
            f"numbers ({reason}). Wrap it in a function that returns an array."
        ) from error


def checked_probabilities(p: Matrix, *, source: str) -> Matrix:
    """Return probabilities (n, C) whose rows add up to 1 exactly, if they nearly did.

    ``source`` says in an error who gave them: "FisherMetric: the estimator (SVC)".
    """
    sums = p.sum(axis=1, keepdims=True)
    # Written so that NaN is wrong too.
    right = (p >= 0.0).all(axis=1) & (np.abs(sums[:, 0] - 1.0) <= SUM_TOLERANCE)
    wanted = "probabilities, not negative and adding up to 1"
    refuse_rows(~right, p, wanted=wanted, source=source)
    probabilities: Matrix = p / sums
    return probabilities


def refuse_rows(
    wrong: NDArray[np.bool_], rows: Matrix, *, wanted: str, source: str
) -> None:
    """Raise a ValueError that shows the first row which is wrong, if one is."""
    if wrong.any():
        raise ValueError(
            f"{source} must return {wanted}; {wrong.sum()} of {len(rows)} rows are "
            f"not, the first {np.round(rows[wrong][0, :5], 4)}. Look at what it says "
            "of them, or wrap it in a function that mends them."
        )
