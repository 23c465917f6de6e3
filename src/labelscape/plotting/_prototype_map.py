"""The three levels of a prototype model: the data, the classes, one decision."""

import numpy as np

from labelscape._core.checks import matrix_argument
from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.labels import labels_argument
from labelscape._core.params import arguments, one_of
from labelscape.plotting._map import plot_map
from labelscape.plotting._names import write_labels
from labelscape.plotting._palette import INK, QUIET
from labelscape.plotting._points import classes_of, draw_prototypes
from labelscape.plotting._prototype_bars import check_prototype_model
from labelscape.plotting._theme import (
    AXES,
    FIGURE_TEXTS,
    TITLE,
    axes_or_new,
    blank,
    short,
)

# More samples than this are drawn as groups, sized by the number of their members.
MOST_OBJECTS = 500
# With at most this many prototypes, names keep clear of the lines to the others.
FEW_LINES = 8

LEVELS = one_of("data", "classes", "object")


@arguments(level=LEVELS, title=TITLE, ax=AXES)
@shared_parameters(FIGURE_TEXTS)
def plot_prototype_map(model, X=None, y=None, *, level="classes", title=None, ax=None):
    """Draw a prototype model at one of the three levels of paper 003.

    Parameters
    ----------
    model : prototype classifier
        A fitted model of `labelscape.prototypes`.
    X : array-like of shape (n_samples, n_features)
        The samples to show. For ``level="object"`` one sample; for ``level="classes"``
        they may be left out.
    y : array-like of shape (n_samples,), default=None
        Their true classes, for ``level="data"``.
    level : {"data", "classes", "object"}, default="classes"
        "data": the samples as they are, all distances alike; many samples are drawn as
        groups. "classes": all prototypes, and the samples among them with the class
        that the model gives them. "object": one sample and the nearest prototype of
        each class, at exact distances. The explorer's levels have the same names.
    title : str, default=None
        Title of the map. None: a few words about it.
    {ax}

    Notes
    -----
    Distances are drawn squared, as in the paper: that spreads the points better. The
    numbers at the sample level are the distances themselves.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_prototype_map
    >>> from labelscape.prototypes import PushAndGrow
    >>> X, y = load_iris(return_X_y=True)
    >>> model = PushAndGrow().fit(X, y)
    >>> ax = plot_prototype_map(model, X[60], level="object")
    >>> ax.get_title(loc="left")
    'Decided for 1; numbers are distances'
    >>> plt.close(ax.figure)
    """
    check_prototype_model(model, owner="plot_prototype_map")
    if X is None and level != "classes":
        raise InputError(
            f"level={level!r} shows samples. Pass them as X.",
            owner="plot_prototype_map",
        )
    if level == "object":
        return _object_level(model, _rows(model, np.atleast_2d(X)), title, ax)
    if level == "classes":
        return _class_level(model, X, title, ax)
    if y is None:
        raise InputError(
            "level='data' shows true classes. Pass y.",
            owner="plot_prototype_map",
        )
    return _data_level(model, X, y, title, ax)


def _rows(model, X):
    """Return samples as the model takes them."""
    n_features = model.prototypes_.shape[1]
    return matrix_argument("plot_prototype_map", "X", X, n_columns=n_features)


def _data_level(model, X, y, title, ax):
    """Draw the data: labels are not used for the places."""
    from labelscape.embeddings import WeightedMDS, compress_classes

    X = _rows(model, X)
    y = labels_argument("plot_prototype_map", "y", y, size=len(X))
    sizes = None
    words = f"{len(X)} samples"
    if len(X) > MOST_OBJECTS:
        groups = compress_classes(X, y, MOST_OBJECTS / len(X), random_state=0)
        X, y = groups.centers, groups.labels
        sizes = np.maximum(14.0 * groups.sizes / groups.sizes.mean(), 5.0)
        words = f"{groups.sizes.sum()} samples in {len(X)} groups"
    Z = np.asarray(WeightedMDS(power=2, random_state=0).fit_transform(X))
    if title is None:
        title = f"Feature space: {words}"
    return plot_map(Z, y, sizes=sizes, classes=model.classes_, title=title, ax=ax)


