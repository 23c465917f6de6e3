import numpy as np
import pytest

from labelscape.quality.audit.doubts import doubts


def looked_at(wrong_of, sure=0.99, n=100, n_classes=3):
    """Return the doubts about labels, of which some look like the next class."""
    codes = np.repeat(np.arange(n_classes), n)
    likely, taken = codes.copy(), [n * c + i for c, i in wrong_of]
    likely[taken] = (codes[taken] + 1) % n_classes
    p = np.full((len(codes), n_classes), (1 - sure) / (n_classes - 1))
    p[np.arange(len(codes)), likely] = sure
    return doubts({"one": p, "two": p}, p, codes, np.ones(len(codes)))


def test_ten_percent_of_a_class_may_look_like_another_one():
    few = looked_at([(1, i) for i in range(3)])
    assert not few.are_too_many
    assert (few.given, few.likely, few.share_given) == (1, 2, 0.03)
    assert few.error == few.share == pytest.approx(0.01)
    one = np.eye(3)[np.repeat(np.arange(3), 100)]
    other = one.copy()
    for n_taken, are_too_many in ((10, False), (11, True)):
        other[:n_taken] = [0, 1, 0]  # a single model takes rows of 0 for 1
        codes, p = np.repeat(np.arange(3), 100), 0.9 * one + 0.1 * other
        found = doubts({"a": one, "b": other}, p, codes, np.ones(300))
        assert found.error == 0.0
        assert found.are_too_many == are_too_many


def test_many_pairs_with_few_rows_each_are_too_many_together():
    # Some more rows are doubtful, so that overlap could explain what is contradicted.
    codes = np.repeat(np.arange(10), 30)
    for n_taken, are_too_many in ((9, False), (10, True)):
        p = np.full((300, 10), 0.005)
        p[np.arange(300), codes] = 0.955
        doubtful = np.arange(0, 300, 10)
        own = np.where(np.arange(30) < n_taken, 0.4, 0.6)
        p[doubtful] = 0.0
        p[doubtful, codes[doubtful]] = own
        p[doubtful, (codes[doubtful] + 1) % 10] = 1.0 - own
        found = doubts({"one": p}, p, codes, np.ones(300))
        assert found.error == pytest.approx(n_taken / 300)
        assert found.are_too_many == are_too_many


def test_contradictions_without_doubtful_rows_are_not_overlap():
    assert not looked_at([(c, 0) for c in range(3)]).are_too_many
    assert looked_at([(c, i) for c in range(3) for i in range(2)]).are_too_many


def test_rows_that_are_not_judged_do_not_count():
    p, codes = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 0])
    assert doubts({"one": p}, p, codes, np.zeros(2)) is None
    assert doubts({"one": p}, p, codes, np.array([1.0, 0.0])).share == 0.0
