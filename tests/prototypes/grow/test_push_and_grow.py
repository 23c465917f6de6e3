import os
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold, cross_val_predict, cross_val_score

from labelscape.datasets import (
    make_checkerboard,
    make_gaussians,
    make_modes,
    read_table,
)
from labelscape.prototypes.grow.kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes.grow.push_and_grow import PushAndGrow

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("LABELSCAPE_DATA", REPOSITORY.parent / "shared" / "data"))


@pytest.fixture
def overlap():
    return make_gaussians(n=300, random_state=0)


def square():
    """Exact XOR: both classes have their mean in the middle."""
    corners = np.array([[0.0, 0], [1, 1], [0, 1], [1, 0]])
    offsets = np.array([[0.1, 0.1], [0.1, -0.1], [-0.1, 0.1], [-0.1, -0.1]])
    X = (corners[:, None] + offsets).reshape(-1, 2)
    return X, np.repeat([0, 0, 1, 1], 4)


def test_exact_xor_is_solved_with_four_prototypes():
    X, y = square()
    model = PushAndGrow().fit(X, y)
    assert model.prototype_labels_.tolist() == [0, 0, 1, 1]
    assert model.score(X, y) == 1.0


def test_coinciding_centroids_are_noticed_in_spite_of_rounding():
    X, y = square()
    angle = 0.3
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    model = PushAndGrow().fit(X @ turn + 0.1, y)
    assert len(model.prototypes_) == 4
    assert model.score(X @ turn + 0.1, y) == 1.0


def test_one_object_per_class_is_a_prototype_each():
    X = np.array([[0.0, 0], [1, 0], [0, 1]])
    model = PushAndGrow().fit(X, ["a", "b", "c"])
    assert (model.prototypes_ == X).all()
    assert model.n_iter_ == 1
    assert model.medoids_.tolist() == [0, 1, 2]


def test_classes_that_cannot_be_told_apart_stay_undecided():
    X = np.zeros((6, 2))
    model = PushAndGrow().fit(X, [0, 1, 0, 1, 0, 1])
    assert len(model.prototypes_) == 2
    assert model.quality_ == 0.5
    assert (model.predict(X) == 0).all()  # a tie: the lowest index


def test_two_classes_with_one_centroid_are_told_apart():
    ring = np.array(
        [[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 13)[:-1]]
    )
    X, y = np.r_[0.1 * ring, 5 * ring], np.repeat([0, 1], 12)
    model = PushAndGrow(tol=1e-3).fit(X, y)
    assert model.score(X, y) == 1.0
    assert np.isfinite(model.prototypes_).all()


def test_many_classes_need_one_prototype_each():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(39), 10)
    X = 5 * rng.normal(size=(39, 6))[y] + 0.3 * rng.normal(size=(390, 6))
    model = PushAndGrow().fit(X, y)
    assert len(model.prototypes_) == 39
    assert model.score(X, y) == 1.0


def test_duplicates_weigh_like_objects():
    X, y = make_gaussians(n=60, random_state=0)
    once = PushAndGrow().fit(X, y)
    twice = PushAndGrow().fit(np.r_[X, X], np.r_[y, y])
    np.testing.assert_allclose(once.prototypes_, twice.prototypes_, rtol=1e-9)


@pytest.mark.parametrize("factor", [1000.0, 1e-6])
def test_the_scale_of_the_features_changes_nothing(overlap, factor):
    X, y = overlap
    model, scaled = PushAndGrow(tol=1e-3), PushAndGrow(tol=1e-3)
    model.fit(X, y), scaled.fit(factor * X, y)
    np.testing.assert_allclose(scaled.prototypes_, factor * model.prototypes_)
    assert (scaled.predict(factor * X) == model.predict(X)).all()
    assert scaled.quality_ == pytest.approx(model.quality_)


def test_an_absolute_alpha_is_taken_as_it_is(overlap):
    X, y = overlap
    relative = PushAndGrow().fit(X, y)
    assert relative.alpha_ != 2.0
    absolute = PushAndGrow(alpha=relative.alpha_, alpha_scale="absolute").fit(X, y)
    assert (absolute.prototypes_ == relative.prototypes_).all()


