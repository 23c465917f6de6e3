"""Directions that separate labels, and fits without those of a nuisance."""

import warnings

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from labelscape import load, save
from labelscape._core.errors import InputError, InputWarning
from labelscape.embeddings import CrossFittedTSNE, FisherKernelTSNE
from labelscape.prototypes import (
    GMLVQ,
    LBFGS,
    LiRaMLVQ,
    LocalLiRaMLVQ,
    center_batches,
    discriminative_directions,
    nuisance_directions,
)
from labelscape.prototypes import _directions as module
from labelscape.prototypes.directions import remaining_batches

QUICK = {"max_iter": 60, "early_exaggeration_iter": 40, "focus": 0.5, "random_state": 0}


def planted(n=240, d=8, n_batches=3, shift=6.0, seed=0):
    """Return samples of three classes, shifted along n_batches - 1 directions."""
    rng = np.random.default_rng(seed)
    y, batch = rng.integers(3, size=n), rng.integers(n_batches, size=n)
    X = rng.normal(size=(n, d))
    X[:, 0] += 4.0 * (y == 1)
    X[:, 1] += 4.0 * (y == 2)
    V = np.linalg.qr(rng.normal(size=(d, n_batches - 1)))[0].T
    steps = shift * np.eye(n_batches)[:, 1:]
    return X + steps[batch] @ V, y, batch, V


def reference_directions(X, y, batch, k):
    """Return the first k shifts of batches within classes, sample by sample."""
    design = [[1.0 * (y[i] == c) for c in np.unique(y)] for i in range(len(X))]
    design = np.array(
        [
            row + [1.0 * (batch[i] == b) for b in np.unique(batch)[1:]]
            for i, row in enumerate(design)
        ]
    )
    effects = np.linalg.solve(design.T @ design, design.T @ X)
    of_batches = np.vstack([np.zeros(X.shape[1]), effects[len(np.unique(y)) :]])
    of_batches -= of_batches.mean(axis=0)
    return np.linalg.svd(of_batches)[2][:k]


def test_planted_directions_of_batches_are_removed_and_classes_stay():
    X, y, batch, V = planted()
    result = nuisance_directions(X, y, batch, random_state=0)
    assert result.directions.shape == (2, 8)
    assert np.linalg.svd(result.directions @ V.T)[1].min() > 0.98
    assert result.accuracies[0] > 0.95
    assert result.is_at_chance
    model = GMLVQ(random_state=0).fit(X, y, correct_for=batch)
    assert model.score(X, y) > 0.9


def test_the_directions_of_shifts_equal_those_of_a_slow_reference():
    X, y, batch, _ = planted(n=150, d=5)
    V = nuisance_directions(X, y, batch, random_state=0).directions
    wanted = reference_directions(X, y, batch, 2)
    np.testing.assert_allclose(V.T @ V, wanted.T @ wanted, atol=1e-10)


def test_shifts_are_removed_where_the_noise_differs_between_directions():
    X, y, batch, _ = planted(n_batches=2)
    X[:, 7] += 5.0 * X[:, 6]  # a model prefers another direction than the shift's
    result = nuisance_directions(X, y, batch, random_state=0)
    Z = result.remove(X)
    differences = [
        Z[(y == c) & (batch == 1)].mean(0) - Z[(y == c) & (batch == 0)].mean(0)
        for c in range(3)
    ]
    # What is left is what classes do not share.
    assert np.linalg.norm(np.mean(differences, axis=0)) < 0.5


def test_removing_is_the_projection_of_the_formula():
    X, y, batch, _ = planted()
    result = nuisance_directions(X, y, batch, random_state=0)
    V, center = result.directions, X.mean(axis=0)
    P = np.eye(8) - V.T @ V
    np.testing.assert_allclose(result.remove(X), (X - center) @ P + center, atol=1e-12)
    np.testing.assert_array_equal(result.remove(X[3:4])[0], result.remove(X)[3])


