import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import trustworthiness

from labelscape.embeddings import CCA, DDHDS, Sammon


def test_it_tears_less_than_cca_and_presses_together_less_than_sammon():
    X = load_digits().data[:200]
    maps = {
        method: method(p=2, random_state=0).fit_transform(X)
        for method in (CCA, DDHDS, Sammon)
    }
    trust = {m: trustworthiness(X, Z, n_neighbors=10) for m, Z in maps.items()}
    whole = {m: trustworthiness(Z, X, n_neighbors=10) for m, Z in maps.items()}
    assert trust[DDHDS] > trust[Sammon] + 0.03
    assert whole[DDHDS] > whole[CCA]


def test_labels_do_not_matter():
    X = np.random.default_rng(0).normal(size=(30, 4))
    options = {"n_pivots": 300, "random_state": 0}
    with_labels = DDHDS(**options).fit_transform(X, np.arange(30) % 2)
    assert np.array_equal(with_labels, DDHDS(**options).fit_transform(X))
