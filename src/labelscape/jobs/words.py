"""Progress steps of jobs, and results as plain values or as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from labelscape._core.output import shortened
from labelscape._core.plain import attributes, plain
from labelscape._core.types import Floats

MOST_NAMED = 5  # number of features in a sentence
# Attributes that are written to JSON as they are.
HONESTY_NUMBERS = (
    *("seen", "unseen", "unseen_interval", "gap", "gap_interval", "original"),
    *("chance", "null_seen", "null_unseen", "p_value", "k", "n_judged"),
)
HONESTY_LISTS = ("gaps", "misplaced", "left_out", "warnings", "notes")
ISLAND = ("size", "stability", "verdict", "is_cut", "classes")

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
    "explaining",
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
    "explaining": "Choosing a model that explains the classes",
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
        "resampling", "auditing", "explaining", "picturing", "placing" or "drawing".
    subject : str
        What the step works on: a file, or the class of an estimator.
    total : int or None
        Number of parts of the step; None if unknown.
    place : tuple of int or None
        Number of this repetition, and of all repetitions, if a job repeats the step.

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


# ``begin(step)`` is called when a step begins. Its result is called after each part.
Begin = Callable[[Step], Callable[..., Any]]


def placed(begin: Begin, i: int, n: int) -> Begin:
    """Return a function that begins a step in the i-th of n repetitions."""
    return lambda step: begin(replace(step, place=(i, n)))


def silent(step: Step) -> Callable[..., Any]:
    """Begin a step without reporting it."""
    return lambda *_: None


def honesty_record(report: Any) -> dict[str, Any] | None:
    """Return an honesty report as plain values; None if there is no report."""
    if report is None:
        return None
    return {
        **attributes(report, (*HONESTY_NUMBERS, "placed")),
        "share_kept": report.kept,
        "by_class": plain(report.by_class),
        "pairs": pairs_record(report.pairs),
        "has_gap": report.verdict.gap,
        **attributes(report, HONESTY_LISTS),
        **verdict_record(report.verdict),
    }


def pairs_record(pairs: Any) -> list[Any]:
    """Return confused classes as plain values: both classes, and the share."""
    return [[*attributes(pair, ("a", "b", "share")).values()] for pair in pairs]


def islands_record(report: Any) -> dict[str, Any]:
    """Return the islands of a map as plain values."""
    islands = [attributes(one, ISLAND) | {"rows": plain(one.members)} for one in report]
    return {"finding": report.finding, "islands": islands}


def relevances_record(
    model: Any, names: Sequence[str], intervals: Floats | None
) -> dict[str, Any] | None:
    """Return the relevance and its interval for each feature, largest first."""
    relevances: Any = getattr(model, "relevances_", None)
    if np.ndim(relevances) != 1 or len(relevances) != len(names):
        return None
    return {
        names[j]: {
            "relevance": float(relevances[j]),
            "interval": None if intervals is None else intervals[j].tolist(),
        }
        for j in np.argsort(-relevances, kind="stable")
    }


def relevances_text(record: dict[str, Any] | None) -> str:
    """Return the largest relevances as a sentence."""
    words = []
    for name, one in list((record or {}).items())[:MOST_NAMED]:
        words.append(f"{shortened(name)} {one['relevance']:.2f}")
        if one["interval"]:
            low, high = one["interval"]
            words[-1] += f" ({low:.2f} to {high:.2f})"
    if not words:
        return ""
    ends = " (95% interval)" if one["interval"] else ""
    return f"Most relevant features{ends}: {', '.join(words)}."


def verdict_record(verdict: Any) -> dict[str, Any]:
    """Return a verdict as plain values: its codes, its answers, and its text."""
    return attributes(verdict, ("real", "kept", "lights")) | {"verdict": str(verdict)}


def counted(n: int, noun: str) -> str:
    """Return a number with its noun, in singular or plural."""
    return f"{n:,} {noun}{'s' * (n != 1)}"
