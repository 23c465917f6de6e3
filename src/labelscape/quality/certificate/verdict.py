"""Verdicts on maps and on classifiers, as records."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.random import RandomState

from labelscape._core.types import Array, Bools, Ints
from labelscape._resampling.chance import Interval, interval_of
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality.certificate.gaps import UNTESTED, ClassGap
from labelscape.quality.certificate.sentences import (
    SMALL_GAP,
    InSentences,
    Kept,
    Real,
    classifier_lights,
    gap_light,
    kept_light,
    real_light,
)
from labelscape.quality.records import Light

SIGNIFICANT = 0.05  # significance level
# A gap above SMALL_GAP and this share of the fitted separation is an artifact.
SMALL_SHARE = 0.25
# Without a significant result, there are too few rows if the part of the interval above
# chance is at least this share of the range from chance to 1.
TOO_WIDE = 1 / 3
# Minimum shares of the separation in the data that are called all and most of it.
KEEPS_ALL, KEEPS_MOST = 0.9, 0.7
# Minimum shares of samples with agreement that are called all and most.
AGREES, MOSTLY_AGREES = 0.95, 0.85


@dataclass(frozen=True)
class Verdict(InSentences):
    """Whether the separation on a map is real, and how much of it is shown.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether held-out samples are also separated.
    kept : {"all", "most", "little"} or None
        How much of the separation in the data the map shows; None if the data do not
        separate the classes, or if it was not tested.
    chance : float or None
        The score of random labels: 1 divided by the number of classes.
    seen, unseen, original : float or None
        Balanced accuracies of neighbors: on the map for fitted samples, on the map for
        held-out samples, and in the data for the same held-out samples.
    interval : Interval or None
        95% interval of ``unseen``.
    p_value : float or None
        Share of shuffles of the labels for which ``unseen`` is at least as high.
    share_kept : float or None
        ``(unseen - chance) / (original - chance)``, at most 1; None if ``original`` is
        not significantly above chance.
    why : str
        The reason why the map was not tested, or a note that there are too few rows.
    keeps_more : str
        A method that shows more of the separation, if one was measured.
    is_linear : bool
        Whether ``original`` is the score of a linear model, fitted to the same rows as
        the map. It is used if it is higher than the score of neighbors in the data.
    given_away : str
        A column that is a row counter or a copy of the class; empty if there is none.
    alike_near : str
        Where near rows are alike: "row order", or "lon and lat"; empty if nowhere.
    known : float or None
        Balanced accuracy for held-out rows of known groups, if the other scores are for
        left-out groups.
    is_given : bool
        Whether only the map was given, so that positions of held-out samples were
        predicted. ``unseen`` and ``share_kept`` are then lower bounds.
    gaps : tuple of ClassGap or None
        The kind of border between neighboring classes: a gap, a cut, an overlap, or too
        few rows or different values for a test.
    gap : {"yes", "partly", "no", "untested"}
        Whether all, some or none of the neighboring classes have a gap.
    looks_computed : bool
        Whether 99% of rows have the label of the nearest class mean, and no gap exists.
    recipe : str
        The method that made the labels, if it is known.
    as_good : float or None
        How often ``recipe`` finds gaps at least as deep in data without groups.

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
    alike_near: str = ""
    known: float | None = None
    is_given: bool = False
    gaps: tuple[ClassGap, ...] | None = None
    looks_computed: bool = False
    recipe: str = ""
    as_good: float | None = None

    @property
    def lights(self) -> tuple[Light, ...]:
        """Two or three summary lines: on separation, its visibility, and gaps.

        Lines 1 and 2 are not both green if the map shows little of the separation.
        """
        is_artifact = _is_artifact(self.excess or 0.0, self.seen, self.chance)
        lights = real_light(self, is_artifact=is_artifact), kept_light(self)
        return lights if self.gaps is None else (*lights, gap_light(self))

    @property
    def gap(self) -> Real:
        """Whether all, some or none of the neighboring classes have a gap."""
        kinds = [gap.kind for gap in self.gaps or ()]
        if not set(kinds) - set(UNTESTED):
            return "untested"
        is_gap = [kind == "gap" for kind in kinds]
        if (self.as_good or 0.0) > SIGNIFICANT:
            return "no"
        if not any(is_gap):  # with more different values, some pairs may have a gap
            return "untested" if "too few values" in kinds else "no"
        return "yes" if all(is_gap) else "partly"

    @property
    def excess(self) -> float | None:
        """Separation of fitted rows that held-out rows do not have."""
        if self.seen is None or self.unseen is None:
            return None
        return self.seen - self.unseen


