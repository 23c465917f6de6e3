"""A saved map: new rows are placed, and compared with the fitted rows."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import labelscape
from labelscape.datasets import load
from labelscape.embeddings import LFDA
from labelscape.jobs import kept_map, map_table, place_rows
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality.drift import TableMap, in_sets


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch):
    monkeypatch.setattr("labelscape.quality.drift.DRAWS", 399)


class Still:
    """A map that leaves rows where they are."""

    def transform(self, X):
        return X[:, :2]


def clouds(kind, shape, rng):
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "heavy tails":
        return rng.standard_t(3, size=shape)
    return rng.uniform(size=shape)


@pytest.mark.parametrize("kind", ["normal", "heavy tails", "uniform"])
def test_rows_of_the_same_source_are_rarely_called_unlike(kind):
    rng = np.random.default_rng(3)
    found = []
    for seed in range(40):
        kept = TableMap(Still(), random_state=seed).fit(clouds(kind, (200, 5), rng))
        found.append(kept.place(clouds(kind, (50, 5), rng)).unlike.mean())
    assert np.mean(found) < 0.05 + 3 * np.std(found) / np.sqrt(40)
    assert np.mean(found) > 0.02  # and the rule is not idle


def test_rows_far_away_are_unlike_anything_seen():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(100, 4)), rng.normal(10, 1, size=(100, 4))])
    kept = TableMap(Still(), random_state=0).fit(X)
    assert kept.place(np.full((5, 4), 5.0)).unlike.all()  # between both groups
    assert not kept.place(np.full((5, 4), 10.0)).unlike.any()


def drift_rate(make, n=30, rows=120):
    found = []
    for seed in range(n):
        rng = np.random.default_rng(seed)
        X, X_new, groups = make(rng, rows)
        kept = TableMap(Still(), random_state=seed).fit(X, groups=groups)
        found.append(kept.place(X_new, groups).has_drifted)
    return np.mean(found)


def test_the_same_source_rarely_drifts():
    def same(rng, n):
        return rng.normal(size=(n, 6)), rng.normal(size=(n, 6)), None

    assert drift_rate(same, n=60) <= 0.1


def test_one_feature_of_ten_that_moved_is_found_and_named():
    def moved(rng, n):
        X_new = rng.normal(size=(n, 10))
        X_new[:, 7] += 1.0
        return rng.normal(size=(n, 10)), X_new, None

    assert drift_rate(moved) >= 0.9
    X, X_new, _ = moved(np.random.default_rng(0), 200)
    found = TableMap(Still(), random_state=0).fit(X).place(X_new)
    assert found.moved[0].feature == "x7"
    assert found.moved[0].distance == pytest.approx(1.0, abs=0.3)
    assert "x7 (typical value" in str(found)


def test_rows_of_one_patient_are_one_witness():
    # Eight rows of each of fifteen patients, who differ much more than their rows.
    def patients(rng, n):
        groups = np.repeat(np.arange(n // 8), 8)
        both = [
            rng.normal(size=(n // 8, 4))[groups] + 0.1 * rng.normal(size=(n, 4))
            for _ in range(2)
        ]
        return *both, groups

    def rows_alone(rng, n):
        return *patients(rng, n)[:2], np.arange(n)

    assert drift_rate(patients) <= 0.1
    assert drift_rate(rows_alone) >= 0.5  # what independence would claim


def test_a_kept_map_places_and_predicts_as_its_parts_do(tmp_path):
    rng = np.random.default_rng(1)
    y = np.repeat(["ash", "elm", "oak"], 40)
    X = rng.normal(size=(120, 5)) + np.repeat(np.eye(3, 5) * 4, 40, axis=0)
    scaler = StandardScaler().fit(X)
    model = make_pipeline(scaler, LiRaMLVQ(random_state=0).fit(scaler.transform(X), y))
    kept = TableMap(model, model, random_state=0).fit(X)
    labelscape.save(kept, tmp_path / "kept.labelscape")
    again = labelscape.load(tmp_path / "kept.labelscape")
    new = rng.normal(size=(7, 5))
    for found in (kept.place(new), again.place(new)):
        np.testing.assert_array_equal(found.positions, model.transform(new))
        np.testing.assert_array_equal(found.predictions, model.predict(new))
    np.testing.assert_array_equal(kept.place(new).p_unlike, again.place(new).p_unlike)
    assert kept.place(new).drift_p == again.place(new).drift_p


@pytest.mark.parametrize("n", [8, 60, 300])
def test_nothing_that_is_kept_is_a_row(n):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(n, 3))
    kept = TableMap(Still(), random_state=0).fit(X)
    held = {
        value
        for name, array in vars(kept).items()
        if isinstance(array, np.ndarray)
        for value in array.ravel().tolist()
    }
    centers = kept.centers_ * kept.spreads_ + kept.means_
    assert not held & set(X.ravel().tolist())
    assert np.abs(centers[:, None] - X).max(axis=2).min() > 1e-6


def test_too_few_rows_say_so():
    rng = np.random.default_rng(0)
    kept = TableMap(Still(), random_state=0).fit(rng.normal(size=(10, 2)))
    found = kept.place(np.full((3, 2), 99.0))
    assert not found.unlike.any()
    assert "There are too few training rows (5 held out)" in str(found)
    with pytest.raises(ValueError, match="at least 4 independent rows"):
        kept.fit(np.zeros((9, 2)))


def test_constant_and_equal_columns_are_no_obstacle():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=60), np.full(60, 3.0), np.arange(60) % 2])
    kept = TableMap(Still(), random_state=0).fit(X)
    same = kept.place(X[:20])
    assert np.isfinite(same.p_unlike).all()
    X[:, 1] = 4.0
    assert kept.place(X[:20]).moved[0] == ("x1", 3.0, 4.0, np.inf, None)


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ({"projection": None}, "projection must be a fitted estimator with transform"),
        ({"classifier": 3}, "classifier must be a fitted estimator with predict"),
        ({"rate": 0}, "rate must be a number"),
    ],
)
def test_what_can_not_place_rows_is_refused(parts, words):
    kept = TableMap(**{"projection": Still()} | parts)
    with pytest.raises(ValueError, match=words):
        kept.fit(np.random.default_rng(0).normal(size=(20, 2)))


def test_rows_with_another_number_of_features_are_refused():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.repeat([0, 1], 20)
    X[:, 0] += 3 * y
    kept = TableMap(LFDA().fit(X, y), random_state=0).fit(X)
    with pytest.raises(ValueError, match="X has 2 features, but TableMap is expect"):
        kept.place(X[:, :2])


def test_prediction_sets_follow_their_definition():
    rng = np.random.default_rng(0)
    calibration = np.column_stack([np.arange(80) % 2, rng.random((80, 2))])
    P, far = rng.random((30, 2)).round(2), rng.random(30).round(2)
    sets = in_sets(calibration, P, far)
    for i in range(30):
        for c in range(2):
            own = [row for row in calibration if row[0] == c]

            def oddness(p, away, own=own):
                as_unlikely = sum(row[1] <= p for row in own)
                return min(as_unlikely, sum(row[2] >= away for row in own))

            new = oddness(P[i, c], far[i])
            as_odd = sum(oddness(p, away) <= new for _, p, away in own)
            assert sets[i, c] == ((1 + as_odd) / (1 + len(own)) > 0.1)


@pytest.mark.parametrize("n", [50, 120, 1000])
def test_prediction_sets_hold_the_class_of_nine_rows_in_ten(n):
    covered = []
    for seed in range(200):
        z = np.random.default_rng(seed).normal(size=(n + 200, 2))
        p, far = 1 / (1 + np.exp(-2 - 2 * z[:, 0])), np.abs(0.3 * z[:, 0] + z[:, 1])
        calibration = np.column_stack([np.zeros(n), p[:n], far[:n]])
        P = np.column_stack([p, 1 - p])[n:]
        covered.append(in_sets(calibration, P, far[n:])[:, 0].mean())
    assert 0.88 <= np.mean(covered) <= 0.92


@pytest.mark.parametrize("method", ["lfda", "liram"])
def test_new_rows_have_prediction_sets_and_far_ones_are_none_of_these(method, tmp_path):
    wine = load("wine")
    kept = kept_map(map_table(wine, method, judge=False))
    labelscape.save(kept, tmp_path / "kept.labelscape")
    again = labelscape.load(tmp_path / "kept.labelscape")
    placed, same = kept.place(wine.X), again.place(wine.X)
    assert np.array_equal(placed.in_set, same.in_set)
    own = np.searchsorted(placed.classes, wine.y)
    assert placed.in_set[np.arange(len(own)), own].mean() > 0.85
    far = place_rows(kept, wine.take(np.arange(9)))
    assert "sets (with the true class for 90% of each class)" in str(far.placement)
    away = kept.place(wine.X + 20 * wine.X.std(axis=0))
    assert not away.in_set.any()
    rows = place_rows(kept, replace(wine, X=wine.X + 20 * wine.X.std(axis=0)))
    assert {row["set"] for row in rows.record()["rows"]} == {"none of these"}


def test_without_held_out_probabilities_there_are_no_sets():
    X, y = np.random.default_rng(0).normal(size=(40, 3)), np.repeat([0, 1], 20)
    X[:, 0] += 3 * y
    kept = TableMap(LFDA().fit(X, y), random_state=0).fit(X, y)
    assert kept.place(X).in_set is None
