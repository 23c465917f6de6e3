import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import pdist
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from labelscape.embeddings import Sammon, WeightedMDS

X = np.random.default_rng(0).normal(size=(60, 6))


def slow_stress(Z, data):
    """Sammon's stress, from its formula."""
    d, delta = pdist(Z), pdist(data)
    return np.sum((delta - d) ** 2 / delta) / np.sum(delta)


def test_the_reported_stress_is_that_of_the_map():
    model = Sammon(random_state=0).fit(X)
    assert_allclose(model.stress_, slow_stress(model.embedding_, X), rtol=1e-9)


def test_majorisation_lowers_the_stress_in_every_step_to_the_bottom():
    model = Sammon(random_state=0).fit(X)
    assert (np.diff(model.loss_curve_) <= 0).all()
    longer = Sammon(random_state=0, max_iter=3000, tol=1e-12).fit(X)
    assert longer.stress_ <= model.stress_ <= 1.01 * longer.stress_


def test_it_reaches_the_stress_of_weighted_mds():
    other = WeightedMDS(n_init=1, random_state=0, tol=1e-9).fit(X)
    assert Sammon(random_state=0).fit(X).stress_ <= 1.02 * other.stress_


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wine_is_drawn_as_well_as_the_specification_says(seed):
    wine = StandardScaler().fit_transform(load_wine().data)
    Z = Sammon(random_state=seed).fit_transform(wine)
    d, delta = pdist(Z), pdist(wine)
    scaled = 1.0 - d.sum() ** 2 / (np.sum(d**2 / delta) * delta.sum())
    assert scaled <= 0.063


def test_power_one_lowers_the_sum_of_absolute_errors():
    def absolute(Z):
        return np.sum(np.abs(pdist(X) - pdist(Z)) / pdist(X))

    squares = Sammon(random_state=0).fit_transform(X)
    absolutes = Sammon(p=1, random_state=0).fit_transform(X)
    assert absolute(absolutes) < absolute(squares)


def test_data_with_duplicates_are_no_obstacle():
    model = Sammon(random_state=0).fit(load_iris().data)  # two flowers are the same
    assert model.stress_ < 0.0045