def test_accepted_rounds_raise_the_quality_by_more_than_tol():
    X, y = make_checkerboard(n=300, n_tiles=3, random_state=0)
    model = PushAndGrow(tol=1e-3, grow_patience=2).fit(X, y)
    history = model.history_
    accepted = history["quality"][history["accepted"]]
    assert len(accepted) > 1
    assert (np.diff(accepted) > 1e-3).all()
    assert model.quality_ == accepted[-1]
    assert len(model.prototypes_) == history["n_prototypes"][history["accepted"]][-1]
    assert model.loss_curve_ == pytest.approx(1 - history["quality"])
    assert model.n_iter_ == len(history["quality"])


def test_patience_finds_what_one_round_of_splitting_does_not():
    X, y = make_checkerboard(n=600, n_tiles=3, random_state=0)
    hasty, patient = PushAndGrow(), PushAndGrow(grow_patience=2)
    assert patient.fit(X, y).score(X, y) > hasty.fit(X, y).score(X, y) + 0.1


def test_prototypes_are_the_weighted_means_of_their_members(overlap):
    X, y = overlap
    model = PushAndGrow(tol=1e-3, alpha=8).fit(X, y)
    for P, members, weights in zip(
        model.prototypes_, model.members_, model.weights_, strict=True
    ):
        np.testing.assert_allclose(weights @ X[members], P)
    assert any(np.ptp(weights) > 0 for weights in model.weights_)


def test_splits_accepted_one_by_one_need_no_more_prototypes():
    X, y = make_checkerboard(n=300, n_tiles=3, random_state=0)
    together = PushAndGrow(tol=1e-3, grow_patience=1).fit(X, y)
    single = PushAndGrow(tol=1e-3, grow_patience=1, accept="one").fit(X, y)
    assert (np.diff(single.history_["n_prototypes"]) == 1).all()
    assert len(single.prototypes_) <= len(together.prototypes_)


def test_the_largest_number_of_prototypes_is_a_limit_and_fits_the_classes():
    X, y = make_checkerboard(n=300, n_tiles=3, random_state=0)
    model = PushAndGrow(tol=0, grow_patience=3, max_prototypes=5).fit(X, y)
    assert max(model.history_["n_prototypes"]) == 5
    X, y = load_iris(return_X_y=True)
    with pytest.raises(
        ValueError, match=r"at least the number of classes \(3\), got 2"
    ):
        PushAndGrow(max_prototypes=2).fit(X, y)


def test_growing_never_pays_in_the_literal_reading():
    X, y = make_checkerboard(n=300, n_tiles=3, random_state=0)
    model = PushAndGrow(border="literal", tol=1e-4).fit(X, y)
    assert len(model.prototypes_) == 2


def test_a_group_above_the_exact_limit_is_split_as_well():
    X, y = square()
    assert PushAndGrow(exact_limit=2).fit(X, y).score(X, y) == 1.0


def test_dissimilarities_give_the_same_model_as_the_objects_they_come_from():
    X, y = make_modes(n=200, random_state=0)
    objects = PushAndGrow(tol=1e-3, alpha=8).fit(X, y)
    pairs = PushAndGrow(tol=1e-3, alpha=8, metric="precomputed").fit(cdist(X, X), y)
    assert len(objects.prototypes_) > 3
    np.testing.assert_allclose(pairs.prototypes_ @ X, objects.prototypes_, rtol=1e-9)
    Z = np.random.default_rng(0).normal(size=(50, X.shape[1]))
    assert (pairs.predict(cdist(Z, X)) == objects.predict(Z)).all()
    np.testing.assert_allclose(
        pairs.predict_proba(cdist(Z, X)), objects.predict_proba(Z), atol=1e-6
    )
    assert (pairs.medoids_ == objects.medoids_).all()


