"""How a job says what it is doing."""

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
    "choosing": "Trying methods on held-out rows",
    "fitting": "Fitting {}",
    "training": "Training {}",
    "measuring": "Measuring quality",
    "judging": "Measuring the honesty of {}",
    "resampling": "Looking for its islands on maps of halves",
    "auditing": "Asking models about held-out rows",
    "picturing": "Making its picture",
    "placing": "Placing {}",
    "drawing": "Drawing",
}


@dataclass(frozen=True)
class Step:
    """A step of a job; prints as what a person reads.

    Attributes
    ----------
    name : str
        What is done: "reading", "loading", "choosing", "fitting", "training",
        "measuring", "judging", "resampling", "auditing", "picturing", "placing" or
        "drawing".
    subject : str
        What it is done to: a file, or the class of an estimator.
    total : int or None
        How many parts it has; None: unknown.
    place : tuple of int or None
        Where a job does the same steps many times: which time this is, of how many.

    Examples
    --------
    >>> step = Step("judging", "LiRaMLVQ", 25)
    >>> str(step), step.total
    ('Measuring the honesty of LiRaMLVQ', 25)
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
    """Return a function that begins steps of the i-th of n rows of them."""
    return lambda step: begin(replace(step, place=(i, n)))


def silent(step: Step) -> Callable[..., Any]:
    """Begin a step without telling anybody."""
    return lambda *_: None
