import numpy as np
import pytest
from scipy.optimize import approx_fprime

from labelscape.quality.audit.opinions import WEIGHTS, blended
from labelscape.quality.audit.suspects import (
    CAREFUL,
    CONFUSED,
    LEAST,
    LEAST_LIKELY,
    MOST_OWN,
    SHARE,
    SHIFTED,
    SPREAD,
    START,
    TEMPERED,
    UNSURE,
    LapseFit,
    Lapses,
    classes_with_signal,
    confusions,
    discoveries,
    listed,
)


def said(n=60, n_classes=3, seed=0, sure=2.0):
    """Return probabilities, labels drawn from them, and whether these were changed."""
    rng = np.random.RandomState(seed)
    true = rng.randint(n_classes, size=n)
    logits = rng.normal(size=(n, n_classes))
    logits[np.arange(n), true] += sure
    p = np.exp(logits)
    return p / p.sum(axis=1, keepdims=True), true, rng


def with_errors(true, share, n_classes, rng):
    wrong = rng.permutation(len(true)) < round(share * len(true))
    moved = (true + rng.randint(1, n_classes, size=len(true))) % n_classes
    return np.where(wrong, moved, true), wrong


def found_in(p, codes, rate=0.1, seed=0, units=None):
    return discoveries(
        dict.fromkeys(WEIGHTS, p),  # as if all models agreed
        codes,
        np.arange(len(codes)) if units is None else units,
        np.ones(len(codes), dtype=bool),
        rate,
        np.random.RandomState(seed),
    )


# Formulas, written out slowly.


def lapses_of(p, codes):
    return Lapses(p, codes, np.ones(len(codes)))


def slow_chance(p, codes, given, fit, i):
    """The chance that the label of a row is a lapse, and how likely the label is."""
    logits = fit.a * np.log(p[i] + LEAST)
    logits[p[i].argmax()] += fit.b
    q = np.exp(logits) / np.exp(logits).sum()
    lapse = fit.e * sum(q[k] * given[i, k] for k in range(len(q)))
    return lapse / ((1 - fit.e) * q[codes[i]] + lapse), (1 - fit.e) * q[
        codes[i]
    ] + lapse


def test_chances_and_likelihood_are_those_of_the_mixture():
    p, true, rng = said()
    codes, _ = with_errors(true, 0.2, 3, rng)
    lapses, fit = lapses_of(p, codes), LapseFit(0.15, 1.7, -0.2, 0.0)
    slow = [slow_chance(p, codes, lapses._given, fit, i) for i in range(60)]
    np.testing.assert_allclose(lapses.chances(fit), [one for one, _ in slow])
    prior = (np.log(1.7) / TEMPERED) ** 2 / 2 + (0.2 / SHIFTED) ** 2 / 2
    loss, _ = lapses._loss(np.array([np.log(1.7), -0.2, 0.15]))
    assert loss == pytest.approx(prior - sum(np.log(P) for _, P in slow))


def test_calibrated_chances_are_those_of_the_formula():
    p, true, rng = said(sure=3.0)
    codes, _ = with_errors(true, 0.2, 3, rng)
    noise = np.random.default_rng(0).dirichlet([1.0] * 3, size=(3, 60))
    members = {name: (p + one) / 2 for name, one in zip(WEIGHTS, noise, strict=True)}
    blend = blended(members)
    lapses, fit = lapses_of(blend, codes), LapseFit(0.15, 1.2, 0.1, 0.0)
    is_judged = np.arange(60) % 5 > 0
    q = lapses._tempered(fit.a, fit.b)
    likely, chances = blend.argmax(axis=1), []
    for i in range(60):
        k, g = likely[i], codes[i]
        lapse = 0.15 * sum(q[i, c] * lapses._given[i, c] for c in range(3))
        alike = [q[j, g] for j in range(60) if is_judged[j] and likely[j] == k]
        own = np.log((lapse + 1e-12) / (0.85 * q[i, g] + 1e-12))
        logit = START + SHARE * np.log(0.15)
        classes = np.log((lapse + 1e-12) / (np.mean(alike) + 1e-4))
        logit += CONFUSED * np.clip(classes, -10, 10)
        logit += LEAST_LIKELY * np.log(min(m[i, k] for m in members.values()) + UNSURE)
        logit += MOST_OWN * np.log(max(m[i, g] for m in members.values()) + UNSURE)
        chances.append(1 / (1 + np.exp(-logit)) if own > -1 else 0.0)
    fast = lapses.calibrated(fit, members, is_judged)
    np.testing.assert_allclose(fast, chances, rtol=1e-9)
    assert 0 < np.sum(fast > 0) < 60


