"""The verdict on a map: a record first, a sentence last."""

from dataclasses import dataclass
from typing import Literal

Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]

# Of the separation that is seen, this much may be missing for unseen points.
MOSTLY_REAL, MOSTLY_MADE = 0.25, 0.5
# Below this lead over shuffled labels there is no separation to speak of.
NO_SEPARATION = 0.05
# So much less than in the data is worth a sentence of its own,
MUCH_LOST = 0.1
# and a map that shows less than this share of what the data separate shows little.
LITTLE_SHOWN = 0.5

REAL = "The separation is real"
LITTLE = "This map shows little of the separation that is there"
PART = "Part of this separation was made by the method"
MADE = "Most of this separation was made by the method"
NONE = "There is no separation to speak of on this map"

# The mark of a finding on a picture. Where nothing is separated there is nothing to
# believe or to doubt, so it is no "real" and no "made" either.
LEVELS = {REAL: "real", LITTLE: "mixed", PART: "mixed", MADE: "made", NONE: "mixed"}


@dataclass(frozen=True)
class Verdict:
    """Whether the separation on a map is real, and how much of it the map keeps.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether points that the map has not seen are separated, too.
    kept : {"all", "most", "little"} or None
        How much the map shows of what the data separate; None where nothing is real.
    finding : str
        Both in a few words.
    reason : str
        The numbers that it follows from, as the rest of the sentence.
    """

    real: Real
    kept: Kept | None
    finding: str
    reason: str

    @property
    def level(self):
        """The verdict in a word, the mark on a picture: "real", "mixed" or "made"."""
        return LEVELS[self.finding]

    def __str__(self):
        return f"{self.finding}: {self.reason}"


def judged(seen, unseen, chance, original, *, by_luck):
    """Return the verdict that follows from four accuracies.

    ``by_luck`` says that shuffled labels do as well on unseen points too often.
    The separation on the map is what is seen above chance, ``seen - chance``; the share
    ``(seen - unseen) / (seen - chance)`` of it is missing for unseen points. Of what
    the data separate, ``original - chance``, the map may show less.
    """
    loses_much = original - unseen >= MUCH_LOST
    shows_little = loses_much and (unseen - chance < LITTLE_SHOWN * (original - chance))
    real, finding = _real(seen, unseen, chance, by_luck)
    kept = None
    if real != "no":
        kept = "little" if shows_little else "most" if loses_much else "all"
    if real == "yes" and shows_little:
        finding = LITTLE
    return Verdict(
        real, kept, finding, _reason(seen, unseen, chance, original, finding)
    )


def _real(seen, unseen, chance, by_luck):
    """Return whether the separation is real, and the finding."""
    if seen - chance < NO_SEPARATION:
        return "no", NONE
    missing = (seen - unseen) / (seen - chance)
    if by_luck or missing > MOSTLY_MADE:
        return "no", MADE
    if missing > MOSTLY_REAL:
        return "partly", PART
    return "yes", REAL


def _reason(seen, unseen, chance, original, finding):
    """Return the numbers in words, with what the map loses."""
    numbers = (
        f"neighbours on the map agree for {seen:.0%} of the points it was fitted to "
        f"and for {unseen:.0%} of new ones, where shuffled labels give {chance:.0%}"
    )
    in_the_data = f"in the data, {original:.0%} of new ones agree."
    if finding == LITTLE:
        return f"{numbers}; {in_the_data}"
    loses_much = original - unseen >= MUCH_LOST
    lost = f" The map loses much of it: {in_the_data}" if loses_much else ""
    return f"{numbers}.{lost}"
