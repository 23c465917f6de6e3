"""Learning from a stream, chunk by chunk."""

import numpy as np
import pytest
from tests.prototypes.lvq import reference
from tests.prototypes.lvq.cases import FAMILY, blobs

from labelscape.prototypes import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ

every_model = pytest.mark.parametrize("model", FAMILY)
LABELS = ["ash", "elm", "oak"]


def stream(n=240, seed=3):
    X, y = blobs(n, seed=seed)
    order = np.random.default_rng(seed).permutation(n)
    return X[order], np.array(LABELS)[y[order]]


@every_model
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_stream_of_chunks_comes_near_the_accuracy_of_a_fit(model, solver):
    X, y = stream()
    whole = model(random_state=0).fit(X, y).score(X, y)
    chunks = model(solver=solver, random_state=0)
    if model is not GLVQ:
        chunks.set_params(matrix_learning_rate=0.005)
    for _ in range(8):
        for start in range(0, len(X), 60):
            part = slice(start, start + 60)
            chunks.partial_fit(X[part], y[part], classes=LABELS)
    assert chunks.n_iter_ == 32
    assert chunks.score(X, y) > whole - 0.06


def test_one_small_chunk_is_the_summed_step_of_its_objects():
    X, y = blobs(40)
    start = X[[0, 1, 2]] + 0.3
    model = GLVQ(solver="sgd", random_state=0, prototype_init=start).fit(
        X[:30], y[:30]
    )  # fmt: skip
    before = {"kind": "plain", "W": model.prototypes_.copy(), "c": np.arange(3)}
    epoch, weights = model.n_iter_ + 1, np.linspace(0.5, 1.5, 40)
    expected = before["W"].copy()
    rate = reference.rates(epoch, a1=0.01, da1=1e-4, a2=0, da2=0, a3=0, da3=0, t_M=1)[0]
    for x, c, weight in zip(X, y, weights, strict=True):
        expected -= rate * weight * reference.object_gradient(before, x, c)["W"]
    model.partial_fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(model.prototypes_, expected, atol=1e-12)
    cost = reference.mean_cost(before, X, y, weights)
    assert model.loss_curve_[-1] == pytest.approx(cost)


def test_the_matrix_of_a_stream_takes_the_same_kind_of_step():
    X, y = blobs(40)
    model = LiRaMLVQ(solver="sgd", max_iter=3, random_state=0).fit(X[:30], y[:30])
    before = {
        "kind": "matrix",
        "W": model.prototypes_.copy(),
        "omega": model.omega_.copy(),
        "c": np.arange(3),
    }
    slopes = [
        reference.object_gradient(before, x, c) for x, c in zip(X, y, strict=True)
    ]
    matrices = {"a2": 1e-3, "da2": 1e-4, "a3": 0, "da3": 0}
    rate = reference.rates(4, a1=0.01, da1=1e-4, **matrices, t_M=1)
    W = before["W"] - rate[0] * sum(s["W"] for s in slopes)
    Omega = before["omega"] - rate[1] * sum(s["omega"] for s in slopes)
    model.partial_fit(X, y)
    np.testing.assert_allclose(model.prototypes_, W, atol=1e-12)
    np.testing.assert_allclose(
        model.omega_, reference.canonical(Omega / np.linalg.norm(Omega)), atol=1e-10
    )


@every_model
def test_a_class_may_come_late(model):
    X, y = stream()
    known = y != "elm"
    chunks = model(2, random_state=0).partial_fit(X[known], y[known], classes=LABELS)
    assert set(chunks.prototype_labels_) == {"ash", "oak"}
    assert set(chunks.predict(X)) <= {"ash", "oak"}
    probabilities = chunks.predict_proba(X)
    np.testing.assert_array_equal(probabilities[:, 1], 0.0)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    before = chunks.prototypes_.copy()
    chunks.partial_fit(X[~known], y[~known])
    labels = ["ash", "ash", "elm", "elm", "oak", "oak"]
    assert chunks.prototype_labels_.tolist() == labels
    np.testing.assert_allclose(chunks.prototypes_[[0, 1, 4, 5]], before, atol=1.0)
    for _ in range(10):
        chunks.partial_fit(X, y)
    assert chunks.score(X, y) > 0.8