def test_the_gradient_is_the_slope_of_the_loss():
    p, true, rng = said()
    codes, _ = with_errors(true, 0.2, 3, rng)
    lapses, x = lapses_of(p, codes), np.array([0.3, 0.1, 0.12])
    slope = approx_fprime(x, lambda x: lapses._loss(x)[0], 1e-7)
    np.testing.assert_allclose(lapses._loss(x)[1], slope, rtol=1e-4, atol=1e-4)


def test_confusions_are_learned_from_the_other_rows():
    rng = np.random.RandomState(0)
    likely, codes = rng.randint(3, size=(2, 40))
    wrong = rng.uniform(size=40)
    found = confusions(likely, codes, wrong, 3)
    for i in range(40):
        for k in range(3):
            others = [j for j in range(40) if j != i and likely[j] == k != codes[j]]
            same = [j for j in others if codes[j] == codes[i]]
            share = (wrong[same].sum() + SPREAD / 2) / (wrong[others].sum() + SPREAD)
            assert found[i, k] == pytest.approx(0.0 if k == codes[i] else share)


def test_the_lower_end_of_the_share_is_below_the_best_one():
    p, true, rng = said(n=800, sure=6.0)
    codes, _ = with_errors(true, 0.1, 3, rng)
    lapses = lapses_of(p, codes)
    best = lapses.best()
    low = lapses.low(best)
    assert 0.05 < low.e < best.e < 0.15
    assert low.fit == pytest.approx(best.fit - CAREFUL, abs=0.02)


def test_a_list_ends_where_the_rate_is_reached_or_labels_are_likely_right():
    assert listed(np.array([0.95, 0.9, 0.9, 0.6]), 0.1) == 3
    assert listed(np.array([1.0, 1.0, 1.0, 1.0, 0.4]), 0.2) == 4
    assert listed(np.array([0.8, 0.7]), 0.1) == 0


# What is promised.


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.1, 0.25])
@pytest.mark.parametrize("rate", [0.1, 0.2])
def test_no_more_false_alarms_than_allowed_and_most_errors_found(share, rate):
    false, found = [], []
    for seed in range(4):
        p, true, rng = said(n=1500, n_classes=4, seed=seed, sure=5.0)
        codes, wrong = with_errors(true, share, 4, rng)
        result = found_in(p, codes, rate)
        suspects = result.ranking[: result.n_flagged]
        false.append(1 - wrong[suspects].mean())
        found.append(wrong[suspects].sum() / wrong.sum())
    assert np.mean(false) <= rate
    assert np.mean(found) >= 0.6


def test_with_nothing_planted_hardly_anything_is_suspected():
    flagged = 0
    for seed in range(5):
        p, true, _ = said(n=1000, n_classes=4, seed=seed, sure=4.0)
        flagged += found_in(p, true).n_flagged
    assert flagged <= 5


def test_labels_that_say_nothing_give_no_suspects():
    rng = np.random.RandomState(0)
    p = rng.dirichlet([5.0] * 3, size=500)
    assert found_in(p, rng.randint(3, size=500)).n_flagged == 0


def test_the_share_is_near_that_of_planted_errors_and_below():
    p, true, rng = said(n=4000, n_classes=5, sure=7.0)
    codes, _ = with_errors(true, 0.15, 5, rng)
    assert 0.12 < found_in(p, codes).share < 0.16


def test_errors_that_are_systematic_are_ranked_by_what_is_confused():
    gains = []
    for seed in range(10):
        p, true, rng = said(n=2000, n_classes=4, sure=2.5, seed=seed)
        codes = np.where((true == 0) & (rng.uniform(size=2000) < 0.3), 1, true)
        wrong = codes != true
        by_odds = np.argsort(p[np.arange(2000), codes] / p.max(axis=1))
        ranking = found_in(p, codes).ranking
        first = slice(wrong.sum())
        gains.append(wrong[ranking[first]].mean() - wrong[by_odds[first]].mean())
    # .045 on average over these draws, with a standard deviation of .016 between draws
    assert np.mean(gains) > 0.03


def test_a_larger_rate_gives_a_longer_list_of_the_same_order():
    p, true, rng = said(n=800, sure=3.0)
    codes, _ = with_errors(true, 0.1, 3, rng)
    strict, lax = found_in(p, codes, 0.05), found_in(p, codes, 0.4)
    assert strict.n_flagged < lax.n_flagged
    np.testing.assert_array_equal(strict.ranking, lax.ranking)


def test_suspects_always_have_another_likely_label():
    p, true, rng = said(n=400, sure=2.0)
    codes, _ = with_errors(true, 0.2, 3, rng)
    result = found_in(p, codes, 0.9)
    suspects = result.ranking[: result.n_flagged]
    assert (p[suspects].argmax(axis=1) != codes[suspects]).all()


