"""The sentences of verdicts: summary lines on maps and on classifiers."""

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from labelscape._core.errors import readable
from labelscape.quality.certificate.gaps import ClassGap
from labelscape.quality.records import Light, State, counted, near_words

Real = Literal["yes", "partly", "no", "untested"]
Kept = Literal["all", "most", "little"]

# Differences between accuracies up to this value are small.
SMALL_GAP = 0.05
# Minimum accuracy for a green light of a classifier; below, it is amber or red.
RIGHT = 0.85

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

EQUAL = (
    "All classes have the same weight, so chance is 1 divided by the number of classes."
)
SHARE = (
    "The percentage is the share of held-out rows that get the right class. " + EQUAL
)
REAL_QUESTION = "Are the classes really separated?"
REAL_MEASURED = (
    "The map is fitted to half of the rows, several times to different halves, and the "
    "other half is placed on it without its labels. Each of these held-out rows gets "
    f"the most frequent class of its nearest neighbors among the fitted rows. {SHARE} "
    "The p-value is the share of shuffles of the labels that reach the same percentage."
)
GIVEN_MEASURED = (
    "Only the positions of this map are known, so it cannot be fitted again. Instead, "
    "a model learns from half of the rows to predict positions from the data, and "
    "predicts the positions of the other half (held-out rows). If a map was drawn from "
    "labels alone, positions cannot be predicted from the data. Each held-out row gets "
    "the most frequent class of the nearest neighbors of its predicted positions. "
    f"{SHARE} A p-value is the share of shuffles of the labels that reach the "
    "percentage. One p-value is computed for the map and one for the data alone; the "
    "larger p-value is shown."
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
    f"The share of held-out rows that the classifier predicts correctly. {EQUAL}"
)
AGREES_QUESTION = "Does the map match the classifier?"
AGREES_MEASURED = (
    "The share of held-out rows that are in the region of their predicted class on the "
    "map. The answer is Yes if the share is at least 95%, and Mostly if at least 85%."
)
GAP_QUESTION = "Is there a gap between the classes?"
GAP_MEASURED = (
    "For each pair of neighboring classes, the rows near their border are ordered "
    "along the direction from one class to the other. If there is a gap, few rows are "
    "at the border and many on both sides. Otherwise, the border cuts through "
    "one continuous group of rows, or the classes overlap. Clustering cuts even a "
    "continuous group into parts, and a map can separate these parts well. Only a gap "
    "shows that the classes are separate groups. The test checks whether rows "
    "become more frequent away from the border, on both sides of it, along a direction "
    "fitted to other rows. Equal values (counts, ratings, rounded numbers) are spread "
    "over their distance to other values. If this fills a gap, there is no answer."
)


class InSentences:
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


class _Kind(NamedTuple):
    """The wording for one kind of test."""

    measured: str
    where: str  # where held-out rows were tested
    fitted: str  # the share of fitted rows
    shown: str  # the same, after another sentence


FITTED_AGAIN = _Kind(
    REAL_MEASURED, "", "{:.0%} of the fitted rows do", "Of the fitted rows, {:.0%} do"
)
GIVEN = _Kind(
    GIVEN_MEASURED,
    " at positions predicted from the data",
    "{:.0%} do at their drawn positions",
    "At their drawn positions, {:.0%} do",
)


def real_light(verdict: Any, *, is_artifact: bool) -> Light:
    """Return the summary line on separation."""
    kind = GIVEN if verdict.is_given else FITTED_AGAIN
    state, interval = REAL_LIGHTS[verdict.real], verdict.interval
    answer, figure, detail = "Not tested", f"{verdict.why}.", ""
    if interval is not None and verdict.real == "untested":
        answer = "Not enough rows to tell"
        detail = (
            f"{verdict.unseen:.0%} of held-out rows get the right class; 95% interval "
            f"{interval}; chance {verdict.chance:.0%}"
        )
    elif interval is not None:
        answer = verdict.real.capitalize()
        words = _left_out_figure if verdict.known is not None else _real_figure
        figure = words(verdict, kind, is_artifact)
        detail = f"95% interval {interval}; p = {verdict.p_value:.2g}"
    if verdict.given_away and verdict.real == "yes":
        state = "fair"
        figure += f" But one column reveals the classes: {verdict.given_away}."
    if verdict.alike_near and verdict.real in ("yes", "partly"):
        state, figure = "fair", figure + near_words(verdict.alike_near)
    return Light(REAL_QUESTION, state, answer, figure, detail, kind.measured)


def _right(verdict: Any, kind: _Kind, rows: str) -> str:
    return (
        f"{verdict.unseen:.0%} of {rows} get the right class from their neighbors on "
        f"this map{kind.where}"
    )


def _real_figure(verdict: Any, kind: _Kind, is_artifact: bool) -> str:
    """Return the figure for held-out rows."""
    right, chance = _right(verdict, kind, "held-out rows"), f"{verdict.chance:.0%}"
    if verdict.real == "yes":
        return f"{right} (chance {chance})."
    if verdict.real == "partly":
        but = f"but only {kind.fitted}."
        if is_artifact or verdict.is_given:
            but = f"but {kind.fitted}: the map shows more separation than there is."
        return f"{right} (chance {chance}), {but.format(verdict.seen)}"
    clearly = verdict.unseen - verdict.chance > SMALL_GAP
    better = "not clearly better" if clearly else "no better"
    but = f" {kind.shown.format(verdict.seen)}: the map shows separation that is not "
    return f"{right}, {better} than chance ({chance}).{(but + 'there.') * is_artifact}"


