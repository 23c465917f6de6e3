"""The map by cross-fitted probabilities: it tells no tales, and keeps no object."""

import copy

import numpy as np
import pytest
from sklearn.datasets import load_digits
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import labelscape
from labelscape._resampling.voters import Voters
from labelscape.embeddings import CrossFittedTSNE, FisherKernelTSNE
from labelscape.embeddings.tsne._focus import (
    SHARPNESSES,
    Trial,
    best_trial,
    tried_focuses,
)
from labelscape.embeddings.tsne._joint import (
    STRENGTH,
    joint_coordinates,
    neighbor_gap,
    sharpened,
    without_copies,
)
from labelscape.embeddings.tsne._pairs import (
    LEAST_SHARE,
    MOST_SHARE,
    PairPlaces,
    paired,
    placed_among,
)
from labelscape.embeddings.tsne._place_kernels import N_DECIDING, place_rows
from labelscape.geometry import FisherMetric
from labelscape.quality import knn_accuracy

DIGITS, LABELS = load_digits(return_X_y=True)
DIGITS = DIGITS / 16.0
SHORT = {"early_exaggeration_iter": 100, "max_iter": 150, "random_state": 0}


def cross_fitted(focus=1 / 3, **settings):
    metric = FisherMetric(estimator=settings.pop("estimator", "auto"))
    return CrossFittedTSNE(metric=metric, focus=focus, **{**SHORT, **settings})


@pytest.fixture(scope="module")
def digits():
    return cross_fitted().fit(DIGITS[:500], LABELS[:500])


def test_coordinates_join_features_and_roots():
    X, U = np.array([[2.0, 4.0]]), np.array([[0.6, 0.8]])
    half = joint_coordinates(X, U, 0.5, 2.0)
    np.testing.assert_allclose(half, [[1, 2, 0.6 * STRENGTH, 0.8 * STRENGTH]])
    np.testing.assert_allclose(joint_coordinates(X, U, 0.0, 2.0), [[1, 2, 0, 0]])
    assert not joint_coordinates(X, U, 1.0, 2.0)[0, :2].any()


def test_sharpened_roots_are_powers_of_probabilities_on_the_sphere():
    p = np.random.default_rng(0).dirichlet(np.ones(4), size=20)
    V = sharpened(np.sqrt(p), 8)
    powers = p**4
    wanted = powers / np.linalg.norm(powers, axis=1, keepdims=True)
    np.testing.assert_allclose(V, wanted, rtol=1e-12)
    np.testing.assert_array_equal(V.argmax(axis=1), p.argmax(axis=1))


def test_the_unit_is_the_usual_distance_to_the_tenth_neighbour():
    X = np.random.default_rng(0).normal(size=(60, 3))
    D = np.sort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)
    assert neighbor_gap(X) == pytest.approx(np.median(D[:, 10]))
    assert neighbor_gap(np.ones((5, 2))) == 1.0


def test_the_best_focus_that_stays_trustworthy_is_taken():
    trials = [Trial(0.0, 0.7, 0.97), Trial(0.3, 0.8, 0.96), Trial(0.6, 0.9, 0.94)]
    codes = np.arange(10) % 2
    U = np.eye(2)[np.where(np.arange(10) < 2, 1 - codes, codes)]  # right for 8 of 10
    assert best_trial(trials, U, codes).focus == 0.3
    assert best_trial(trials[:1], U, codes).focus == 0.0
    equal = [Trial(0.0, 0.8, 0.9), Trial(0.2, 0.8, 0.9)]
    assert best_trial(equal, U, codes).focus == 0.2


def test_trust_is_given_up_where_the_map_would_hide_what_models_know():
    trials = [Trial(0.0, 0.5, 0.80), Trial(0.3, 0.89, 0.72), Trial(0.6, 0.9, 0.60)]
    codes = np.arange(10) % 2
    known, unknown = np.eye(2)[codes], np.eye(2)[np.zeros(10, dtype=int)]
    assert best_trial(trials, known, codes).focus == 0.3
    assert best_trial(trials, unknown, codes).focus == 0.0  # models do not know, either


