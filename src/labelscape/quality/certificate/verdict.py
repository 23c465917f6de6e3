"""Verdicts on maps and on classifiers: records that are printed as sentences."""

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.random import RandomState

from labelscape._core.errors import readable
from labelscape._core.types import Array, Bools, Ints
from labelscape._resampling.chance import Interval, interval_of
from labelscape._resampling.voters import balanced_accuracy
from labelscape.quality.certificate.gaps import UNTESTED, ClassGap, gap_light
from labelscape.quality.records import Light, State, near_words

Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]

SIGNIFICANT = 0.05  # significance level
# A gap above both values (absolute, share of the fitted separation) is an artifact.
SMALL_GAP, SMALL_SHARE = 0.05, 0.25
# Without a significant result, there are too few rows if the part of the interval above
# chance is at least this share of the range from chance to 1.
TOO_WIDE = 1 / 3
# Minimum shares of the separation in the data that are called all and most of it.
KEEPS_ALL, KEEPS_MOST = 0.9, 0.7
# Minimum accuracy for a green light of a classifier; below, it is amber or red.
RIGHT = 0.85
# Minimum shares of samples with agreement that are called all and most.
AGREES, MOSTLY_AGREES = 0.95, 0.85

REAL_LIGHTS: dict[Real, State] = {
    "yes": "good",
    "partly": "fair",
    "no": "bad",
    "untested": "none",
}
KEPT_LIGHTS: dict[Kept, tuple[State, str]] = {
    "all": ("good", "Yes"),
    "most": ("fair", "Mostly"),
    "little": ("bad", "No"),
}

REAL_QUESTION = "Are the classes really separated?"
REAL_MEASURED = (
    "The map is fitted to half of the rows, several times to different halves, and the "
    "other half is placed on it without its labels. Each of these held-out rows gets "
    "the most frequent class of its nearest neighbors among the fitted rows. The "
    "percentage is the share of held-out rows that get the right class. All classes "
    "have the same weight, so chance is 1 divided by the number of classes. The "
    "p-value is the share of shuffles of the labels that reach the same percentage."
)
GIVEN_MEASURED = (
    "Only the positions of this map are known, so it cannot be fitted again. Instead, "
    "a model learns from half of the rows to predict positions from the data, and "
    "predicts the positions of the other half (held-out rows). If a map was drawn from "
    "labels alone, positions cannot be predicted from the data. Each held-out row gets "
    "the most frequent class of the nearest neighbors of its predicted positions. The "
    "percentage is the share of held-out rows that get the right class. All classes "
    "have the same weight, so chance is 1 divided by the number of classes. A p-value "
    "is the share of shuffles of the labels that reach the percentage. One p-value is "
    "computed for the map and one for the data alone; the larger p-value is shown."
)
KEPT_QUESTION = "Does the map show all of the separation?"
KEPT_MEASURED = (
    "Both percentages are shares of held-out rows that get the right class: from their "
    "neighbors on the map, and from their neighbors in the data (or from a linear "
    "model of the data, if it is right more often). Chance is subtracted from both "
    "shares. The answer is Yes if the share on the map is then at least 90% of the "
    "share in the data, and Mostly if it is at least 70%."
)
RIGHT_QUESTION = "Is the classifier right?"
RIGHT_MEASURED = (
    "The share of held-out rows that the classifier predicts correctly. All classes "
    "have the same weight, so chance is 1 divided by the number of classes."
)
AGREES_QUESTION = "Does the map match the classifier?"
AGREES_MEASURED = (
    "The share of held-out rows that are in the region of their predicted class on the "
    "map. The answer is Yes if the share is at least 95%, and Mostly if at least 85%."
)


class _InSentences:
    """A record that is printed as its summary lines (`lights`), with details."""

    real: Real
    lights: Any

    @property
    def finding(self) -> str:
        """The question and answer of the first summary line."""
        first = self.lights[0]
        question = "" if self.real == "untested" else f"{first.question} "
        return f"{question}{first.answer}"

    @property
    def reason(self) -> str:
        """The numbers after the answer, as text."""
        first, *others = self.lights
        shown = (light for light in others if light.answer != "Not tested")
        tested = [f"{light}{_detail(light)}" for light in shown]
        return "\n".join([first.figure + _detail(first), *tested])

    def __str__(self) -> str:
        return readable(f"{self.finding}: {self.reason}")


def _detail(light: Light) -> str:
    """Return the technical details of a summary line, on their own line."""
    return f"\n{light.detail}." if light.detail else ""


