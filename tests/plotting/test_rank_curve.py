import numpy as np
import pytest

from labelscape.plotting import plot_rank_curve, plot_trust_curve
from labelscape.quality import auc_log_rnx, r_nx, rank_curves


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
    for plot in (plot_rank_curve, plot_trust_curve):
        with pytest.raises(ValueError, match=f"^{plot.__name__}: there is no map"):
            plot(groups(3)[0], {})


def test_trust_is_drawn_full_and_continuity_dashed_for_all_sizes(groups):
    X, _ = groups(3, n_features=4)
    noise = np.random.default_rng(0).normal(size=(len(X), 2))
    maps = {"first two": X[:, :2], "noise": noise}
    lines = plot_trust_curve(X, maps).lines
    for (full, dashed), Z in zip((lines[:2], lines[2:]), maps.values(), strict=True):
        curves = rank_curves(X, Z)
        np.testing.assert_array_equal(full.get_xdata(), np.arange(1, len(X) - 1))
        np.testing.assert_array_equal(full.get_ydata(), curves.trustworthiness)
        np.testing.assert_array_equal(dashed.get_ydata(), curves.continuity)
        assert full.get_color() == dashed.get_color()
        assert (full.get_linestyle(), dashed.get_linestyle()) == ("-", "--")
