import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.geometry.cases import clouds

from labelscape.geometry import FisherMetric
from labelscape.geometry._fisher_kernels import listed_lengths
from labelscape.geometry._pair_kernels import listed_along_points


@pytest.mark.parametrize(("dtype", "error"), [("float64", 1e-12), ("float32", 2e-5)])
@pytest.mark.parametrize("n_steps", [1, 2, 9, 10, 11, 19, 30])
def test_lengths_along_points_are_those_along_columns(n_steps, dtype, error):
    X, y = clouds(90, 4, 3)
    X = X.astype(dtype)
    metric = FisherMetric(n_steps=n_steps, random_state=0).fit(X, y)
    rows, columns = metric._points(X[:20] + X.dtype.type(0.3)).rows, metric._fitted.rows
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 90, size=20)  # none for some, more than a tile for others
    counts[3] = 0
    bounds = np.concatenate([[0], np.cumsum(counts)])
    chosen = rng.integers(90, size=bounds[-1])
    starts = metric._parzen.starts
    found, wanted = np.empty(len(chosen), dtype), np.empty(len(chosen), dtype)
    listed_along_points(rows, columns, starts, n_steps, bounds, chosen, found)
    listed_lengths(rows, columns, starts, n_steps, bounds, chosen, wanted)
    assert rows.F.dtype == dtype
    assert_allclose(found, wanted, rtol=error, atol=error)
