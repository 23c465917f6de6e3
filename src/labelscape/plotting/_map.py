"""A map: points by class, with prototypes and decision regions if given."""

from math import ceil
from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.labels import labels_argument
from labelscape._core.params import function, mapping, optional, whole
from labelscape.plotting import _theme as theme
from labelscape.plotting._marks import (
    NAMES_PER_INCH,
    ClassStyles,
    checked_map,
    checked_sizes,
    classes_of,
    classes_on,
    draw_points,
    draw_prototypes,
    legend_handles,
    name_classes,
    names_on_map,
    write_labels,
)

MARGIN = 0.05  # margin around the points, as a share of the map's larger side


@theme.draws(regions=optional(function()))
def plot_map(
    embedding,
    y=None,
    *,
    sizes=None,
    prototypes=None,
    prototype_labels=None,
    regions=None,
    classes=None,
    title=None,
    legend="auto",
    ax=None,
) -> Any:
    """Draw a map of labeled samples.

    Up to 12 classes differ in color, also for color-blind readers. More classes differ
    in color or shape. With more than 20 classes, names are written on the map.

    Parameters
    ----------
    embedding : array-like of shape (n_samples, n_components)
        The map, with 1, 2 or 3 columns. With one column, each class is drawn as a row.
    y : array-like of shape (n_samples,), default=None
        Classes. With None, points are gray.
    sizes : array-like of shape (n_samples,), default=None
        Area of each mark in square points. None: computed from the number of points.
    prototypes : array-like of shape (n_prototypes, n_components), default=None
        Prototypes on the map, drawn as larger marks.
    prototype_labels : array-like of shape (n_prototypes,), default=None
        Classes of the prototypes.
    regions : callable, default=None
        Function that takes positions on the map (m, 2) and returns a score for each
        class, such as ``predict_proba`` of a classifier fitted to the map. Each
        position gets the pale color of the class with the highest score.
    classes : array-like, default=None
        All classes, to use the same colors in several figures. None: the classes in
        y; if there are more than 12, classes near each other get different colors.
    title : str, default=None
        Title of the map.
    legend : {"auto", "beside", "direct", "none"}, default="auto"
        "beside": names beside the map; "direct": on it (not in 3-D); "none": no names.
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_map
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_map(X[:, :2], y, title="Sepals of iris")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['0', '1', '2']
    >>> plt.close(ax.figure)
    """
    Z = checked_map(embedding, y, owner="plot_map")
    sizes = checked_sizes(sizes, len(Z), owner="plot_map")
    if not isinstance(classes, ClassStyles | None):
        classes = labels_argument("plot_map", "classes", classes)
    W = np.empty((0, Z.shape[1]))
    if prototypes is not None or prototype_labels is not None:
        W = _checked_prototypes(prototypes, prototype_labels, Z)
    labels = [part for part in (y, prototype_labels) if part is not None]
    styles = _styles(Z, W, labels, classes, y)
    indices = None if y is None else styles.indices(y)
    owners: Any = styles.indices(prototype_labels) if len(W) else None
    if Z.shape[1] == 1:
        ax = theme.axes_or_new(ax)
        return _strips(ax, Z, indices, W, owners, styles, sizes, title)

    in_3d = Z.shape[1] == 3
    ax = theme.axes_or_new(ax, projection="3d" if in_3d else None)
    if in_3d and not hasattr(ax, "get_zlim"):
        raise InputError(
            "a map with 3 columns needs 3-D axes. Make them with "
            "figure.add_subplot(projection='3d'), or pass no ax.",
            owner="plot_map",
        )
    draw_points(ax, Z, indices, styles, sizes)
    if len(W):
        draw_prototypes(ax, W, owners, styles)
    everything = np.vstack([Z, W])
    if regions is not None and styles is not None:
        draw_regions(ax, regions, everything, styles)
    _frame(ax, everything)
    theme.blank(ax, title=title)
    if styles is None:
        return ax

    def on_map():
        if len(W) or indices is None:
            present, first = np.unique(owners, return_index=True)
            names = [styles.names[c] for c in present]
            up = np.tile([0.0, 1.0], (len(first), 1))
            write_labels(ax, W[first], names, away=up, clear=W)
        else:
            names_on_map(ax, Z, indices, styles)

    flat = None if in_3d else on_map
    name_classes(ax, styles, legend, flat, prototypes=len(W) > 0)
    return ax


def _styles(Z, W, labels, classes, y):
    """Return the styles of classes; by default, near classes get different colors."""
    if isinstance(classes, ClassStyles) or not labels:
        return classes if labels else None
    everyone = np.concatenate(labels)
    if classes is not None:
        return classes_of(everyone, classes)
    return classes_on(W if y is None else np.vstack([Z, W]), everyone)


def _checked_prototypes(prototypes, labels, Z):
    if prototypes is None or labels is None:
        raise InputError(
            "prototypes and prototype_labels go together: give both or none.",
            owner="plot_map",
        )
    W = checked_map(prototypes, labels, owner="plot_map", name="prototypes")
    if W.shape[1] != Z.shape[1]:
        raise InputError(
            f"the map has {Z.shape[1]} columns but prototypes have "
            f"{W.shape[1]}. Transform both with the same model.",
            owner="plot_map",
        )
    return W


