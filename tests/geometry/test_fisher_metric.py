import itertools
import os
import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.geometry.cases import clouds, plain
from tests.geometry.reference import fisher_matrix, posterior, sphere_length

import labelscape
from labelscape.embeddings import Sammon
from labelscape.geometry import FisherMetric
from labelscape.geometry.fisher_metric import digest
from labelscape.quality import trustworthiness


@parametrize_with_checks([FisherMetric()])
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)


@pytest.mark.parametrize("method", ["straight", "endpoint", "graph"])
@pytest.mark.parametrize("regularization", [0.0, 0.01])
def test_distances_are_symmetric_with_a_zero_diagonal(method, regularization):
    X, y = clouds(50)
    metric = FisherMetric(
        method=method, regularization=regularization, random_state=0
    ).fit(X, y)
    D = metric.pairwise(X)
    assert (D == D.T).all()
    assert (np.diag(D) == 0.0).all()
    assert (D >= 0.0).all()
    np.testing.assert_allclose(metric.pairwise(X, X[:7]).shape, (50, 7))


def test_lengths_grow_with_the_number_of_steps():
    X, y = clouds(40)
    D = [plain(bandwidth=0.6, n_steps=T).fit(X, y).pairwise(X) for T in (1, 2, 4, 8)]
    for coarse, fine in itertools.pairwise(D):
        assert (fine >= coarse - 1e-12).all()


def test_one_step_is_the_endpoint_distance():
    X, y = clouds(40)
    one = plain(n_steps=1).fit(X, y).pairwise(X)
    np.testing.assert_allclose(
        one, plain(method="endpoint").fit(X, y).pairwise(X), atol=1e-13
    )


def test_two_classes_on_a_line_have_the_closed_form():
    # p is monotone between the two Parzen points, so the length is the angle.
    X, y = np.array([[0.0], [1.0]]), [0, 1]
    probes = np.array([[0.1], [0.4], [0.9]])
    p = 1.0 / (1.0 + np.exp((2 * probes - 1.0) / (2 * 0.5**2)))
    q = p.T
    wanted = 2.0 * np.arccos(np.sqrt(p * q) + np.sqrt((1 - p) * (1 - q)) - 1e-17)
    for method in ("endpoint", "straight"):
        D = plain(bandwidth=0.5, method=method).fit(X, y).pairwise(probes)
        np.testing.assert_allclose(D, wanted, atol=1e-7)


def test_moving_turning_and_scaling_the_data_changes_nothing():
    X, y = clouds(40)
    options = {"random_state": 0, "parzen_points": "all"}
    D = FisherMetric(**options).fit(X, y).pairwise()
    turn, _ = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))
    for moved in (X + 100.0, X @ turn, 1000.0 * X):
        again = FisherMetric(**options).fit(moved, y).pairwise()
        np.testing.assert_allclose(again, D, rtol=1e-8, atol=1e-9)
    scaled = plain(bandwidth=3.0).fit(3.0 * X, y).pairwise()
    np.testing.assert_allclose(scaled, plain().fit(X, y).pairwise(), atol=1e-11)


def test_other_members_of_its_class_stand_in_for_a_left_out_centre():
    X, y = clouds(12)
    metric = plain(exclude_self=True, n_steps=1).fit(X, y)
    w = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 2.0)
    for i in range(12):
        others = (y == y[i]) & (np.arange(12) != i)
        w[i, i] = w[i, others].mean()
    p = np.stack([w[:, y == c].sum(axis=1) for c in range(3)], axis=1)
    p /= p.sum(axis=1, keepdims=True)
    D = metric.pairwise(X)
    assert D[0, 5] == pytest.approx(sphere_length(p[[0, 5]]), rel=1e-11)
    # A new point is seen as it is, a fitted one still without its own centre.
    new = X[:1] + 0.3
    mixed = np.stack([posterior(new[0], X, y, 1.0), p[5]])
    assert metric.pairwise(new, X)[0, 5] == pytest.approx(sphere_length(mixed))
    np.testing.assert_allclose(
        metric.predict_proba(X)[3], posterior(X[3], X, y, 1.0), rtol=1e-12
    )


