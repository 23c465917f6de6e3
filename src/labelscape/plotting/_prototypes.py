"""Figures of prototype models: comparison of features, and three levels of maps."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import matrix_argument, numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.labels import labels_argument
from labelscape._core.numerics import distance_terms
from labelscape._core.params import (
    check_argument,
    flag,
    one_of,
    optional,
    several,
    whole,
)
from labelscape.plotting import _theme as theme
from labelscape.plotting._map import plot_map
from labelscape.plotting._marks import classes_of, draw_prototypes, write_labels
from labelscape.prototypes._internal import PrototypeClassifier

MOST_FEATURES = 25
# With more bars, a comparison is unreadable, and fewer features are shown.
MOST_BARS = 130
FEWEST_FEATURES = 8


@theme.draws(
    prototypes=optional(several("whole numbers", whole())),
    show=one_of("raw", "scaled", "contribution"),
    sample_names=theme.NAMES,
)
def plot_comparison(
    model,
    samples=None,
    *,
    prototypes=None,
    show="raw",
    data=None,
    feature_names=None,
    sample_names=None,
    title=None,
    ax=None,
) -> Any:
    """Draw the features of prototypes and samples as groups of bars.

    If there are too many bars, only the features that differ most are shown.

    Parameters
    ----------
    model : prototype classifier
        A fitted model of `labelscape.prototypes`.
    samples : array-like of shape (n_features,) or (n_samples, n_features), default=None
        Samples to compare with the prototypes.
    prototypes : sequence of int, default=None
        Indices of the prototypes to show. None means all, or for
        ``show="contribution"`` the nearest prototype of each of the three nearest
        classes.
    show : {"raw", "scaled", "contribution"}, default="raw"
        "raw" shows the values, with one scale per feature. "scaled" shows the values,
        rescaled so that the range of ``data`` is 0 to 1. "contribution" shows the
        contribution of each feature to the squared distance between the given sample
        and each prototype; the bars of a prototype add up to this distance.
    data : array-like of shape (n_samples, n_features), default=None
        Samples that define the range of each feature, for ``show="scaled"``.
    {feature_names}
    sample_names : sequence of str, default=None
        Names of the samples.
    title : str, default=None
        Title of the bars.
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_comparison
    >>> from labelscape.prototypes import PushAndGrow
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_comparison(PushAndGrow().fit(X, y), X[0])
    >>> len(ax.patches)  # three prototypes and a sample, four features
    16
    >>> plt.close(ax.figure)
    """
    check_prototype_model(model, owner="plot_comparison")
    W = np.asarray(model.prototypes_, dtype=np.float64)
    X = np.empty((0, W.shape[1]))
    if samples is not None:
        X = _rows("samples", samples, W.shape[1])
    if show == "contribution" and len(X) != 1:
        raise InputError(
            "show='contribution' compares one sample with prototypes, "
            f"got {len(X)} samples.",
            owner="plot_comparison",
        )
    if show == "scaled" and data is None:
        raise InputError(
            "show='scaled' needs the range of each feature. Pass the "
            "training samples: data=X.",
            owner="plot_comparison",
        )
    if prototypes is None:
        prototypes = _nearest(model, X[0]) if show == "contribution" else range(len(W))
    for p in prototypes:
        rule = whole(-len(W), len(W) - 1)
        check_argument("plot_comparison", "each of prototypes", p, rule)
    chosen = np.asarray(list(prototypes), dtype=np.intp)
    if not len(chosen) and not len(X):
        raise InputError("there is nothing to compare.", owner="plot_comparison")
    rows = np.vstack([W[chosen], X])
    bars, numbers = _bars(model, show, rows, chosen, X, data)
    if show == "contribution":
        styles = _styles(model, chosen, [])
    else:
        styles = _styles(model, chosen, _names(sample_names, len(X)))
    features = _most_different(bars)
    names = theme.feature_labels(feature_names, model, W.shape[1])
    # Height in inches at which bars are visible.
    height = float(np.clip(1.0 + len(features) * (0.12 + 0.11 * len(bars)), 2.2, 14.0))
    ax = theme.axes_or_new(ax, size=(6.4, height))
    _draw(ax, bars[:, features], numbers[:, features], styles, show)
    ax.set_yticks(range(len(features)), [names[j] for j in features])
    ax.set_ylim(len(features) - 0.5, -0.5)
    if len(features) < W.shape[1]:
        words = f"{len(features)} of {W.shape[1]} features"
        title = words if title is None else f"{title} ({words})"
    return theme.quiet(ax, title=title, x=AXIS[show])


AXIS = {
    "raw": "value (each feature on its own scale)",
    "scaled": "position in the range of the data",
    "contribution": "part of the squared distance",
}


def check_prototype_model(model, *, owner):
    """Raise an error unless the model is fitted and has prototypes with features."""
    check_is_fitted(model)
    if not isinstance(model, PrototypeClassifier):
        raise InputError(
            f"{type(model).__name__} has no prototypes_. Use a model of "
            "labelscape.prototypes.",
            owner=owner,
        )
    if model.metric_.kind == "precomputed":
        raise InputError(
            "with metric='precomputed' prototypes have no features to draw.",
            owner=owner,
        )


def _rows(name, value, n_features):
    """Return samples, one per row; a single sample may be a vector."""
    array = np.atleast_2d(numbers_argument("plot_comparison", name, value))
    return matrix_argument("plot_comparison", name, array, n_columns=n_features)


def _bars(model, show, rows, chosen, X, data):
    """Return the lengths of the bars, and the numbers that they represent."""
    if show == "contribution":
        metric, compared = model.metric_, zip(chosen, rows, strict=False)
        terms = np.array(
            [distance_terms(X[0] - w, metric.factor(p)) for p, w in compared]
        )
        return terms, terms
    if show == "raw":
        largest = np.abs(rows).max(axis=0)
        return rows / np.where(largest > 0, largest, 1.0), rows
    spread = _rows("data", data, rows.shape[1])
    low, high = spread.min(axis=0), spread.max(axis=0)
    scaled = (rows - low) / np.where(high > low, high - low, 1.0)
    return scaled, scaled


def _nearest(model, x):
    """Return the nearest prototypes of the three nearest classes."""
    d = model.metric_.lengths(x[None, :])[0]
    best: dict[object, int] = {}
    for p in np.argsort(d, kind="stable").tolist():
        best.setdefault(model.prototype_labels_[p], p)
    return list(best.values())[:3]


def _names(names, n):
    if names is None:
        return ["sample"] if n == 1 else [f"sample {i + 1}" for i in range(n)]
    if len(names) != n:
        raise InputError(
            f"sample_names needs {n} names for {n} samples, got {len(names)}.",
            owner="plot_comparison",
            parameter="sample_names",
        )
    return [theme.short(name) for name in names]


def _styles(model, chosen, sample_names):
    """Return name, color and hatch of each row; hatches differ within a class."""
    classes = classes_of(None, model.classes_)
    owners = classes.indices(model.prototype_labels_)[chosen]
    hatches = ("", "////", "....", "xxxx", "\\\\\\\\")
    styles, seen = [], dict.fromkeys(owners.tolist(), 0)
    for p, c in zip(chosen, owners.tolist(), strict=True):
        several = np.count_nonzero(owners == c) > 1
        name = f"{classes.names[c]} (prototype {p})" if several else classes.names[c]
        styles.append((name, classes.colors[c], hatches[seen[c] % len(hatches)]))
        seen[c] += 1
    shades = np.linspace(0.15, 0.65, max(len(sample_names), 1))
    grays = zip(sample_names, shades, strict=False)
    return styles + [(name, (shade,) * 3, "") for name, shade in grays]


def _most_different(bars):
    """Return the features to show: all, or the features whose bars differ most."""
    n_bars, N = bars.shape
    if N <= MOST_FEATURES and bars.size <= MOST_BARS:
        return np.arange(N)
    n_shown = min(max(FEWEST_FEATURES, MOST_BARS // n_bars), MOST_FEATURES, N)
    spread = np.ptp(bars, axis=0) if n_bars > 1 else np.abs(bars[0])
    return np.sort(np.argsort(-spread, kind="stable")[:n_shown])


def _draw(ax, bars, numbers, styles, show):
    thickness = 0.8 / len(bars)
    centers = np.arange(bars.shape[1])
    for at, (bar, number, (name, color, hatch)) in enumerate(
        zip(bars, numbers, styles, strict=True)
    ):
        drawn = ax.barh(
            centers + (at + 0.5) * thickness - 0.4,
            bar,
            height=0.9 * thickness,
            color=color,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.0,
            label=name,
        )
        if show == "raw" and bars.size <= MOST_BARS:
            texts = [_number(value) for value in number]
            ax.bar_label(
                drawn, texts, padding=2, fontsize=theme.SMALL - 1, color=theme.INK
            )
    ax.axvline(0.0, color=theme.QUIET, linewidth=0.8)
    if show == "raw":
        ax.set_xticks([])
        ax.margins(x=0.1)
    ax.legend(**theme.BESIDE, **theme.LEGEND_STYLE)


def _number(value):
    """Return a value with three digits, without powers of ten if possible."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"


