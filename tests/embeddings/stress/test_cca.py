import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape.embeddings import CCA, Sammon

rng = np.random.default_rng(0)
t = np.linspace(0.0, 1.9 * np.pi, 80)
RING = np.column_stack([np.cos(t), np.sin(t), 0.02 * rng.normal(size=80)])


@pytest.mark.parametrize("weighting", ["normal", "exponential", "step"])
def test_a_ring_is_cut_open_where_sammon_presses_it_together(weighting):
    def false_neighbours(Z):
        """How far apart, along the ring, nearest neighbours on the line are."""
        gaps = np.abs(Z - Z.T) + np.diag(np.full(80, np.inf))
        return np.abs(gaps.argmin(axis=1) - np.arange(80)).mean()

    torn = CCA(1, weighting=weighting, random_state=0).fit_transform(RING)
    pressed = Sammon(1, random_state=0).fit_transform(RING)
    assert false_neighbours(torn) < 0.5 * false_neighbours(pressed)


def test_labels_do_not_matter():
    options = {"n_pivots": 300, "random_state": 0}
    with_labels = CCA(**options).fit_transform(RING, np.arange(80) % 2)
    assert_array_equal(with_labels, CCA(**options).fit_transform(RING))


def test_an_unknown_weighting_is_named():
    with pytest.raises(ValueError, match="CCA: weighting must be 'normal' or"):
        CCA(weighting="flat").fit(RING)


def test_an_object_that_is_near_none_stays_where_it_is():
    X = np.random.RandomState(0).normal(size=(24, 4))
    model = CCA(weighting="step", lambda_start=0.1, max_iter=3, random_state=0).fit(X)
    assert np.isfinite(model.embedding_).all()