def test_a_model_equals_one_that_is_fitted_to_coordinates_of_what_is_left():
    X, y, batch, _ = planted()
    V = nuisance_directions(X, y, batch, random_state=0).directions
    Q = np.linalg.svd(np.eye(8) - V.T @ V)[0][:, : 8 - len(V)]
    rest = (X - X.mean(axis=0)) @ Q
    Omega = np.random.default_rng(0).normal(size=(2, rest.shape[1]))
    # Jitter is relative to the spread of all features, of which there are fewer.
    same = {"max_iter": 10, "solver": LBFGS(jitter=0.0), "random_state": 0}
    left = LiRaMLVQ(matrix_init=Omega, **same).fit(rest, y)
    model = LiRaMLVQ(matrix_init=Omega @ Q.T, **same).fit(X, y, correct_for=batch)
    np.testing.assert_allclose(
        model.relevance_matrix_, Q @ left.relevance_matrix_ @ Q.T, atol=1e-6
    )
    np.testing.assert_allclose(
        model.predict_proba(X), left.predict_proba(rest), atol=1e-5
    )


@pytest.mark.parametrize("model", [GMLVQ, LiRaMLVQ, LocalLiRaMLVQ])
@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_model_does_not_see_the_removed_directions(model, solver):
    X, y, batch, _ = planted()
    fitted = model(random_state=0, max_iter=5, solver=solver)
    fitted.fit(X, y, correct_for=batch)
    V = fitted.nuisance_.directions
    np.testing.assert_allclose(fitted.omega_ @ V.T, 0.0, atol=1e-12)
    moved = X + np.random.default_rng(0).normal(size=(len(X), len(V))) @ V
    np.testing.assert_allclose(fitted.transform(moved), fitted.transform(X), atol=1e-9)
    np.testing.assert_array_equal(fitted.predict(moved), fitted.predict(X))


def test_a_nuisance_at_chance_changes_no_bit(tmp_path):
    X, y, _, _ = planted(shift=0.0)
    batch = np.random.default_rng(1).integers(3, size=len(X))
    plain = GMLVQ(random_state=0).fit(X, y)
    same = GMLVQ(random_state=0).fit(X, y, correct_for=batch)
    assert len(same.nuisance_.directions) == 0
    save(same, tmp_path / "model.npz")
    assert len(load(tmp_path / "model.npz").nuisance_.directions) == 0
    np.testing.assert_array_equal(same.omega_, plain.omega_)
    np.testing.assert_array_equal(same.prototypes_, plain.prototypes_)
    Z = CrossFittedTSNE(**QUICK).fit_transform(X, y)
    corrected = CrossFittedTSNE(**QUICK).fit_transform(X, y, correct_for=batch)
    np.testing.assert_array_equal(corrected, Z)
    assert remaining_batches(X, y, batch, random_state=0) is None


def test_a_generator_is_used_by_the_fit_as_without_the_correction():
    X, y, _, _ = planted(shift=0.0)
    batch = np.random.default_rng(1).integers(3, size=len(X))
    fits = [
        LiRaMLVQ(random_state=np.random.RandomState(3), max_iter=5).fit(
            X, y, correct_for=given
        )
        for given in (None, batch)
    ]
    np.testing.assert_array_equal(fits[0].omega_, fits[1].omega_)


def test_a_fit_without_it_forgets_an_earlier_correction():
    X, y, batch, _ = planted()
    model = GMLVQ(random_state=0, max_iter=10).fit(X, y, correct_for=batch)
    model.fit(X, y)
    plain = GMLVQ(random_state=0, max_iter=10).fit(X, y)
    assert not hasattr(model, "nuisance_")
    np.testing.assert_array_equal(model.omega_, plain.omega_)


def test_the_map_is_free_of_the_batch_and_places_new_samples_without_it():
    X, y, batch, _ = planted(n_batches=2)
    model = CrossFittedTSNE(**QUICK)
    Z = model.fit_transform(X, y, correct_for=batch)
    np.testing.assert_array_equal(model.transform(X[:5]), Z[:5])
    V = model.nuisance_.directions
    np.testing.assert_allclose(
        model.transform(X[:5] + 1e-3 + V[0]), model.transform(X[:5] + 1e-3), atol=1e-6
    )
    assert model.support(X[:5]).max() == pytest.approx(
        model.support(X[:5] + 9.0 * V[0]).max()
    )
    model.refit(X, y)