# More samples are drawn as groups, whose area shows the number of members.
MOST_OBJECTS = 500
# With at most this many prototypes, names do not cover the lines to prototypes.
FEW_LINES = 8

LEVELS = one_of("data", "classes", "object")


@theme.draws(level=LEVELS, disc=flag())
def plot_prototype_map(
    model, X=None, y=None, *, level="classes", disc=False, title=None, ax=None
) -> Any:
    """Draw a prototype model at one of three levels: data, classes or one sample.

    Parameters
    ----------
    model : prototype classifier
        A fitted model of `labelscape.prototypes`.
    X : array-like of shape (n_samples, n_features)
        The samples to show. One sample for ``level="object"``, optional for "classes".
    y : array-like of shape (n_samples,), default=None
        True classes of the samples, for ``level="data"``.
    level : {"data", "classes", "object"}, default="classes"
        "data" shows the samples, with equal weights for all distances; more than 500
        samples are drawn as groups. "classes" shows all prototypes, and samples in the
        color of their predicted class. "object" shows one sample and the nearest
        prototype of each class; only distances from the sample are exact.
    disc : bool, default=False
        Draw the map in a disc, as in the explorer: the middle is enlarged, and far
        points are near the edge
        (:func:`~labelscape.embeddings.hyperbolic_focus`).
    title : str, default=None
        Title of the map. None means a short description.
    {ax}

    Notes
    -----
    Squared distances are drawn, because they spread the points better. The numbers at
    the level "object" are the distances before they are squared.

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
    'Predicted 1; numbers are distances'
    >>> plt.close(ax.figure)
    """
    check_prototype_model(model, owner="plot_prototype_map")
    if X is None and level != "classes":
        raise InputError(
            f"level={level!r} shows samples. Pass them as X.",
            owner="plot_prototype_map",
        )
    if level == "object":
        x = _samples(model, np.atleast_2d(X))
        return _object_level(model, x, disc, title, ax)
    if level == "classes":
        return _class_level(model, X, disc, title, ax)
    if y is None:
        raise InputError(
            "level='data' shows true classes. Pass y.",
            owner="plot_prototype_map",
        )
    return _data_level(model, X, y, disc, title, ax)


