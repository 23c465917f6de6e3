"""How near we come to a paper, decided by one set of rules.

A number has a standard error, that of its difference to the printed one: our runs vary
by s, ours is a mean of n of them and the paper's of m, so it is s sqrt(1/n + 1/m). It
is 0 where nothing is random. One unit of the last printed digit is allowed, because
numbers may be rounded or cut.
"""

from typing import NamedTuple

import numpy as np

REACHED, NEAR, UNDECIDED = "reached", "near", "undecided"
MISSED, DIFFERS = "not reached", "differs"
STAND_IN, DROPPED, NOT_JUDGED = "stand-in", "dropped", "not judged"
MEANINGS = {
    REACHED: "our number is as good as the printed one or better, within two standard "
    "errors; or a claim holds by more than two standard errors",
    NEAR: "our number is worse by more than two standard errors, but by at most two "
    "percentage points (0.02 of a measure from 0 to 1)",
    UNDECIDED: "a claim neither holds nor fails by more than two standard errors",
    MISSED: "our number is worse by more than two percentage points, or a claim fails",
    DIFFERS: "for a competing method of the paper, our number is more than two "
    "percentage points above or below the printed one",
    STAND_IN: "the data of the paper are not public, so we used other data, and the "
    "numbers cannot be compared",
    DROPPED: "the paper proposes it as future work; we tried it, and it is not better",
    NOT_JUDGED: "a picture or the size of a data set, which is not a result",
}
WORDS = tuple(MEANINGS)
POINTS = 2.0  # of a hundred: near, and "alike" or "comparable" in a claim


class Measured(NamedTuple):
    """A mean, and the standard error of its difference to the printed number."""

    value: float
    error: float = 0.0

    @classmethod
    def of(cls, values, printed_runs=None):
        """Return the mean of runs; None: of a number that no printed one meets."""
        values = np.asarray(values, float)
        spread = values.std(ddof=1) if len(values) > 1 else 0.0
        share = 1.0 / len(values) + (1.0 / printed_runs if printed_runs else 0.0)
        return cls(float(values.mean()), float(spread * np.sqrt(share)))

    def shown(self, digits=1):
        """Return the value with its error, where it has one."""
        text = f"{self.value:.{digits}f}"
        return f"{text} ± {self.error:.{digits}f}" if self.error else text


def rounding(printed):
    """Return one unit of the last digit of a printed number."""
    return 10.0 ** -len(printed.partition(".")[2])


def at_least(printed, ours, points=POINTS):
    """Judge a number of which more is better, or less if ``points`` is negative."""
    side = np.sign(points)
    short = side * (float(printed) - ours.value) - rounding(printed)
    return _judged(short, ours.error, abs(points), MISSED)


def same(printed, ours, points=POINTS):
    """Judge a number that should be as printed: of a rival, or a count."""
    off = abs(float(printed) - ours.value) - rounding(printed)
    return _judged(off, ours.error, points, DIFFERS)


def claim(gap, least=0.0):
    """Judge a claim that a difference is larger than some number."""
    above = gap.value - least
    if abs(above) <= 2.0 * gap.error:
        return UNDECIDED
    return REACHED if above > 0 else MISSED


def alike(gap, points=POINTS):
    """Judge a claim that a difference is small, or not below the other side."""
    return claim(Measured(-gap.value, gap.error), -points)


def holds(is_so):
    """Judge a claim that is a matter of counting."""
    return REACHED if is_so else MISSED


def worst(verdicts):
    """Return the verdict on several numbers that a paper names together."""
    return max(verdicts, key=WORDS.index)


def row(what, paper, ours, settings, verdict, tried=""):
    """Return a row of a table; what was tried is said where it was not reached."""
    line = {
        "what": what,
        "paper": paper,
        "ours": ours,
        "settings": settings,
        "verdict": verdict,
    }
    is_short = verdict in (MISSED, DIFFERS, UNDECIDED)
    return line | {"tried": tried} if tried and is_short else line


def _judged(short, error, points, otherwise):
    if short <= 2.0 * error + 1e-9:
        return REACHED
    return NEAR if short <= points else otherwise
