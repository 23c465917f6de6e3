"""The verdict on a map: a record first, a sentence last."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from labelscape.quality.certificate.chance import Interval

Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]
State = Literal["good", "fair", "bad", "none"]

# A result that labels without a meaning give more often than this is none.
SIGNIFICANT = 0.05
# A gap beyond this, and beyond this share of what is seen above chance, was made.
SMALL_GAP, SMALL_SHARE = 0.05, 0.25
# Of what the data separate, the map keeps all or most of it from these shares on.
KEEPS_ALL, KEEPS_MOST = 0.9, 0.7

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


class Light(NamedTuple):
    """One of the two lights that every picture carries.

    Attributes
    ----------
    question : str
        What it answers: "Is it real?"
    state : {"good", "fair", "bad", "none"}
        Its colour; "none" is grey.
    answer : str
        In a word.
    figure : str
        The number behind it.
    """

    question: str
    state: State
    answer: str
    figure: str


@dataclass(frozen=True)
class Verdict:
    """Whether the separation on a map is real, and how much of it the map keeps.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether objects that the map has not seen are separated, too.
    kept : {"all", "most", "little"} or None
        How much the map shows of what the data separate; None where the data separate
        nothing, or where it was not tested.
    chance : float or None
        The score of labels that say nothing: 1 over the number of classes.
    seen, unseen, original : float or None
        Balanced accuracies of neighbours: on the map for objects that it was fitted to,
        for others, and in the data for the same others.
    interval : Interval or None
        95 % interval of ``unseen``.
    p_value : float or None
        How often labels that say nothing do as well.
    share_kept : float or None
        ``(unseen - chance) / (original - chance)``.
    why : str
        Why it was not tested.
    keeps_more : str
        A method that keeps more, if one was measured.
    is_linear : bool
        Whether ``original`` is that of a linear model, fitted to the same rows as the
        map, because it separates more than neighbours in the data do.

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

    @property
    def lights(self) -> tuple[Light, ...]:
        """The two marks on a picture; never are both good if a map keeps little.

        What is not real can't be kept, so that the second one is grey then; or bad,
        where the data do separate the classes.
        """
        return (
            Light(
                "Is it real?",
                REAL_LIGHTS[self.real],
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
        elif self.real == "no" and state != "bad":
            # A green light beside a red one would praise a map for keeping nothing.
            state, answer = "none", "nothing"
        return Light("How much is kept?", state, answer, self._kept_figure)

    @property
    def _real_figure(self) -> str:
        if self.interval is None:
            return self.why
        low, high = self.interval
        chance = f"chance {self.chance:.0%}, {self.p_words}"
        return f"{self.unseen:.0%} of new objects ({low:.0%} to {high:.0%}; {chance})"

    @property
    def _kept_figure(self) -> str:
        if self.unseen is None:
            return ""
        if self.kept is None:
            return "the data separate nothing"
        by = " by a linear model" if self.is_linear else ""
        return f"{self.unseen:.0%} on the map, {self.original:.0%} in the data{by}"

    @property
    def gap(self) -> float | None:
        """Separation that new objects do not have."""
        if self.seen is None or self.unseen is None:
            return None
        return self.seen - self.unseen

    @property
    def finding(self) -> str:
        """What was found, in a few words."""
        if self.real == "untested":
            return "Not tested"
        if self.real == "yes":
            return "The separation is real" + KEPT_WORDS[self.kept]
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
        if self.interval is None:
            return f"{self.why}."
        low, high = self.interval
        new = (
            f"neighbours on the map agree for {self.unseen:.0%} of new objects "
            f"({low:.0%} to {high:.0%}; chance {self.chance:.0%}; {self.p_words})"
        )
        old = f"and for {self.seen:.0%} of those it was fitted to"
        data = f"In the data, {self.original:.0%} of new ones agree."
        if self.is_linear:
            right = f"{self.original:.0%} of new ones"
            data = f"A linear model of the data is right for {right}."
        more = f" {self.keeps_more} keeps more." if self.keeps_more else ""
        return f"{new} {old}. {data}{more}"

    @property
    def p_words(self) -> str:
        """The p-value as a sentence says it."""
        return f"p = {self.p_value:.2g}"

    def __str__(self) -> str:
        return f"{self.finding}: {self.reason}"


def judged(
    *,
    chance: float,
    seen: float,
    unseen: float,
    original: float,
    interval: Interval,
    original_interval: Interval,
    p_value: float,
    is_linear: bool = False,
) -> Verdict:
    """Return the verdict that follows from the numbers."""
    real: Real = "yes"
    if p_value > SIGNIFICANT or interval.low <= chance:
        real = "no"
    elif _is_made(seen - unseen, seen, chance):
        real = "partly"
    share = (unseen - chance) / (original - chance) if original > chance else None
    kept: Kept | None = None
    if original_interval.low > chance and share is not None:
        kept = kept_word(share, KEEPS_ALL, KEEPS_MOST)
    elif real != "no":
        kept = "all"  # the map tells apart what the plain data do not
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
        is_linear=is_linear,
    )


def kept_word(share: float, all_from: float, most_from: float) -> Kept:
    """Return a share as a word."""
    if share >= all_from:
        return "all"
    return "most" if share >= most_from else "little"


def _is_made(gap: float, seen: Any, chance: Any) -> bool:
    """Return whether new objects lack much of the separation that is seen."""
    return bool(gap > max(SMALL_GAP, SMALL_SHARE * (seen - chance)))
