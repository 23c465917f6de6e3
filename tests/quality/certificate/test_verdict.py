"""The verdict as a record, and its sentence."""

from dataclasses import replace

import pytest

from labelscape._resampling.intervals import Interval
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
    assert f"agree for {found.unseen:.0%} of held-out rows" in found.reason
    assert f"chance {found.chance:.0%}" in found.reason


def states(found):
    return [light.state for light in found.lights]


def test_two_lights_and_never_all_green_for_a_map_that_keeps_little():
    assert states(verdict()) == ["good", "good"]
    little = verdict(seen=0.7, unseen=0.69, original=0.95)
    assert states(little) == ["good", "bad"]
    assert "keeps little of it" in little.finding
    assert states(verdict(p_value=0.5)) == ["bad", "none"]
    lost = verdict(seen=0.5, unseen=0.5, original=0.9, p_value=0.6)
    assert states(lost) == ["bad", "bad"]
    untested = Verdict("untested", None, why="there are 4 rows")
    assert states(untested) == ["none", "none"]
    assert str(untested) == "Not tested: there are 4 rows."


def test_the_lights_have_their_figures():
    real, kept = verdict().lights
    assert real.answer == "yes"
    assert real.figure == "93% of held-out rows (89% to 97%; chance 50%, p = 0.002)"
    assert (kept.answer, kept.figure) == ("all", "93% on the map, 93% in the data")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ({}, "The separation is real, and the map keeps all of it"),
        ({"unseen": 0.6}, "Part of this separation was made by the method"),
        ({"p_value": 0.4}, "There is no separation to speak of on this map"),
        (
            {"unseen": 0.55, "original": 0.55, "p_value": 0.4},
            "This separation was made by the method",
        ),
        (
            {"seen": 0.52, "unseen": 0.5, "p_value": 0.4},
            "This map does not show the separation that the data have",
        ),
    ],
)
def test_it_says_in_a_few_words_what_was_found(numbers, words):
    assert verdict(**numbers).finding == words


def test_no_is_not_said_of_a_table_that_is_merely_too_small():
    found = verdict(seen=0.7, unseen=0.65, p_value=0.2, low=0.45, n_rows=30)
    assert (found.real, found.kept) == ("untested", None)
    assert states(found) == ["none", "none"]
    words = str(found)
    assert words.startswith("Not tested: too few rows to tell, 65% of held-out rows")
    assert "(45% to 69%; chance 50%); about 40 rows would show" in words
    at_chance = verdict(seen=0.5, unseen=0.5, p_value=1.0, low=0.2, high=0.8)
    assert str(at_chance).endswith("(20% to 80%; chance 50%).")


def test_what_is_kept_is_never_more_than_all():
    found = verdict(seen=0.9, unseen=0.9, original=0.58)
    assert found.share_kept == 1.0
    assert verdict(seen=0.9, unseen=0.9, original=0.53).share_kept is None


def test_new_objects_alone_do_not_make_a_separation_real():
    found = verdict(seen=0.0, unseen=0.2, original=0.3, chance=0.02)
    assert found.real == "partly"
    assert "those it was fitted to are not" in found.finding


def test_a_column_that_gives_the_class_away_makes_the_light_amber():
    found = replace(verdict(), given_away="outcome")
    assert (found.real, found.lights[0].state) == ("yes", "fair")
    assert found.lights[0].figure.endswith("but one column gives it away: outcome")
    assert "one column gives it away: outcome" in str(found)