def test_a_point_leaves_itself_out_of_its_cluster():
    X, y = clouds(24)
    options = {"parzen_points": 9, "parzen_selection": "kmeans", "exclude_self": True}
    metric = plain(n_steps=1, **options).fit(X, y)
    own, Q = metric._own, metric.parzen_points_
    labels = np.repeat(np.arange(3), np.diff(metric._parzen.starts))
    counts = np.bincount(own).astype(float)

    def weights(i):
        # The estimate without object i, and the mean of its class in its place.
        points, left = Q.copy(), counts.copy()
        rest = (own == own[i]) & (np.arange(24) != i)
        left[own[i]] -= 1.0
        points[own[i]] = X[rest].mean(axis=0) if rest.any() else 0.0
        w = left * np.exp(-((X[i] - points) ** 2).sum(axis=1) / 2.0)
        w[own[i]] += w[labels == y[i]].sum() / (np.sum(y == y[i]) - 1)
        return np.bincount(labels, w) / w.sum()

    wanted = sphere_length(np.stack([weights(2), weights(7)]))
    assert metric.pairwise()[2, 7] == pytest.approx(wanted, rel=1e-10)


def test_a_point_that_coincides_with_a_centre_keeps_it():
    X, y = clouds(20)
    doubled = np.concatenate([X, X[:1]])
    metric = plain(exclude_self=True).fit(doubled, [*y, y[0]])
    own = metric._at(None).fitted.rows.a
    centers = metric.parzen_indices_
    assert own[0, centers == 20] == 0.0
    assert own[0, centers == 0] < 0.0


def test_the_only_member_of_a_class_weighs_least_at_its_own_place():
    X, y = clouds(20)
    y[3] = 7
    metric = plain(exclude_self=True).fit(X, y)
    a = metric._at(None).fitted.rows.a
    assert a[3, metric.parzen_indices_ == 3] == a[3].min()


def test_an_outlier_does_not_bury_left_out_centres():
    X, y = clouds(20)
    X[5] += 1000.0
    y[3] = 7
    metric = plain(exclude_self=True).fit(X, y)
    rows = np.arange(20)[metric.parzen_indices_]
    own = metric._at(None).fitted.rows.a[rows, np.arange(20)]
    np.testing.assert_allclose(own[rows == 3], -500.0)
    assert own.min() >= -500.0


def test_a_class_with_one_object_has_distances():
    X, y = clouds(21)
    y[0] = 7
    metric = FisherMetric(random_state=0).fit(X, y)
    assert metric.classes_.tolist() == [0, 1, 2, 7]
    D = metric.pairwise()
    assert np.isfinite(D).all()
    assert D[0, 1:].min() > 0.0


def test_three_objects_are_enough():
    metric = FisherMetric(random_state=0).fit([[0.0], [1.0], [3.0]], [0, 0, 1])
    D = metric.pairwise()
    assert np.isfinite(D).all()
    assert (D[~np.eye(3, dtype=bool)] > 0.0).all()


def test_duplicates_of_unseen_points_are_at_distance_zero():
    X, y = clouds(30)
    for options in ({}, {"regularization": 0.5}, {"method": "endpoint"}):
        metric = FisherMetric(random_state=0, **options).fit(X, y)
        D = metric.pairwise(np.repeat(X[:4] + 0.01, 2, axis=0))
        np.testing.assert_allclose(D[::2, 1::2].diagonal(), 0.0, atol=1e-12)


def test_constant_features_do_not_matter():
    X, y = clouds(30)
    more = np.column_stack([X, np.full(30, 5.0)])
    metric = FisherMetric(random_state=0).fit(more, y)
    expected = FisherMetric(random_state=0).fit(X, y).pairwise()
    np.testing.assert_allclose(metric.pairwise(), expected, atol=1e-12)
    assert (metric.relevances(more)[:, 3] == 0.0).all()


def test_regularisation_mixes_in_the_plain_distance():
    X, y = clouds(40)
    bare = plain().fit(X, y).pairwise()
    metric = plain(regularization=0.5).fit(X, y)
    squared = ((X[:, None] - X) ** 2).sum(axis=2)
    wanted = np.sqrt(bare**2 + metric.epsilon_ * squared)
    np.testing.assert_allclose(metric.pairwise(), wanted, atol=1e-12)
    upper = np.triu_indices(40, 1)
    ratio = np.median(bare[upper] ** 2) / np.median(squared[upper])
    assert metric.epsilon_ == pytest.approx(0.5 * ratio, rel=0.2)


def test_relevances_are_shares_of_the_diagonal_of_J():
    X, y = clouds(40)
    X[:, 2] = np.random.default_rng(1).normal(size=40) * 1e-3
    metric = plain().fit(X, y)
    relevances = metric.relevances(X)
    np.testing.assert_allclose(relevances.sum(axis=1), 1.0)
    assert relevances[:, 2].max() < 1e-4
    diagonal = np.diag(fisher_matrix(X[3], X, y, 1.0))
    np.testing.assert_allclose(relevances[3], diagonal / diagonal.sum(), rtol=1e-9)
    far = plain(bandwidth=0.01).fit(X, y).relevances(X[:1])
    assert np.isfinite(far).all()