def between(found, A):
    """Return how far each pair is from the way between the two nearest objects."""
    gaps = np.linalg.norm(A[:, None] - found, axis=2)
    first, second = A[np.argsort(gaps, axis=0)[:2]]
    way = np.linalg.norm(first - second, axis=1)
    return np.sort(gaps, axis=0)[:2].sum(axis=0) - way


def test_pairs_stand_between_two_objects_of_a_class():
    rng = np.random.default_rng(0)
    likely = np.arange(90) % 3
    Z = rng.normal(size=(90, 2)) + 9 * likely[:, None]
    A = np.hstack([Z, rng.normal(size=(90, 2))])
    found = paired(A, Z, likely)
    assert len(found.centers) == 90
    np.testing.assert_allclose(found.centers[:, :2], found.places)
    of_pair = np.linalg.norm(A[:, None] - found.centers, axis=2).argmin(axis=0)
    for c in range(3):
        (rows,) = np.nonzero(likely[of_pair] == c)
        low, high = A[likely == c].min(axis=0), A[likely == c].max(axis=0)
        assert ((found.centers[rows] > low) & (found.centers[rows] < high)).all()
    # None is an object, and no two stand at the same part of the way.
    assert np.linalg.norm(A[:, None] - found.centers, axis=2).min() > 0.0


def test_a_pair_stands_on_the_way_at_a_share_that_only_the_objects_tell():
    A = np.array([[0.0, 0.1], [1.0, 0.1], [50.0, 3.3], [52.0, 3.4]])
    found = paired(A, A, np.zeros(4, dtype=int))
    np.testing.assert_allclose(between(found.centers, A), 0.0, atol=1e-12)
    shares = found.centers[:2, 0] - [0.0, 1.0]
    assert (np.abs(shares) >= LEAST_SHARE).all()
    assert (np.abs(shares) <= MOST_SHARE).all()
    moved = paired(A + 1e-9 * np.arange(8).reshape(4, 2), A, np.zeros(4, dtype=int))
    assert np.abs(moved.centers - found.centers).max() > 1e-3


def test_no_more_pairs_than_enough_are_kept(monkeypatch):
    monkeypatch.setattr("labelscape.embeddings.tsne._pairs.MOST_PAIRS", 20)
    A = np.random.default_rng(0).normal(size=(90, 3))
    assert len(paired(A, A[:, :2], np.zeros(90, dtype=int)).centers) == 20


def test_copies_are_one_object():
    rng = np.random.default_rng(4)
    A, Z = rng.normal(size=(30, 4)), rng.normal(size=(30, 2))
    found = paired(np.repeat(A, 3, axis=0), np.repeat(Z, 3, axis=0), np.repeat(0, 90))
    assert len(found.centers) == 30
    assert np.linalg.norm(A[:, None] - found.centers, axis=2).min() > 0.0


def test_copies_are_mapped_as_one_point():
    A = np.array([[2.0], [1.0], [2.0], [3.0], [0.0], [1.0 + 1e-12]])
    first, copy = without_copies(A, 4)
    np.testing.assert_allclose(A[first][copy], A, atol=1e-9)
    assert sorted(first) == [0, 1, 3, 4]
    for few in (A[:3], np.arange(9.0)[:, None]):  # too few points, or no copies
        first, copy = without_copies(few, 4)
        np.testing.assert_array_equal([first, copy], [np.arange(len(few))] * 2)


