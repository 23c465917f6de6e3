"""Several maps of the same objects side by side."""

from math import ceil

from labelscape._core.arguments import arguments, optional
from labelscape._core.errors import InputError
from labelscape._core.rules import mapping, whole
from labelscape.plotting._legend import NAMES_PER_INCH, legend_handles
from labelscape.plotting._map import plot_map
from labelscape.plotting._palette import INK
from labelscape.plotting._points import checked_map, classes_on
from labelscape.plotting._theme import FIGURE, SMALL, figure_or_new, short

# Inches of each map.
WIDTH, HEIGHT = 3.0, 2.9


@arguments(maps=mapping(), columns=optional(whole(1)), figure=FIGURE)
def compare_maps(maps, y=None, *, columns=None, figure=None):
    """Draw maps of the same objects as small multiples, with one legend.

    Parameters
    ----------
    maps : dict of str to array-like of shape (n_samples, n_components)
        Title and embedding of each map, for example before and after.
    y : array-like of shape (n_samples,), default=None
        Classes of the objects.
    columns : int, default=None
        Maps in a row. None: up to four.
    figure : matplotlib Figure or SubFigure, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import compare_maps
    >>> X, y = load_iris(return_X_y=True)
    >>> figure = compare_maps({"sepals": X[:, :2], "petals": X[:, 2:]}, y)
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['sepals', 'petals']
    >>> plt.close(figure)
    """
    if not maps:
        raise InputError(
            "there is no map to show. Pass {title: embedding}.", owner="compare_maps"
        )
    n_columns = min(len(maps), columns or _balanced(len(maps)))
    n_rows = -(-len(maps) // n_columns)
    maps = {
        title: checked_map(Z, y, owner="compare_maps", name=f"the map {title!r}")
        for title, Z in maps.items()
    }
    # One look for all maps: that of the first.
    looks = None if y is None else classes_on(next(iter(maps.values())), y)
    figure = figure_or_new(figure, size=(WIDTH * n_columns + 1.2, HEIGHT * n_rows))
    for place, (title, Z) in enumerate(maps.items(), start=1):
        ax = figure.add_subplot(
            *(n_rows, n_columns, place),
            projection="3d" if Z.shape[1] == 3 else None,
        )
        plot_map(Z, y, classes=looks, title=short(title, 40), legend="none", ax=ax)
    if looks is not None:
        handles = legend_handles(looks)
        figure.legend(
            handles=handles,
            loc="outside right upper",
            frameon=False,
            fontsize=SMALL,
            labelcolor=INK,
            handletextpad=0.3,
            ncols=ceil(len(handles) / (NAMES_PER_INCH * HEIGHT * n_rows)),
        )
    return figure


def _balanced(n_maps):
    """Return how many maps to put in a row: at most four, and rows of equal length."""
    n_rows = -(-n_maps // 4)
    return -(-n_maps // n_rows)