def test_files_keep_the_correction(tmp_path):
    X, y, batch, _ = planted(n_batches=2)
    new = X[:9] + 0.1
    model = GMLVQ(random_state=0, max_iter=10).fit(X, y, correct_for=batch)
    save(model, tmp_path / "model.npz")
    again = load(tmp_path / "model.npz")
    np.testing.assert_array_equal(again.predict_proba(new), model.predict_proba(new))
    assert str(again.nuisance_) == str(model.nuisance_)
    fitted = CrossFittedTSNE(**QUICK).fit(X, y, correct_for=batch)
    save(fitted, tmp_path / "map.npz")
    placed = load(tmp_path / "map.npz").transform(new)
    np.testing.assert_array_equal(placed, fitted.transform(new))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (lambda y: y, "no class in common"),
        (lambda y: np.where(y == 0, "a", "b"), "no class in common"),
        (lambda y: np.where(np.arange(len(y)) % 60, y, 0), "nearly determine"),
        (lambda y: np.zeros(len(y)), "same value 0.0 for all"),
        (lambda y: y[:-1], "one label for each of the 240 samples"),
        (lambda y: np.where(np.arange(len(y)) == 3, np.nan, y), "row 3"),
        (lambda y: np.arange(len(y)), "240 values for 240 samples"),
    ],
)
@pytest.mark.parametrize("model", [GMLVQ(), CrossFittedTSNE(focus=0.5)])
def test_designs_that_cannot_be_corrected_are_refused(model, given, words):
    X, y, _, _ = planted()
    with pytest.raises(InputError, match=words):
        model.fit(X, y, correct_for=given(y))


def test_each_batch_of_one_class_is_refused():
    X, y, _, _ = planted()
    batch = 2 * y + np.arange(len(y)) % 2
    with pytest.raises(InputError, match="no class in common"):
        GMLVQ().fit(X, y, correct_for=batch)


def test_kinds_of_data_that_cannot_be_projected_are_refused():
    from scipy.sparse import csr_array

    X, y, batch, _ = planted()
    with pytest.raises(TypeError, match="dense NumPy array"):
        GMLVQ().fit(csr_array(X), y, correct_for=batch)
    X[0, 0] = np.nan
    with pytest.raises(TypeError, match="impute"):
        GMLVQ(missing="ignore").fit(X, y, correct_for=batch)
    with pytest.raises(InputError, match="use CrossFittedTSNE"):
        FisherKernelTSNE().fit(np.nan_to_num(X), y, correct_for=batch)


def test_samples_of_weight_zero_are_left_out():
    X, y, batch, _ = planted()
    weights = np.arange(len(X)) % 4 > 0
    model = GMLVQ(random_state=0, max_iter=5)
    model.fit(X, y, sample_weight=weights.astype(float), correct_for=batch)
    some = nuisance_directions(X[weights], y[weights], batch[weights], random_state=0)
    np.testing.assert_array_equal(model.nuisance_.directions, some.directions)


def test_it_warns_if_classes_are_removed_with_the_batch():
    rng = np.random.default_rng(0)
    batch = rng.integers(2, size=300)
    y = rng.integers(2, size=300)
    X = rng.normal(size=(300, 6))
    X[:, 0] += 3.0 * y + 6.0 * batch
    with pytest.warns(InputWarning, match="reduces class differences"):
        nuisance_directions(X, y, batch, random_state=0)


def test_it_warns_if_the_batch_needs_more_than_half_of_all_directions():
    X, y, batch, _ = planted(d=3)
    with pytest.warns(InputWarning) as caught:
        nuisance_directions(X, y, batch, random_state=0)
    assert "after removing 1 of 3 directions" in str(caught[0].message)


