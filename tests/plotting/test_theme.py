import pickle
import subprocess
import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

from labelscape.plotting import plot_map
from labelscape.plotting._theme import feature_labels


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_entering_the_room_does_not_import_matplotlib():
    done = run(
        "import sys, labelscape.plotting as p; p.class_colors(3); dir(p);"
        "assert 'matplotlib' not in sys.modules"
    )
    assert done.returncode == 0, done.stderr


def test_without_matplotlib_the_message_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r"labelscape\[plot\]"):
        plot_map([[0.0, 1.0]])


def test_figures_leave_the_global_settings_alone(groups):
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    plot_map(*groups(40))
    assert dict(mpl.rcParams) == before


def test_a_name_that_is_not_there_is_an_attribute_error():
    import labelscape.plotting

    with pytest.raises(AttributeError, match="plot_everything"):
        _ = labelscape.plotting.plot_everything


def test_features_without_names_are_numbered():
    assert feature_labels(None, object(), 3) == ["x1", "x2", "x3"]


def test_too_few_feature_names_are_refused():
    with pytest.raises(ValueError, match="needs 3 names for 3 features"):
        feature_labels(["a"], object(), 3)


def test_text_of_a_figure_of_ours_stays_text_in_an_svg(groups, tmp_path):
    X, y = groups(2)
    before = dict(mpl.rcParams)
    plot_map(X, y, title="Two groups").figure.savefig(tmp_path / "map.svg")
    assert ">Two groups</text>" in (tmp_path / "map.svg").read_text()
    assert dict(mpl.rcParams) == before


def test_a_figure_can_be_pickled(groups):
    figure = plot_map(*groups(2)).figure
    again = pickle.loads(pickle.dumps(figure))
    assert type(again) is type(figure)


def test_a_legend_stays_in_the_place_of_its_axes_where_there_is_no_layout(groups):
    X, y = groups(3)
    names = np.array(["a long name", "another one", "c"])[y]
    figure, panels = plt.subplots(1, 2, figsize=(8, 4))
    places = [ax.get_position() for ax in panels]
    for ax, place in zip(panels, places, strict=True):
        legend = plot_map(X, names, ax=ax).get_legend()
        figure.canvas.draw()
        right = legend.get_window_extent().x1 / figure.bbox.width
        assert right <= place.x1 + 1e-6
        assert ax.get_position().width < place.width