def test_rows_of_few_values_have_one_place_each_and_new_ones_the_same():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, size=(400, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] + rng.random(400) > 1.85).astype(int)
    shapes = []
    model = cross_fitted("auto", estimator=GaussianNB())
    model.set_params(callback=lambda news: shapes.append(news["embedding"].shape))
    model.fit(X, y)
    assert set(shapes) == {(400, 2)}
    U = np.sqrt(model.metric_.cross_fit_.probabilities_)
    _, point = np.unique(np.round(np.hstack([X, U]), 9), axis=0, return_inverse=True)
    for one in range(point.max() + 1):
        assert len(np.unique(model.embedding_[point == one], axis=0)) == 1
    assert model.perplexity_ <= (point.max() + 1) / 3
    # Among all rows of their cell, five neighbors vote as well as in the data.
    new = rng.integers(0, 2, size=(400, 4)).astype(float)
    y_new = (new[:, 0] + new[:, 1] > 1.5).astype(int)
    Z = model.transform(new + 1e-7)
    units = np.arange(400)
    votes = Voters(model.embedding_, y, units, 2, 5).judge(Z)
    in_data = Voters(X, y, units, 2, 5).judge(new)
    assert (votes == y_new).mean() >= (in_data == y_new).mean() - 0.01


def test_halves_of_trials_have_all_classes():
    codes = np.arange(60) % 4  # every other row lacks two classes
    X = np.c_[codes == 1, codes == 2, codes == 3] * 9.0
    X += np.random.default_rng(0).normal(size=X.shape)
    U = np.eye(4)[codes]
    trials = tried_focuses(X, U, codes, 1.0, 0, 1)
    assert min(trial.accuracy for trial in trials) > 0.9


def test_the_only_object_of_a_class_finds_a_partner_in_another():
    rng = np.random.default_rng(1)
    likely = np.array([0] * 20 + [1])
    A = rng.normal(size=(21, 3))
    found = paired(A, rng.normal(size=(21, 2)), likely)
    assert np.linalg.norm(A[20] - found.centers, axis=1).min() > 0.0


def slow_place(squares, places, width):
    near = np.argsort(squares, kind="stable")[:N_DECIDING]
    w = np.exp(1.0 - squares[near] / squares[near[0]])
    gaps = np.linalg.norm(places[near][:, None] - places[near], axis=2) / width
    best = (np.exp(-(gaps**2) / 2) @ w).argmax()
    w = w * np.exp(-2 * gaps[best] ** 2)
    return w @ places[near] / w.sum()


@pytest.mark.parametrize("size", [1.0, 1e-9, 1e18])  # the last is beyond float32
def test_new_objects_go_where_most_of_the_nearest_pairs_stand(size):
    rng = np.random.default_rng(2)
    centers, places = size * rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    A = size * rng.normal(size=(30, 3))
    pairs = PairPlaces(centers, places, np.ones(40), 0.7)
    squares = ((A[:, None] - centers) ** 2).sum(axis=2)
    slow = [slow_place(row, places, 0.7) for row in squares]
    np.testing.assert_allclose(placed_among(pairs, A), slow, rtol=1e-10)


def test_rough_distances_decide_nothing():
    rng = np.random.default_rng(5)
    centers, places = rng.normal(size=(60, 4)), rng.normal(size=(60, 2))
    A = rng.normal(size=(50, 4))
    squares = ((A[:, None] - centers) ** 2).sum(axis=2)
    slack = np.full(50, 0.2)
    rough = squares - 3.0 + rng.uniform(-0.2, 0.2, squares.shape)
    out = np.empty((50, 2))
    place_rows(rough.astype(np.float32), slack, A, centers, places, 0.7, out)
    slow = [slow_place(row, places, 0.7) for row in squares]
    np.testing.assert_allclose(out, slow, rtol=1e-10)


def test_a_new_object_at_the_point_of_a_pair_goes_to_its_place():
    centers, places = (
        np.array([[2.0], [0.0], [1.0]]),
        np.array([[0, 1.0], [5, 5], [9, 9]]),
    )
    pairs = PairPlaces(centers, places, np.ones(3), 1.0)
    assert placed_among(pairs, np.zeros((1, 1))).tolist() == [[5.0, 5.0]]


