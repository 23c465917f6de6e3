import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.datasets import load_digits

from labelscape.embeddings import KernelTSNE
from labelscape.quality import trustworthiness

X, y = load_digits(return_X_y=True)
FITTED, NEW = X[:300], X[300:500]


def test_new_digits_stand_beside_their_neighbours():
    model = KernelTSNE(random_state=0, max_iter=250).fit(FITTED)
    assert trustworthiness(FITTED, model.embedding_, 10) > 0.87
    Z = model.transform(NEW)
    nearest = ((Z[:, None] - model.embedding_) ** 2).sum(axis=2).argmin(axis=1)
    assert np.mean(y[:300][nearest] == y[300:500]) > 0.8


def test_a_part_is_fitted_and_the_others_are_placed():
    model = KernelTSNE(train_size=0.5, random_state=0, max_iter=50).fit(FITTED)
    drawn = model.train_indices_
    assert len(drawn) == 150
    assert_array_equal(model.training_X_, FITTED[drawn])
    alone = KernelTSNE(random_state=0, max_iter=50).fit(FITTED[drawn])
    assert_array_equal(model.embedding_[drawn], alone.embedding_)
    assert_array_equal(model.embedding_, alone.transform(FITTED))
    assert_array_equal(model.transform(FITTED), model.embedding_)
    assert_array_equal(model.transform(NEW), alone.transform(NEW))
    with pytest.raises(ValueError, match="KernelTSNE: train_size=301 is more than"):
        KernelTSNE(train_size=301).fit(FITTED)