def _class_level(model, X, title, ax):
    from labelscape.embeddings import class_layout

    metric = model.metric_
    if not metric.has_common_space:
        raise ValueError(
            f"{type(model).__name__} measures distances differently in each class, so "
            "there is no common space to draw. Use level='object', or LocalLiRaMLVQ."
        )
    prototypes = metric.images(metric.prototypes)
    objects = labels = None
    if X is not None:
        objects, labels = metric.images(_rows(model, X)), model.predict(X)
    layout = class_layout(
        prototypes, model.prototype_labels_, objects, labels, random_state=0
    )
    if title is None:
        title = f"{len(prototypes)} prototypes"
        if X is not None:
            title += f", {len(labels)} samples, agreement {layout.agreement:.0%}"
    return plot_map(
        layout.objects if X is not None else layout.prototypes,
        labels if X is not None else model.prototype_labels_,
        prototypes=layout.prototypes,
        prototype_labels=model.prototype_labels_,
        classes=model.classes_,
        title=title,
        ax=ax,
    )


def _object_level(model, x, title, ax):
    """Draw one sample in the middle, and the nearest prototype of each class."""
    from labelscape.embeddings import object_layout

    if len(x) != 1:
        raise InputError(
            f"level='object' shows one sample, got {len(x)}.",
            owner="plot_prototype_map",
        )
    metric = model.metric_
    owner = np.searchsorted(model.classes_, model.prototype_labels_)
    d = metric.lengths(x)[0]
    present = np.unique(owner)
    nearest = np.array(
        [np.flatnonzero(owner == c)[d[owner == c].argmin()] for c in present]
    )
    between = metric.lengths(metric.prototypes[nearest])[:, nearest]
    # With local metrics the way there is not as long as the way back.
    layout = object_layout(d[nearest], (between + between.T) / 2)
    looks = classes_of(None, model.classes_)

    ax = axes_or_new(ax)
    _draw_rings(ax, layout.prototypes)
    for place, c in zip(layout.prototypes, present, strict=True):
        ax.plot(*zip((0, 0), place, strict=True), color=looks.colors[c], linewidth=1.0)
    draw_prototypes(ax, layout.prototypes, present, looks)
    ax.scatter(0, 0, s=60, c=INK, marker="o", zorder=6)
    ax.margins(0.12)
    ax.set_aspect("equal", adjustable="datalim")
    _write_distances(
        ax, layout.prototypes, d[nearest], [looks.names[c] for c in present]
    )
    if title is None:
        decision = short(model.classes_[present[d[nearest].argmin()]])
        title = f"Decided for {decision}; numbers are distances"
    return blank(ax, title=title)


def _write_distances(ax, places, distances, names):
    """Write class and distance at each prototype, on the side away from the sample."""
    radii = np.hypot(*places.T)[:, None]
    # Of many classes lines are everywhere, and names keep clear of their ends alone.
    on_lines = np.linspace(0.0, 1.0, 20 if len(places) <= FEW_LINES else 2)
    write_labels(
        ax,
        places,
        [f"{name}  {d:.3g}" for name, d in zip(names, distances, strict=True)],
        away=np.divide(places, radii, out=np.ones(places.shape), where=radii > 0),
        clear=np.multiply.outer(on_lines, places).reshape(-1, 2),
    )


def _draw_rings(ax, places):
    """Draw faint rings through the nearest prototypes, to compare radii by eye."""
    from matplotlib.patches import Circle

    for radius in np.sort(np.hypot(*places.T))[:3]:
        ring = Circle((0, 0), radius, fill=False, edgecolor=QUIET, linewidth=0.6)
        ring.set_linestyle((0, (2, 3)))
        ax.add_patch(ring)