def test_dissimilarities_can_be_cross_validated_but_not_explained(overlap):
    X, y = overlap
    D, model = cdist(X, X), PushAndGrow(metric="precomputed")
    folds = StratifiedKFold(3)
    found = cross_val_score(model, D, y, cv=folds)
    np.testing.assert_allclose(found, cross_val_score(PushAndGrow(), X, y, cv=folds))
    with pytest.raises(ValueError, match="explain needs features"):
        model.fit(D, y).explain(D[0])


def test_dissimilarities_that_no_points_have_give_finite_distances():
    rng = np.random.default_rng(0)
    D = rng.uniform(0.0, 1.0, size=(30, 30)) ** 4
    D = np.triu(D, 1) + np.triu(D, 1).T
    model = PushAndGrow(tol=1e-3, metric="precomputed").fit(D, np.arange(30) % 2)
    assert np.isfinite(model.decision_function(D)).all()


def test_sparse_and_dense_data_give_the_same_model(overlap):
    X, y = overlap
    X = np.where(np.abs(X) > 1, X, 0.0)
    dense, sparse = PushAndGrow().fit(X, y), PushAndGrow().fit(csr_array(X), y)
    assert (dense.prototypes_ == sparse.prototypes_).all()
    assert (sparse.predict(csr_array(X)) == dense.predict(X)).all()


def test_the_number_of_threads_changes_no_bit(monkeypatch):
    X, y = make_gaussians(n=4000, n_features=20, random_state=0)
    found = []
    for threads in ("1", "3"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        monkeypatch.setattr("joblib.cpu_count", lambda: 3)
        found.append(PushAndGrow(tol=1e-3).fit(X, y))
    assert (found[0].prototypes_ == found[1].prototypes_).all()
    assert found[0].quality_ == found[1].quality_


def test_a_callback_hears_of_each_round_and_may_end_the_fit():
    X, y = make_checkerboard(n=200, n_tiles=3, random_state=0)
    news = []
    PushAndGrow(grow_patience=2, callback=news.append).fit(X, y)
    assert [item["iteration"] for item in news] == list(range(1, len(news) + 1))
    assert set(news[0]) == {"iteration", "loss", "quality", "n_prototypes"}
    stopped = PushAndGrow(grow_patience=2, callback=lambda item: True).fit(X, y)
    assert stopped.n_iter_ == 1


@pytest.mark.parametrize(
    ("name", "floor"),
    [("iris", 94.5), ("sonar", 74), ("ionosphere", 85), ("balance-scale", 85)],
)
def test_the_specifications_floors_are_reached_on_the_papers_data(name, floor):
    X, y = paper_data(name)
    accuracy = ten_fold(PushAndGrow(), X, y)
    assert accuracy >= floor
    lead = {"sonar": 5, "ionosphere": 8, "balance-scale": 8}.get(name, 0)
    assert accuracy - ten_fold(KMeansPrototypes(k=1), X, y) >= lead
    model = PushAndGrow().fit(X, y)
    assert len(model.prototypes_) <= 3 * len(model.classes_)


def paper_data(name):
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"{path.name} is absent: set LABELSCAPE_DATA to its folder")
    table = read_table(path, label="class", missing="impute", scale="minmax")
    return table.X, table.y


def ten_fold(model, X, y):
    """Accuracy in percent, mean of three shuffles as in the specification."""
    return np.mean(
        [
            100 * np.mean(cross_val_predict(model, X, y, cv=folds) == y)
            for folds in (
                StratifiedKFold(10, shuffle=True, random_state=seed)
                for seed in range(3)
            )
        ]
    )


def test_splits_one_by_one_reach_all_modes_of_many_classes():
    rng = np.random.default_rng(7)
    centers, y = rng.normal(size=(12, 3, 10)) * 1.5, np.arange(720) % 12
    X = centers[y, rng.integers(3, size=720)] + 0.7 * rng.normal(size=(720, 10))
    together, one_by_one = (PushAndGrow(accept=a).fit(X, y) for a in ("all", "one"))
    assert len(one_by_one.prototypes_) >= 36
    assert one_by_one.score(X, y) >= together.score(X, y) - 0.01
