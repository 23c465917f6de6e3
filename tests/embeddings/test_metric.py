"""A function as metric means the same to every map but XOM and NE-XOM."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from labelscape.embeddings import (
    CCA,
    DDHDS,
    SNE,
    ClassiMap,
    ClassNeRV,
    KernelMap,
    Sammon,
    WeightedMDS,
)

X = np.random.default_rng(0).normal(size=(30, 3))
y = np.arange(30) % 3
MAPS = [CCA(), ClassiMap(), DDHDS(), KernelMap(PCA(2)), Sammon()]
MAPS += [ClassNeRV(), SNE(), WeightedMDS()]


def length(a, b):
    return np.linalg.norm(a - b)


def uphill(a, b):
    return max(b[0] - a[0], 0.0)


@pytest.mark.parametrize("model", MAPS)
def test_an_asymmetric_function_is_refused(model):
    name = type(model).__name__
    with pytest.raises(ValueError, match=f"^{name}: dissimilarities must be symmetric"):
        model.set_params(metric=uphill).fit(X, y)


@pytest.mark.parametrize("model", [Sammon(n_pivots=10), KernelMap(PCA(2))])
def test_a_function_without_an_answer_for_new_objects_names_them(model):
    def short(a, b):
        return np.nan if max(a[0], b[0]) > 50.0 else length(a, b)

    model.set_params(metric=short, random_state=0).fit(X, y)
    new = np.vstack([X[:2], [[99.0, 0.0, 0.0]]])
    with pytest.raises(ValueError, match="got nan for new sample 2 and sample 0"):
        model.transform(new)