def _samples(model, X):
    """Return samples in the form that the model accepts."""
    n_features = model.prototypes_.shape[1]
    return matrix_argument("plot_prototype_map", "X", X, n_columns=n_features)


def _data_level(model, X, y, disc, title, ax):
    """Draw the data; labels do not affect the positions."""
    from labelscape.embeddings import WeightedMDS, compress_classes

    X = _samples(model, X)
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
    (Z,) = _in_disc([Z]) if disc else [Z]
    ax = plot_map(Z, y, sizes=sizes, classes=model.classes_, title=title, ax=ax)
    return _with_rim(ax) if disc else ax


def _class_level(model, X, disc, title, ax):
    from labelscape.embeddings import class_layout

    metric = model.metric_
    if not metric.has_common_space:
        raise ValueError(
            f"{type(model).__name__} measures distances differently in each class, so "
            "there is no common space to draw. Use level='object', or LocalLiRaMLVQ."
        )
    prototypes = metric.images(metric.prototypes)
    samples: Any = None
    labels: Any = None
    if X is not None:
        samples, labels = metric.images(_samples(model, X)), model.predict(X)
    layout = class_layout(
        prototypes, model.prototype_labels_, samples, labels, random_state=0
    )
    if title is None:
        title = f"{len(prototypes)} prototypes"
        if X is not None:
            title += f", {len(labels)} samples, agreement {layout.agreement:.0%}"
    W, Z = layout.prototypes, layout.samples
    if disc:
        W, Z = _in_disc([W, Z])
    ax = plot_map(
        Z if X is not None else W,
        labels if X is not None else model.prototype_labels_,
        prototypes=W,
        prototype_labels=model.prototype_labels_,
        classes=model.classes_,
        title=title,
        ax=ax,
    )
    return _with_rim(ax) if disc else ax


