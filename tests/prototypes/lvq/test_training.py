"""How a fit runs: stopping, watching, weights, counts of prototypes, warm starts."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import FAMILY, blobs

from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    LBFGS,
    LGMLVQ,
    LiRaMLVQ,
    Localization,
    LocalLiRaMLVQ,
)

every_model = pytest.mark.parametrize("model", FAMILY)
every_solver = pytest.mark.parametrize("solver", ["lbfgs", "sgd"])


def parameters_of(model):
    names = ("prototypes_", "omega_", "local_matrices_", "relevances_")
    return [getattr(model, name) for name in names if hasattr(model, name)]


def assert_equal(a, b, **near):
    for one, other in zip(parameters_of(a), parameters_of(b), strict=True):
        np.testing.assert_allclose(one, other, **near)


def overlapping():
    return blobs(90, seed=11)


def test_the_best_epoch_is_restored_and_ties_go_to_the_lower_cost():
    X, y = overlapping()
    common = {"solver": "sgd", "learning_rate": 0.3, "random_state": 0}
    best = GLVQ(max_iter=40, **common).fit(X, y)
    accuracy, loss = np.array(best.accuracy_curve_), np.array(best.loss_curve_)
    assert best.n_iter_ == len(loss) == 40
    tied = np.flatnonzero(accuracy == accuracy.max())
    epoch = tied[loss[tied].argmin()] + 1
    assert epoch < 40
    there = GLVQ(max_iter=epoch, early_stopping="none", **common).fit(X, y)
    np.testing.assert_array_equal(best.prototypes_, there.prototypes_)
    assert best.score(X, y) == pytest.approx(accuracy.max())


def test_without_early_stopping_the_last_epoch_is_kept():
    X, y = overlapping()
    model = GLVQ(
        solver="sgd", max_iter=7, early_stopping="none", learning_rate=0.3,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert model.score(X, y) == pytest.approx(model.accuracy_curve_[-1])


def test_patience_ends_the_fit_so_many_epochs_after_the_best():
    X, y = overlapping()
    common = {"solver": "sgd", "learning_rate": 0.5, "random_state": 0}
    model = GLVQ(max_iter=500, early_stopping=3, **common).fit(X, y)
    assert model.n_iter_ < 500
    keys = list(zip(model.accuracy_curve_, -np.array(model.loss_curve_), strict=True))
    best = keys.index(max(keys)) + 1
    assert model.n_iter_ == best + 3
    there = GLVQ(max_iter=best, early_stopping="none", **common).fit(X, y)
    np.testing.assert_array_equal(model.prototypes_, there.prototypes_)


@every_solver
def test_the_callback_sees_every_iteration(solver):
    X, y = overlapping()
    seen = []
    model = LiRaMLVQ(
        solver=solver, max_iter=12, callback=seen.append, random_state=0
    ).fit(X, y)
    key = "epoch" if solver == "sgd" else "iteration"
    assert [news[key] for news in seen] == list(range(1, model.n_iter_ + 1))
    assert [news["loss"] for news in seen] == model.loss_curve_
    assert [news["accuracy"] for news in seen] == model.accuracy_curve_
    assert np.isfinite(model.accuracy_curve_).all()


@every_model
@every_solver
def test_a_callback_that_returns_true_stops_cleanly(model, solver):
    X, y = overlapping()
    epochs = []

    def stop(news):
        epochs.append(news)
        return len(epochs) == 3

    result = model(solver=solver, callback=stop, random_state=0).fit(X, y)
    assert result.n_iter_ == len(result.loss_curve_) == 3
    assert result.score(X, y) > 0.4


@every_solver
def test_only_true_stops_the_fit(solver):
    X, y = overlapping()
    model = GLVQ(solver=solver, max_iter=5, tol=0.0, callback=lambda news: 1).fit(X, y)
    assert model.n_iter_ == 5


@every_solver
def test_verbose_draws_a_bar(solver, capsys):
    X, y = overlapping()
    GLVQ(solver=solver, max_iter=3, verbose=True).fit(X, y)
    assert "GLVQ" in capsys.readouterr().out
    GLVQ(solver=solver, max_iter=3).fit(X, y)
    assert not capsys.readouterr().out


@every_model
@every_solver
def test_held_out_objects_are_watched_and_change_nothing(model, solver):
    X, y = overlapping()
    common = {"solver": solver, "max_iter": 10, "random_state": 0}
    alone = model(**common).fit(X[:60], y[:60])
    watched = model(early_stopping="none", **common)
    watched.fit(X[:60], y[:60], validation=(X[60:], y[60:]))
    assert len(watched.validation_curve_) == watched.n_iter_
    assert watched.validation_curve_[-1] == pytest.approx(watched.score(X[60:], y[60:]))
    again = model(**common).fit(X[:60], y[:60], validation=(X[60:], y[60:]))
    assert_equal(alone, again, rtol=0)


@every_model
def test_the_cost_falls_and_ends_where_the_paper_s_training_ends_or_lower(model):
    X, y = overlapping()
    same = {"prototype_init": "random", "random_state": 0}
    if "matrix_init" in vars(model()):
        same["matrix_init"] = "random"
    plain = LBFGS(slope=0.0, jitter=0.0)
    batch = model(solver=plain, max_iter=300, **same).fit(X, y)
    online = model(solver="sgd", max_iter=300, **same).fit(X, y)
    assert np.all(np.diff(batch.loss_curve_) <= 1e-12)
    assert batch.loss_curve_[-1] <= online.loss_curve_[-1] + 0.005


@every_model
@every_solver
def test_a_warm_start_goes_on_where_the_last_fit_ended(model, solver):
    X, y = overlapping()
    common = {"solver": solver, "random_state": 0}
    if solver == "sgd":
        common["early_stopping"] = "none"
    warm = model(max_iter=30, warm_start=True, **common).fit(X, y)
    before = warm.loss_curve_[-1]
    warm.fit(X, y)
    assert warm.loss_curve_[0] <= before + 0.01
    cold = model(max_iter=30, **common).fit(X, y)
    assert cold.loss_curve_[0] > warm.loss_curve_[0]


@pytest.mark.parametrize("model", [GMLVQ, LGMLVQ, LocalLiRaMLVQ])
def test_a_model_of_another_shape_starts_afresh(model):
    X, y = overlapping()
    warm = model(n_components=2, max_iter=5, warm_start=True, random_state=0).fit(X, y)
    warm.set_params(n_components=3).fit(X, y)
    cold = model(n_components=3, max_iter=5, random_state=0).fit(X, y)
    assert_equal(warm, cold, rtol=0)


@every_model
def test_other_classes_or_counts_start_afresh(model):
    X, y = overlapping()
    names = np.array(["ash", "elm", "oak"])[y]
    warm = model({0: 2}, max_iter=5, warm_start=True, random_state=0).fit(X, y)
    warm.set_params(prototypes_per_class={1: 2}).fit(X, y)
    assert_equal(warm, model({1: 2}, max_iter=5, random_state=0).fit(X, y), rtol=0)
    warm.set_params(prototypes_per_class={"oak": 2}).fit(X, names)
    cold = model({"oak": 2}, max_iter=5, random_state=0).fit(X, names)
    assert_equal(warm, cold, rtol=0)


@pytest.mark.parametrize("model", [LGMLVQ, LocalLiRaMLVQ])
def test_another_localization_starts_afresh(model):
    X, y = overlapping()
    warm = model(2, max_iter=5, warm_start=True, random_state=0).fit(X, y)
    warm.set_params(localization="prototype").fit(X, y)
    cold = model(2, max_iter=5, localization="prototype", random_state=0).fit(X, y)
    assert_equal(warm, cold, rtol=0)


@every_model
def test_a_weight_of_two_is_the_object_twice(model):
    X, y = overlapping()
    twice = np.arange(90) % 4 == 0
    weighted = model(random_state=0, max_iter=20).fit(X, y, np.where(twice, 2.0, 1.0))
    repeated = model(random_state=0, max_iter=20).fit(
        np.vstack([X, X[twice]]), np.concatenate([y, y[twice]])
    )
    assert_equal(weighted, repeated, atol=1e-6)
    assert weighted.temperature_ == pytest.approx(repeated.temperature_, rel=1e-5)


@every_model
@every_solver
def test_an_object_of_weight_0_is_not_there(model, solver):
    X, y = overlapping()
    there = np.arange(90) % 4 != 0
    common = {"solver": solver, "max_iter": 20, "random_state": 0}
    weighted = model(2, **common).fit(X, y, there.astype(float))
    assert_equal(weighted, model(2, **common).fit(X[there], y[there]), rtol=0)
    np.testing.assert_array_equal(weighted.n_assigned_.sum(), there.sum())


def test_balanced_classes_count_alike():
    X, y = overlapping()
    few = np.concatenate([np.flatnonzero(y != 2), np.flatnonzero(y == 2)[:5]])
    X, y = X[few], y[few]
    balanced = GLVQ(class_weight="balanced", max_iter=20, random_state=0).fit(X, y)
    counts = np.bincount(y)
    by_hand = GLVQ(max_iter=20, random_state=0).fit(X, y, len(y) / (3 * counts[y]))
    assert_equal(balanced, by_hand, atol=1e-9)
    as_dict = GLVQ(
        class_weight={c: len(y) / (3 * counts[c]) for c in range(3)}, max_iter=20,
        random_state=0,
    ).fit(X, y)  # fmt: skip
    assert_equal(balanced, as_dict, atol=1e-9)


@every_model
@every_solver
def test_a_dict_gives_each_class_its_number_of_prototypes(model, solver):
    X, y = overlapping()
    names = np.array(["ash", "elm", "oak"])[y]
    result = model({"elm": 3, "oak": 2}, solver=solver, max_iter=5).fit(X, names)
    labels = ["ash", "elm", "elm", "elm", "oak", "oak"]
    assert result.prototype_labels_.tolist() == labels
    assert result.prototypes_.shape == (6, 5)
    assert len(result.n_assigned_) == 6


@every_solver
def test_too_few_objects_for_the_prototypes_are_a_warning(solver):
    X, y = overlapping()
    some = np.concatenate([np.flatnonzero(y < 2), np.flatnonzero(y == 2)[:1]])
    wanted = r"Class 2 has 1 sample but .* is 2, .*equal.* pass \{2: 1, \.\.\."
    with pytest.warns(UserWarning, match=wanted):
        model = GLVQ(2, solver=solver, max_iter=5).fit(X[some], y[some])
    assert len(model.prototypes_) == 6


@pytest.mark.parametrize("init", ["random", "identity", "pca", "lda"])
@pytest.mark.parametrize("model", [GMLVQ, LiRaMLVQ, LGMLVQ, LocalLiRaMLVQ])
@every_solver
def test_every_start_of_the_matrix_can_be_trained(model, init, solver):
    X, y = overlapping()
    result = model(matrix_init=init, solver=solver, max_iter=105, random_state=0)
    assert result.fit(X, y).score(X, y) > 0.7


@every_solver
def test_local_matrices_may_start_at_random(solver):
    X, y = overlapping()
    common = {"solver": solver, "max_iter": 105, "random_state": 0}
    model = LocalLiRaMLVQ(localization=Localization(init="random"), **common).fit(X, y)
    assert model.score(X, y) > 0.7


def test_the_paper_s_start_is_the_mean_of_a_third_of_the_class():
    X, y = overlapping()
    start = GLVQ(
        2, solver="sgd", max_iter=1, learning_rate=1e-300, random_state=0
    ).fit(X, y)  # fmt: skip
    rng = np.random.RandomState(0)
    expected = [
        X[rng.choice(np.flatnonzero(y == c), size=10, replace=False)].mean(axis=0)
        for c in (0, 0, 1, 1, 2, 2)
    ]
    np.testing.assert_allclose(start.prototypes_, expected, atol=1e-12)


def test_the_loss_curve_of_lbfgs_is_the_mean_cost():
    X, y = overlapping()
    model = GLVQ(solver=LBFGS(slope=0.0, jitter=0.0), max_iter=30, random_state=0).fit(
        X, y
    )
    d = model._class_distances(model.metric_.distances(X))
    own = d[np.arange(90), y]
    d[np.arange(90), y] = np.inf
    mu = (own - d.min(axis=1)) / (own + d.min(axis=1))
    assert model.loss_curve_[-1] == pytest.approx(mu.mean(), rel=1e-9)
    assert model.accuracy_curve_[-1] == pytest.approx(model.score(X, y))
