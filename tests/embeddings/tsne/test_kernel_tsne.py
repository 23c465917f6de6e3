import numpy as np
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
