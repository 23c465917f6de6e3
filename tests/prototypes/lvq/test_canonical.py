"""What is reported of a matrix: the canonical form, and what may be cut from it."""

import numpy as np
import pytest
from tests.prototypes.lvq import reference
from tests.prototypes.lvq.cases import MATRIX_MODELS, blobs

from labelscape._core.rows.rows import Rows
from labelscape.prototypes import GMLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ
from labelscape.prototypes.lvq._matrices import canonical, without_null_space


def random_turn(n, seed):
    return np.linalg.qr(np.random.default_rng(seed).normal(size=(n, n)))[0]


@pytest.mark.parametrize("shape", [(2, 6), (5, 5), (1, 4)])
def test_the_canonical_form_holds_the_signed_eigenpairs_of_lambda(shape):
    Omega = np.random.default_rng(0).normal(size=shape)
    form, _ = canonical(Omega)
    np.testing.assert_allclose(form, reference.canonical(Omega), atol=1e-12)
    lengths = np.linalg.norm(form, axis=1)
    assert (np.diff(lengths) <= 0).all()
    largest = np.abs(form).argmax(axis=1)
    assert (form[np.arange(len(form)), largest] > 0).all()


def test_the_canonical_form_is_the_same_for_every_turn_of_omega():
    Omega = np.random.default_rng(1).normal(size=(3, 7))
    expected, _ = canonical(Omega)
    for seed in range(5):
        turned, _ = canonical(random_turn(3, seed) @ Omega)
        np.testing.assert_allclose(turned, expected, atol=1e-13)


@pytest.mark.parametrize("columns", [slice(0, 3), slice(4, 7), [0, 3, 6]])
def test_rows_of_equal_weight_settle_to_one_basis(columns):
    Omega = np.zeros((3, 7))
    Omega[:, columns] = np.eye(3)
    expected, _ = canonical(Omega)
    np.testing.assert_allclose(expected[:, columns], np.eye(3), atol=1e-14)
    mixed = np.linalg.qr(np.random.default_rng(2).normal(size=(7, 3)))[0].T
    for start in (Omega, mixed):
        expected, _ = canonical(start)
        for seed in range(5):
            turned, _ = canonical(random_turn(3, seed) @ start)
            np.testing.assert_allclose(turned, expected, atol=1e-12)


def test_a_lost_rank_leaves_rows_of_zeros():
    form, _ = canonical(np.outer([1.0, 2.0], [0.0, 3.0, 4.0]))
    np.testing.assert_allclose(form[0], np.sqrt(5) * np.array([0, 3, 4]), atol=1e-14)
    np.testing.assert_allclose(form[1], 0.0, atol=1e-14)
    zeros, _ = canonical(np.zeros((2, 3)))
    assert not zeros.any()


def test_distances_do_not_change_and_local_matrices_turn_along():
    rng = np.random.default_rng(3)
    Omega, Psi = rng.normal(size=(3, 6)), rng.normal(size=(4, 3, 3))
    nearly_equal = np.linalg.qr(Omega.T)[0].T * [[1.0], [1.0 + 1e-9], [0.5]]
    V = rng.normal(size=(50, 6))
    for matrix in (Omega, nearly_equal):
        form, turned = canonical(matrix, Psi)
        np.testing.assert_allclose(
            np.sum((V @ form.T) ** 2, axis=1),
            np.sum((V @ matrix.T) ** 2, axis=1),
            rtol=1e-12,
        )
        for before, after in zip(Psi, turned, strict=True):
            np.testing.assert_allclose(
                np.sum((V @ form.T @ after.T) ** 2, axis=1),
                np.sum((V @ matrix.T @ before.T) ** 2, axis=1),
                rtol=1e-12,
            )


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
@pytest.mark.parametrize("model", MATRIX_MODELS)
def test_a_fitted_matrix_has_norm_1_and_canonical_form(model, solver):
    X, y = blobs(90, n_features=4)
    fitted = model(solver=solver, max_iter=110, random_state=0).fit(X, y)
    assert np.linalg.norm(fitted.omega_) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(canonical(fitted.omega_)[0], fitted.omega_, atol=1e-12)
    assert fitted.relevances_.sum() == pytest.approx(1.0)
    np.testing.assert_allclose(
        fitted.relevance_matrix_, fitted.omega_.T @ fitted.omega_
    )
    np.testing.assert_allclose(fitted.relevances_, np.diag(fitted.relevance_matrix_))
    np.testing.assert_allclose(fitted.transform(X), X @ fitted.omega_.T)