def _frame(ax, points):
    """Show all points, with all axes on one scale, because distances matter."""
    if points.shape[1] == 3:
        _frame_box(ax, points)
        return
    # Matplotlib chooses the limits of the axes, and widens one axis to fit the page.
    # The limits ignore the regions, which extend farther than the points.
    ax.use_sticky_edges = False
    ax.ignore_existing_data_limits = True
    ax.update_datalim(points)
    ax.autoscale(True)
    ax.margins(MARGIN)
    ax.set_aspect("equal", adjustable="datalim")


def _frame_box(ax, points):
    low, high = points.min(axis=0), points.max(axis=0)
    room = MARGIN * ((high - low).max() or 1.0)
    x, y, z = zip(low - room, high + room, strict=True)
    ax.set(xlim=x, ylim=y, zlim=z)
    ax.set_box_aspect(high - low + 2 * room)
    ax.computed_zorder = False  # prototypes are in front of all points
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_pane_color(theme.PANE)
        axis.line.set_color(theme.FRAME)


def _strips(ax, Z, indices, W, owners, styles, sizes, title):
    """Draw a one-dimensional map: a row of points per class, slightly jittered."""
    rows = np.zeros(len(Z), dtype=np.intp) if indices is None else indices
    shaken = rows + np.random.default_rng(0).uniform(-0.3, 0.3, len(Z))
    draw_points(ax, np.column_stack([Z, shaken]), indices, styles, sizes)
    if len(W):
        draw_prototypes(ax, np.column_stack([W, owners]), owners, styles)
    names = [] if styles is None else styles.names
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(max(len(names), 1) - 0.5, -0.5)
    ax.set_xticks([])
    return theme.quiet(ax, title=title)


# Decision regions on a map: pale areas with smooth borders.

RESOLUTION = 400
# Half the width of the regions, relative to the larger side of the map. Regions must
# cover the axes, one of which is widened to have equal scales.
REACH = 1.1


def draw_regions(ax, scores, Z, classes):
    """Color each position around Z (n, 2) by the class with the highest score."""
    middle = (Z.min(axis=0) + Z.max(axis=0)) / 2
    half = REACH * max(np.ptp(Z, axis=0).max(), np.finfo(float).tiny)
    steps = np.linspace(-half, half, RESOLUTION)
    x, y = middle[0] + steps, middle[1] + steps
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    S = np.asarray(scores(grid))
    if S.shape != (len(grid), len(classes.labels)) or S.dtype.kind not in "biuf":
        raise ValueError(
            f"regions must give one score for each of the {len(classes.labels)} "
            f"classes, got shape {S.shape} for {len(grid)} positions."
        )
    winners = S.argmax(axis=1).reshape(RESOLUTION, RESOLUTION)
    pale = theme.lightened(classes.colors, 0.22)
    for c in np.unique(winners):
        lead = S[:, c] - np.delete(S, c, axis=1).max(axis=1)
        lead = lead.reshape(RESOLUTION, RESOLUTION)
        # An area, not an image, so that it remains sharp in a vector file.
        ax.contourf(x, y, lead, [0.0, lead.max() + 1.0], colors=[pale[c]], zorder=0)
        if lead.min() < 0 < lead.max():
            ax.contour(
                x, y, lead, levels=[0.0], colors="white", linewidths=1.2, zorder=1
            )


WIDTH, HEIGHT = 3.0, 2.9  # size of each map in inches


@theme.draws(maps=mapping(), columns=optional(whole(1)))
def compare_maps(maps, y=None, *, columns=None, figure=None) -> Any:
    """Draw several maps of the same samples side by side, with one legend.

    Parameters
    ----------
    maps : dict of str to array-like of shape (n_samples, n_components)
        Title and embedding of each map, for example before and after.
    y : array-like of shape (n_samples,), default=None
        Classes of the samples.
    columns : int, default=None
        Number of maps in a row. None means up to four.
    {figure}

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
    # At most four in a row, and rows of equal length.
    n_columns = min(len(maps), columns or ceil(len(maps) / ceil(len(maps) / 4)))
    n_rows = ceil(len(maps) / n_columns)
    maps = {
        title: checked_map(Z, y, owner="compare_maps", name=f"the map {title!r}")
        for title, Z in maps.items()
    }
    # All maps have the colors that are chosen for the first map.
    styles = None if y is None else classes_on(next(iter(maps.values())), y)
    figure = theme.figure_or_new(
        figure, size=(WIDTH * n_columns + 1.2, HEIGHT * n_rows)
    )
    for place, (title, Z) in enumerate(maps.items(), start=1):
        ax = figure.add_subplot(
            *(n_rows, n_columns, place),
            projection="3d" if Z.shape[1] == 3 else None,
        )
        plot_map(
            Z, y, classes=styles, title=theme.short(title, 40), legend="none", ax=ax
        )
    if styles is not None:
        handles = legend_handles(styles)
        figure.legend(
            handles=handles,
            loc="outside right upper",
            handletextpad=0.3,
            ncols=ceil(len(handles) / (NAMES_PER_INCH * HEIGHT * n_rows)),
            **theme.LEGEND_STYLE,
        )
    return figure
