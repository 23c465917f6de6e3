import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.spatial.distance import cdist
from scipy.stats import norm

from labelscape._core import threads
from labelscape.embeddings import CCA, DDHDS, Sammon
from labelscape.embeddings.stress import _descent

rng = np.random.default_rng(0)
X = rng.normal(size=(30, 2)) * [3.0, 1.0]
NEW = rng.normal(size=(8, 2))


def test_new_flat_objects_are_placed_where_they_belong():
    model = Sammon(init=X, random_state=0).fit(X)
    distances = cdist(model.transform(NEW), model.embedding_)
    assert_allclose(distances, cdist(NEW, X), atol=0.1)


def test_fitted_objects_keep_their_place():
    data = rng.normal(size=(30, 4))
    model = DDHDS(n_pivots=100, random_state=0).fit(data)
    assert_array_equal(model.transform(data[::-1]), model.embedding_[::-1])


def test_one_object_goes_the_way_of_the_specification():
    data = rng.normal(size=(30, 4))
    model = CCA(n_pivots=500, lambda_end=0.5, random_state=0).fit(data)
    new = rng.normal(size=(1, 4))
    delta = cdist(new, data)[0]
    mean, std = model._spread[:2]
    order = np.random.default_rng(0)
    place = model.embedding_[delta.argmin()].copy()
    mass = norm.sf(delta, mean - std, std).sum()
    for part in np.geomspace(0.5, 0.1, 30):
        alpha = min(part / mass, 0.5)
        for i in order.permutation(30):
            line = place - model.embedding_[i]
            d = np.linalg.norm(line)
            if d > 0.0:
                w = norm.sf(d, mean - std, std)  # lambda = 0.5
                place += alpha * w * (delta[i] - d) / d * line
            else:  # the direction is chance: begin where the kernel does
                w = norm.sf(0.0, mean - std, std)
                place += alpha * w * delta[i] * _direction(i)
    assert_allclose(model.transform(new)[0], place, atol=1e-5)


def _direction(i):
    from labelscape.embeddings.stress._kernels import random_direction

    direction = np.empty(2)
    random_direction(0, i, direction)
    assert_allclose(np.linalg.norm(direction), 1.0)
    return direction


def test_a_place_does_not_depend_on_the_other_new_objects_or_on_threads(monkeypatch):
    data = rng.normal(size=(30, 4))
    new = rng.normal(size=(9, 4))
    model = DDHDS(n_pivots=100, random_state=0).fit(data)
    together = model.transform(new)
    assert_array_equal(np.vstack([model.transform(one[None]) for one in new]), together)
    monkeypatch.setattr(
        _descent, "row_blocks", lambda n, *_, **__: [slice(0, 4), slice(4, n)]
    )
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        assert_array_equal(model.transform(new), together)


def test_negative_dissimilarities_to_fitted_objects_are_refused():
    model = Sammon(metric="precomputed", n_pivots=10).fit(cdist(X, X))
    with pytest.raises(ValueError, match="between new sample 0 and fitted sample 3"):
        model.transform(cdist(NEW, X) * np.where(np.arange(30) == 3, -1.0, 1.0))
