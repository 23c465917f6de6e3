"""The verdict as a record, and its sentence."""

import pytest

from labelscape.quality.certificate.chance import Interval
from labelscape.quality.certificate.verdict import Verdict, judged


def verdict(seen=0.95, unseen=0.93, original=0.93, chance=0.5, p_value=0.002, low=None):
    return judged(
        chance=chance,
        seen=seen,
        unseen=unseen,
        original=original,
        interval=Interval(unseen - 0.04 if low is None else low, unseen + 0.04),
        original_interval=Interval(original - 0.04, original + 0.04),
        p_value=p_value,
    )


@pytest.mark.parametrize(
    ("numbers", "real", "kept"),
    [
        ({}, "yes", "all"),
        ({"p_value": 0.051}, "no", "all"),
        ({"p_value": 0.05}, "yes", "all"),
        ({"low": 0.5}, "no", "all"),
        ({"seen": 1.0, "unseen": 0.87}, "partly", "most"),  # 0.125 is a quarter
        ({"seen": 1.0, "unseen": 0.88}, "yes", "most"),
        ({"seen": 0.64, "unseen": 0.595, "original": 0.6}, "yes", "all"),
        ({"unseen": 0.885, "original": 0.93}, "yes", "most"),
        ({"seen": 0.8, "unseen": 0.79, "original": 0.93}, "yes", "little"),
        ({"seen": 0.5, "unseen": 0.5, "original": 0.52, "p_value": 0.6}, "no", None),
        ({"seen": 0.5, "unseen": 0.5, "original": 0.9, "p_value": 0.6}, "no", "little"),
        ({"seen": 0.9, "unseen": 0.88, "original": 0.5}, "yes", "all"),
    ],
)
def test_the_verdict_follows_from_the_numbers(numbers, real, kept):
    found = verdict(**numbers)
    assert (found.real, found.kept) == (real, kept)
    assert str(found) == f"{found.finding}: {found.reason}"
    assert f"agree for {found.unseen:.0%} of new objects" in found.reason
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
    assert real.figure == "93% of new objects (89% to 97%; chance 50%, p = 0.002)"
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