@every_model
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_one_class_may_come_alone(model, solver):
    X, y = stream()
    alone = y == "oak"
    chunks = model(random_state=0, solver=solver)
    chunks.partial_fit(X[alone], y[alone], classes=LABELS)
    assert set(chunks.predict(X)) == {"oak"}
    np.testing.assert_array_equal(chunks.predict_proba(X), [[0.0, 0.0, 1.0]] * len(X))
    for _ in range(12):
        chunks.partial_fit(X, y)
    assert chunks.score(X, y) > 0.75


def test_of_two_classes_one_may_come_alone():
    X, y = stream()
    chunks = GLVQ(random_state=0)
    chunks.partial_fit(X[y == "oak"], y[y == "oak"], classes=["elm", "oak"])
    np.testing.assert_array_equal(chunks.decision_function(X[:5]), 1.0)
    assert np.isfinite(chunks.predict_proba(X[:5])).all()


@every_model
def test_a_chunk_may_be_one_object(model):
    X, y = stream()
    chunks = model(random_state=0).partial_fit(X[:100], y[:100], classes=LABELS)
    before = chunks.score(X, y)
    for i in range(100, 130):
        chunks.partial_fit(X[i : i + 1], y[i : i + 1])
    assert chunks.score(X, y) > before - 0.05
    first = model(random_state=0).partial_fit(X[:1], y[:1], classes=LABELS)
    assert set(first.predict(X)) == {y[0]}


@pytest.mark.parametrize("model", [GRLVQ, GMLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ])
def test_a_feature_that_rests_for_one_chunk_is_not_given_up(model):
    X, y = stream()
    chunks = model(random_state=0).partial_fit(X[:120], y[:120], classes=LABELS)
    resting = X[120:].copy()
    resting[:, 1] = 0.5
    chunks.partial_fit(resting, y[120:])
    assert chunks.relevances_[..., 1].max() > 1e-3


@every_model
def test_a_stream_can_go_on_after_a_fit(model):
    X, y = stream()
    result = model(random_state=0, max_iter=20).fit(X, y)
    before, iterations = result.score(X, y), result.n_iter_
    result.partial_fit(X, y)
    assert result.n_iter_ == iterations + 1
    assert len(result.loss_curve_) == iterations + 1
    assert result.score(X, y) > before - 0.05


def test_a_reduced_local_model_learns_on_and_takes_a_late_class():
    X, y = blobs(120)
    early = y < 2
    model = LocalLiRaMLVQ(n_components=3, random_state=0)
    model.partial_fit(X[early], y[early], classes=[0, 1, 2])
    plane = model.reduced(2).partial_fit(X[early], y[early])
    assert not np.array_equal(plane.prototypes_, model.prototypes_)
    for _ in range(30):
        plane.partial_fit(X, y)
    assert plane.local_matrices_.shape == (3, 3, 2)
    assert plane.score(X, y) > 0.9


def test_missing_values_may_come_in_chunks_too():
    X, y = stream()
    X[np.random.default_rng(0).random(X.shape) < 0.1] = np.nan
    X[:60, 2] = np.nan  # not one value in the whole chunk
    model = LiRaMLVQ(missing="ignore", random_state=0)
    for _ in range(5):
        for start in range(0, 240, 60):
            part = slice(start, start + 60)
            model.partial_fit(X[part], y[part], classes=LABELS)
    assert np.isfinite(model.prototypes_).all()
    assert model.score(X, y) > 0.7


def test_the_first_chunk_needs_the_classes():
    X, y = stream()
    with pytest.raises(ValueError, match="GLVQ: classes must be given in the first"):
        GLVQ().partial_fit(X, y)


