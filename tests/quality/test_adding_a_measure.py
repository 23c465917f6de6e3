"""A new measure needs one record for reports, scenes and comparisons."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from labelscape.quality import MEASURES, Measure, report
from labelscape.scene._internal import scene_of

TOY = Measure(
    "toy",
    "Share of short distances",
    "pairs closer on the map than in the data",
    lambda map_: float(np.mean(map_.pairs.d < map_.pairs.delta)),
    best=0.0,
)


@pytest.fixture(autouse=True)
def added(monkeypatch):
    monkeypatch.setitem(MEASURES, TOY.name, TOY)


def test_a_new_measure_is_in_reports_and_scenes():
    X, y = load_iris(return_X_y=True)
    found = report(X, X[:, :2], y)
    assert 0.95 < found.toy < 1.0
    assert TOY.meaning in str(found)
    (row,) = [
        row
        for row in scene_of(X[:, :2], X, y).maps[0].quality.rows
        if row.name == "toy"
    ]
    assert (row.label, row.meaning) == (TOY.label, TOY.meaning)


def test_every_measure_is_named_once_and_says_what_it_means():
    for name, measure in MEASURES.items():
        assert name == measure.name
        assert measure.label
        assert measure.meaning
        assert measure.best in (0.0, 1.0)


def test_a_perfect_map_has_the_best_values():
    X, y = load_iris(return_X_y=True)
    found = report(X, X, y)
    for name, value in found.scores.items():
        if MEASURES[name].in_data is None:
            assert value == pytest.approx(MEASURES[name].best)