def test_new_samples_are_classified_as_well_as_fitted_ones_and_as_in_the_data():
    old, new = slice(0, 1000, 2), slice(1, 1000, 2)  # writers come one after another
    X, y = DIGITS[old], LABELS[old]
    model = cross_fitted().fit(X, y)
    votes = KNeighborsClassifier(5).fit(model.embedding_, y)
    unseen = votes.score(model.transform(DIGITS[new]), LABELS[new])
    in_data = KNeighborsClassifier(5).fit(X, y).score(DIGITS[new], LABELS[new])
    assert unseen > in_data - 0.005
    assert abs(knn_accuracy(model.embedding_, y, 5) - unseen) < 0.03


@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
@pytest.mark.parametrize("n_features", [2, 20])
def test_coin_flips_are_not_separated(n_features):
    rng = np.random.default_rng(n_features)
    X, y = rng.normal(size=(400, n_features)), rng.integers(0, 2, 400)
    model = cross_fitted(focus=0.8).fit(X[:200], y[:200])
    seen = knn_accuracy(model.embedding_, y[:200], 5)
    assert abs(seen - 0.5) < 0.11


def test_a_model_from_a_file_places_new_samples_to_the_same_bits(digits, tmp_path):
    labelscape.save(digits, tmp_path / "m")
    again = labelscape.load(tmp_path / "m")
    new = DIGITS[500:600]
    assert not hasattr(again, "training_X_")
    assert np.array_equal(again.transform(new), digits.transform(new))
    assert np.array_equal(again.support(new), digits.support(new))


def test_the_file_holds_no_row(digits, tmp_path):
    labelscape.save(digits, tmp_path / "m")
    arrays = labelscape.load(tmp_path / "m").pairs_.centers
    rows = DIGITS[:500] / digits._unit
    gaps = np.abs(arrays[:, None, :64] - rows).max(axis=2)
    assert gaps.min() > 1e-6


def test_one_and_two_threads_give_the_same_bits(monkeypatch):
    found = []
    for threads in (1, 2):
        monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
        model = cross_fitted(
            "auto", n_jobs=threads, max_iter=20, early_exaggeration_iter=20
        )
        Z = model.fit_transform(DIGITS[:70], LABELS[:70])
        found.append(np.vstack([Z, model.transform(DIGITS[200:240])]))
    assert np.array_equal(*found)


def test_auto_says_what_was_tried():
    model = cross_fitted("auto", estimator=GaussianNB())
    model.fit(DIGITS[:120] + 1e-3, LABELS[:120])
    assert model.focus_ in {trial.focus for trial in model.trials_}
    U = np.sqrt(model.metric_.cross_fit_.probabilities_)
    codes = np.searchsorted(model.metric_.classes_, LABELS[:120])
    best = best_trial(model.trials_, U, codes)
    assert (model.focus_, model.sharpness_) == (best.focus, best.sharpness)
    assert {trial.sharpness for trial in model.trials_} == set(SHARPNESSES)


def test_groups_of_rows_are_held_out_together():
    group = np.arange(120) // 2
    model = cross_fitted(estimator=GaussianNB(), max_iter=20)
    model.fit_transform(DIGITS[:120] + 1e-3, LABELS[:120], groups=group)
    fold = model.metric_.cross_fit_.fold_
    assert all(len(set(fold[group == g])) == 1 for g in range(60))


def test_places_of_far_objects_are_numbers_and_support_tells(digits):
    far = np.full((1, 64), 1e6)
    assert np.isfinite(digits.transform(far)).all()
    assert digits.support(far)[0] > 100 * digits.support(DIGITS[500:600]).max()


def test_fitted_objects_stay_where_they_are(digits):
    assert np.array_equal(digits.transform(DIGITS[:500]), digits.embedding_)


