import numpy as np
from sklearn.datasets import load_iris

from labelscape.prototypes.grow.icf import ICF


def test_prototypes_are_training_objects():
    X, y = load_iris(return_X_y=True)
    model = ICF().fit(X, y)
    assert (X[model.prototype_indices_] == model.prototypes_).all()
    assert (y[model.prototype_indices_] == model.prototype_labels_).all()
    assert (model.medoids_ == model.prototype_indices_).all()
    for P, members, weights in zip(
        model.prototypes_, model.members_, model.weights_, strict=True
    ):
        np.testing.assert_allclose(weights @ X[members], P)


def test_every_pass_is_in_the_history():
    X, y = load_iris(return_X_y=True)
    news = []
    model = ICF(callback=news.append).fit(X, y)
    counts = model.history_["n_prototypes"]
    assert (np.diff(counts) < 0).all()
    assert counts[-1] == len(model.prototypes_)
    assert [item["n_prototypes"] for item in news] == counts.tolist()
    assert model.n_iter_ == len(counts)


def test_a_callback_may_end_the_filtering():
    X, y = load_iris(return_X_y=True)
    model = ICF(callback=lambda item: True).fit(X, y)
    assert model.n_iter_ == 1
    assert len(model.prototypes_) > 140


def test_duplicates_that_are_kept_are_members_of_themselves():
    X = np.array([[0.0], [0.0], [1.0], [1.0]])
    model = ICF(n_neighbors=1).fit(X, [0, 0, 1, 1])
    members = np.concatenate(model.members_)
    assert sorted(members) == [0, 1, 2, 3]
    assert all(len(group) for group in model.members_)


def test_no_class_is_lost():
    rng = np.random.default_rng(0)
    X = np.r_[rng.normal(size=(50, 2)), 0.1 * rng.normal(size=(2, 2))]
    y = np.repeat(["many", "few"], [50, 2])
    assert set(ICF().fit(X, y).prototype_labels_) == {"few", "many"}