def test_steps_are_added_until_they_matter_no_more():
    X, y = clouds(40)
    smooth = plain(n_steps="auto", bandwidth=5.0).fit(X, y)
    sharp = plain(n_steps="auto", bandwidth=0.2).fit(X, y)
    assert smooth.n_steps_ == 10
    assert sharp.n_steps_ == 40


def test_saturation_is_told_in_words():
    rng = np.random.default_rng(0)
    X = np.repeat([[0.0, 0.0], [100.0, 0.0]], 30, axis=0) + rng.normal(size=(60, 2))
    y = np.repeat([0, 1], 30)
    with pytest.warns(UserWarning, match="saturated: 60 of 60 samples"):
        plain(parzen_points=10).fit(X, y).pairwise()
    D = plain(regularization=0.01).fit(X, y).pairwise()
    assert D[~np.eye(60, dtype=bool)].min() > 0.0


def test_the_metric_serves_maps_and_measures():
    X, y = clouds(40)
    metric = FisherMetric(random_state=0)
    Z = Sammon(metric=metric, max_iter=20, random_state=0).fit_transform(X, y)
    assert Z.shape == (40, 2)
    assert not hasattr(metric, "classes_")
    assert 0.5 < trustworthiness(X, Z, 5, metric=metric.fit(X, y)) <= 1.0


def test_frames_and_string_labels_are_welcome():
    X, y = clouds(30)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    metric = FisherMetric(random_state=0).fit(frame, np.array(["x", "y", "z"])[y])
    assert metric.classes_.tolist() == ["x", "y", "z"]
    assert metric.feature_names_in_.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(metric.pairwise(frame), metric.pairwise())


def test_a_pickled_metric_measures_the_same():
    X, y = clouds(30)
    metric = FisherMetric(random_state=0).fit(X, y)
    again = pickle.loads(pickle.dumps(metric))
    np.testing.assert_array_equal(again.pairwise(), metric.pairwise())
    np.testing.assert_array_equal(clone(metric).fit(X, y).pairwise(), metric.pairwise())


@pytest.mark.parametrize("selection", ["random", "kmeans"])
def test_a_metric_from_a_file_without_the_objects_knows_their_table(
    selection, tmp_path
):
    X, y = clouds(30)
    options = {"parzen_points": 12, "parzen_selection": selection}
    metric = FisherMetric(random_state=0, **options).fit(X, y)
    labelscape.save(metric, tmp_path / "a.model")
    again = labelscape.load(tmp_path / "a.model")
    assert not hasattr(again, "_X")
    np.testing.assert_array_equal(again.pairwise(X), metric.pairwise(X))
    np.testing.assert_array_equal(again.pairwise(X, X[:5]), metric.pairwise(X, X[:5]))
    # As new objects, other tables are measured in the same way by both.
    turned = X[::-1]
    np.testing.assert_array_equal(again.pairwise(turned), metric.pairwise(turned))
    with pytest.raises(ValueError, match="saved without them"):
        again.kneighbors(X)


def test_tables_are_known_again_by_their_values():
    X, _ = clouds(30)
    X[0, 0] = 0.0
    other = X.copy()
    other[0, 0] = -0.0
    single = X.astype(np.float32)
    assert digest(X) == digest(other)
    assert digest(single) == digest(single.astype(np.float64))
    assert len({digest(T) for T in (X, X[::-1], X[1:], X.reshape(45, 2))}) == 4


SCRIPT = """
import hashlib
import numpy as np
from tests.geometry.cases import clouds
from labelscape._core.threads import n_threads
from labelscape.geometry import FisherMetric

X, y = clouds(300, 5, 4)
for options in ({"parzen_points": 12}, {"parzen_points": 100}, {"rule": "left"},
                {"bandwidth": 0.05}, {"method": "endpoint"}):
    options = {"parzen_points": 40, "n_steps": 4} | options
    metric = FisherMetric(random_state=0, **options).fit(X, y)
    parts = (metric.pairwise(), metric.pairwise(X[:200] + 1, X), metric.tensor(X),
             *metric.kneighbors(n_neighbors=7))
    for part in parts:
        print(hashlib.sha256(np.ascontiguousarray(part).tobytes()).hexdigest())
print("threads", n_threads())
"""


def printed(threads):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_one_and_two_threads_give_the_same_bits():
    one, two = printed(1), printed(2)
    if two[-1] != "threads 2":
        pytest.skip("this machine has one core")
    assert one[-1] == "threads 1"
    assert one[:-1] == two[:-1]


def test_an_editor_can_complete_the_names_of_a_fitted_metric():
    assert "pairwise" in dir(FisherMetric().fit(*clouds()))