def _left_out_figure(verdict: Any, kind: _Kind, _: bool) -> str:
    """Return the figure for groups that are crossed with classes."""
    holds = "is not valid" if verdict.real == "no" else "is valid"
    return (
        f"{_right(verdict, kind, 'the rows of a left-out group')} (chance "
        f"{verdict.chance:.0%}), so the separation {holds} for a new group. For new "
        f"rows of known groups, the share is {verdict.known:.0%}."
    )


def kept_light(verdict: Any) -> Light:
    """Return the summary line on how much of the separation is shown."""
    state: State = "none"
    answer, figure = "Not tested", ""
    if verdict.real != "untested" and verdict.unseen is not None:
        source = " with a linear model" if verdict.is_linear else ""
        shown = f"{verdict.unseen:.0%}"
        if verdict.is_given:
            shown = f"at least {min(verdict.unseen, verdict.seen or 0.0):.0%}"
        figure = (
            f"{shown} of held-out rows get the right class on the map, "
            f"{verdict.original:.0%} in the data{source}."
        )
        state, answer = _kept_answer(verdict)
    if verdict.keeps_more:
        figure += f" {verdict.keeps_more} shows more of the separation."
    return Light(KEPT_QUESTION, state, answer, figure, measured=KEPT_MEASURED)


def _kept_answer(verdict: Any) -> tuple[State, str]:
    """Return the color and the answer of the second summary line."""
    if verdict.real == "no" and verdict.kept != "little":
        # A green light next to a red one would be misleading.
        return "none", "Too little to tell" if verdict.kept else "Nothing to show"
    if verdict.unseen - (verdict.original or 0.0) > SMALL_GAP:
        than = "a linear model" if verdict.is_linear else "the raw distances"
        return "good", f"Yes, and more than {than}"
    return ("none", "Not known") if verdict.kept is None else KEPT_LIGHTS[verdict.kept]


def gap_light(verdict: Any) -> Light:
    """Return the summary line about gaps."""
    gaps, recipe = verdict.gaps, ""
    states: dict[str, State] = {"yes": "good", "partly": "fair", "untested": "none"}
    if verdict.as_good is not None:
        recipe = (
            f" On data without groups, {verdict.recipe} makes labels with gaps at "
            f"least as deep in {verdict.as_good:.0%} of trials."
        )
    answer, figure = verdict.gap.capitalize(), f"{_counted(gaps)}{recipe}"
    if not gaps:
        answer, figure = "Not tested", "too few rows are next to another class."
    elif any(gap.kind == "too few values" for gap in gaps) and answer == "Untested":
        answer = "Too few different values to tell"
    elif answer == "Untested":
        answer = "Not enough rows to tell"
    # Natural classes may overlap, so a missing gap is bad only for computed labels.
    is_bad = verdict.looks_computed or recipe
    state = states.get(verdict.gap, "bad" if is_bad else "fair")
    return Light(GAP_QUESTION, state, answer, figure, "", GAP_MEASURED)


def _counted(gaps: Sequence[ClassGap]) -> str:
    """Return a sentence about what is between the classes."""
    parts = []
    for kind, what in (
        ("gap", "few rows lie between {}"),
        ("cut", "{} share one continuous group of rows"),
        ("overlap", "{} overlap"),
        ("too few", "there are too few rows of {} to test this"),
        ("too few values", "there are too few different values to test {}"),
    ):
        pairs = [gap.words for gap in gaps if gap.kind == kind]
        if pairs and len(pairs) == len(gaps) > 2 and kind != "too few":
            parts.append(what.format(f"all {len(pairs)} pairs of neighboring classes"))
        elif pairs:
            others = counted(len(pairs) - 2, "other pair")
            more = f" and {others}" if len(pairs) > 2 else ""
            joint = " and of " if kind == "too few" else ", and "
            parts.append(what.format(joint.join(pairs[:2]) + more))
    return ", but ".join(parts[:2]) + "".join(f"; {one}" for one in parts[2:]) + "."


def classifier_lights(verdict: Any) -> tuple[Light, ...]:
    """Return the summary lines on the accuracy of a classifier, and on its map."""
    if verdict.accuracy is None:
        why = f"{verdict.why}."
        right = Light(RIGHT_QUESTION, "none", "Not tested", why, "", RIGHT_MEASURED)
    else:
        state, chance = REAL_LIGHTS[verdict.real], f"{verdict.chance:.0%}"
        if state == "good" and verdict.accuracy < RIGHT:
            state = "fair"
        than = f", no better than chance ({chance})."
        right = Light(
            RIGHT_QUESTION,
            state,
            dict(KEPT_LIGHTS.values())[state],
            f"{verdict.accuracy:.0%} of held-out rows get the right class"
            f"{than if state == 'bad' else f' (chance {chance}).'}",
            f"95% interval {verdict.accuracy_interval}",
            RIGHT_MEASURED,
        )
    if verdict.agreement is None:
        return (right,)
    agrees = Light(
        AGREES_QUESTION,
        *KEPT_LIGHTS[verdict.kept or "little"],
        f"it shows the predicted class for {verdict.agreement:.0%} of held-out rows.",
        f"95% interval of the match {verdict.agreement_interval}",
        AGREES_MEASURED,
    )
    return (right, agrees)