def _in_disc(groups, focus=None):
    """Map groups of points into a disc around a focus, by default their mean."""
    from labelscape.embeddings import hyperbolic_focus

    Z = hyperbolic_focus(np.vstack(groups), focus)
    return np.split(Z, np.cumsum([len(one) for one in groups])[:-1])


def _with_rim(ax):
    """Draw the edge of the disc, and show the whole disc."""
    from matplotlib.patches import Circle

    look = {"edgecolor": theme.FRAME, "linewidth": 1.0, "zorder": 0}
    ax.add_patch(Circle((0, 0), 1.0, fill=False, **look))
    ax.update_datalim([(-1.0, -1.0), (1.0, 1.0)])
    ax.autoscale(True)
    return ax


def _object_level(model, x, disc, title, ax):
    """Draw one sample in the center, and the nearest prototype of each class."""
    from matplotlib.patches import Circle

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
    # With local metrics, the two directions have different distances.
    layout = object_layout(d[nearest], (between + between.T) / 2)
    styles, places = classes_of(None, model.classes_), layout.prototypes
    if disc:
        (places,) = _in_disc([places], np.zeros(2))

    ax = theme.axes_or_new(ax)
    for radius in np.sort(np.hypot(*places.T))[:3]:  # circles help to compare distances
        ring = Circle((0, 0), radius, fill=False, edgecolor=theme.QUIET, linewidth=0.6)
        ring.set_linestyle((0, (2, 3)))
        ax.add_patch(ring)
    for place, c in zip(places, present, strict=True):
        ax.plot(*zip((0, 0), place, strict=True), color=styles.colors[c], linewidth=1.0)
    draw_prototypes(ax, places, present, styles)
    ax.scatter(0, 0, s=60, c=theme.INK, marker="o", zorder=6)
    ax.margins(0.12)
    ax.set_aspect("equal", adjustable="datalim")
    if disc:
        _with_rim(ax)
    _write_distances(ax, places, d[nearest], [styles.names[c] for c in present])
    if title is None:
        decision = theme.short(model.classes_[present[d[nearest].argmin()]])
        title = f"Predicted {decision}; numbers are distances"
    return theme.blank(ax, title=title)


def _write_distances(ax, places, distances, names):
    """Write class and distance at each prototype, on the side away from the sample."""
    radii = np.hypot(*places.T)[:, None]
    # With more prototypes, there are lines everywhere: names only avoid their ends.
    on_lines = np.linspace(0.0, 1.0, 20 if len(places) <= FEW_LINES else 2)
    write_labels(
        ax,
        places,
        [f"{name}  {d:.3g}" for name, d in zip(names, distances, strict=True)],
        away=np.divide(places, radii, out=np.ones(places.shape), where=radii > 0),
        clear=np.multiply.outer(on_lines, places).reshape(-1, 2),
    )
