"""The verdict as a record, and its sentence."""

import pytest

from labelscape.quality._verdict import judged


@pytest.mark.parametrize(
    ("seen", "unseen", "chance", "original", "by_luck", "real", "kept", "what"),
    [
        (0.95, 0.93, 0.5, 0.93, False, "yes", "all", "real"),
        (0.95, 0.80, 0.5, 0.80, False, "partly", "all", "part"),
        (0.95, 0.60, 0.5, 0.60, False, "no", None, "made"),
        (0.95, 0.93, 0.5, 0.93, True, "no", None, "made"),
        (0.52, 0.50, 0.5, 0.50, True, "no", None, "none"),
        (0.80, 0.85, 0.5, 0.85, False, "yes", "all", "real"),
        (0.80, 0.78, 0.5, 0.95, False, "yes", "most", "real"),
        (0.11, 0.10, 0.01, 0.86, False, "yes", "little", "little"),
        (0.07, 0.07, 0.01, 0.15, False, "yes", "all", "real"),  # there is little
    ],
)
def test_the_verdict_follows_from_the_numbers(
    seen, unseen, chance, original, by_luck, real, kept, what
):
    found = judged(seen, unseen, chance, original, by_luck=by_luck)
    assert (found.real, found.kept, found.found) == (real, kept, what)
    assert str(found) == f"{found.finding}: {found.reason}"
    assert f"for {seen:.0%} of the points it was fitted to" in found.reason
    assert f"for {unseen:.0%} of new ones" in found.reason
    assert f"shuffled labels give {chance:.0%}" in found.reason


@pytest.mark.parametrize(
    ("unseen", "original", "level"),
    [(0.93, 0.93, "real"), (0.80, 0.80, "mixed"), (0.55, 0.55, "made")],
)
def test_the_level_is_the_verdict_in_a_word(unseen, original, level):
    assert judged(0.95, unseen, 0.5, original, by_luck=False).level == level


def test_a_map_that_loses_what_the_data_hold_is_told_so():
    words = " The map loses much of it: in the data, 95% of new ones agree."
    assert judged(0.80, 0.78, 0.5, 0.95, by_luck=False).reason.endswith(words)
    kept = judged(0.92, 0.90, 0.5, 0.95, by_luck=False)
    assert "in the data" not in kept.reason
