import numpy as np
import pytest
import scipy.sparse
from numpy.testing import assert_allclose, assert_array_equal

from labelscape._resampling.label_signal import LabelsSayNothing
from labelscape.embeddings import LFDA
from labelscape.embeddings.lfda import local_scatter


def scatter(X, y, k):
    """Return S_w and S_b of samples with class indices."""
    return local_scatter(lambda c: X[y == c], np.bincount(y), X.sum(axis=0), k)


def correct_one_nn(Z, y):
    """How many objects have the label of their nearest other object."""
    D = ((Z[:, None] - Z[None]) ** 2).sum(axis=-1)
    np.fill_diagonal(D, np.inf)
    return int(np.sum(y[D.argmin(axis=1)] == y))


def z_scored(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


@pytest.fixture
def three_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(["basalt", "granite", "marble"], 20)
    centers = np.repeat([[0, 0, 0, 0], [3, 0, 0, 1], [0, 3, 0, 1]], 20, axis=0)
    return rng.normal(size=(60, 4)) + centers, y


@pytest.mark.parametrize(("k", "correct"), [(1, 59), (4, 56)])
def test_nci_gives_the_papers_one_nn_accuracies(k, correct, paper_table):
    X, y = paper_table("nci50")
    X = z_scored(X)
    Z = LFDA(n_neighbors=k).fit(X, y).transform(X)
    assert len(y) == 61
    assert correct_one_nn(Z, y) == correct


def test_srbct_is_free_of_error_for_every_number_of_neighbors(paper_table):
    X, y = paper_table("srbct50")
    X = z_scored(X)
    for k in range(1, 11):
        Z = LFDA(n_neighbors=k).fit(X, y).transform(X)
        assert correct_one_nn(Z, y) == len(y) == 83


def test_axes_solve_the_eigenvalue_problem_in_falling_order(three_classes):
    X, y = three_classes
    lfda = LFDA(n_components=4, scaling="plain").fit(X, y)
    S_w, S_b = scatter(X - X.mean(axis=0), np.unique(y, return_inverse=True)[1], 7)
    T = lfda.components_.T
    assert_allclose(S_b @ T, S_w @ T * lfda.eigenvalues_, atol=1e-9)
    assert_allclose(T.T @ S_w @ T, np.eye(4), atol=1e-10)
    assert np.all(np.diff(lfda.eigenvalues_) < 0)
    assert lfda.ridge_ == 0.0


def test_weighted_axes_are_plain_ones_times_the_root_of_the_eigenvalue(three_classes):
    X, y = three_classes
    plain = LFDA(scaling="plain").fit(X, y)
    weighted = LFDA(scaling="weighted").fit(X, y)
    assert_allclose(
        weighted.components_, plain.components_ * np.sqrt(plain.eigenvalues_)[:, None]
    )


def test_orthonormalized_axes_span_the_same_plane(three_classes):
    X, y = three_classes
    plain = LFDA(scaling="plain").fit(X, y).components_
    Q = LFDA(scaling="orthonormalized").fit(X, y).components_
    assert_allclose(Q @ Q.T, np.eye(2), atol=1e-12)
    assert_allclose(plain @ Q.T @ Q, plain, atol=1e-12)


def test_axes_that_separate_nothing_are_finite(three_classes):
    X, y = three_classes
    X = np.insert(X, 2, 7.0, axis=1)
    lfda = LFDA(n_components=5).fit(X, y)  # the last eigenvalue is 0, or -1e-17
    assert np.isfinite(lfda.components_).all()
    assert_allclose(lfda.eigenvalues_[-1], 0.0, atol=1e-9)


def test_each_axis_has_its_largest_entry_positive(three_classes):
    X, y = three_classes
    for scaling in ("weighted", "plain", "orthonormalized"):
        components = LFDA(scaling=scaling).fit(X, y).components_
        peaks = np.argmax(np.abs(components), axis=1)
        assert (components[[0, 1], peaks] > 0).all()


def test_a_shift_of_all_objects_leaves_the_axes(three_classes):
    X, y = three_classes
    assert_allclose(
        LFDA().fit(X + 1e4, y).components_, LFDA().fit(X, y).components_, rtol=1e-6
    )


@pytest.mark.parametrize("factor", [1e-140, 1e-3, 1e140])
def test_the_unit_of_the_features_does_not_matter(three_classes, factor):
    X, y = three_classes
    Z = LFDA().fit(X, y).transform(X)
    assert_allclose(LFDA().fit(X * factor, y).transform(X * factor), Z, rtol=1e-8)


def test_more_neighbours_than_a_class_has_objects_means_all_of_them(three_classes):
    X, y = three_classes
    assert_array_equal(
        LFDA(n_neighbors=19).fit(X, y).components_,
        LFDA(n_neighbors=1000).fit(X, y).components_,
    )


def test_a_class_with_one_object_counts_between_classes_only(three_classes):
    X, y = three_classes
    X = np.vstack([X, [[20.0, 20.0, 20.0, 20.0]]])
    lfda = LFDA().fit(X, np.append(y, "zircon"))
    Z = lfda.transform(X)
    gaps = np.linalg.norm(Z[:-1] - Z[-1], axis=1)
    assert np.isfinite(Z).all()
    assert gaps.min() > np.ptp(Z[:-1, 0]) / 2


def test_a_table_whose_rows_are_all_written_ten_times_gives_the_same_axes(
    three_classes,
):
    X, y = three_classes
    once, often = LFDA().fit(X, y), LFDA().fit(np.repeat(X, 10, 0), np.repeat(y, 10))
    assert_allclose(often.eigenvalues_, once.eigenvalues_, rtol=1e-8)
    assert often.ridge_ == once.ridge_ == 0.0


@pytest.mark.filterwarnings("ignore::labelscape.embeddings.LabelsSayNothing")
def test_classes_of_two_rows_with_many_copies_have_a_scatter():
    X, y = np.repeat([[0.0, 0.0], [1.0, 1.0]], 20, axis=0), np.tile([0, 1], 20)
    assert np.isfinite(LFDA().fit(X, y).transform(X)).all()


@pytest.mark.parametrize("seed", [11, 43, 174, 187, 247])
@pytest.mark.filterwarnings("ignore::labelscape.embeddings.LabelsSayNothing")
def test_tables_of_few_different_rows_have_a_map_of_usual_size(seed):
    rng = np.random.default_rng(seed)
    n_rows, n_features = rng.integers(2, 7), rng.integers(2, 5)
    rows = rng.integers(0, 3, (n_rows, n_features)).astype(float)
    X, y = rows[rng.integers(0, n_rows, 60)], rng.integers(0, 2, 60)
    Z = LFDA().fit(X, y).transform(X)
    assert 1e-3 < np.abs(Z).max() < 1e3


def test_a_map_whose_axes_are_all_endless_has_a_usual_size():
    y = np.repeat([0, 1, 2], 20)
    X = np.column_stack([np.eye(3)[y], np.random.default_rng(0).normal(size=60)])
    model = LFDA().fit(X, y)
    Z = model.transform(X)
    assert model.eigenvalues_[1] > 1e6
    assert 0.01 < np.abs(Z).max() < 10.0
    assert correct_one_nn(Z, y) == 60


def test_a_constant_feature_is_ridged_and_gets_no_part_in_the_map(three_classes):
    X, y = three_classes
    X = np.insert(X, 2, 7.0, axis=1)
    lfda = LFDA().fit(X, y)
    without = LFDA().fit(np.delete(X, 2, axis=1), y)
    assert lfda.ridge_ > 0.0
    assert_allclose(lfda.components_[:, 2], 0.0, atol=1e-9)
    assert_allclose(
        np.delete(lfda.components_, 2, axis=1), without.components_, rtol=1e-6
    )


def test_more_features_than_objects_are_ridged():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 40)), np.repeat([0, 1], 6)
    lfda = LFDA().fit(X, y)
    Z = lfda.transform(X)
    assert lfda.ridge_ > 0.0
    assert np.isfinite(Z).all()
    assert correct_one_nn(Z, y) == 12


