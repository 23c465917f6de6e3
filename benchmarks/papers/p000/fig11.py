"""Fig. 11: the labels of an image, and what LLiRaM LVQ in 3D makes of it."""

import numpy as np
from matplotlib import colormaps
from matplotlib.colors import ListedColormap
from matplotlib.patches import Patch
from sklearn.base import clone

from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import STAND_IN, row
from benchmarks.papers.p000._satellite import LVQ, PER_CLASS, pines, some_of_each
from benchmarks.papers.p000._segmentation import new_figure

# The strong colors first.
COLORS = colormaps["tab20"].colors[::2] + colormaps["tab20"].colors[1::2]


def image(codes, row_of, column_of):
    """Return an image with the code of each pixel, -1 where none is labeled."""
    pixels = np.full((row_of.max() + 1, column_of.max() + 1), -1)
    pixels[row_of, column_of] = codes
    return pixels


def draw(ax, pixels, n_classes, title):
    """Draw an image of classes."""
    colors = ["#ffffff", *COLORS[:n_classes]]
    ax.imshow(pixels, cmap=ListedColormap(colors), vmin=-1, vmax=n_classes - 1)
    ax.set(title=title, xticks=[], yticks=[])


def main():
    X, y, row_of, column_of = pines()
    few = some_of_each(y, PER_CLASS)
    settings = {"n_components": 3, "random_state": FIRST}
    model = clone(LVQ["LLiRaM LVQ"]).set_params(**settings).fit(X[few], y[few])
    classes, codes = np.unique(y, return_inverse=True)
    told = np.searchsorted(classes, model.predict(X))
    others = np.delete(np.arange(len(y)), few)
    right = told == codes
    rows = [
        row(
            "pixels classified correctly",
            "85.8 of 3.4 million",
            f"{100 * right.mean():.1f}; of pixels not used for training "
            f"{100 * right[others].mean():.1f}",
            f"Indian Pines, 6 components, up to {PER_CLASS} pixels per class",
            STAND_IN,
        )
    ]
    figure = new_figure(12, 5.5)
    for ax, (title, values) in zip(
        figure.subplots(1, 2),
        {"labels": codes, "LLiRaM LVQ, 3D": told}.items(),
        strict=True,
    ):
        draw(ax, image(values, row_of, column_of), len(classes), title)
    patches = [Patch(color=COLORS[i], label=str(one)) for i, one in enumerate(classes)]
    figure.legend(handles=patches, loc="outside right upper", title="class")
    record("000", "Fig. 11", rows, figure=figure)


if __name__ == "__main__":
    main()
