"""The verdict on a classifier and its picture, by objects that it has not seen."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality.certificate.chance import Interval, unit_intervals
from labelscape.quality.certificate.scores import Tally, balanced_accuracy
from labelscape.quality.certificate.verdict import (
    KEPT_LIGHTS,
    REAL_LIGHTS,
    Kept,
    Light,
    Real,
    State,
    kept_word,
)

# From this share of right answers on, a classifier looks good at a glance; with fewer
# that are still more than chance gives, fair.
RIGHT = 0.85
# A picture agrees with its classifier for all or most objects from these shares on.
AGREES, MOSTLY_AGREES = 0.95, 0.85


@dataclass(frozen=True)
class ClassifierVerdict:
    """How good a classifier is, and how far its picture shows what it says."""

    # Whether it is better than chance for objects that it has not seen.
    real: Real
    # For how many of them their place lies in the region of its answer; None without a
    # picture, or where it was not tested.
    kept: Kept | None
    # Balanced accuracy, and the share whose place lies in the right region.
    accuracy: float | None = None
    # 95 % intervals.
    accuracy_interval: Interval | None = None
    agreement: float | None = None
    agreement_interval: Interval | None = None
    # 1 over the number of classes.
    chance: float | None = None
    # Of what these are shares: "held-out objects".
    how: str = "held-out objects"
    # Why it was not tested.
    why: str = ""

    @property
    def finding(self) -> str:
        """What was found, in a few words."""
        if self.accuracy is None:
            return "Not tested"
        if self.real == "no":
            return f"No better than chance: right for {self.accuracy:.0%} of {self.how}"
        return f"Right for {self.accuracy:.0%} of {self.how}"

    @property
    def reason(self) -> str:
        """The numbers that it follows from, as the rest of the sentence."""
        right = self.why
        if self.accuracy_interval is not None:
            right = f"{_ends(self.accuracy_interval)}, chance {self.chance:.0%}"
        if self.agreement is None:
            return f"{right}."
        return (
            f"{right}. The picture shows what it says for {self.agreement:.0%} of "
            f"{self.how} ({_ends(self.agreement_interval)})."
        )

    def __str__(self) -> str:
        return f"{self.finding}: {self.reason}"

    @property
    def lights(self) -> tuple[Light, ...]:
        """The marks on a picture: is it right, and does the picture say so, too."""
        right = Light("Is it right?", "none", "not tested", self.why)
        if self.accuracy is not None:
            right = Light(
                "Is it right?",
                self._right_state,
                f"{self.accuracy:.0%}",
                f"of {self.how} ({_ends(self.accuracy_interval)}; "
                f"chance {self.chance:.0%})",
            )
        if self.agreement is None:
            return (right,)
        agrees = Light(
            "Does the picture agree?",
            KEPT_LIGHTS[self.kept],
            f"{self.agreement:.0%}",
            f"of {self.how} ({_ends(self.agreement_interval)})",
        )
        return (right, agrees)

    @property
    def _right_state(self) -> State:
        state = REAL_LIGHTS[self.real]
        is_fair = state == "good" and (self.accuracy or 0.0) < RIGHT
        return "fair" if is_fair else state


def judged_classifier(
    truth: NDArray[Any],
    answers: NDArray[Any],
    agrees: NDArray[np.bool_] | None,
    units: NDArray[np.intp],
    rng: RandomState,
    how: str = "held-out objects",
) -> ClassifierVerdict:
    """Return the verdict that follows from answers for unseen objects.

    ``agrees`` says for each of them whether its place lies in the region of the answer;
    None if there is no picture.
    """
    classes, codes = np.unique(truth, return_inverse=True)
    if len(classes) < 2:
        return ClassifierVerdict(
            "untested", None, why="the held-out objects are all of one class"
        )
    _, units = np.unique(units, return_inverse=True)
    n_classes, chance = len(classes), 1.0 / len(classes)
    right = np.asarray(answers) == np.asarray(truth)
    interval = _interval(right, codes, units, n_classes, rng)
    verdict = ClassifierVerdict(
        real="yes" if interval.low > chance else "no",
        kept=None,
        accuracy=balanced_accuracy(np.where(right, codes, -1), codes, n_classes),
        accuracy_interval=interval,
        chance=chance,
        how=how,
    )
    if agrees is None:
        return verdict
    share = float(np.mean(agrees))
    return replace(
        verdict,
        kept=kept_word(share, AGREES, MOSTLY_AGREES),
        agreement=share,
        agreement_interval=_interval(agrees, np.zeros_like(codes), units, 1, rng),
    )


def _interval(
    right: NDArray[np.bool_],
    codes: NDArray[np.intp],
    units: NDArray[np.intp],
    n_classes: int,
    rng: RandomState,
) -> Interval:
    once = np.ones(len(codes), dtype=np.intp)
    tally = {"right": Tally(np.asarray(right).astype(np.intp), once)}
    return unit_intervals(tally, codes, units, n_classes, rng)["right"]


def _ends(interval: Interval | None) -> str:
    return "" if interval is None else str(interval)