def test_where_classes_overlap_nothing_is_promised():
    rng = np.random.RandomState(0)
    right = rng.uniform(0.5, 0.95, size=2000)  # a good model, of classes that overlap
    p = np.column_stack([right, 1 - right])
    codes = (rng.uniform(size=2000) > right).astype(int)
    found = found_in(p, codes)
    assert not found.can_tell
    assert found.n_flagged == 0
    assert sorted(found.ranking.tolist()) == list(range(2000))


def test_where_classes_are_apart_it_can_be_told():
    p, true, rng = said(2000, sure=8.0)
    codes, wrong = with_errors(true, 0.1, 3, rng)
    found = found_in(p, codes)
    assert found.can_tell
    assert wrong[found.ranking[: found.n_flagged]].mean() > 0.88


def test_a_list_needs_many_different_predictions():
    rng = np.random.RandomState(0)
    true = rng.randint(2, size=600)
    codes, wrong = with_errors(true, 0.15, 2, rng)
    sure = np.where(rng.uniform(size=600) < 0.5, 0.84, 0.86)  # two kinds of rows
    for spread, is_listed in ((0.0, False), (0.04, True)):
        right = sure + spread * rng.uniform(-1, 1, size=600)
        p = np.where(true[:, None] == [0, 1], right[:, None], 1 - right[:, None])
        result = found_in(p, codes)
        assert result.can_tell == is_listed
        assert (result.n_flagged > 0) == is_listed
    assert wrong[result.ranking[: result.n_flagged]].mean() > 0.87


def test_few_errors_are_listed_where_classes_are_clearly_separated():
    found = right = planted = 0
    for seed in range(4):
        p, true, rng = said(n=1500, n_classes=5, seed=seed, sure=9.0)
        # Models are less sure than they could be.
        p = p**0.5 / (p**0.5).sum(axis=1, keepdims=True)
        codes, wrong = with_errors(true, 0.01, 5, rng)
        result = found_in(p, codes)
        found += result.n_flagged
        right += wrong[result.ranking[: result.n_flagged]].sum()
        planted += wrong.sum()
    assert right >= 0.6 * planted
    assert found - right <= 0.13 * found


def test_the_chances_of_a_list_add_up_to_its_rate():
    p, true, rng = said(n=1500, n_classes=4, sure=5.0)
    codes, _ = with_errors(true, 0.1, 4, rng)
    result = found_in(p, codes)
    suspects = result.ranking[: result.n_flagged]
    chances = result.chance_wrong[suspects]
    assert result.expected_false == pytest.approx(1 - chances.mean())
    assert 0 < result.expected_false <= 0.1
    assert chances.min() >= 0.5
    assert (np.diff(result.chance_wrong[result.ranking]) <= 0).all()


@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_noise_and_shuffled_labels_give_no_list(n_classes):
    for seed in range(4):
        p, true, rng = said(n=400, n_classes=n_classes, seed=seed, sure=3.0)
        result = found_in(p, rng.permutation(true))
        assert result.n_flagged == 0
        assert not result.has_signal
        assert not result.can_tell


def test_a_class_without_signal_is_not_judged():
    rng = np.random.RandomState(0)
    p, true, _ = said(n=600, n_classes=3, sure=6.0)
    codes = np.where(rng.uniform(size=600) < 0.1, 2, np.minimum(true, 1))
    everyone = np.arange(600)
    p[:, 2] = rng.uniform(0.0, 0.2, size=600)
    p /= p.sum(axis=1, keepdims=True)
    found = classes_with_signal(p, codes, everyone, np.random.RandomState(0))
    assert found.tolist() == [True, True, False]
    result = found_in(p, codes)
    suspects = result.ranking[: result.n_flagged]
    assert (codes[suspects] != 2).all()


def test_sixty_classes_that_are_predicted_have_signal():
    codes = np.repeat(np.arange(60), 10)
    p = (np.eye(60)[codes] + 0.01) / 1.6
    random_state = np.random.RandomState(0)
    assert classes_with_signal(p, codes, np.arange(600), random_state).all()


def test_rows_of_one_unit_are_one_piece_of_evidence():
    p, true, rng = said(n=300, sure=5.0)
    codes, _ = with_errors(true, 0.1, 3, rng)
    one = found_in(p, codes)
    units = np.repeat(np.arange(300), 4)
    four = found_in(np.repeat(p, 4, axis=0), np.repeat(codes, 4), units=units)
    assert four.share == pytest.approx(one.share, rel=0.02)