def test_groups_are_held_out_together_unless_a_batch_is_one_group():
    X, y, batch, _ = planted(n_batches=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = nuisance_directions(X, y, batch, groups=batch, random_state=0)
        plain = nuisance_directions(X, y, batch, random_state=0)
    np.testing.assert_array_equal(alone.accuracies, plain.accuracies)
    # Batches of noise, whose groups have a shift of their own.
    rng = np.random.default_rng(0)
    group = np.arange(240) // 12
    X = rng.normal(size=(240, 8)) + 5.0 * rng.normal(size=(20, 8))[group]
    result = nuisance_directions(X, y, group % 2, groups=group, random_state=0)
    each = np.arange(240)
    loose = nuisance_directions(X, y, group % 2, groups=each, random_state=0)
    assert result.accuracies[0] < loose.accuracies[0]


def test_directions_of_classes_come_in_order_until_chance():
    X, y, _, _ = planted(shift=0.0)
    result = discriminative_directions(X, y, random_state=0)
    V = result.directions
    np.testing.assert_allclose(V @ V.T, np.eye(len(V)), atol=1e-10)
    assert 2 <= len(V) < 8
    assert result.accuracies[0] > 0.9
    assert result.is_at_chance
    lines = str(result).splitlines()
    assert len(lines) == len(V) + 3
    assert lines[-1] == "Guessing: 33.3%"
    assert result._repr_html_().count("<tr>") == len(V) + 2
    first = discriminative_directions(X, y, max_directions=1, random_state=0)
    np.testing.assert_array_equal(first.directions, V[:1])
    np.testing.assert_array_equal(first.accuracies, result.accuracies[:2])


def test_directions_of_classes_are_those_along_which_they_differ():
    found = []
    for seed in range(5):
        X, y, _, _ = planted(shift=0.0, seed=seed)
        V = discriminative_directions(X, y, random_state=0).directions
        found.append(np.linalg.svd(V[:3, :2])[1].min())  # the first two features
    # Of 20 draws 0.96 (standard deviation 0.04).
    assert np.mean(found) > 0.9


def test_the_first_direction_is_the_leading_eigenvector_of_the_mean_matrix():
    X, y, _, _ = planted(shift=0.0, n=90)
    seen = []

    class Spy(GMLVQ):
        def fit(self, X, y):
            super().fit(X, y)
            seen.append(self.omega_)
            return self

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("labelscape.prototypes.directions.GMLVQ", Spy)
        result = discriminative_directions(X, y, max_directions=1, random_state=0)
    mean = sum(omega.T @ omega for omega in seen[: module.N_FOLDS])
    leading = np.linalg.eigh(mean)[1][:, -1]
    assert abs(leading @ result.directions[0]) == pytest.approx(1.0)


def test_many_rows_are_sampled(monkeypatch):
    monkeypatch.setattr(module, "MOST_ROWS", 100)
    X, y, batch, V = planted(n_batches=2)
    result = nuisance_directions(X, y, batch, random_state=0)
    assert abs(result.directions[0] @ V[0]) > 0.9


def test_a_table_of_one_feature_loses_nothing():
    X, y, batch, _ = planted(n_batches=2)
    with pytest.warns(InputWarning, match="0 of 1 directions"):
        result = nuisance_directions(X[:, :1] + 5.0 * batch[:, None], y, batch)
    assert result.directions.shape == (0, 1)


def test_the_number_of_threads_changes_no_bit():
    X, y, batch, _ = planted()
    results = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            results.append(nuisance_directions(X, y, batch, random_state=0))
    np.testing.assert_array_equal(results[0].directions, results[1].directions)
    np.testing.assert_array_equal(results[0].accuracies, results[1].accuracies)


def test_batches_are_centered_and_a_model_is_right_for_an_unlabeled_one():
    X, y, batch, _ = planted(shift=9.0)
    X[batch == 2, 0] += 5.0  # shifted towards another class
    Z = center_batches(X, batch, random_state=0)
    for b in range(3):
        np.testing.assert_allclose(Z[batch == b].mean(0), X.mean(0), atol=1e-12)
        inside = Z[batch == b] - X[batch == b]
        np.testing.assert_allclose(inside, inside[:1].repeat(len(inside), 0))
    scores = []
    for seed in range(10):
        X, y, batch, _ = planted(shift=9.0, seed=seed)
        X[batch == 2, 0] += 5.0
        Z, new = center_batches(X, batch, random_state=0), batch == 2
        models = [GMLVQ(random_state=0).fit(W[~new], y[~new]) for W in (X, Z)]
        scores.append(
            [m.score(W[new], y[new]) for m, W in zip(models, (X, Z), strict=True)]
        )
    # Of 12 draws 0.42 (standard deviation 0.18) and 0.94 (0.03).
    without, centered = np.mean(scores, axis=0)
    assert without < 0.6
    assert centered > 0.85


def test_batches_that_mean_nothing_are_left_as_they_are():
    X, _, batch, _ = planted(shift=0.0)
    assert np.array_equal(center_batches(X, batch, random_state=0), X)
    with pytest.raises(InputError, match="nothing to correct"):
        center_batches(X, np.zeros(len(X)))