def test_placing_takes_pairs_alone():
    rng = np.random.default_rng(3)
    A, Z = rng.normal(size=(60, 4)), rng.normal(size=(60, 2))
    found = paired(A, Z, np.zeros(60, dtype=int))
    assert placed_among(found, A[:3]).shape == (3, 2)


def test_a_refit_moves_the_map_on_to_other_labels(digits):
    X, changed = DIGITS[:500], LABELS[:500].copy()
    changed[:10] = (changed[:10] + 1) % 10
    again = copy.copy(digits).refit(X, changed)
    moved = np.linalg.norm(again.embedding_ - digits.embedding_, axis=1)
    assert 0 < np.median(moved) < 0.2 * digits.embedding_.std()
    assert knn_accuracy(again.embedding_, changed) > 0.85
    assert again.n_iter_ == 30
    assert again.focus_ == digits.focus_
    np.testing.assert_array_equal(again.transform(X), again.embedding_)


def test_a_refit_places_the_objects_that_it_is_not_fitted_to():
    X, y = DIGITS[:400], LABELS[:400]
    model = cross_fitted(train_size=200, estimator=GaussianNB()).fit(X, y)
    drawn = model.train_indices_
    again = copy.copy(model).refit(X, y)
    np.testing.assert_array_equal(again.train_indices_, drawn)
    others = np.delete(np.arange(400), drawn)
    np.testing.assert_allclose(again.transform(X[others]), again.embedding_[others])


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (slice(100), "needs the 500 fitted samples"),
        (slice(None, None, -1), "fitted samples in the same order"),
    ],
)
def test_a_refit_takes_the_objects_of_the_fit(digits, rows, words):
    with pytest.raises(ValueError, match=words):
        copy.copy(digits).refit(DIGITS[:500][rows], LABELS[:500][rows])


def test_a_fisher_kernel_map_keeps_the_distances_of_a_cross_fitted_metric(tmp_path):
    metric, new = FisherMetric(estimator="auto", cross_fit=3), DIGITS[200:260]
    settings = {"metric": metric, "train_size": 90, **SHORT}
    found = FisherKernelTSNE(**settings).fit(DIGITS[:100], LABELS[:100])
    fitted = found.train_indices_
    nearest = np.argsort(found.metric_.pairwise(), axis=1)[:, 1:6]
    Z = found.embedding_[fitted]
    on_map = np.argsort(np.linalg.norm(Z[:, None] - Z, axis=2), axis=1)[:, 1:16]
    shared = [len({*a} & {*b}) for a, b in zip(nearest, on_map, strict=True)]
    assert np.mean(shared) > 4
    vote = KNeighborsClassifier(5).fit(Z, LABELS[fitted])
    assert vote.score(found.transform(new), LABELS[200:260]) > 0.7
    labelscape.save(found, tmp_path / "m", include_data=True)
    again = labelscape.load(tmp_path / "m")
    np.testing.assert_array_equal(again.transform(new), found.transform(new))


def test_a_metric_that_is_not_cross_fitted_is_refused():
    with pytest.raises(ValueError, match="a FisherMetric of unfitted"):
        CrossFittedTSNE(metric=FisherMetric()).fit(DIGITS[:60], LABELS[:60])


def test_an_object_without_distances_is_placed_the_same_whatever_came_before():
    rng = np.random.default_rng(0)
    centers, places = rng.normal(size=(9, 3)), rng.normal(size=(9, 2))
    objects, rough = rng.normal(size=(2, 3)), np.full((2, 9), np.nan)
    rough[0] = ((objects[0] - centers) ** 2).sum(axis=1)
    both, alone = np.zeros((2, 2)), np.zeros((1, 2))
    place_rows(rough[1:], np.zeros(1), objects[1:], centers, places, 1.0, alone)
    place_rows(rough, np.zeros(2), objects, centers, places, 1.0, both)
    np.testing.assert_array_equal(both[1:], alone)
    assert np.isfinite(alone).all()
