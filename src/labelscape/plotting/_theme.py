"""The style of figures: colors, shapes, axes and short names.

This module does not load matplotlib and changes no global setting. Distances between
colors are measured in OKLab, where equal distances look equal. The tests simulate three
kinds of color blindness.
"""

import inspect
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError, missing_extra
from labelscape._core.estimator import shared_parameters
from labelscape._core.output import shortened
from labelscape._core.params import (
    Rule,
    anything,
    arguments,
    having,
    one_of,
    optional,
    several,
    whole,
)
from labelscape._core.points.spaces import METRIC_TEXTS

# The view uses the same colors and shapes, from the same file.
_PALETTE = json.loads(Path(__file__).with_name("palette.json").read_text("utf-8"))

# Chosen by a search that maximizes the distance of all pairs for normal vision and for
# protanopia, deuteranopia and tritanopia, on white paper and on a dark screen. The
# first colors differ most from each other.
COLORS = tuple(_PALETTE["classes"].values())

# Filled shapes of matplotlib with different outlines, the simplest first.
_MARKERS = {
    "disc": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "triangle down": "v",
    "plus": "P",
    "cross": "X",
    "star": "*",
    "triangle left": "<",
    "triangle right": ">",
}
MARKERS = tuple(_MARKERS[shape] for shape in _PALETTE["shapes"])
PROTOTYPE = _MARKERS["diamond"]  # marks of all prototypes, as in the view

# Corners of the distortion colors: no errors, false or lost neighbors, both.
TRUE, FALSE, TEARS, BOTH = (
    _PALETTE["distortion"][name] for name in ("true", "false", "tears", "both")
)

# Text and lines, and their background.
INK, QUIET, PAPER = (_PALETTE[name] for name in ("ink", "quiet", "paper"))
FRAME, PANE = "#D0D4D9", "#F4F5F7"

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@arguments(n_classes=whole(0, 1_000_000))
def class_colors(n_classes) -> Any:
    """Return a color for each class.

    For up to 12 classes, all colors differ, also for color-blind readers. For more
    classes, colors repeat, and shapes distinguish classes of the same color.

    Parameters
    ----------
    n_classes : int
        Number of classes.

    Returns
    -------
    list of str
        Colors as ``#RRGGBB``, in the order of the classes.

    Examples
    --------
    >>> from labelscape.plotting import class_colors
    >>> class_colors(3)
    ['#0A58B8', '#D19D00', '#A62314']
    """
    return [COLORS[c % len(COLORS)] for c in range(n_classes)]


def class_markers(n_classes):
    """Return the shape of each class; every 12 classes have another shape."""
    return [MARKERS[c // len(COLORS) % len(MARKERS)] for c in range(n_classes)]


def rgb(color):
    """Return ``#RRGGBB`` as three numbers from 0 to 1."""
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def lightened(colors, share):
    """Return colors (n, 3) mixed with white; ``share`` is the share of the color."""
    return 1.0 - share * (1.0 - np.array([rgb(color) for color in colors]))


def oklab(colors):
    """Return sRGB colors (n, 3) in OKLab."""
    return from_linear(linear(np.asarray(colors, dtype=np.float64)))


def from_linear(colors):
    return np.cbrt(colors @ _TO_CONES.T) @ _TO_LAB.T


def from_oklab(lab):
    """Convert OKLab colors (n, 3) to sRGB; values outside sRGB are clipped."""
    cones = np.asarray(lab) @ np.linalg.inv(_TO_LAB).T
    linear = np.clip(cones**3 @ np.linalg.inv(_TO_CONES).T, 0.0, 1.0)
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055
    )


def distortion_colors(false, tears):
    """Return colors for two distortions from 0 to 1, mixed in OKLab."""
    false = np.clip(np.asarray(false, dtype=np.float64), 0.0, 1.0)[..., None]
    tears = np.clip(np.asarray(tears, dtype=np.float64), 0.0, 1.0)[..., None]
    neither, only_false, only_tears, both = oklab(
        [rgb(corner) for corner in (TRUE, FALSE, TEARS, BOTH)]
    )
    return from_oklab(
        (1 - false) * (1 - tears) * neither
        + false * (1 - tears) * only_false
        + (1 - false) * tears * only_tears
        + false * tears * both
    )


def linear(srgb):
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


# Rules of arguments that many functions share.
NAMES = optional(several("names", anything()))
FIGURE_RULES = {
    "feature_names": NAMES,
    # A class label can be a title, too.
    "title": optional(
        Rule("text", lambda value: isinstance(value, str | int | float | np.generic))
    ),
    "legend": one_of("auto", "beside", "direct", "none"),
    "ax": optional(having("get_xlim", "matplotlib Axes")),
    "figure": optional(having("add_subplot", "a matplotlib Figure or SubFigure")),
}

# Parameters and results that many functions share, for their docstrings.
FIGURE_TEXTS = {
    "data": """
    X : array-like of shape (n_samples, n_features)
        Samples, or their dissimilarities if ``metric="precomputed"``.""",
    "maps": """
    maps : array-like of shape (n_samples, n_components), or dict of str to array-like
        One map, or several with their names."""
    + METRIC_TEXTS["metric"],
    "metric": METRIC_TEXTS["metric"],
    "feature_names": """
    feature_names : sequence of str, default=None
        Names of the features. None means the names in the training data.""",
    "legend": """
    legend : {"auto", "beside", "direct", "none"}, default="auto"
        As in `plot_map`.""",
    "ax": """
    ax : matplotlib Axes, default=None
        The axes to draw in. None makes a new figure.

    Returns
    -------
    matplotlib Axes""",
    "figure": """
    figure : matplotlib Figure or SubFigure, default=None
        The figure to draw in. None makes a new figure.

    Returns
    -------
    matplotlib Figure""",
}


def draws(**rules):
    """Return a decorator that adds checks and common texts to a drawing function."""

    def decorate(function):
        names = inspect.signature(function).parameters
        shared = {name: rule for name, rule in FIGURE_RULES.items() if name in names}
        return arguments(**rules, **shared)(shared_parameters(FIGURE_TEXTS)(function))

    return decorate


def check_model(model, attribute, otherwise, *, owner):
    """Raise an error unless a model is fitted and has an attribute."""
    check_is_fitted(model)
    if getattr(model, attribute, None) is None:
        name = type(model).__name__
        raise InputError(f"{name} {otherwise}", owner=owner, parameter="model")


LONGEST_NAME = 24  # longer names would leave too little space for the data

SMALL, USUAL = 8, 9
LEGEND_STYLE = {"frameon": False, "fontsize": SMALL, "labelcolor": INK}
BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}


