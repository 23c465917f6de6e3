import logging

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def drawn_and_closed(caplog):
    """Draws every figure a test has made, expects no complaint, and closes it."""
    import matplotlib.pyplot as plt

    yield
    with caplog.at_level(logging.WARNING, logger="matplotlib"):
        for number in plt.get_fignums():
            plt.figure(number).canvas.draw()
    plt.close("all")
    assert not [r.message for r in caplog.records if r.name.startswith("matplotlib")]


@pytest.fixture
def groups():
    """Makes well separated groups: points (n, d) and a label for each."""

    def make(n_classes, *, n_each=12, n_features=2, seed=0):
        rng = np.random.default_rng(seed)
        centers = 6.0 * rng.normal(size=(n_classes, n_features))
        y = np.repeat(np.arange(n_classes), n_each)
        return centers[y] + rng.normal(size=(len(y), n_features)), y

    return make


@pytest.fixture
def boxes_of():
    """Returns the boxes of texts on the page as rows (left, bottom, right, top)."""

    def boxes(texts):
        figure = texts[0].figure
        figure.canvas.draw()
        return np.array([text.get_window_extent().extents for text in texts])

    return boxes
