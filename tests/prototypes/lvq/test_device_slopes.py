"""Cost and gradient on a device, against the compiled loops and the slow reference."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import (
    CASES,
    NAMES,
    as_training_set,
    as_variables,
    blobs,
    random_model,
)
from tests.prototypes.lvq.libraries import each_library, library_of
from tests.prototypes.lvq.reference import mean_cost, mean_gradient

from labelscape._core.rows import device
from labelscape._core.rows.device import DeviceRows, contracted
from labelscape._core.rows.kinds import namespace_of, to_numpy
from labelscape.prototypes.lvq._device import device_distances
from labelscape.prototypes.lvq._matrices import initial_prototypes
from labelscape.prototypes.lvq._training import CostSettings, evaluate

every_case = pytest.mark.parametrize("case", CASES, ids=NAMES)
COST = {"slope": 5.0, "variance": 0.3, "theta": 0.03, "local_theta": 0.02}


def beside(library, data):
    """Return the same training set on a device."""
    X, codes, shares = (library(A) for A in (data.X, data.codes, data.shares))
    total = float(data.weights.sum())
    return DeviceRows(X, data.labels, codes, total, shares, data.center)


def both(library, case, X, y, weights=None, **settings):
    """Return the evaluations of the compiled loops and of the library."""
    data = as_training_set(X, y, weights)
    data = data.about(data.center)
    form, layout, variables = as_variables(random_model(*case), data.center)
    if case[0] == "diagonal":
        settings |= {"theta": 0.0}
    settings = CostSettings(**settings)
    return [
        evaluate(form, layout, one, variables, settings)
        for one in (data, beside(library, data))
    ]


@each_library
@every_case
def test_cost_and_gradient_are_those_of_the_compiled_loops(library, case):
    X, y = blobs(500, seed=2)
    weights = np.random.default_rng(3).uniform(0.1, 2.0, size=len(X))
    expected, found = both(library_of(library), case, X, y, weights, **COST)
    assert found.cost == pytest.approx(expected.cost, rel=0, abs=1e-13)
    assert found.accuracy == pytest.approx(expected.accuracy, abs=1e-13)
    gap = found.gradient.packed() - expected.gradient.packed()
    assert np.abs(gap).max() < 1e-13


@each_library
@every_case
def test_single_precision_is_as_good_to_four_digits(library, case):
    X, y = blobs(500, seed=2)
    expected, _ = both(library_of(library), case, X, y, **COST)
    _, found = both(library_of(library), case, X.astype(np.float32), y, **COST)
    assert found.cost == pytest.approx(expected.cost, abs=1e-5)
    gap = found.gradient.packed() - expected.gradient.packed()
    assert np.abs(gap).max() < 1e-4 * np.abs(expected.gradient.packed()).max()


@every_case
def test_cost_and_gradient_equal_the_reference(case):
    X, y = blobs(60)
    model = random_model(*case)
    _, found = both(library_of("strict"), case, X, y, normalize_local=False)
    assert found.cost == pytest.approx(mean_cost(model, X, y), rel=1e-9)
    expected = mean_gradient(model, X, y)
    np.testing.assert_allclose(found.gradient.W, expected["W"], atol=1e-11)
    if "omega" in expected:
        np.testing.assert_allclose(found.gradient.Omega, expected["omega"], atol=1e-11)
    if "local" in expected:
        slopes = np.stack(expected["local"])
        np.testing.assert_allclose(found.gradient.Psi, slopes, atol=1e-11)


@each_library
@every_case
def test_blocks_and_slices_add_up_to_the_whole(library, case, monkeypatch):
    X, y = blobs(700, seed=5)
    _, whole = both(library_of(library), case, X, y, **COST)
    monkeypatch.setattr(device, "SLICE", 16)
    for name in ("PROCESSOR_BYTES", "DEVICE_BYTES"):
        monkeypatch.setattr(device, name, 2**13)
    _, found = both(library_of(library), case, X, y, **COST)
    assert found.cost == pytest.approx(whole.cost, rel=1e-13)
    gap = found.gradient.packed() - whole.gradient.packed()
    assert np.abs(gap).max() < 1e-13


@each_library
@every_case
def test_objects_on_prototypes_cost_and_move_what_they_do_elsewhere(library, case):
    data = as_training_set(*blobs(30, seed=5))
    model = random_model(*case)
    X = np.vstack([data.X, data.X[:10], model["W"], model["W"]])
    y = np.concatenate([data.codes, data.codes[:10], model["c"], model["c"][::-1]])
    expected, found = both(library_of(library), case, X, y, resolution=1e-15)
    assert found.cost == pytest.approx(expected.cost, abs=1e-12)
    gap = found.gradient.packed() - expected.gradient.packed()
    assert np.abs(gap).max() < 1e-11


@each_library
@every_case
def test_an_object_on_a_right_and_a_wrong_prototype_has_cost_0_and_no_slope(
    library, case
):
    data = as_training_set(np.full((6, 5), 0.3), np.arange(6) % 3)
    form, layout, variables = as_variables(random_model(*case), data.center)
    variables = variables._replace(W=np.tile(0.3 - data.center, (len(variables.W), 1)))
    settings = CostSettings(resolution=1e-15)
    on_device = beside(library_of(library), data)
    found = evaluate(form, layout, on_device, variables, settings)
    assert found.cost == 0.0
    assert not found.gradient.packed().any()


@each_library
@every_case
def test_distances_are_those_of_the_compiled_loops(library, case):
    X, _ = blobs(90, seed=7)
    center = np.linspace(-1.0, 1.0, 5)
    form, layout, variables = as_variables(random_model(*case), center)
    there = library_of(library)(X)
    found = to_numpy(device_distances(form, there, center, variables, layout))
    expected = form.distances(X, center, variables, layout)
    np.testing.assert_allclose(found, expected, atol=1e-13)


@each_library
def test_class_means_and_scatters_are_those_of_numpys_arrays(library):
    X, y = blobs(300)
    data = as_training_set(X, y, np.random.default_rng(1).uniform(0.1, 1.0, size=300))
    found = beside(library_of(library), data)
    for ours, expected in zip(found.scatters(), data.scatters(), strict=True):
        np.testing.assert_allclose(ours, expected, atol=1e-13)
    assert found.class_sizes.tolist() == [100, 100, 100]


@pytest.mark.parametrize("counts", [[1, 3, 2], [3, 3, 3]])
@pytest.mark.parametrize("init", ["random", "kmeans"])
@each_library
def test_prototypes_start_where_those_of_numpys_arrays_do(library, init, counts):
    X, y = blobs(310)
    data = as_training_set(X, y, np.random.default_rng(1).uniform(0.1, 1.0, size=310))
    starts = [
        initial_prototypes(one, counts, init, np.random.RandomState(0))
        for one in (data, beside(library_of(library), data))
    ]
    np.testing.assert_allclose(*starts, atol=1e-13)


def test_long_sums_in_single_precision_keep_their_digits():
    arrays, n = library_of("torch"), 300_000
    numbers = np.random.default_rng(0).uniform(size=(1, n)).astype(np.float32)
    A, B = arrays(numbers), arrays(np.ones((n, 1), dtype=np.float32))
    exact = numbers.sum(dtype=np.float64)
    assert float(contracted(namespace_of(A), A, B)[0, 0]) == pytest.approx(exact, 1e-7)