def test_a_feature_that_tells_one_class_leaves_the_others_apart():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], 40)
    X = rng.normal(size=(120, 4)) + np.array([0.0, 4.0, 8.0])[y, None]
    model = LFDA().fit(np.column_stack([X, y == 2]), y)
    Z = model.transform(np.column_stack([X, y == 2]))
    assert model.ridge_ > 0
    assert model.eigenvalues_[0] > 1e6 > model.eigenvalues_[1]
    first, second = (Z[y == c].mean(axis=0) for c in (0, 1))
    assert np.linalg.norm(first - second) > 0.1 * np.ptp(Z, axis=0).max()


def test_float32_stays_float32(three_classes):
    X, y = three_classes
    assert LFDA().fit(X, y).transform(X.astype(np.float32)).dtype == np.float32


def test_more_components_than_features_is_an_error(three_classes):
    X, y = three_classes
    with pytest.raises(ValueError, match=r"at most the number of features.*4.*got 5"):
        LFDA(n_components=5).fit(X, y)


def test_classes_without_two_different_objects_are_an_error():
    X = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 3.0]])
    with pytest.raises(ValueError, match="no class has two different samples"):
        LFDA().fit(X, [0, 0, 1])


@pytest.mark.parametrize(
    "wrong", [{"n_components": 0}, {"n_neighbors": 0}, {"scaling": "metric"}]
)
def test_a_wrong_parameter_is_named(three_classes, wrong):
    with pytest.raises(ValueError, match=f"LFDA: {next(iter(wrong))} must be"):
        LFDA(**wrong).fit(*three_classes)


def test_labels_without_meaning_are_warned_about_in_words():
    rng = np.random.default_rng(0)
    with pytest.warns(LabelsSayNothing, match="LFDA: the labels cannot be predicted"):
        LFDA().fit(rng.normal(size=(80, 20)), rng.integers(2, size=80))


@pytest.mark.parametrize("kind", [scipy.sparse.csr_array, scipy.sparse.coo_matrix])
def test_a_sparse_matrix_gives_the_axes_of_its_dense_copy(kind):
    rng = np.random.default_rng(3)
    y = np.arange(90) % 3
    X = rng.poisson(0.2 + (np.arange(12) % 3 == y[:, None]), size=(90, 12)) * 1.0
    dense, sparse = LFDA().fit(X, y), LFDA().fit(kind(X), y)
    np.testing.assert_allclose(sparse.components_, dense.components_, atol=1e-9)
    Z = sparse.transform(kind(X))
    assert isinstance(Z, np.ndarray)
    np.testing.assert_allclose(Z, dense.transform(X), atol=1e-8)
