import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits

from labelscape.embeddings import KernelTSNE
from labelscape.quality import trustworthiness

X, y = load_digits(return_X_y=True)
FITTED, NEW = X[:300], X[300:500]


def test_new_digits_stand_beside_their_neighbours():
    found = []
    for seed in range(5):
        drawn = np.random.default_rng(seed).permutation(len(X))
        fitted, new = drawn[:300], drawn[300:500]
        model = KernelTSNE(random_state=seed, max_iter=250).fit(X[fitted])
        assert trustworthiness(X[fitted], model.embedding_, 10) > 0.95
        Z = model.transform(X[new])
        nearest = ((Z[:, None] - model.embedding_) ** 2).sum(axis=2).argmin(axis=1)
        found.append(np.mean(y[fitted][nearest] == y[new]))
    # Of 20 draws 0.945 (standard deviation 0.02); trustworthiness is 0.972 to 0.985.
    assert np.mean(found) > 0.91


def test_a_part_is_fitted_and_the_others_are_placed():
    model = KernelTSNE(train_size=0.5, random_state=0, max_iter=50).fit(FITTED)
    drawn = model.train_indices_
    others = np.delete(np.arange(300), drawn)
    assert len(drawn) == 150
    assert_array_equal(model.training_X_, FITTED[drawn])
    alone = KernelTSNE(random_state=0, max_iter=50).fit(FITTED[drawn])
    assert_array_equal(model.embedding_[drawn], alone.embedding_)
    assert_array_equal(model.embedding_[others], alone.transform(FITTED[others]))
    assert_array_equal(model.transform(FITTED), alone.transform(FITTED))
    # BLAS rounds products of 150 and of 300 rows differently on some processors.
    assert_allclose(model.transform(FITTED), model.embedding_, rtol=1e-12, atol=1e-12)
    assert_array_equal(model.transform(NEW), alone.transform(NEW))
    with pytest.raises(ValueError, match="KernelTSNE: train_size=301 is more than"):
        KernelTSNE(train_size=301).fit(FITTED)