@pytest.mark.parametrize("model", [LGMLVQ, LocalLiRaMLVQ])
@pytest.mark.parametrize("where", ["class", "prototype"])
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_local_matrices_have_norm_1_each(model, where, solver):
    X, y = blobs(60, n_features=4)
    fitted = model(
        2, localization=where, solver=solver, max_iter=110, random_state=0
    ).fit(X, y)
    assert len(fitted.local_matrices_) == (3 if where == "class" else 6)
    norms = np.linalg.norm(fitted.local_matrices_, axis=(1, 2))
    np.testing.assert_allclose(norms, 1.0, rtol=1e-12)


def test_a_reduced_model_keeps_the_leading_rows():
    X, y = blobs(90)
    full = GMLVQ(random_state=0).fit(X, y)
    plane = full.reduced(2)
    kept = full.omega_[:2] / np.linalg.norm(full.omega_[:2])
    np.testing.assert_allclose(plane.omega_, kept)
    np.testing.assert_allclose(plane.transform(X), X @ kept.T)
    V = X[:, None, :] - full.prototypes_
    nearest = np.sum((V @ kept.T) ** 2, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(plane.predict(X), full.prototype_labels_[nearest])
    assert full.omega_.shape == (5, 5)
    assert plane.get_params()["n_components"] == 2


def test_a_reduced_local_model_measures_inside_the_kept_plane():
    X, y = blobs(90)
    full = LocalLiRaMLVQ(n_components=3, random_state=0).fit(X, y)
    plane = full.reduced(2)
    A = full.local_matrices_[:, :, :2] @ plane.omega_
    V = X[:, None, :] - full.prototypes_
    D = np.sum(np.einsum("gmj,igj->igm", A, V) ** 2, axis=2)
    np.testing.assert_array_equal(plane.predict(X), D.argmin(axis=1))


@pytest.mark.parametrize("wrong", [0, 6, 1.5])
def test_a_model_cannot_be_reduced_to_rows_it_does_not_have(wrong):
    X, y = blobs(60)
    full = GMLVQ(max_iter=2, random_state=0).fit(X, y)
    with pytest.raises(ValueError, match=r"GMLVQ.reduced: n_components .* 1 and 5"):
        full.reduced(wrong)


def test_what_a_matrix_does_outside_the_data_can_be_taken_out():
    rng = np.random.default_rng(4)
    X, y = blobs(60, n_features=3)
    X = np.column_stack([X, X[:, 0] + X[:, 1]])  # 3 dimensions in 4 features
    start = rng.normal(size=(2, 4))
    settings = {"matrix_init": start, "solver": "sgd", "max_iter": 105}
    raw = LiRaMLVQ(random_state=0, **settings).fit(X, y)
    corrected = LiRaMLVQ(random_state=0, null_space_correction=True, **settings).fit(
        X, y
    )
    outside = np.array([1.0, 1.0, 0.0, -1.0])
    assert np.abs(raw.omega_ @ outside).max() > 1e-3
    np.testing.assert_allclose(corrected.omega_ @ outside, 0.0, atol=1e-9)
    np.testing.assert_array_equal(raw.predict(X), corrected.predict(X))


def test_the_null_space_correction_leaves_complete_data_alone():
    X, y = blobs(60)
    data = Rows(X, np.unique(y), y, np.ones(60), center=X.mean(axis=0))
    Omega = np.random.default_rng(5).normal(size=(2, 5))
    np.testing.assert_allclose(without_null_space(Omega, data), Omega, atol=1e-12)
