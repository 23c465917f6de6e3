"""Prototypes and samples compared feature by feature (paper 003, section 5)."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import matrix_argument, numbers_argument
from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.numerics import distance_terms
from labelscape._core.params import (
    arguments,
    check_argument,
    one_of,
    optional,
    several,
    whole,
)
from labelscape.plotting._palette import INK, QUIET
from labelscape.plotting._points import classes_of
from labelscape.plotting._theme import (
    AXES,
    BESIDE,
    FIGURE_TEXTS,
    LEGEND_STYLE,
    NAMES,
    SMALL,
    TITLE,
    axes_or_new,
    feature_labels,
    quiet,
    short,
)
from labelscape.prototypes._internal import PrototypeClassifier

MOST_FEATURES = 25
# More bars than this are too many to compare; fewer features are shown then.
MOST_BARS = 130
FEWEST_FEATURES = 8


@arguments(
    prototypes=optional(several("whole numbers", whole())),
    show=one_of("raw", "scaled", "contribution"),
    feature_names=NAMES,
    object_names=NAMES,
    title=TITLE,
    ax=AXES,
)
@shared_parameters(FIGURE_TEXTS)
def plot_comparison(
    model,
    objects=None,
    *,
    prototypes=None,
    show="raw",
    data=None,
    feature_names=None,
    object_names=None,
    title=None,
    ax=None,
):
    """Draw the features of prototypes and samples as groups of bars.

    Where the bars would be too many, the features in which they differ most are shown.

    Parameters
    ----------
    model : prototype classifier
        A fitted model of `labelscape.prototypes`.
    objects : array-like of shape (n_features,) or (n_objects, n_features), default=None
        Samples to compare with the prototypes.
    prototypes : sequence of int, default=None
        Which prototypes. None: all, or for ``show="contribution"`` the nearest ones of
        the three nearest classes.
    show : {"raw", "scaled", "contribution"}, default="raw"
        "raw": the values, with a scale of its own for each feature. "scaled": where
        each value lies in the range of ``data``, from 0 to 1. "contribution": what each
        feature adds to the squared distance between the one sample given and each
        prototype; the bars of a prototype add up to that distance.
    data : array-like of shape (n_samples, n_features), default=None
        Where the range of each feature comes from, for ``show="scaled"``.
    {feature_names}
    object_names : sequence of str, default=None
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
    >>> len(ax.patches)  # three prototypes and an object, four features
    16
    >>> plt.close(ax.figure)
    """
    check_prototype_model(model, owner="plot_comparison")
    W = np.asarray(model.prototypes_, dtype=np.float64)
    X = np.empty((0, W.shape[1]))
    if objects is not None:
        X = _rows("objects", objects, W.shape[1])
    if show == "contribution" and len(X) != 1:
        raise InputError(
            "show='contribution' compares one sample with prototypes, "
            f"got {len(X)} samples.",
            owner="plot_comparison",
        )
    if show == "scaled" and data is None:
        raise InputError(
            "show='scaled' needs the range of each feature. Pass the "
            "training set as data.",
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
    bars, shown_numbers = _bars(model, show, rows, chosen, X, data)
    if show == "contribution":
        looks = _looks(model, chosen, [])
    else:
        looks = _looks(model, chosen, _names(object_names, len(X)))
    features = _most_different(bars)
    names = feature_labels(feature_names, model, W.shape[1])
    ax = axes_or_new(ax, size=(6.4, _height(len(features), len(bars))))
    _draw(ax, bars[:, features], shown_numbers[:, features], looks, show)
    ax.set_yticks(range(len(features)), [names[j] for j in features])
    ax.set_ylim(len(features) - 0.5, -0.5)
    if len(features) < W.shape[1]:
        words = f"{len(features)} of {W.shape[1]} features"
        title = words if title is None else f"{title} ({words})"
    return quiet(ax, title=title, x=AXIS[show])


AXIS = {
    "raw": "value (each feature on its own scale)",
    "scaled": "place in the range of the data",
    "contribution": "part of the squared distance",
}


def check_prototype_model(model, *, owner):
    """Raise unless the model is a fitted one with prototypes that have features."""
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
    """Return samples, one per row; one alone may stand without its row."""
    array = np.atleast_2d(numbers_argument("plot_comparison", name, value))
    return matrix_argument("plot_comparison", name, array, n_columns=n_features)


def _bars(model, show, rows, chosen, X, data):
    """Return the lengths of the bars, and the numbers they stand for."""
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
    best = {}
    for p in np.argsort(d, kind="stable").tolist():
        best.setdefault(model.prototype_labels_[p], p)
    return list(best.values())[:3]


def _names(names, n):
    if names is None:
        return ["object"] if n == 1 else [f"object {i + 1}" for i in range(n)]
    if len(names) != n:
        raise InputError(
            f"object_names must name {n} samples, got {len(names)}.",
            owner="plot_comparison",
            parameter="object_names",
        )
    return [short(name) for name in names]


def _looks(model, chosen, object_names):
    """Return name, color and hatch of each row; hatches differ within a class."""
    classes = classes_of(None, model.classes_)
    owners = classes.indices(model.prototype_labels_)[chosen]
    hatches = ("", "////", "....", "xxxx", "\\\\\\\\")
    looks, seen = [], dict.fromkeys(owners.tolist(), 0)
    for p, c in zip(chosen, owners.tolist(), strict=True):
        several = np.count_nonzero(owners == c) > 1
        name = f"{classes.names[c]} (prototype {p})" if several else classes.names[c]
        looks.append((name, classes.colors[c], hatches[seen[c] % len(hatches)]))
        seen[c] += 1
    shades = np.linspace(0.15, 0.65, max(len(object_names), 1))
    grays = zip(object_names, shades, strict=False)
    return looks + [(name, (shade,) * 3, "") for name, shade in grays]


def _most_different(bars):
    """Return which features to show: all, or those in which the bars differ most."""
    n_bars, N = bars.shape
    if N <= MOST_FEATURES and bars.size <= MOST_BARS:
        return np.arange(N)
    n_shown = min(max(FEWEST_FEATURES, MOST_BARS // n_bars), MOST_FEATURES, N)
    spread = np.ptp(bars, axis=0) if n_bars > 1 else np.abs(bars[0])
    return np.sort(np.argsort(-spread, kind="stable")[:n_shown])


def _height(n_features, n_rows):
    """Return the height of the figure in inches, so that bars stay visible."""
    return float(np.clip(1.0 + n_features * (0.12 + 0.11 * n_rows), 2.2, 14.0))


def _draw(ax, bars, numbers, looks, show):
    thickness = 0.8 / len(bars)
    centers = np.arange(bars.shape[1])
    for at, (bar, number, (name, color, hatch)) in enumerate(
        zip(bars, numbers, looks, strict=True)
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
            ax.bar_label(drawn, texts, padding=2, fontsize=SMALL - 1, color=INK)
    ax.axvline(0.0, color=QUIET, linewidth=0.8)
    if show == "raw":
        ax.set_xticks([])
        ax.margins(x=0.1)
    ax.legend(**BESIDE, **LEGEND_STYLE)


def _number(value):
    """Return a value with three digits, and without powers of ten where it fits."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"
