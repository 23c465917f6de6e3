"""PLS-DA and OPLS-DA: against NIPALS as printed, each other, and noise."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.cross_decomposition import PLSRegression
from sklearn.datasets import load_breast_cancer, load_wine

from labelscape._core.errors import InputError
from labelscape.embeddings import OPLSDA, PLSDA
from labelscape.quality import honesty


@pytest.fixture(scope="module")
def wine():
    return load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True)
    return X[:120], np.array(["malignant", "benign"])[y[:120]]


def scaled(A):
    return (A - A.mean(axis=0)) / A.std(axis=0, ddof=1)


def nipals(X, Y, n_components):
    """PLS2 as Wold et al. print it: the inner loop runs until the weights rest."""
    X, Y = X.copy(), Y.copy()
    W, T, P, C = [], [], [], []
    for _ in range(n_components):
        u = Y[:, 0]
        for _ in range(5000):
            w = X.T @ u / (u @ u)
            w /= np.sqrt(w @ w)
            t = X @ w
            c = Y.T @ t / (t @ t)
            u = Y @ c / (c @ c)
        p = X.T @ t / (t @ t)
        X, Y = X - np.outer(t, p), Y - np.outer(t, c)
        for columns, column in zip((W, T, P, C), (w, t, p, c), strict=True):
            columns.append(column)
    return [np.column_stack(columns) for columns in (W, T, P, C)]


def opls(X, y, n_orthogonal):
    """O-PLS of one response as Trygg and Wold print it: scores, orthogonal ones."""
    X, orthogonal = X.copy(), []
    w = X.T @ y / (y @ y)
    w /= np.sqrt(w @ w)
    for _ in range(n_orthogonal):
        t = X @ w / (w @ w)
        p = X.T @ t / (t @ t)
        w_o = p - (w @ p) / (w @ w) * w
        w_o /= np.sqrt(w_o @ w_o)
        t_o = X @ w_o
        p_o = X.T @ t_o / (t_o @ t_o)
        X = X - np.outer(t_o, p_o)
        orthogonal.append(t_o)
    return np.column_stack([X @ w, *orthogonal])


def same_up_to_sign(A, B):
    signs = np.sign(np.sum(A * B, axis=0))
    np.testing.assert_allclose(A, B * signs, atol=1e-6 * np.abs(B).max())


def test_components_are_those_of_nipals(wine):
    X, y = wine
    model = PLSDA(n_components=3).fit(X, y)
    W, T, P, C = nipals(scaled(X), scaled(np.eye(3)[y]), 3)
    same_up_to_sign(model.weights_, W)
    same_up_to_sign(model.scores_, T)
    same_up_to_sign(model.loadings_, P)
    same_up_to_sign(model.y_loadings_, C)
    explained = np.sum(T**2, axis=0) * np.sum(C**2, axis=0)
    vip = np.sqrt(13 * (W**2 @ explained) / explained.sum())
    np.testing.assert_allclose(model.vip_, vip, rtol=1e-6)


def test_components_of_more_classes_than_features_are_those_of_nipals():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 9
    X = rng.normal(size=(90, 4)) + 3.0 * rng.normal(size=(9, 4))[y]
    model, Y = PLSDA(n_components=2).fit(X, y), scaled(np.eye(9)[y])
    W, T, _, C = nipals(scaled(X), Y, 2)
    same_up_to_sign(model.weights_, W)
    same_up_to_sign(model.scores_, T)
    same_up_to_sign(model.y_loadings_, C)
    rest = np.sum((Y - model.scores_ @ model.y_loadings_.T) ** 2)
    assert model.r2y_ == pytest.approx(1.0 - rest / np.sum(Y**2), rel=1e-12)


def test_predictions_are_those_of_scikit_learn(wine):
    X, y = wine
    peer = PLSRegression(2, tol=1e-20, max_iter=5000).fit(X, np.eye(3)[y])
    model = PLSDA().fit(X, y)
    np.testing.assert_array_equal(model.predict(X), peer.predict(X).argmax(axis=1))
    same_up_to_sign(model.transform(X), peer.transform(X))


def test_orthogonal_components_are_those_of_trygg_and_wold(cancer):
    X, y = cancer
    code = (y == "malignant").astype(float)
    model = OPLSDA(n_components=3).fit(X, y)
    same_up_to_sign(model.scores_, opls(scaled(X), code - code.mean(), 2))
    p = model.loadings_[:, 0]
    vip = np.sqrt(len(p)) * np.abs(p) / np.sqrt(p @ p)
    np.testing.assert_allclose(model.vip_, vip, rtol=1e-6)


def test_opls_explains_and_predicts_what_pls_does(cancer):
    """O-PLS is a rotation of PLS with as many components (Trygg and Wold 2002)."""
    one, other = (Model(n_components=3).fit(*cancer) for Model in (OPLSDA, PLSDA))
    for name in ("r2x_", "r2y_", "q2_"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)
    np.testing.assert_array_equal(one.predict(cancer[0]), other.predict(cancer[0]))


def test_q2_is_measured_on_held_out_folds(wine):
    X, y = wine
    Y, model = np.eye(3)[y], PLSDA().fit(X, y)
    folds = np.empty(len(X), dtype=int)
    folds[np.argsort(y, kind="stable")] = np.arange(len(X)) % 7
    errors = 0.0
    for fold in range(7):
        rest = folds != fold
        peer = PLSRegression(2, tol=1e-20, max_iter=20000).fit(X[rest], Y[rest])
        missed = Y[~rest] - peer.predict(X[~rest])
        errors += np.sum((missed / Y.std(axis=0, ddof=1)) ** 2)
    assert model.q2_ == pytest.approx(1 - errors / np.sum(scaled(Y) ** 2), abs=1e-5)


@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
def test_fitted_scores_separate_noise_and_held_out_scores_do_not():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 800)), np.arange(40) % 2
    model = PLSDA().fit(X, y)
    assert model.score(X, y) == 1.0
    assert model.q2_ < 0.1
    fitted, held = model.scores_[:, 0], model.held_out_scores_[:, 0]
    assert abs(np.corrcoef(fitted, y)[0, 1]) > 0.95
    assert abs(np.corrcoef(held, y)[0, 1]) < 0.5
    report = honesty(PLSDA(), X, y, random_state=0)
    assert report.verdict.real == "no"


def test_intervals_hold_the_importance_and_single_out_a_planted_feature():
    rng = np.random.default_rng(1)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 12))
    X[:, 4] += 3.0 * y
    model = PLSDA().fit(X, y)
    low, high = model.vip_intervals_.T
    assert np.all((low <= model.vip_) & (model.vip_ <= high))
    assert np.mean(model.vip_**2) == pytest.approx(1.0)
    assert low[4] > np.delete(high, 4).max()


@pytest.mark.parametrize("Model", [PLSDA, OPLSDA])
def test_transform_repeats_the_scores(Model, cancer):
    model = Model().fit(*cancer)
    np.testing.assert_allclose(model.transform(cancer[0]), model.scores_, atol=1e-9)


@pytest.mark.parametrize(("scaling", "power"), [("pareto", 0.5), ("none", 0.0)])
def test_scaling_divides_by_a_power_of_the_deviation(scaling, power, wine):
    X, y = wine
    given = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1) ** power
    plain, own = PLSDA(scaling="none").fit(given, y), PLSDA(scaling=scaling).fit(X, y)
    np.testing.assert_allclose(own.scores_, plain.scores_, rtol=1e-7, atol=1e-7)


def test_a_component_that_has_nothing_left_is_zero():
    y = np.arange(20) % 2
    X = np.column_stack([y, 3.0 * y]) + 1.0
    model = PLSDA().fit(X, y)
    assert np.all(np.isfinite(model.scores_))
    np.testing.assert_allclose(model.scores_[:, 1], 0.0, atol=1e-12)
    assert model.score(X, y) == 1.0


def test_several_classes_have_as_many_predictive_components_less_one(wine):
    X, y = wine
    model = OPLSDA(n_components=3, n_orthogonal=2).fit(X, y)
    related = np.abs(scaled(np.eye(3)[y]).T @ model.scores_)
    assert np.all(related[:, :2].max(axis=0) > 1.0)
    np.testing.assert_allclose(related[:, 2], 0.0, atol=1e-8)
    assert OPLSDA().fit(X, y).score(X, y) > 0.95


@pytest.mark.parametrize("Model", [PLSDA, OPLSDA])
def test_more_components_than_features_or_samples_are_refused(Model):
    X, y = np.random.default_rng(0).normal(size=(4, 6)), [0, 1, 0, 1]
    with pytest.raises(InputError, match="at most n_samples - 1 = 3, got 4"):
        Model(n_components=4).fit(X, y)
    with pytest.raises(InputError, match="at most n_features = 6, got 7"):
        Model(n_components=7).fit(X, y)


def test_published_figures_of_ropls_are_those_of_ours():
    reason = "the table of sacurine comes with the package pi-oplsda"
    if find_spec("piopls") is None:
        pytest.skip(reason)
    data = Path(find_spec("piopls").origin).parent / "data"
    X = pd.read_csv(data / "sacurine_X.csv", index_col=0)
    gender = pd.read_csv(data / "sacurine_Y.csv", index_col=0)["Gender"]
    # ropls prints R2X .275 and R2Y .73 for both; Q2 .584 and .602, by other folds.
    for model, q2 in ((PLSDA(3), 0.584), (OPLSDA(3, n_orthogonal=2), 0.602)):
        model.fit(X, gender)
        assert (round(model.r2x_, 3), round(model.r2y_, 2)) == (0.275, 0.73)
        assert abs(model.q2_ - q2) < 0.03
