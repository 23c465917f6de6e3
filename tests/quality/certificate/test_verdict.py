"""The verdict as a record, and its sentences."""

import re
from dataclasses import replace

import pytest

from labelscape._resampling.chance import Interval
from labelscape.quality.certificate.verdict import Verdict, verdict_of


def verdict(
    seen=0.95,
    unseen=0.93,
    original=0.93,
    chance=0.5,
    p_value=0.002,
    low=None,
    high=None,
    n_rows=100,
):
    return verdict_of(
        n_rows=n_rows,
        chance=chance,
        seen=seen,
        unseen=unseen,
        original=original,
        interval=Interval(
            unseen - 0.04 if low is None else low,
            unseen + 0.04 if high is None else high,
        ),
        original_interval=Interval(original - 0.04, original + 0.04),
        p_value=p_value,
    )


@pytest.mark.parametrize(
    ("numbers", "real", "kept"),
    [
        ({}, "yes", "all"),
        ({"p_value": 0.051}, "no", "all"),
        ({"p_value": 0.05}, "yes", "all"),
        ({"low": 0.5, "unseen": 0.6, "seen": 0.6}, "no", "little"),
        ({"seen": 0.4, "unseen": 0.7, "original": 0.7}, "partly", "all"),
        ({"seen": 1.0, "unseen": 0.87}, "partly", "most"),  # 0.125 is a quarter
        ({"seen": 1.0, "unseen": 0.88}, "yes", "most"),
        ({"seen": 0.64, "unseen": 0.595, "original": 0.6}, "yes", "all"),
        ({"unseen": 0.885, "original": 0.93}, "yes", "most"),
        ({"seen": 0.8, "unseen": 0.79, "original": 0.93}, "yes", "little"),
        ({"seen": 0.5, "unseen": 0.5, "original": 0.52, "p_value": 0.6}, "no", None),
        ({"seen": 0.5, "unseen": 0.5, "original": 0.9, "p_value": 0.6}, "no", "little"),
        ({"seen": 0.9, "unseen": 0.88, "original": 0.5}, "yes", None),
    ],
)
def test_the_verdict_follows_from_the_numbers(numbers, real, kept):
    found = verdict(**numbers)
    assert (found.real, found.kept) == (real, kept)
    assert str(found) == f"{found.finding}: {found.reason}"
    first, *others = map(str, found.lights)
    assert str(found).startswith(f"{first}\n95% interval ")
    assert str(found).endswith("".join(f"\n{light}" for light in others))
    assert f"{found.unseen:.0%} of held-out rows get the right class" in found.reason
    assert re.search(f"chance \\(?{found.chance:.0%}\\)", found.reason)


def states(found):
    return [light.state for light in found.lights]


def test_two_lights_and_never_all_green_for_a_map_that_keeps_little():
    assert states(verdict()) == ["good", "good"]
    little = verdict(seen=0.7, unseen=0.69, original=0.95)
    assert states(little) == ["good", "bad"]
    answer = "No: 69% of held-out rows get the right class on the map, 95% in the"
    assert f"map show all of the separation? {answer}" in str(little)
    assert states(verdict(p_value=0.5)) == ["bad", "none"]
    lost = verdict(seen=0.5, unseen=0.5, original=0.9, p_value=0.6)
    assert states(lost) == ["bad", "bad"]
    untested = Verdict("untested", None, why="there are 4 rows")
    assert states(untested) == ["none", "none"]
    assert str(untested) == "Not tested: there are 4 rows."


RIGHT = "of held-out rows get the right class from their neighbors on this map"


