"""Cross-fitted maps whose samples have neighbors in all batches (correct_for)."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score
from sklearn.neighbors import KNeighborsClassifier
from threadpoolctl import threadpool_limits

from labelscape import load, save
from labelscape.embeddings import CrossFittedTSNE
from labelscape.embeddings.tsne._batches import balanced_affinities, means_of_neighbors
from labelscape.prototypes.directions import remaining_batches

# Removing directions is not enough for these batches, and warns.
pytestmark = pytest.mark.filterwarnings("ignore:correct_for can still be predicted")
QUICK = {"max_iter": 200, "early_exaggeration_iter": 100, "focus": 0.5}


def warped(n=900, n_batches=2, seed=0, shift=1.2):
    """Return three classes, each shifted in another direction by the batch."""
    rng = np.random.default_rng(seed)
    y, batch = rng.integers(3, size=n), rng.integers(n_batches, size=n)
    X = rng.normal(size=(n, 8))
    X[:, 0] += 4.0 * (y == 1)
    X[:, 1] += 4.0 * (y == 2)
    shifts = shift * rng.normal(size=(n_batches, 3, 6))
    shifts -= shifts.mean(axis=1, keepdims=True)  # no batch is shifted as a whole
    X[:, 2:] += shifts[batch, y]
    return X, y, batch


def on_the_map(X, y, batch, correct_for):
    """Return a map of a quarter, and accuracies of batch and class for the others."""
    fit = np.arange(len(X)) % 4 == 0
    model = CrossFittedTSNE(**QUICK, random_state=0)
    Z = model.fit_transform(X[fit], y[fit], correct_for=correct_for)
    votes, places = KNeighborsClassifier(10), model.transform(X[~fit])
    batches = votes.fit(Z, batch[fit]).predict(places)
    classes = votes.fit(Z, y[fit]).predict(places)
    known = balanced_accuracy_score(batch[~fit], batches)
    return model, known, np.mean(classes == y[~fit])


@pytest.mark.slow
@pytest.mark.parametrize("n_batches", [2, 3])
def test_batches_that_shift_each_class_otherwise_mix_on_the_map(n_batches):
    found = []
    for seed in range(3):
        X, y, batch = warped(1600, n_batches, seed)
        fit = np.arange(len(X)) % 4 == 0
        plain, known, accuracy = on_the_map(X, y, batch, None)
        assert not hasattr(plain, "batch_")
        mixed, left, as_accurate = on_the_map(X, y, batch, batch[fit])
        np.testing.assert_array_equal(mixed.batch_, batch[fit])
        found.append((known, left, as_accurate - accuracy))
    # Of 16 draws, known is chance + 0.37 and + 0.46 (standard deviation 0.05), left is
    # chance + 0.02 and - 0.01 (0.03), the accuracy falls by 0.00 and 0.01 (0.02).
    known, left, gained = np.mean(found, axis=0)
    assert known > 1.0 / n_batches + 0.25
    assert left < 1.0 / n_batches + 0.07
    assert gained > -0.04
    np.testing.assert_array_equal(mixed.transform(X[fit][:5]), mixed.embedding_[:5])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:CrossFittedTSNE. the labels cannot be predicted")
def test_a_map_that_mixes_batches_does_not_separate_random_labels():
    found = []
    for seed in range(3):
        X, _, batch = warped(1600, seed=seed, shift=2.0)
        y = np.random.default_rng(seed + 1).integers(2, size=len(X))
        fit = np.arange(len(X)) % 4 == 0
        model, _, accuracy = on_the_map(X, y, batch, batch[fit])
        assert hasattr(model, "batch_")
        votes = KNeighborsClassifier(11).fit(model.embedding_, y[fit])
        nearest = votes.kneighbors(return_distance=False)  # without the sample itself
        of_fitted = np.mean((y[fit][nearest].mean(axis=1) > 0.5) == y[fit])
        found.append((accuracy, of_fitted))
    # Of 20 draws, 0.50 (standard deviation 0.01) for new samples and 0.48 (0.03) for
    # fitted ones.
    of_new, of_fitted = np.mean(found, axis=0)
    assert abs(of_new - 0.5) < 0.03
    assert of_fitted < 0.54


def test_neighbors_predict_batches_within_classes_only():
    X, y, batch = warped()
    np.testing.assert_array_equal(remaining_batches(X, y, batch), batch)
    rng = np.random.default_rng(2)
    # Other shares of the classes are not an effect of the batch.
    uneven = (rng.random(len(X)) < np.array([0.2, 0.5, 0.8])[y]).astype(int)
    X[:, 2:] = rng.normal(size=(len(X), 6))
    assert remaining_batches(X, y, uneven, random_state=0) is None
    # Nor are measurements of one patient, which are alike and in one batch.
    patient = np.arange(len(X)) // 9
    X[:, 2:] = 9.0 * rng.normal(size=(100, 6))[patient] + X[:, 2:]
    of_patient = rng.integers(2, size=100)[patient]
    assert remaining_batches(X, y, of_patient, patient, random_state=0) is None


def reference(A, U, batch, perplexity):
    """Return balanced affinities (n, n) from the formulas, entry by entry."""
    n, B, p = len(A), batch.max() + 1, U**2
    moved = A.copy()
    for i in range(n):
        own = batch == batch[i]
        for c in range(p.shape[1]):
            mean_of_batch = np.average(A[own], axis=0, weights=p[own, c])
            mean = np.average(A, axis=0, weights=p[:, c])
            moved[i] += p[i, c] * (mean - mean_of_batch)
    D = np.array([[np.sum((a - b) ** 2) for b in moved] for a in moved])
    per_batch, P, w = perplexity / B, np.zeros((n, n)), np.zeros((n, B))
    for i in range(n):
        for s in range(B):
            for c in range(p.shape[1]):
                w[i, s] += p[i, c] * p[batch == s, c].sum() / p[:, c].sum()
            others = [j for j in np.flatnonzero(batch == s) if j != i]
            k = min(np.sum(batch == s) - 1, int(np.ceil(3 * per_batch)))
            near = sorted(others, key=lambda j: D[i, j])[:k]
            P[i, near] = w[i, s] * gaussian(D[i, near], per_batch)
    P = P + P.T
    for _ in range(10):
        F = np.array([[P[i, batch == s].sum() for s in range(B)] for i in range(n)])
        F = np.sqrt(w / F)
        for i in range(n):
            for j in range(n):
                P[i, j] *= F[i, batch[j]] * F[j, batch[i]]
    return P / P.sum(), w


def gaussian(squares, perplexity):
    """Return probabilities of neighbors with a perplexity, by bisection."""
    low, high = 0.0, 1e6
    for _ in range(200):
        beta = (low + high) / 2
        q = np.exp(-beta * (squares - squares.min()))
        q /= q.sum()
        entropy = -np.sum(q * np.log(np.maximum(q, 1e-300)))
        low, high = (beta, high) if entropy > np.log(perplexity) else (low, beta)
    return q


def example(n=60, n_batches=3):
    rng = np.random.default_rng(3)
    A, batch = rng.normal(size=(n, 4)), rng.integers(n_batches, size=n)
    return A, np.sqrt(rng.dirichlet([0.5] * 3, size=n)), batch


def test_balanced_affinities_equal_a_slow_reference():
    A, U, batch = example()
    wanted, shares = reference(A, U, batch, 12)
    P = balanced_affinities(A, U, batch, 12).toarray()
    np.testing.assert_allclose(P, wanted, rtol=1e-4, atol=1e-9)
    np.testing.assert_array_equal(P, P.T)
    of_batches = np.array([P[:, batch == s].sum(axis=1) for s in range(3)]).T
    np.testing.assert_allclose(of_batches * len(A), shares, atol=0.05)


def test_a_class_of_one_batch_is_not_forced_to_others():
    A, _, batch = example(90, 2)
    y = np.where(batch == 1, np.arange(90) % 2, 0)  # class 1 is in batch 1 only
    P = balanced_affinities(A, np.eye(2)[y], batch, 12).toarray()
    assert P[np.ix_(y == 1, batch == 0)].sum() < 1e-12
    assert P[np.ix_(y == 0, batch == 1)].sum() > 0.1


def test_a_batch_of_one_sample_has_affinities():
    A, U, batch = example()
    batch[:] = np.arange(60) > 58
    P = balanced_affinities(A, U, batch, 12)
    assert np.isfinite(P.data).all()
    assert P.sum() == pytest.approx(1.0)


def test_means_are_those_of_neighbors_of_the_likely_class():
    A, U, batch = example()
    P, likely = balanced_affinities(A, U, batch, 12), U.argmax(axis=1)
    R = P.toarray() * (likely[:, None] == likely)
    R /= R.sum(axis=1, keepdims=True)
    means = means_of_neighbors(P, A[:, :2], likely)
    np.testing.assert_allclose(means, R @ R @ A[:, :2], atol=1e-6)


def test_the_number_of_threads_and_files_change_no_bit(tmp_path):
    X, y, batch = warped(n=300)
    fits = []
    for n_threads in (1, 2):
        with threadpool_limits(n_threads):
            model = CrossFittedTSNE(**QUICK, random_state=0)
            fits.append(model.fit(X, y, correct_for=batch))
    np.testing.assert_array_equal(fits[0].embedding_, fits[1].embedding_)
    save(model, tmp_path / "map.npz")
    again = load(tmp_path / "map.npz")
    assert not hasattr(again, "batch_")
    np.testing.assert_array_equal(again.transform(X + 0.1), model.transform(X + 0.1))


def test_other_labels_keep_the_batches_mixed():
    X, y, batch = warped(n=300)
    model = CrossFittedTSNE(**QUICK, random_state=0).fit(X, y, correct_for=batch)
    before = model.embedding_
    model.refit(X, np.where(np.arange(300) == 7, 0, y))
    np.testing.assert_array_equal(model.batch_, batch)
    votes = KNeighborsClassifier(10).fit(model.embedding_, batch)
    nearest = votes.kneighbors(return_distance=False)
    assert np.mean((batch[nearest].mean(axis=1) > 0.5) == batch) < 0.6
    assert np.abs(model.embedding_ - before).max() > 0.0
    model.fit(X, y)
    assert not hasattr(model, "batch_")
