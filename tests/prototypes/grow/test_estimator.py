import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris

from labelscape.prototypes.grow.icf import ICF
from labelscape.prototypes.grow.kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes.grow.lvq_and_grow import LVQAndGrow
from labelscape.prototypes.grow.push_and_grow import PushAndGrow

X, y = load_iris(return_X_y=True)

MODELS = {
    "push and grow": PushAndGrow(alpha=8, tol=1e-3),
    "lvq and grow": LVQAndGrow(random_state=0),
    "k-means": KMeansPrototypes(k=3, random_state=0),
    "icf": ICF(),
}


@pytest.fixture(params=MODELS)
def model(request):
    return MODELS[request.param].fit(X, y)


def test_prototypes_are_sorted_by_class_and_their_groups_partition_the_classes(model):
    assert (np.diff(model.prototype_labels_) >= 0).all()
    assert sorted(np.concatenate(model.members_)) == list(range(len(X)))
    for label, members in zip(model.prototype_labels_, model.members_, strict=True):
        assert (y[members] == label).all()


def test_the_special_members_are_what_they_are_called(model):
    D = cdist(X, model.prototypes_)
    confidences = margins_confidence(model)
    for i, members in enumerate(model.members_):
        assert D[model.medoids_[i], i] == pytest.approx(D[members, i].min())
        assert confidences[model.typical_[i]] == pytest.approx(
            confidences[members].max()
        )
        assert confidences[model.hardest_[i]] == pytest.approx(
            confidences[members].min()
        )


def test_quality_is_the_mean_confidence_and_compression_objects_per_prototype(model):
    assert model.quality_ == pytest.approx(margins_confidence(model).mean())
    assert model.compression_ == len(X) / len(model.prototypes_)
    assert model.loss_curve_[-1] <= 1.0


def test_an_explanation_speaks_of_plain_distances(model):
    for x in X[::30]:
        record = model.explain(x)
        d = np.linalg.norm(x - model.prototypes_, axis=1)
        own = min(record.distances, key=record.distances.get)
        assert own == record.prediction == model.predict(x[None])[0]
        for label, p in record.nearest.items():
            assert record.distances[label] == pytest.approx(d[p], abs=1e-12)
        others = [v for label, v in record.distances.items() if label != own]
        lead = min(others) - record.distances[own]
        assert record.contributions.sum() == pytest.approx(lead, abs=1e-9)
        assert 0.5 <= record.confidence <= 1.0
        assert model.predict(record.counterfactual[None])[0] != own


def test_the_confidence_of_an_explanation_is_that_of_the_training_object(model):
    right = np.flatnonzero(model.predict(X) == y)[::20]
    wanted = margins_confidence(model)[right]
    found = [model.explain(X[i]).confidence for i in right]
    np.testing.assert_allclose(found, wanted, atol=1e-9)


def test_probabilities_agree_with_the_decision(model):
    proba = model.predict_proba(X)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0)
    assert (model.classes_[proba.argmax(axis=1)] == model.predict(X)).all()


def test_probabilities_tell_how_often_the_model_is_right(model):
    sure = model.predict_proba(X).max(axis=1)
    right = np.mean(model.predict(X) == y)
    assert sure.mean() == pytest.approx(right, abs=0.05)
    assert sure.max() < 1.0


def test_an_object_on_prototypes_of_two_classes_gets_no_contributions():
    four = np.array([[-1.0], [1.0], [-2.0], [2.0]])
    model = KMeansPrototypes(k=1).fit(four, [0, 0, 1, 1])
    record = model.explain([0.0])
    assert record.contributions.tolist() == [0.0]
    assert record.confidence == 0.5
    assert record.prediction == 0


def margins_confidence(model):
    """Confidences of the training objects, straight from the definitions."""
    P, labels = model.prototypes_, model.prototype_labels_
    D = cdist(X, P)
    found = []
    for d, label in zip(D, y, strict=True):
        own = min(np.flatnonzero(labels == label), key=lambda p: d[p])
        planes = [
            (d[p] ** 2 - d[own] ** 2) / (2 * np.linalg.norm(P[own] - P[p]))
            for p in np.flatnonzero(labels != label)
        ]
        found.append(1 / (1 + np.exp(-model.alpha_ * min(planes))))
    return np.array(found)
