import numpy as np
import pytest
from tests.quality.certificate.cases import balanced_votes

from labelscape.quality.certificate import placed as whole
from labelscape.quality.certificate.placed import score_placed_rows

RNG = np.random.default_rng(0)
CODES = np.repeat([0, 1, 2], [500, 300, 200])
Z = RNG.normal(size=(1000, 2)) + 1.5 * np.array([[0, 0], [1, 0], [0, 1]])[CODES]
ALONE = np.arange(1000)


def judged(fitted, units=ALONE, seed=0):
    return score_placed_rows(Z, CODES, units, fitted, 5, np.random.RandomState(seed))


def test_few_objects_are_all_judged_by_their_neighbours():
    fitted = np.sort(RNG.choice(1000, 400, replace=False))
    found = judged(fitted)
    assert found.unseen == pytest.approx(balanced_votes(Z, CODES, fitted))
    assert found.interval == (found.unseen, found.unseen)
    assert (found.n_judged, found.n) == (600, 600)


def test_intervals_hold_the_figure_of_the_whole_in_38_of_40_trials(monkeypatch):
    monkeypatch.setattr(whole, "MOST_JUDGED", 90)
    monkeypatch.setattr(whole, "FEWEST_OF_CLASS", 20)
    held, widths = 0, []
    for seed in range(40):
        fitted = np.sort(np.random.default_rng(seed).choice(1000, 100, replace=False))
        found = judged(fitted, seed=seed)
        low, high = found.interval
        held += low <= balanced_votes(Z, CODES, fitted) <= high
        widths.append(high - low)
    assert held >= 38
    assert 0.1 < np.mean(widths) < 0.4


def test_an_object_whose_unit_was_fitted_is_not_unseen():
    units = ALONE // 2
    fitted = np.arange(0, 1000, 4)
    found = judged(fitted, units)
    assert found.n == 500
    everyone = np.flatnonzero(~np.isin(units, units[fitted]))
    assert found.unseen == pytest.approx(balanced_votes(Z, CODES, fitted, everyone))
    assert judged(np.arange(0, 1000, 2), units) is None


def test_it_prints_as_a_sentence():
    found = judged(np.arange(0, 1000, 10))
    assert str(found) == (
        f"Of the 900 rows that were not used to fit this map, {found.unseen:.1%} get "
        f"the right class from their neighbors (99% interval {found.interval.low:.1%} "
        f"to {found.interval.high:.1%}; {found.n_judged} rows tested)."
    )


def test_a_sample_of_more_objects_tells_of_all_with_an_interval():
    fitted = np.arange(0, 1000, 10)
    alone = judged(fitted)
    rng = np.random.RandomState(0)
    some = score_placed_rows(Z, CODES, ALONE, fitted, 5, rng, n_population=50_000)
    assert some.unseen == pytest.approx(alone.unseen)
    assert (some.n, some.n_judged) == (49_900, alone.n_judged)
    low, high = some.interval
    assert low < some.unseen < high


def test_samples_of_more_objects_hold_their_figure_in_38_of_40_trials():
    everyone = np.arange(1000)
    held = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        drawn = np.sort(rng.choice(everyone, 300, replace=False))
        fitted = np.arange(0, 300, 3)
        found = score_placed_rows(
            Z[drawn],
            CODES[drawn],
            np.arange(300),
            fitted,
            5,
            np.random.RandomState(seed),
            n_population=1000,
        )
        low, high = found.interval
        held += low <= balanced_votes(Z, CODES, drawn[fitted]) <= high
    assert held >= 38
