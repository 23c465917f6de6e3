import numpy as np
import pytest

from labelscape._core.estimator import Progress
from labelscape.prototypes.grow._growing import (
    GrownModel,
    Growth,
    VectorMeans,
    candidates,
    divided,
    grow,
)


def model(group, owner, confidences):
    group = np.asarray(group)
    return GrownModel(
        group, np.asarray(owner), np.ones(len(group)), None, np.asarray(confidences)
    )


def growth(**changes):
    usual = {
        "tol": 0.02,
        "max_prototypes": None,
        "patience": 0,
        "one_by_one": False,
        "exact_limit": 100,
    }
    return Growth(**(usual | changes))


class Script:
    """Pretends to train: the qualities of the models are given."""

    def __init__(self, *qualities):
        self.qualities = list(qualities)
        self.counts = []

    def __call__(self, group, owner):
        self.counts.append(len(owner))
        quality = self.qualities.pop(0)
        # The last group is always the most doubtful one.
        doubt = np.where(group == group.max(), 1e-3, 0.0)
        return model(group, owner, quality - doubt + doubt.mean())


@pytest.fixture
def line():
    return VectorMeans(np.arange(64.0)[:, None]), np.repeat([0, 1], 32)


def run(script, line, **changes):
    return grow(script, *line, growth(**changes), Progress("test", None))


def test_candidates_are_the_groups_of_more_than_average_doubt_worst_first():
    X = VectorMeans(np.arange(6.0)[:, None])
    doubtful = model([0, 0, 1, 1, 2, 2], [0, 1, 1], [0.9, 0.9, 0.6, 0.6, 0.2, 0.2])
    assert candidates(X, doubtful) == [2]
    doubtful = doubtful._replace(confidences=np.repeat([0.95, 0.5, 0.4], 2))
    assert candidates(X, doubtful) == [2, 1]


def test_equal_groups_and_single_or_equal_objects_are_no_candidates():
    X = VectorMeans(np.array([0.0, 1.0, 2.0, 2.0, 3.0])[:, None])
    even = model([0, 0, 1, 1, 1], [0, 1], np.full(5, 0.75))
    assert candidates(X, even) == []
    uneven = model([0, 0, 1, 1, 2], [0, 1, 1], [0.9, 0.9, 0.3, 0.3, 0.2])
    assert candidates(X, uneven) == []


def test_all_groups_are_candidates_when_every_confidence_is_one_half():
    X = VectorMeans(np.arange(4.0)[:, None])
    undecided = model([0, 0, 1, 1], [0, 1], 0.5 + 1e-4 * np.array([1, -1, 1, -1]))
    assert candidates(X, undecided) == [0, 1]


def test_halves_stay_sorted_by_class():
    X = VectorMeans(np.array([0.0, 9, 1, 8, 4, 5])[:, None])
    before = model([0, 0, 0, 0, 1, 1], [0, 1], np.full(6, 0.5))
    group, owner = divided(X, before, [0], exact_limit=10)
    assert group.tolist() == [0, 1, 0, 1, 2, 2]
    assert owner.tolist() == [0, 0, 1]


def test_growing_stops_at_the_first_gain_that_does_not_pay(line):
    script = Script(0.6, 0.7, 0.71)
    best, history = run(script, line)
    assert best.quality == pytest.approx(0.7)
    assert [accepted for _, _, accepted in history] == [True, True, False]
    assert script.counts == [2, 3, 4]


def test_patience_goes_on_but_returns_an_accepted_model(line):
    best, history = run(Script(0.6, 0.61, 0.7, 0.65, 0.66), line, patience=1)
    assert best.quality == pytest.approx(0.7)
    assert [accepted for _, _, accepted in history] == [True, False, True, False, False]


def test_a_round_that_regains_what_was_lost_is_no_reason_to_stop(line):
    best, history = run(Script(0.6, 0.5, 0.55, 0.7, 0.7, 0.7), line, patience=1)
    assert best.quality == pytest.approx(0.7)
    assert len(history) == 6


def test_growing_stops_when_nothing_is_left_to_gain(line):
    assert run(Script(1.0), line)[0].quality == pytest.approx(1.0)


def test_the_largest_number_of_prototypes_is_kept(line):
    script = Script(0.55, 0.6, 0.7)
    best, _ = run(script, line, max_prototypes=4)
    assert len(best.owner) == 4


def test_only_the_worst_groups_that_fit_are_split():
    X, y = VectorMeans(np.arange(16.0)[:, None]), np.repeat([0, 1, 2, 3], 4)
    seen = []

    def train(group, owner):
        seen.append(owner.tolist())
        quality = np.repeat([0.9, 0.2, 0.3, 0.9], 4) + 0.03 * len(seen)
        return model(group, owner, quality)

    grow(train, X, y, growth(max_prototypes=5), Progress("test", None))
    assert seen == [[0, 1, 2, 3], [0, 1, 1, 2, 3]]


def test_splits_are_tried_one_by_one_until_one_pays():
    X, y = VectorMeans(np.arange(16.0)[:, None]), np.repeat([0, 1, 2, 3], 4)
    seen = []

    def train(group, owner):
        seen.append(owner.tolist())
        gain = 0.1 if owner.tolist() == [0, 1, 2, 2, 3] else 0.0
        return model(group, owner, np.repeat([0.8, 0.2, 0.3, 0.8], 4) + gain)

    best, history = grow(train, X, y, growth(one_by_one=True), Progress("test", None))
    assert seen[:3] == [[0, 1, 2, 3], [0, 1, 1, 2, 3], [0, 1, 2, 2, 3]]
    assert best.owner.tolist() == [0, 1, 2, 2, 3]
    assert [accepted for _, _, accepted in history] == [True, True, False]


def test_a_callback_stops_the_growth(line):
    script = Script(0.55, 0.6, 0.7)
    progress = Progress("test", None, callback=lambda news: news["n_prototypes"] == 3)
    best, _ = grow(script, *line, growth(), progress)
    assert len(best.owner) == 3
