"""Which features matter to a model, and which work together (paper 000, Figs. 1, 5)."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import named_as
from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.params import arguments
from labelscape.plotting._map import LEGEND, plot_map
from labelscape.plotting._palette import COLORS
from labelscape.plotting._points import checked_map, classes_on
from labelscape.plotting._theme import (
    AXES,
    FIGURE,
    FIGURE_TEXTS,
    NAMES,
    SMALL,
    TITLE,
    feature_labels,
    figure_or_new,
    quiet,
    short,
    titled,
)
from labelscape.prototypes._internal import class_scores_in_plane

# Names of more features than this don't fit on an axis.
MOST_NAMES = 25
N_SHOWN = 20
MOST_EIGENVALUES = 25


@arguments(feature_names=NAMES, figure=FIGURE)
@shared_parameters(FIGURE_TEXTS)
def plot_relevances(model, *, feature_names=None, figure=None):
    """Draw what a model has learned about the features.

    For a matrix model: the elements of the relevance matrix off its diagonal, the
    diagonal (how much each feature matters), and the eigenvalues (how many directions
    matter). For `GRLVQ` the relevances, for `LGMLVQ` those of each local matrix. With
    more than 25 features the 20 most relevant are shown.

    Parameters
    ----------
    model : GMLVQ, LiRaMLVQ, LocalLiRaMLVQ, GRLVQ or LGMLVQ
        A fitted model.
    {feature_names}
    {figure}

    Notes
    -----
    The matrix is Lambda = Omega^T Omega, with its diagonal left blank as in the paper.
    Positive elements: a difference in both features in the same direction counts more
    than the two alone. Relevances can be compared only if features have one scale.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_relevances
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> figure = plot_relevances(LiRaMLVQ(random_state=0).fit(X, y))
    >>> [ax.get_title(loc="left") for ax in figure.axes[:3]]
    ['Off-diagonal relevances', 'Relevances', 'Eigenvalues']
    >>> plt.close(figure)
    """
    check_is_fitted(model)
    if not hasattr(model, "relevances_"):
        raise InputError(
            f"{type(model).__name__} learns no relevances. Use GRLVQ, "
            "GMLVQ or LiRaMLVQ.",
            owner="plot_relevances",
        )
    relevances = np.atleast_2d(np.asarray(model.relevances_, dtype=np.float64))
    N = relevances.shape[1]
    names = np.array(feature_labels(feature_names, model, N))
    shown = _most_relevant(relevances.max(axis=0))
    height = max(2.2, 1.2 + 0.2 * len(shown))
    few = f", {len(shown)} of {N} features" if len(shown) < N else ""
    if hasattr(model, "omega_"):
        figure = figure_or_new(figure, size=(height + 6.2, height + 0.9))
        left, middle, right = figure.subplots(1, 3, width_ratios=(height + 1, 2.2, 1.8))
        Lambda = np.asarray(model.relevance_matrix_, dtype=np.float64)
        _draw_matrix(figure, left, Lambda[np.ix_(shown, shown)], names[shown])
        titled(left, "Off-diagonal relevances")
        _draw_bars(middle, relevances[0, shown])
        middle.set_yticks([])
        middle.set_ylim(left.get_ylim())
        quiet(middle, title="Relevances" + few)
        _draw_eigenvalues(right, Lambda)
        return figure
    if len(relevances) == 1:
        figure = figure_or_new(figure, size=(5.6, height))
        ax = figure.subplots()
        _draw_bars(ax, relevances[0, shown])
        ax.set_yticks(range(len(shown)), names[shown])
        ax.set_ylim(len(shown) - 0.5, -0.5)
        quiet(ax, title="Relevances" + few)
        return figure
    figure = figure_or_new(figure, size=(2.5 + 0.35 * len(relevances), height + 1))
    _draw_local(figure, model, relevances[:, shown], names[shown], few)
    return figure


def _most_relevant(relevances):
    """Return which features to show: all in their order, or the most relevant ones."""
    if len(relevances) <= MOST_NAMES:
        return np.arange(len(relevances))
    return np.argsort(-relevances, kind="stable")[:N_SHOWN]


def _draw_matrix(figure, ax, Lambda, names):
    np.fill_diagonal(Lambda, np.nan)
    largest = np.nanmax(np.abs(Lambda)) if len(Lambda) > 1 else 0.0
    reach = largest or 1.0
    # Cells give up being square, so that rows stay level with the bars beside them.
    image = ax.imshow(Lambda, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
    ax.set_xticks(range(len(names)), names, rotation=90)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0, labelsize=SMALL)
    ax.spines[:].set_visible(False)
    _color_bar(figure, image, ax)


def _draw_bars(ax, values):
    ax.barh(range(len(values)), values, height=0.7, color=COLORS[0])
    ax.set_xlim(left=0.0)
    ax.margins(x=0.05)


def _draw_eigenvalues(ax, Lambda):
    values = np.linalg.eigvalsh(Lambda)[::-1][:MOST_EIGENVALUES]
    steps = np.arange(1, len(values) + 1)
    ax.bar(steps, np.clip(values, 0.0, None), width=0.7, color=COLORS[2])
    ax.set_xlim(0.2, max(len(values), 5) + 0.8)
    ax.xaxis.get_major_locator().set_params(integer=True)
    quiet(ax, title="Eigenvalues")


def _draw_local(figure, model, relevances, names, few):
    """Draw one column of relevances per local matrix."""
    ax = figure.subplots()
    image = ax.imshow(relevances.T, cmap="Blues", vmin=0.0, aspect="auto")
    by_class = model.localization == "class"
    owners = model.classes_ if by_class else model.prototype_labels_
    ax.set_xticks(range(len(owners)), [short(owner) for owner in owners], rotation=90)
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0, labelsize=SMALL)
    ax.spines[:].set_visible(False)
    titled(ax, f"Relevances per {model.localization}{few}")
    _color_bar(figure, image, ax)


def _color_bar(figure, image, ax):
    bar = figure.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL, length=2)


@arguments(title=TITLE, legend=LEGEND, ax=AXES)
@shared_parameters(FIGURE_TEXTS)
def plot_discriminative_map(model, X, y, *, title=None, legend="auto", ax=None):
    """Draw samples in the space of a matrix LVQ model, with its decisions.

    In two dimensions the plane is colored by the class that the model decides for. The
    borders are straight for one matrix, and curved where classes or prototypes have
    local ones. A sample in a region of another color is misclassified.

    Parameters
    ----------
    model : LiRaMLVQ, LocalLiRaMLVQ or GMLVQ
        A fitted model with ``n_components`` of 1, 2 or 3.
    X : array-like of shape (n_samples, n_features)
        Samples, prepared like those the model was fitted to.
    y : array-like of shape (n_samples,)
        Their true classes.
    title : str, default=None
        Title of the map. None: the model, and the number of samples. How many
        of them it gets right says little where it was trained on them.
    {legend}
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_discriminative_map
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_discriminative_map(LiRaMLVQ(random_state=0).fit(X, y), X, y)
    >>> ax.get_title(loc="left").startswith("LiRaMLVQ")
    True
    >>> plt.close(ax.figure)
    """
    check_is_fitted(model)
    name = type(model).__name__
    if not hasattr(model, "omega_"):
        raise InputError(
            f"{name} has no projection. Use LiRaMLVQ or LocalLiRaMLVQ.",
            owner="plot_discriminative_map",
        )
    M = len(model.omega_)
    if M > 3:
        raise InputError(
            f"the model has {M} dimensions, of which a map "
            "shows 3 at most. Use LiRaMLVQ(n_components=2), or model.reduced(2).",
            owner="plot_discriminative_map",
        )
    Z = checked_map(model.transform(X), y, owner="plot_discriminative_map")
    if title is None:
        title = f"{name}: {len(Z):,} samples"
    return plot_map(
        Z,
        y,
        prototypes=model.transform(named_as(model, model.prototypes_)),
        prototype_labels=model.prototype_labels_,
        regions=class_scores_in_plane(model) if M == 2 else None,
        classes=classes_on(Z, y, model.classes_),
        title=title,
        legend=legend,
        ax=ax,
    )
