"""How our figures look: fresh axes, quiet frames, short names. No global settings."""

from functools import cache

import numpy as np

from labelscape._core.checks import missing_extra
from labelscape._core.errors import InputError
from labelscape._core.output import shortened
from labelscape._core.params import Rule, anything, having, optional, several
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape.plotting._palette import FRAME, INK, QUIET

# What the arguments may be that many figures have.
AXES = optional(having("get_xlim", "matplotlib Axes"))
FIGURE = optional(having("add_subplot", "a matplotlib Figure or SubFigure"))
# A class is a title, too.
TITLE = optional(
    Rule("a text", lambda value: isinstance(value, str | int | float | np.generic))
)
NAMES = optional(several("names", anything()))

# Parameters and results that many figures have, for their docstrings.
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
        Names of the features. None: those the model was fitted with.""",
    "legend": """
    legend : {"auto", "beside", "direct", "none"}, default="auto"
        As in `plot_map`.""",
    "ax": """
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes""",
    "figure": """
    figure : matplotlib Figure or SubFigure, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Figure""",
}

# Names longer than this push the data off the page.
LONGEST_NAME = 24

SMALL, USUAL = 8, 9
LEGEND_STYLE = {"frameon": False, "fontsize": SMALL, "labelcolor": INK}
BESIDE = {"loc": "upper left", "bbox_to_anchor": (1.02, 1.0), "borderaxespad": 0.0}


def pyplot():
    """Return ``matplotlib.pyplot``, or say which extra brings it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        missing_extra("matplotlib", "plot", "Plotting")
    return plt


def new_figure(size):
    """Return a new figure of pyplot, with room beside its axes."""
    plt = pyplot()
    return plt.figure(figsize=size, layout="constrained", FigureClass=_text_figure())


@cache
def _text_figure():
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    class TextFigure(Figure):
        """A figure whose text stays text in an SVG: searched, edited, read aloud.

        A setting of the figure alone: those of the user are not changed.
        """

        def savefig(self, *args, **options):
            """Write the figure to a file, as matplotlib does."""
            with rc_context({"svg.fonttype": "none"}):
                return super().savefig(*args, **options)

    TextFigure.__qualname__ = "TextFigure"  # by which pickled figures find it
    return TextFigure


def __getattr__(name):
    """Return TextFigure, which is made when matplotlib is needed."""
    if name == "TextFigure":
        return _text_figure()
    raise AttributeError(name)


def axes_or_new(ax=None, *, size=(6.4, 4.8), projection=None):
    """Return the axes given, or those of a new figure."""
    if ax is not None:
        return ax
    return new_figure(size).add_subplot(projection=projection)


def figure_or_new(figure=None, *, size):
    """Return the figure (or part of one) given, or a new one."""
    if figure is not None:
        return figure
    return new_figure(size)


def quiet(ax, *, title=None, x=None, y=None):
    """Draw a chart with no more ink than its data need; return the axes."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(QUIET)
    ax.tick_params(colors=QUIET, labelcolor=INK, labelsize=SMALL)
    if x:
        ax.set_xlabel(x, fontsize=USUAL, color=INK)
    if y:
        ax.set_ylabel(y, fontsize=USUAL, color=INK)
    return titled(ax, title)


def blank(ax, *, title=None):
    """Draw a map: a thin frame without numbers, which mean nothing on a map."""
    ax.set_xticks([])
    ax.set_yticks([])
    if hasattr(ax, "set_zticks"):
        ax.set_zticks([])
    for spine in ax.spines.values():
        spine.set_color(FRAME)
    return titled(ax, title)


def titled(ax, title):
    """Give the axes a title, to the left where reading begins; return them."""
    if title is not None and title != "":
        ax.set_title(str(title), loc="left", fontsize=10, color=INK)
    return ax


def short(name, longest=LONGEST_NAME):
    """Return a name on one line, cut in its middle.

    A dollar sign is a dollar sign: without the backslash, matplotlib reads formulas.
    """
    return shortened(name, longest).replace("$", r"\$")


def feature_labels(names, model, n_features):
    """Return the names given, else those the model was fitted with, else numbers."""
    if names is None:
        names = getattr(model, "feature_names_in_", None)
    if names is None:
        return [f"x{j + 1}" for j in range(n_features)]
    if len(names) != n_features:
        raise InputError(
            f"feature_names must name the {n_features} features, got {len(names)} "
            "names.",
            parameter="feature_names",
        )
    return [short(name) for name in names]