def figure_or_new(figure=None, *, size):
    """Return the given figure (or a part of one), or create one with pyplot."""
    if figure is not None:
        return figure
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        missing_extra("matplotlib", "plot", "Plotting")
    return plt.figure(figsize=size, layout="constrained", FigureClass=_text_figure())


@cache
def _text_figure():
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    class TextFigure(Figure):
        """A figure whose text remains text in an SVG file, whatever the settings."""

        def savefig(self, *args, **options):
            """Write the figure to a file, as matplotlib does."""
            with rc_context({"svg.fonttype": "none"}):
                return super().savefig(*args, **options)

    TextFigure.__qualname__ = "TextFigure"  # so that pickled figures find it
    return TextFigure


def __getattr__(name):
    """Return the class TextFigure, which cannot be defined without matplotlib."""
    if name == "TextFigure":
        return _text_figure()
    raise AttributeError(name)


def axes_or_new(ax=None, *, size=(6.4, 4.8), projection=None):
    """Return the given axes, or those of a new figure."""
    if ax is not None:
        return ax
    return figure_or_new(size=size).add_subplot(projection=projection)


def quiet(ax, *, title=None, x=None, y=None):
    """Draw a chart without unnecessary lines; return the axes."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(colors=QUIET, labelcolor=INK, labelsize=SMALL)
    if x:
        ax.set_xlabel(x, fontsize=USUAL, color=INK)
    if y:
        ax.set_ylabel(y, fontsize=USUAL, color=INK)
    return titled(ax, title)


def blank(ax, *, title=None):
    """Draw a thin frame without numbers, which have no meaning on a map."""
    ax.set_xticks([])
    ax.set_yticks([])
    if hasattr(ax, "set_zticks"):
        ax.set_zticks([])
    for spine in ax.spines.values():
        spine.set_color(FRAME)
    return titled(ax, title)


def titled(ax, title):
    """Add a title at the left end of the axes; return the axes."""
    if title is not None and title != "":
        ax.set_title(str(title), loc="left", fontsize=10, color=INK)
    return ax


def short(name, longest=LONGEST_NAME):
    """Return a name on one line, cut in the middle, with $ escaped for matplotlib."""
    return shortened(name, longest).replace("$", r"\$")


def feature_labels(names, model, n_features):
    """Return the given feature names, or names from the fit, or x1, x2, x3."""
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    if names is None:
        return [f"x{j + 1}" for j in range(n_features)]
    if len(names) != n_features:
        raise InputError(
            f"feature_names needs {n_features} names for {n_features} features, got "
            f"{len(names)}.",
            parameter="feature_names",
        )
    return [short(name) for name in names]
