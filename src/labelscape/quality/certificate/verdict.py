"""Verdicts on maps and on classifiers: records first, sentences last."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape._resampling.intervals import Interval, unit_intervals
from labelscape._resampling.voters import Tally, balanced_accuracy
from labelscape.quality.records import Light, State

Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]

# Significance level.
SIGNIFICANT = 0.05
# A gap beyond this, and beyond this share of what is seen above chance, was made.
SMALL_GAP, SMALL_SHARE = 0.05, 0.25
# Where nothing is shown, but the part of the interval above chance is this share of the
# way from chance to all, the rows are too few.
TOO_WIDE = 1 / 3
# Of what the data separate, the map keeps all or most of it from these shares on.
KEEPS_ALL, KEEPS_MOST = 0.9, 0.7
# From this share of right answers on, a classifier looks good at a glance; with fewer
# that are still more than chance gives, fair.
RIGHT = 0.85
# A picture agrees with its classifier for all or most samples from these shares on.
AGREES, MOSTLY_AGREES = 0.95, 0.85

REAL_LIGHTS: dict[Real, State] = {
    "yes": "good",
    "partly": "fair",
    "no": "bad",
    "untested": "none",
}
KEPT_LIGHTS: dict[Kept | None, State] = {
    "all": "good",
    "most": "fair",
    "little": "bad",
    None: "none",
}
KEPT_WORDS: dict[Kept | None, str] = {
    "all": ", and the map keeps all of it",
    "most": ", and the map keeps most of it",
    "little": ", but the map keeps little of it",
    None: "",
}


@dataclass(frozen=True)
class Verdict:
    """Whether the separation on a map is real, and how much of it the map keeps.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether samples that the map has not seen are separated, too.
    kept : {"all", "most", "little"} or None
        How much the map shows of what the data separate; None where the data separate
        nothing, or where it was not tested.
    chance : float or None
        The score of labels that say nothing: 1 over the number of classes.
    seen, unseen, original : float or None
        Balanced accuracies of neighbors: on the map for samples that it was fitted to,
        for others, and in the data for the same others.
    interval : Interval or None
        95 % interval of ``unseen``.
    p_value : float or None
        How often labels that say nothing do as well.
    share_kept : float or None
        ``(unseen - chance) / (original - chance)``, at most 1; None if the interval of
        the data's own score reaches down to chance.
    why : str
        Why it was not tested, or that the rows are too few to tell.
    keeps_more : str
        A method that keeps more, if one was measured.
    is_linear : bool
        Whether ``original`` is that of a linear model, fitted to the same rows as the
        map, because it separates more than neighbors in the data do.
    given_away : str
        A column that counts the rows or copies the class; empty if there is none.

    Examples
    --------
    >>> print(Verdict("untested", None, why="all rows are alike"))
    Not tested: all rows are alike.
    """

    real: Real
    kept: Kept | None
    chance: float | None = None
    seen: float | None = None
    unseen: float | None = None
    original: float | None = None
    interval: Interval | None = None
    p_value: float | None = None
    share_kept: float | None = None
    why: str = ""
    keeps_more: str = ""
    is_linear: bool = False
    given_away: str = ""

    @property
    def lights(self) -> tuple[Light, ...]:
        """The two marks on a picture; never are both good if a map keeps little.

        What is not real can't be kept, so that the second one is gray then; or bad,
        where the data do separate the classes.
        """
        return (
            Light(
                "Is it real?",
                "fair"
                if self.given_away and self.real == "yes"
                else REAL_LIGHTS[self.real],
                "not tested" if self.real == "untested" else self.real,
                self._real_figure,
            ),
            self._kept_light,
        )

    @property
    def _kept_light(self) -> Light:
        state, answer = KEPT_LIGHTS[self.kept], str(self.kept or "nothing")
        if self.real == "untested":
            answer = "not tested"
        elif self.real != "no" and self.kept is None:
            answer = "not known"
        elif self.real == "no" and state != "bad":
            # A green light beside a red one would praise a map for keeping nothing.
            state, answer = "none", "nothing"
        return Light("How much is kept?", state, answer, self._kept_figure)

    @property
    def _real_figure(self) -> str:
        if self.interval is None or self.real == "untested":
            return self.why
        chance = f"chance {self.chance:.0%}, {self.p_words}"
        new = f"{self.unseen:.0%} of held-out rows ({self.interval}; {chance})"
        if self.given_away:
            return f"{new}, but one column gives it away: {self.given_away}"
        return new

    @property
    def _kept_figure(self) -> str:
        if self.unseen is None or self.real == "untested":
            return ""
        if self.kept is None and self.real != "no":
            return f"{self.unseen:.0%} on the map; the data themselves are at chance"
        if self.kept is None:
            return "the data separate nothing"
        by = " by a linear model" if self.is_linear else ""
        return f"{self.unseen:.0%} on the map, {self.original:.0%} in the data{by}"

    @property
    def gap(self) -> float | None:
        """Separation that held-out rows do not have."""
        if self.seen is None or self.unseen is None:
            return None
        return self.seen - self.unseen

    @property
    def finding(self) -> str:
        """The result, in a few words."""
        if self.real == "untested":
            return "Not tested"
        if self.given_away and self.real == "yes":
            column = self.given_away
            return f"The separation is real, but one column gives it away: {column}"
        if self.real == "yes":
            return "The separation is real" + KEPT_WORDS[self.kept]
        if self.real == "partly" and (self.seen or 0.0) <= (self.chance or 0.0):
            return "Held-out rows are separated, and those it was fitted to are not"
        if self.real == "partly":
            return "Part of this separation was made by the method"
        if self.gap is not None and _is_made(self.gap, self.seen, self.chance):
            return "This separation was made by the method"
        if self.kept == "little":
            return "This map does not show the separation that the data have"
        return "There is no separation to speak of on this map"

    @property
    def reason(self) -> str:
        """The numbers that it follows from, as the rest of the sentence."""
        if self.interval is None or self.real == "untested":
            return f"{self.why}."
        new = (
            f"neighbors on the map agree for {self.unseen:.0%} of held-out rows "
            f"({self.interval}; chance {self.chance:.0%}; {self.p_words})"
        )
        old = f"and for {self.seen:.0%} of those it was fitted to"
        data = f"In the data, {self.original:.0%} of held-out rows agree."
        if self.is_linear:
            right = f"{self.original:.0%} of held-out rows"
            data = f"A linear model of the data is right for {right}."
        more = f" {self.keeps_more} keeps more." if self.keeps_more else ""
        return f"{new} {old}. {data}{more}"

    @property
    def p_words(self) -> str:
        """The p-value as a sentence says it."""
        return f"p = {self.p_value:.2g}"

    def __str__(self) -> str:
        return f"{self.finding}: {self.reason}"


def verdict_of(
    *,
    chance: float,
    seen: float,
    unseen: float,
    original: float,
    interval: Interval,
    original_interval: Interval,
    p_value: float,
    is_linear: bool = False,
    n_rows: int = 0,
) -> Verdict:
    """Return the verdict on a map that follows from the numbers."""
    real: Real = "yes"
    if p_value > SIGNIFICANT or interval.low <= chance:
        real = "no"
    elif _is_made(seen - unseen, seen, chance):
        real = "partly"
    elif seen <= chance:
        real = "partly"  # fitted rows do not show what held-out rows do
    share, kept, why = None, None, ""
    if original_interval.low > chance:
        share = min((unseen - chance) / (original - chance), 1.0)
        kept = kept_word(share, KEEPS_ALL, KEEPS_MOST)
    reach = interval.high - max(interval.low, chance)
    if real == "no" and reach >= TOO_WIDE * (1.0 - chance):
        real, kept, share = "untested", None, None
        why = _too_few(unseen, chance, interval, n_rows)
    return Verdict(
        real=real,
        kept=kept,
        chance=chance,
        seen=seen,
        unseen=unseen,
        original=original,
        interval=interval,
        p_value=p_value,
        share_kept=share,
        why=why,
        is_linear=is_linear,
    )


def _too_few(unseen: float, chance: float, interval: Interval, n_rows: int) -> str:
    """Return that a table is too small to tell, and how many rows might."""
    words = (
        f"too few rows to tell, {unseen:.0%} of held-out rows ({interval}; "
        f"chance {chance:.0%})"
    )
    if unseen <= chance:
        return words
    error = (interval.high - interval.low) / (2 * 1.96)
    times = ((1.96 + 0.84) * error / (unseen - chance)) ** 2
    digits = 1 - len(str(int(times * n_rows)))
    wanted = int(max(round(times * n_rows, digits), n_rows + 1))
    return (
        f"{words}; about {wanted:,} rows would show a difference of this size in 8 of "
        "10 cases"
    )


def kept_word(share: float, all_from: float, most_from: float) -> Kept:
    """Return a share as a word."""
    if share >= all_from:
        return "all"
    return "most" if share >= most_from else "little"


def _is_made(gap: float, seen: Any, chance: Any) -> bool:
    """Return whether held-out rows lack much of the separation that is seen."""
    return bool(gap > max(SMALL_GAP, SMALL_SHARE * (seen - chance)))


@dataclass(frozen=True)
class ClassifierVerdict:
    """How good a classifier is, and how far its picture shows what it says.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether it is better than chance for held-out rows.
    kept : {"all", "most", "little"} or None
        For how many of them their place lies in the region of its answer; None without
        a picture, or where it was not tested.
    accuracy, agreement : float or None
        Balanced accuracy, and the share of rows whose place lies in the right region.
    accuracy_interval, agreement_interval : Interval or None
        95 % intervals of both.
    chance : float or None
        1 over the number of classes.
    how : str
        What these are shares of.
    why : str
        Why it was not tested.

    Examples
    --------
    >>> print(ClassifierVerdict("untested", None, why="no row was held out"))
    Not tested: no row was held out.
    """

    real: Real
    kept: Kept | None
    accuracy: float | None = None
    accuracy_interval: Interval | None = None
    agreement: float | None = None
    agreement_interval: Interval | None = None
    chance: float | None = None
    how: str = "held-out rows"
    why: str = ""

    @property
    def finding(self) -> str:
        """The result, in a few words."""
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


def judge_classifier(
    truth: NDArray[Any],
    answers: NDArray[Any],
    agrees: NDArray[np.bool_] | None,
    units: NDArray[np.intp],
    rng: RandomState,
    how: str = "held-out rows",
) -> ClassifierVerdict:
    """Return the verdict that follows from answers for held-out samples.

    ``agrees`` says for each of them whether its place lies in the region of the answer;
    None if there is no picture.
    """
    classes, codes = np.unique(truth, return_inverse=True)
    if len(classes) < 2:
        return ClassifierVerdict(
            "untested", None, why="the held-out rows are all of one class"
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