@pytest.mark.parametrize(
    ("numbers", "answer", "figure"),
    [
        ({}, "Yes", f"93% {RIGHT} (chance 50%)."),
        (
            {"unseen": 0.6},
            "Partly",
            f"60% {RIGHT} (chance 50%), but 95% of the fitted rows do: the map "
            "shows more separation than there is.",
        ),
        (
            {"seen": 0.0, "unseen": 0.2, "original": 0.3, "chance": 0.02},
            "Partly",
            f"20% {RIGHT} (chance 2%), but only 0% of the fitted rows do.",
        ),
        (
            {"seen": 0.52, "unseen": 0.5, "p_value": 0.4},
            "No",
            f"50% {RIGHT}, no better than chance (50%).",
        ),
        (
            {"unseen": 0.56, "original": 0.55, "p_value": 0.4},
            "No",
            f"56% {RIGHT}, not clearly better than chance (50%). Of the fitted rows, "
            "95% do: the map shows separation that is not there.",
        ),
    ],
)
def test_the_first_sentence_says_whether_the_classes_are_separated(
    numbers, answer, figure
):
    found = verdict(**numbers)
    light = found.lights[0]
    assert light.question == "Are the classes really separated?"
    assert (light.answer, light.figure) == (answer, figure)
    assert light.detail == f"95% interval {found.interval}; p = {found.p_value:.2g}"
    assert "held-out rows that get the right class" in light.measured
    assert found.finding == f"{light.question} {answer}"


@pytest.mark.parametrize(
    ("numbers", "answer", "state"),
    [
        ({}, "Yes", "good"),
        ({"unseen": 0.88}, "Mostly", "fair"),
        ({"unseen": 0.65, "seen": 0.65}, "No", "bad"),
        ({"original": 0.8}, "Yes, and more than the raw distances", "good"),
        ({"original": 0.5}, "Yes, and more than the raw distances", "good"),
        ({"unseen": 0.55, "seen": 0.55, "original": 0.53}, "Not known", "none"),
        ({"original": 0.5, "p_value": 0.4}, "Nothing to show", "none"),
        ({"p_value": 0.4}, "Too little to tell", "none"),
        ({"seen": 0.5, "unseen": 0.5, "p_value": 0.4}, "No", "bad"),
    ],
)
def test_the_second_sentence_says_whether_the_map_shows_all_of_it(
    numbers, answer, state
):
    found = verdict(**numbers)
    light = found.lights[1]
    assert light.question == "Does the map show all of the separation?"
    assert (light.answer, light.state) == (answer, state)
    right = f"{found.unseen:.0%} of held-out rows get the right class on the map"
    figures = f"{right}, {found.original:.0%} in the data"
    assert light.figure == f"{figures}."
    modeled = replace(found, is_linear=True, keeps_more="LDA").lights[1]
    more = "with a linear model. LDA shows more of the separation."
    assert modeled.figure == f"{figures} {more}"


def test_no_is_not_said_of_a_table_that_is_merely_too_small():
    found = verdict(seen=0.7, unseen=0.65, p_value=0.2, low=0.45, n_rows=30)
    assert (found.real, found.kept) == ("untested", None)
    assert states(found) == ["none", "none"]
    assert str(found) == (
        "Not enough rows to tell: about 40 rows are needed to detect this difference "
        "in 8 of 10 cases.\n65% of held-out rows get the right class; 95% interval 45% "
        "to 69%; chance 50%."
    )
    at_chance = verdict(seen=0.5, unseen=0.5, p_value=1.0, low=0.2, high=0.8)
    words = "the true accuracy may be 20% to 80% (chance 50%)."
    assert str(at_chance).startswith(f"Not enough rows to tell: {words}")


def test_what_is_kept_is_never_more_than_all():
    found = verdict(seen=0.9, unseen=0.9, original=0.58)
    assert found.share_kept == 1.0
    assert verdict(seen=0.9, unseen=0.9, original=0.53).share_kept is None


def test_a_column_that_gives_the_class_away_makes_the_light_amber():
    found = replace(verdict(), given_away="outcome")
    assert (found.real, found.lights[0].state) == ("yes", "fair")
    words = "But one column reveals the classes: outcome."
    assert found.lights[0].figure.endswith(words)
    assert words in str(found)
