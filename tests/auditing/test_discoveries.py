import numpy as np
import pytest

from labelscape.auditing._discoveries import (
    DEEPEST,
    Tails,
    chances,
    decoys,
    discoveries,
    share_wrong,
)
from labelscape.auditing._scores import (
    LEAST,
    RARELY,
    SPREAD,
    label_scores,
    plain_scores,
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
        p,
        codes,
        np.arange(len(codes)) if units is None else units,
        np.ones(len(codes), dtype=bool),
        rate,
        np.random.RandomState(seed),
    )


# Formulas, written out slowly.


def slow_score(p, codes, doubt, i, c):
    """Log odds that label c of object i is right, whose own label is not counted."""
    n_classes = p.shape[1]
    counts = np.full((n_classes, n_classes), SPREAD / (n_classes - 1))
    for m in range(n_classes):
        counts[m, m] = 1.0 + sum(1 - doubt[j] for j in range(60) if codes[j] == m)
    for j in range(len(codes)):
        if p[j].argmax() != codes[j]:
            counts[p[j].argmax(), codes[j]] += doubt[j]
    totals = counts.sum(axis=1)
    k = p[i].argmax()
    if c == codes[i] and k != c:
        counts[k, c] -= doubt[i]
    weights = [(p[i, m] + LEAST) * counts[m, c] / totals[m] for m in range(n_classes)]
    return np.log(weights[c] / max(weights[:c] + weights[c + 1 :]))


def test_scores_are_the_odds_that_a_label_is_right_by_what_is_mistaken():
    p, true, rng = said()
    codes, _ = with_errors(true, 0.2, 3, rng)
    doubt = np.where(p.argmax(axis=1) == codes, 0.0, rng.uniform(size=60))
    expected = [
        [slow_score(p, codes, doubt, i, c) for c in range(3)] for i in range(60)
    ]
    np.testing.assert_allclose(label_scores(p, codes, doubt), expected, rtol=1e-12)


def test_plain_scores_are_odds_against_the_best_other_label():
    p, _, _ = said()
    plain = plain_scores(p)
    for i in range(len(p)):
        for c in range(3):
            others = np.delete(p[i], c).max()
            odds = np.log((p[i, c] + LEAST) / (others + LEAST))
            assert plain[i, c] == pytest.approx(odds)


def test_decoys_are_believed_objects_with_labels_that_are_doubted():
    p, true, rng = said(n=200)
    codes, _ = with_errors(true, 0.2, 3, rng)
    k = p.argmax(axis=1)
    doubt = np.where(k == codes, 0.0, rng.uniform(size=200))
    found = decoys(k, codes, doubt, 3)
    for i in range(200):
        shares = np.zeros(3)
        for c in range(3):
            if c != codes[i]:
                shares[c] = RARELY / 2 + doubt[(k == codes[i]) & (codes == c)].sum()
        np.testing.assert_allclose(found[i], (1 - doubt[i]) * shares / shares.sum())


def slow_tails(scores, codes, weights):
    """F at the score of each object, lowest first, and F1 at that of the next one."""
    n, n_classes = scores.shape
    own = sorted(scores[i, codes[i]] for i in range(n))
    F = [sum(other <= t for other in own) / n for t in own]
    below = [
        sum(
            weights[i, c]
            for i in range(n)
            for c in range(n_classes)
            if scores[i, c] <= t
        )
        for t in [*own[1:], np.inf]
    ]
    return np.array(F), np.array(below) / weights.sum()


def test_tails_are_the_shares_of_objects_and_decoys_that_score_as_low():
    p, true, rng = said()
    codes, _ = with_errors(true, 0.1, 3, rng)
    scores = plain_scores(p)
    weights = rng.uniform(size=(60, 3))
    tails = Tails.of(scores, codes)
    F, F1 = slow_tails(scores, codes, weights)
    np.testing.assert_allclose(tails.labels(np.ones(60)), F)
    np.testing.assert_allclose(tails.decoys(weights), F1)


def test_the_share_of_wrong_labels_is_the_least_ratio_with_its_deviation():
    rng = np.random.RandomState(0)
    F = np.sort(rng.uniform(size=50))
    F1 = np.minimum(1.0, np.sort(rng.uniform(0.3, 1.0, size=50)))
    expected = min(
        (400 * F[i] + 1 + (400 * F[i] + 0.75) ** 0.5) / (400 * F1[i])
        for i in range(50)
        if F1[i] >= DEEPEST
    )
    assert share_wrong(F, F1, 400) == pytest.approx(min(1.0, expected))


def test_no_decoy_that_scores_low_means_no_share_at_all():
    assert share_wrong(np.array([0.5, 1.0]), np.array([0.0, 0.1]), 100) == 0.0


def test_chances_fall_with_the_score_and_add_up_to_the_wrong_labels():
    rng = np.random.RandomState(0)
    order = rng.permutation(100)
    F1 = np.minimum(1.0, np.cumsum(rng.uniform(size=100)) / 10)
    wrong = chances(F1, 0.1, order)
    assert (np.diff(wrong[order]) <= 1e-12).all()
    assert wrong.sum() == pytest.approx(10.0)


# What is promised.


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
    p, true, rng = said(n=2000, n_classes=4, sure=2.5)
    codes = np.where((true == 0) & (rng.uniform(size=2000) < 0.3), 1, true)
    wrong = codes != true
    n = wrong.sum()
    by_odds = np.argsort(plain_scores(p)[np.arange(2000), codes])[:n]
    assert wrong[found_in(p, codes).ranking[:n]].mean() > wrong[by_odds].mean() + 0.05


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


def test_a_list_of_one_or_two_is_none():
    p, true, _ = said(500, sure=12.0)
    for flips in (1, 2):
        codes = true.copy()
        codes[:flips] = (codes[:flips] + 1) % 3
        found = found_in(p, codes)
        assert set(found.ranking[:flips]) == set(range(flips))
        assert found.n_flagged == 0
