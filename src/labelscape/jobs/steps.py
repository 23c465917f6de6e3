"""How a job reports its steps."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

StepName = Literal[
    "reading",
    "loading",
    "choosing",
    "fitting",
    "training",
    "measuring",
    "judging",
    "resampling",
    "auditing",
    "picturing",
    "placing",
    "drawing",
]

_WORDS: dict[StepName, str] = {
    "reading": "Reading {}",
    "loading": "Loading {}",
    "choosing": "Choosing a method (cross-validation)",
    "fitting": "Fitting {}",
    "training": "Training {}",
    "measuring": "Measuring quality",
    "judging": "Testing {} on held-out rows",
    "resampling": "Testing which clusters are stable",
    "auditing": "Checking labels",
    "picturing": "Drawing the decision map",
    "placing": "Placing {}",
    "drawing": "Drawing",
}


@dataclass(frozen=True)
class Step:
    """A step of a job; prints as a progress message.

    Attributes
    ----------
    name : str
        "reading", "loading", "choosing", "fitting", "training", "measuring", "judging",
        "resampling", "auditing", "picturing", "placing" or "drawing".
    subject : str
        A file, or the class of an estimator.
    total : int or None
        Number of parts of the step; None if unknown.
    place : tuple of int or None
        Number of this repetition and number of all repetitions, if a job repeats steps.

    Examples
    --------
    >>> step = Step("judging", "LiRaMLVQ", 25)
    >>> str(step), step.total
    ('Testing LiRaMLVQ on held-out rows', 25)
    """

    name: StepName
    subject: str = ""
    total: int | None = None
    place: tuple[int, int] | None = None

    def __str__(self) -> str:
        return _WORDS[self.name].format(self.subject)


# ``begin(step)`` is called when a step begins; what it returns, after each part.
Begin = Callable[[Step], Callable[..., Any]]


def placed(begin: Begin, i: int, n: int) -> Begin:
    """Return a function that begins steps of the i-th of n repetitions."""
    return lambda step: begin(replace(step, place=(i, n)))


def silent(step: Step) -> Callable[..., Any]:
    """Begin a step without a report."""
    return lambda *_: None