@dataclass(frozen=True)
class Verdict(_InSentences):
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
        lights = self._real_light, self._kept_light
        if self.gaps is None:
            return lights
        recipe = ""
        if self.as_good is not None:
            recipe = (
                f" On data without groups, {self.recipe} makes labels with gaps at "
                f"least as deep in {self.as_good:.0%} of trials."
            )
        return *lights, gap_light(self.gaps, self.gap, recipe, self.looks_computed)

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
    def _real_light(self) -> Light:
        answer, figure, detail = "Not tested", f"{self.why}.", ""
        if self.interval is not None and self.real == "untested":
            answer = "Not enough rows to tell"
            detail = (
                f"{self.unseen:.0%} of held-out rows get the right class; 95% interval "
                f"{self.interval}; chance {self.chance:.0%}"
            )
        elif self.interval is not None:
            answer, figure = self.real.capitalize(), self._real_figure
            detail = f"95% interval {self.interval}; p = {self.p_value:.2g}"
        state = REAL_LIGHTS[self.real]
        if self.given_away and self.real == "yes":
            state = "fair"
            figure += f" But one column reveals the classes: {self.given_away}."
        if self.alike_near and self.real in ("yes", "partly"):
            state, figure = "fair", figure + near_words(self.alike_near)
        measured = GIVEN_MEASURED if self.is_given else REAL_MEASURED
        return Light(REAL_QUESTION, state, answer, figure, detail, measured)

    @property
    def _real_figure(self) -> str:
        new = "held-out rows" if self.known is None else "the rows of a left-out group"
        right = (
            f"{self.unseen:.0%} of {new} get the right class from their "
            "neighbors on this map"
        )
        fitted = f"{self.seen:.0%} of the fitted rows do"
        if self.is_given:
            right += " at positions predicted from the data"
            fitted = f"{self.seen:.0%} do at their drawn positions"
        chance = f"chance {self.chance:.0%}"
        is_artifact = _is_artifact(self.excess or 0.0, self.seen, self.chance)
        if self.known is not None:
            holds = "is not valid" if self.real == "no" else "is valid"
            known = f"For new rows of known groups, the share is {self.known:.0%}."
            so = f"so the separation {holds} for a new group"
            return f"{right} ({chance}), {so}. {known}"
        if self.real == "yes":
            return f"{right} ({chance})."
        if self.real == "partly" and (is_artifact or self.is_given):
            return (
                f"{right} ({chance}), but {fitted}: the map shows more separation than "
                "there is."
            )
        if self.real == "partly":
            return f"{right} ({chance}), but only {fitted}."
        clearly = (self.unseen or 0.0) - (self.chance or 0.0) > SMALL_GAP
        better = "not clearly better" if clearly else "no better"
        rows = "At their drawn positions" if self.is_given else "Of the fitted rows"
        do = f"{self.seen:.0%} do"
        but = f" {rows}, {do}: the map shows separation that is not there."
        return f"{right}, {better} than chance ({self.chance:.0%}).{but * is_artifact}"

    @property
    def _kept_light(self) -> Light:
        state: State = "none"
        answer, figure = "Not tested", ""
        if self.real != "untested" and self.unseen is not None:
            source = " with a linear model" if self.is_linear else ""
            shown = f"{self.unseen:.0%}"
            if self.is_given:
                shown = f"at least {min(self.unseen, self.seen or 0.0):.0%}"
            figure = (
                f"{shown} of held-out rows get the right class on the map, "
                f"{self.original:.0%} in the data{source}."
            )
            state, answer = self._kept_answer()
        if self.keeps_more:
            figure += f" {self.keeps_more} shows more of the separation."
        return Light(KEPT_QUESTION, state, answer, figure, measured=KEPT_MEASURED)

    def _kept_answer(self) -> tuple[State, str]:
        """Return the color and the answer of the second summary line."""
        if self.real == "no" and self.kept != "little":
            # A green light next to a red one would be misleading.
            return "none", "Too little to tell" if self.kept else "Nothing to show"
        above = (self.unseen or 0.0) - (self.original or 0.0)
        if above > SMALL_GAP:
            than = "a linear model" if self.is_linear else "the raw distances"
            return "good", f"Yes, and more than {than}"
        if self.kept is None:
            return "none", "Not known"
        return KEPT_LIGHTS[self.kept]

    @property
    def excess(self) -> float | None:
        """Separation of fitted rows that held-out rows do not have."""
        if self.seen is None or self.unseen is None:
            return None
        return self.seen - self.unseen


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
    is_given: bool = False,
) -> Verdict:
    """Return the verdict on a map from its scores.

    The separation is real if p <= 0.05 and the interval of ``unseen`` is above chance;
    but only partly if ``seen - unseen > max(0.05, 0.25 (seen - chance))``, or if fitted
    rows are not separated. If it is not real, but the part of the interval above chance
    has a width >= (1 - chance) / 3, there are too few rows. If ``original_interval`` is
    above chance, ``share_kept`` is ``(unseen - chance) / (original - chance)``. A given
    map may have been fitted to all labels. Therefore ``seen`` is also compared with
    ``original``, and ``share_kept`` uses the smaller of ``seen`` and ``unseen``.
    """
    shown = min(seen, unseen) if is_given else unseen
    there = min(original, unseen) if is_given else unseen
    real: Real = "yes"
    if p_value > SIGNIFICANT or interval.low <= chance:
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
        is_given=is_given,
    )


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
    return bool(gap > max(SMALL_GAP, SMALL_SHARE * (seen - chance)))


@dataclass(frozen=True)
class ClassifierVerdict(_InSentences):
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
        if self.accuracy is None:
            why = f"{self.why}."
            right = Light(RIGHT_QUESTION, "none", "Not tested", why, "", RIGHT_MEASURED)
        else:
            right = self._right_light
        if self.agreement is None:
            return (right,)
        agrees = Light(
            AGREES_QUESTION,
            *KEPT_LIGHTS[self.kept or "little"],
            f"it shows the predicted class for {self.agreement:.0%} of held-out rows.",
            f"95% interval of the match {self.agreement_interval}",
            AGREES_MEASURED,
        )
        return (right, agrees)

    @property
    def _right_light(self) -> Light:
        accuracy = self.accuracy or 0.0
        state = REAL_LIGHTS[self.real]
        if state == "good" and accuracy < RIGHT:
            state = "fair"
        right = f"{accuracy:.0%} of held-out rows get the right class"
        chance = f" (chance {self.chance:.0%})."
        if state == "bad":
            chance = f", no better than chance ({self.chance:.0%})."
        return Light(
            RIGHT_QUESTION,
            state,
            dict(KEPT_LIGHTS.values())[state],
            right + chance,
            f"95% interval {self.accuracy_interval}",
            RIGHT_MEASURED,
        )


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
