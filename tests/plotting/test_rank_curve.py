import numpy as np
import pytest

from labelscape.plotting import plot_rank_curve
from labelscape.quality import auc_log_rnx, r_nx


def test_a_curve_shows_the_kept_neighbours_for_all_sizes(groups):
    X, _ = groups(3, n_features=4)
    (line, _) = plot_rank_curve(X, X[:, :2]).lines
    np.testing.assert_array_equal(line.get_xdata(), np.arange(1, len(X) - 1))
    np.testing.assert_allclose(line.get_ydata(), r_nx(X, X[:, :2]))


def test_the_legend_reads_from_the_best_map_to_the_worst(groups):
    X, _ = groups(3, n_features=4)
    noise = np.random.default_rng(0).normal(size=(len(X), 2))
    ax = plot_rank_curve(X, {"noise": noise, "first two": X[:, :2]})
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names[0] == f"first two  {auc_log_rnx(X, X[:, :2]):.2f}"
    assert names[1].startswith("noise")


def test_no_maps_are_refused(groups):
    with pytest.raises(ValueError, match="there is no map"):
        plot_rank_curve(groups(3)[0], {})