@pytest.mark.parametrize("wrong", ["fir", 3])
def test_a_label_that_was_not_announced_is_named(wrong):
    X, y = stream()
    model = GLVQ().partial_fit(X, y, classes=LABELS)
    labels = np.full(len(y), wrong)
    with pytest.raises(ValueError, match=f"y contains {wrong!r}, which is none of"):
        model.partial_fit(X, labels)


@every_model
def test_counts_and_temperature_are_those_of_all_chunks(model):
    X, y = stream()
    late = y == "oak"
    X, y = np.concatenate([X[~late], X[late]]), np.concatenate([y[~late], y[late]])
    chunks, seen = model({"ash": 2}, random_state=0), 0
    for start in range(0, len(X), 40):
        part = slice(start, start + 40)
        chunks.partial_fit(X[part], y[part], classes=LABELS)
        seen += len(X[part])
        assert chunks.n_assigned_.sum() == seen
        assert len(chunks.n_assigned_) == len(chunks.prototypes_)
        assert np.isfinite(chunks.predict_proba(X)).all()
    shares = chunks.n_assigned_ / seen
    assert shares[chunks.prototype_labels_ == "ash"].sum() == pytest.approx(
        1 / 3, abs=0.2
    )


def test_one_odd_chunk_hardly_moves_the_temperature():
    X, y = stream(2400)
    model = GMLVQ(random_state=0)
    for start in range(0, 2400, 400):
        part = slice(start, start + 400)
        model.partial_fit(X[part], y[part], classes=LABELS)
    before = model.temperature_
    model.partial_fit(X[:1], y[:1])
    assert model.temperature_ == pytest.approx(before, rel=0.01)
    assert model.n_assigned_.sum() == 2401


def test_a_first_call_that_fails_leaves_the_classes_open():
    X, y = stream()
    model = GLVQ()
    with pytest.raises(ValueError, match="which is none of the classes"):
        model.partial_fit(X, y, classes=LABELS[:2])
    model.partial_fit(X, y, classes=LABELS)
    assert model.classes_.tolist() == sorted(LABELS)
    with pytest.raises(ValueError, match=r"classes are \[.*\], but were \["):
        model.partial_fit(X, y, classes=LABELS[:2])


def test_objects_of_weight_0_have_not_come_yet():
    X, y = stream()
    late = y == LABELS[2]
    model = GLVQ().partial_fit(X, y, classes=LABELS, sample_weight=1.0 * ~late)
    without = GLVQ().partial_fit(X[~late], y[~late], classes=LABELS)
    assert set(model.prototype_labels_) == set(LABELS[:2])
    assert set(without.prototype_labels_) == set(LABELS[:2])
    model.partial_fit(X, y)
    assert set(model.prototype_labels_) == set(LABELS)
    with pytest.raises(ValueError, match="weight"):
        model.partial_fit(X, y, sample_weight=np.zeros(len(y)))


def test_weights_of_classes_hold_for_chunks_without_some_of_them():
    X, y = stream()
    model = GLVQ(class_weight={LABELS[1]: 5.0})
    model.partial_fit(X, y, classes=LABELS)
    alone = y == LABELS[0]
    before = model.n_assigned_.sum()
    model.partial_fit(X[alone], y[alone])
    assert model.n_assigned_.sum() == before + alone.sum()


@pytest.mark.parametrize("wrong", [True, len, [["ash"], ["elm"]]])
def test_classes_that_are_no_list_are_refused(wrong):
    X, y = stream()
    fitted = GLVQ(max_iter=2).fit(X, y)
    for model in (GLVQ(), fitted):
        with pytest.raises(ValueError, match="classes must be a list of labels, got"):
            model.partial_fit(X, y, classes=wrong)


def test_a_stream_of_no_class_is_refused_in_words():
    X, y = stream()
    with pytest.raises(ValueError, match="at least two classes, got none"):
        GLVQ().partial_fit(X, y, classes=[])
