"""The verdict on a map: a record first, a sentence last."""

from dataclasses import dataclass
from functools import partial
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

Finding = Literal["real", "little", "part", "made", "none"]
# What is found in words, and its mark on a picture. Where nothing is separated there is
# nothing to believe or to doubt, so it is no "real" and no "made" either.
FINDINGS: dict[Finding, str] = {
    "real": "The separation is real",
    "little": "This map shows little of the separation that is there",
    "part": "Part of this separation was made by the method",
    "made": "Most of this separation was made by the method",
    "none": "There is no separation to speak of on this map",
}
LEVELS: dict[Finding, Literal["real", "mixed", "made"]] = {
    "real": "real",
    "little": "mixed",
    "part": "mixed",
    "made": "made",
    "none": "mixed",
}
REAL: dict[Finding, Real] = {
    "real": "yes",
    "little": "yes",
    "part": "partly",
    "made": "no",
    "none": "no",
}


@dataclass(frozen=True)
class Verdict:
    """Whether the separation on a map is real, and how much of it the map keeps.

    Attributes
    ----------
    found : {"real", "little", "part", "made", "none"}
        What was found, as a code.
    seen, unseen, chance, original : float
        The accuracies that it follows from: on the map for seen and unseen points, for
        unseen points with shuffled labels, and in the data.
    real : {"yes", "partly", "no", "untested"}
        Whether points that the map has not seen are separated, too.
    kept : {"all", "most", "little"} or None
        How much the map shows of what the data separate; None where nothing is real.
    level : {"real", "mixed", "made"}
        The mark on a picture.
    finding, reason : str
        What was found in a few words, and the numbers as the rest of the sentence.
    """

    found: Finding
    seen: float
    unseen: float
    chance: float
    original: float

    @property
    def real(self) -> Real:
        """Whether points that the map has not seen are separated, too."""
        return REAL[self.found]

    @property
    def kept(self) -> Kept | None:
        """How much the map shows of what the data separate."""
        if self.real == "no":
            return None
        if not self._loses_much:
            return "all"
        return "little" if self._shows_little else "most"

    @property
    def level(self):
        """The mark on a picture: "real", "mixed" or "made"."""
        return LEVELS[self.found]

    @property
    def finding(self) -> str:
        """What was found, in a few words."""
        return FINDINGS[self.found]

    @property
    def reason(self) -> str:
        """The numbers that it follows from, as the rest of the sentence."""
        numbers = (
            f"neighbours on the map agree for {self.seen:.0%} of the points it was "
            f"fitted to and for {self.unseen:.0%} of new ones, where shuffled labels "
            f"give {self.chance:.0%}"
        )
        in_the_data = f"in the data, {self.original:.0%} of new ones agree."
        if self.found == "little":
            return f"{numbers}; {in_the_data}"
        lost = f" The map loses much of it: {in_the_data}" if self._loses_much else ""
        return f"{numbers}.{lost}"

    def __str__(self) -> str:
        return f"{self.finding}: {self.reason}"

    @property
    def _loses_much(self) -> bool:
        return self.original - self.unseen >= MUCH_LOST

    @property
    def _shows_little(self) -> bool:
        there = self.original - self.chance
        return self._loses_much and self.unseen - self.chance < LITTLE_SHOWN * there


def judged(seen, unseen, chance, original, *, by_luck):
    """Return the verdict that follows from four accuracies.

    ``by_luck`` says that shuffled labels do as well on unseen points too often.
    The separation on the map is what is seen above chance, ``seen - chance``; the share
    ``(seen - unseen) / (seen - chance)`` of it is missing for unseen points. Of what
    the data separate, ``original - chance``, the map may show less.
    """
    verdict = partial(
        Verdict, seen=seen, unseen=unseen, chance=chance, original=original
    )
    if seen - chance < NO_SEPARATION:
        return verdict("none")
    missing = (seen - unseen) / (seen - chance)
    if by_luck or missing > MOSTLY_MADE:
        return verdict("made")
    if missing > MOSTLY_REAL:
        return verdict("part")
    return verdict("little" if verdict("real")._shows_little else "real")