def verdict_of(
    *, original_interval: Interval, n_rows: int = 0, **scores: Any
) -> Verdict:
    """Return the verdict on a map from its scores.

    The separation is real if p <= 0.05 and the interval of ``unseen`` is above chance;
    but only partly if ``seen - unseen > max(0.05, 0.25 (seen - chance))``, or if fitted
    rows are not separated. If it is not real, but the part of the interval above chance
    has a width >= (1 - chance) / 3, there are too few rows. If ``original_interval`` is
    above chance, ``share_kept`` is ``(unseen - chance) / (original - chance)``. A given
    map may have been fitted to all labels. Therefore ``seen`` is also compared with
    ``original``, and ``share_kept`` uses the smaller of ``seen`` and ``unseen``.
    ``scores`` are fields of the verdict.
    """
    tested: Any = Verdict("yes", None, **scores)
    seen, unseen, chance = tested.seen, tested.unseen, tested.chance
    original, interval = tested.original, tested.interval
    shown = min(seen, unseen) if tested.is_given else unseen
    there = min(original, unseen) if tested.is_given else unseen
    real: Real = "yes"
    if tested.p_value > SIGNIFICANT or interval.low <= chance:
        real = "no"
    elif _is_artifact(seen - there, seen, chance) or seen <= chance:
        real = "partly"
    share, kept, why = None, None, ""
    if original_interval.low > chance:
        share = min((shown - chance) / (original - chance), 1.0)
        kept = kept_word(share, KEEPS_ALL, KEEPS_MOST)
    reach = interval.high - max(interval.low, chance)
    if real == "no" and reach >= TOO_WIDE * (1.0 - chance):
        real, kept, share = "untested", None, None
        why = _too_few(unseen, chance, interval, n_rows)
    return replace(tested, real=real, kept=kept, share_kept=share, why=why)


def _too_few(unseen: float, chance: float, interval: Interval, n_rows: int) -> str:
    """Return the reason why a table is too small, with the number of rows needed."""
    # n rows detect a difference of d in 8 of 10 cases if its standard error, which
    # falls as 1 / sqrt(n), is d / (1.96 + 0.84).
    if unseen <= chance:
        return f"the true accuracy may be {interval} (chance {chance:.0%})"
    error = (interval.high - interval.low) / (2 * 1.96)
    times = ((1.96 + 0.84) * error / (unseen - chance)) ** 2
    digits = 1 - len(str(int(times * n_rows)))
    wanted = int(max(round(times * n_rows, digits), n_rows + 1))
    return (
        f"about {wanted:,} rows are needed to detect this difference in 8 of 10 cases"
    )


def kept_word(share: float, all_from: float, most_from: float) -> Kept:
    """Return a share in words."""
    if share >= all_from:
        return "all"
    return "most" if share >= most_from else "little"


def _is_artifact(gap: float, seen: Any, chance: Any) -> bool:
    """Return whether held-out rows are separated much less than fitted rows."""
    return bool(gap > max(SMALL_GAP, SMALL_SHARE * ((seen or 0.0) - (chance or 0.0))))


@dataclass(frozen=True)
class ClassifierVerdict(InSentences):
    """The accuracy of a classifier, and its agreement with a map of its regions.

    Attributes
    ----------
    real : {"yes", "partly", "no", "untested"}
        Whether the classifier is better than chance for held-out rows.
    kept : {"all", "most", "little"} or None
        For how many held-out rows the map matches the classifier; None without a map,
        or if it was not tested.
    accuracy, agreement : float or None
        Balanced accuracy, and the share of rows whose position is in the region of the
        predicted class.
    accuracy_interval, agreement_interval : Interval or None
        95% intervals of ``accuracy`` and ``agreement``.
    chance : float or None
        1 divided by the number of classes.
    why : str
        Why the classifier was not tested.

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
    why: str = ""

    @property
    def lights(self) -> tuple[Light, ...]:
        """Two summary lines: accuracy, and agreement of the map."""
        return classifier_lights(self)


def judge_classifier(
    truth: Array, answers: Array, agrees: Bools | None, units: Ints, rng: RandomState
) -> ClassifierVerdict:
    """Return the verdict on a classifier's predictions for held-out samples.

    ``agrees`` (n,): whether the map matches each prediction, or None.
    """
    classes, codes = np.unique(truth, return_inverse=True)
    if len(classes) < 2:
        return ClassifierVerdict(
            "untested", None, why="all held-out rows are of one class"
        )
    _, units = np.unique(units, return_inverse=True)
    n_classes, chance = len(classes), 1.0 / len(classes)
    right = np.asarray(answers) == np.asarray(truth)
    interval = interval_of(right, codes, units, n_classes, rng)
    verdict = ClassifierVerdict(
        real="yes" if interval.low > chance else "no",
        kept=None,
        accuracy=balanced_accuracy(np.where(right, codes, -1), codes, n_classes),
        accuracy_interval=interval,
        chance=chance,
    )
    if agrees is None:
        return verdict
    share = float(np.mean(agrees))
    return replace(
        verdict,
        kept=kept_word(share, AGREES, MOSTLY_AGREES),
        agreement=share,
        agreement_interval=interval_of(agrees, np.zeros_like(codes), units, 1, rng),
    )
