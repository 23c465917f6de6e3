"""The degenerate cases of the specification (A9), and the limits of the penalty."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import FAMILY, MATRIX_MODELS, blobs

from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LBFGS,
    LGMLVQ,
    SGD,
    LiRaMLVQ,
    Localization,
    LocalLiRaMLVQ,
)

HOW = [{"solver": "lbfgs"}, {"solver": LBFGS(jitter=0.0)}, {"solver": "sgd"}]
every_solver = pytest.mark.parametrize("how", HOW, ids=["lbfgs", "sharp", "sgd"])
every_model = pytest.mark.parametrize("model", FAMILY)

# Matrices learn from the first epoch on.
SOLVERS = {"lbfgs": "lbfgs", "sgd": SGD(matrix_epoch=1)}


def fitted(model, X, y, **parameters):
    return model(**{"max_iter": 110, "random_state": 0, **parameters}).fit(X, y)


def assert_sound(model, X):
    for name, value in vars(model).items():
        if name.endswith("_") and isinstance(value, np.ndarray | list | float):
            values = np.asarray(value)
            assert values.dtype.kind not in "fc" or np.isfinite(values).all(), name
    assert np.isfinite(model.predict_proba(X)).all()
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
@every_solver
@every_model
def test_the_same_object_with_two_labels_is_no_obstacle(model, how):
    X, y = blobs(30)
    X, y = np.vstack([X, X]), np.concatenate([y, (y + 1) % 3])
    assert_sound(fitted(model, X, y, **how), X)


@every_solver
@every_model
def test_objects_on_a_right_and_a_wrong_prototype_move_nothing(model, how):
    X = np.array([[0.1, 0.3], [0.1, 0.3], [1.3, -0.2], [1.3, -0.2]])
    y = np.array(["a", "b", "a", "b"])  # two prototypes each: on the objects
    result = fitted(model, X, y, prototypes_per_class=2, prototype_init=X[[0, 2, 1, 3]],
                    **how)  # fmt: skip
    assert_sound(result, X)
    np.testing.assert_allclose(result.prototypes_, X[[0, 2, 1, 3]], atol=1e-12)
    assert result.loss_curve_[-1] == pytest.approx(
        0.5 * (result._settings_of_solver.slope > 0)
    )


@every_solver
@every_model
def test_one_object_per_class_is_enough(model, how):
    X, y = blobs(3)
    result = fitted(model, X, y, **how)
    assert_sound(result, X)
    assert result.score(X, y) == 1.0


@every_solver
@every_model
def test_prototypes_that_coincide_are_told_apart_by_their_index(model, how):
    X, y = blobs(60)
    start = np.repeat([X[y == c].mean(axis=0) for c in range(3)], 2, axis=0)
    result = fitted(model, X, y, prototypes_per_class=2, prototype_init=start, **how)
    assert_sound(result, X)
    assert result.n_assigned_.sum() == 60


@every_solver
def test_a_prototype_that_never_wins_stays_and_is_reported(how):
    X, y = blobs(60)
    start = np.vstack([[X[y == c].mean(axis=0), [1e3] * 5] for c in range(3)])
    result = fitted(GLVQ, X, y, prototypes_per_class=2, prototype_init=start, **how)
    np.testing.assert_array_equal(result.n_assigned_[1::2], 0)
    np.testing.assert_allclose(result.prototypes_[1::2], 1e3, rtol=1e-12)
    assert result.n_assigned_.sum() == 60


@every_solver
@pytest.mark.parametrize("model", FAMILY[1:])
def test_constant_features_get_relevance_0_and_a_warning(model, how):
    X, y = blobs(60)
    X = np.column_stack([X[:, :2], np.full(60, 7.0), X[:, 2:]])
    with pytest.warns(UserWarning, match=r"1 feature is constant \(2\); .* as 0"):
        result = fitted(model, X, y, **how)
    np.testing.assert_array_equal(result.relevances_.T[2], 0.0)
    if model is not LGMLVQ:
        assert result.relevances_.sum() == pytest.approx(1.0)
    assert_sound(result, X)


def test_many_constant_features_are_counted_and_named():
    pandas = pytest.importorskip("pandas")
    X, y = blobs(60)
    names = [f"gene {j}" for j in range(12)]
    frame = pandas.DataFrame(np.column_stack([X, np.ones((60, 7))]), columns=names)
    with pytest.warns(UserWarning, match=r"7 features .*\(gene 5, .*gene 9, \.\.\.\)"):
        GMLVQ(max_iter=2).fit(frame, y)


@pytest.mark.parametrize("model", FAMILY[1:])
def test_without_any_varying_feature_there_is_nothing_to_learn(model):
    with pytest.raises(ValueError, match="all features are constant"):
        fitted(model, np.ones((6, 3)), [0, 1, 0, 1, 0, 1])


@every_solver
@every_model
def test_one_feature_is_enough(model, how):
    X, y = blobs(60, n_features=1)
    rows = {"n_components": 1} if "n_components" in vars(model()) else {}
    assert_sound(fitted(model, X, y, **how, **rows), X)


@every_model
def test_moving_all_objects_moves_the_prototypes_along(model):
    X, y = blobs(60)
    near, far = fitted(model, X, y), fitted(model, X + 1e5, y)
    np.testing.assert_allclose(far.prototypes_ - 1e5, near.prototypes_, atol=1e-3)
    np.testing.assert_array_equal(far.predict(X + 1e5), near.predict(X))


@every_solver
@every_model
@pytest.mark.parametrize("scale", [1e-60, 1e60])
def test_very_small_and_very_large_units_are_fine(model, how, scale):
    X, y = blobs(60)
    rates = {"learning_rate": 0.01 * scale**2} if how["solver"] == "sgd" else {}
    result = fitted(model, X * scale, y, **how, **rates)
    assert_sound(result, X * scale)
    assert result.score(X * scale, y) > 0.6


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
@pytest.mark.parametrize("rows", [2, 16])
def test_a_strong_penalty_makes_all_eigenvalues_alike(solver, rows):
    X, y = blobs(60, n_features=16)
    result = fitted(
        GMLVQ,
        X,
        y,
        n_components=rows,
        regularization=10.0,
        solver=SOLVERS[solver],
        early_stopping="none",
    )
    eigenvalues = np.linalg.svd(result.omega_, compute_uv=False) ** 2
    assert eigenvalues.max() / eigenvalues.min() < 1.1


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_strong_penalty_on_local_matrices_makes_them_alike_too(solver):
    X, y = blobs(60)
    common = {"solver": SOLVERS[solver], "early_stopping": "none"}
    local = fitted(LGMLVQ, X, y, regularization=10.0, **common)
    shared = fitted(
        LocalLiRaMLVQ, X, y, localization=Localization(regularization=10.0), **common
    )
    for result in (local, shared):
        singular = np.linalg.svd(result.local_matrices_, compute_uv=False)
        assert (singular.max(axis=1) / singular.min(axis=1)).max() ** 2 < 1.1


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_small_penalty_keeps_directions_alive(solver):
    X, y = blobs(90, n_features=8)
    common = {"solver": SOLVERS[solver], "early_stopping": "none"}
    free = fitted(GMLVQ, X, y, max_iter=300, **common)
    kept = fitted(GMLVQ, X, y, max_iter=300, regularization=0.01, **common)
    ratios = [np.linalg.cond(m.omega_) for m in (free, kept)]
    assert ratios[1] < 0.5 * ratios[0]


def test_the_penalty_brings_back_a_rank_that_the_start_lacks():
    X, y = blobs(60)
    for solver in SOLVERS.values():
        result = fitted(
            LiRaMLVQ, X, y, solver=solver, matrix_init=np.ones((2, 5)),
            regularization=0.1,
        )  # fmt: skip
        assert np.linalg.matrix_rank(result.omega_, tol=1e-3) == 2


@pytest.mark.parametrize("model", [GLVQ, GRLVQ, *MATRIX_MODELS, LGMLVQ])
def test_rates_that_blow_up_say_to_lower_them(model):
    X, y = blobs(60)
    with pytest.raises(
        FloatingPointError, match=r"Lower learning_rate .* scale the features"
    ):
        fitted(model, X, y, solver="sgd", learning_rate=1e200)
