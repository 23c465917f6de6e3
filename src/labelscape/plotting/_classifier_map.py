"""The picture of a classifier: its decisions, how sure it is, and the objects."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.arguments import arguments, having
from labelscape._core.errors import InputError
from labelscape._core.rules import flag
from labelscape.plotting._decisions import draw_cells, draw_decisions, fitting_size
from labelscape.plotting._legend import fits_beside, legend_beside, names_on_map
from labelscape.plotting._map import LEGEND
from labelscape.plotting._palette import INK, PANE, QUIET, rgb
from labelscape.plotting._points import checked_map, classes_of, draw_points, point_size
from labelscape.plotting._theme import (
    AXES,
    FIGURE,
    TITLE,
    axes_or_new,
    blank,
    figure_or_new,
    short,
)


@arguments(isolines=flag(), title=TITLE, legend=LEGEND, ax=AXES)
def plot_classifier_map(
    model, X=None, y=None, *, isolines=True, title=None, legend="auto", ax=None
):
    """Draw what a classifier decides where, how sure it is, and the objects.

    Every place has the colour of the class that is decided for, the stronger the surer
    the classifier is; thin lines are at certainties of 0.6, 0.8 and 0.95. Hatched
    places are far from all data, where the picture is a guess. With the true classes, a
    ring marks the objects that the classifier gets wrong.

    Parameters
    ----------
    model : ClassifierMap
        A fitted one.
    X : array-like of shape (n_samples, n_features), default=None
        Objects to show. None: the fitted ones, if the model holds them.
    y : array-like of shape (n_samples,), default=None
        Their true classes. None: points have the colour of what the classifier says.
    isolines : bool, default=True
        Whether to draw lines of equal certainty.
    title : str, default=None
        What stands above the map. None: for which share of the objects the picture
        shows what the classifier says.
    legend : {"auto", "beside", "direct", "none"}, default="auto"
        As in `plot_map`.
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from labelscape.boundary import ClassifierMap
    >>> from labelscape.plotting import plot_classifier_map
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ClassifierMap(GaussianNB().fit(X, y), PCA(2)).fit(X)
    >>> ax = plot_classifier_map(model, y=y)
    >>> ax.get_title(loc="left")
    'Shown as it is for 96.0% of the fitted objects'
    >>> plt.close(ax.figure)
    """
    owner = "plot_classifier_map"
    check_is_fitted(model)
    if not hasattr(model, "regions_"):
        raise InputError(
            f"{type(model).__name__} has no regions. Use ClassifierMap(classifier).",
            owner=owner,
            parameter="model",
        )
    looks = classes_of(model.classes_)
    Z, said, agreement = _objects(model, X)
    ax = axes_or_new(ax, size=fitting_size(model.regions_))
    draw_decisions(ax, model.regions_, looks, isolines=isolines)
    if title is None:
        whose = "the fitted" if X is None else "these"
        title = f"Shown as it is for {agreement:.1%} of {whose} objects"
    blank(ax, title=title)
    indices = np.empty(0, dtype=np.intp)
    if Z is None and y is not None:
        raise InputError(
            "y are the classes of objects, and the model was saved without "
            "its own. Give X too, or no y.",
            owner=owner,
        )
    if Z is not None:
        checked_map(Z, y, owner=owner)
        indices = looks.indices(said if y is None else y)
        draw_points(ax, Z, indices, looks)
        if y is not None:
            _ring(ax, Z[np.asarray(y) != said], len(Z))
    _name(ax, Z, indices, looks, legend)
    return ax


def _objects(model, X):
    """Return places of objects, what the classifier says of each, and the agreement."""
    if X is not None:
        return np.asarray(model.transform(X)), model.predict(X), model.score(X)
    kept = (getattr(model, name, None) for name in ("embedding_", "predictions_"))
    return *kept, model.agreement_train_


def _ring(ax, Z, n):
    if len(Z):
        ax.scatter(
            *Z.T,
            s=2.0 * point_size(n) + 12.0,
            facecolors="none",
            edgecolors=INK,
            linewidths=0.9,
            zorder=4,
        )


def _name(ax, Z, indices, looks, legend):
    if legend == "none":
        return
    crowded = not fits_beside(len(looks.labels))
    direct = legend == "direct" or (legend == "auto" and crowded)
    if direct and Z is not None:
        names_on_map(ax, Z, indices, looks)
    else:
        legend_beside(ax, looks)


# Two classifiers on one map, and where they disagree.

# Inches along the longer side of one map.
PANEL = 3.6


@arguments(
    comparison=having("differ", "what ClassifierMap.compare returns"), figure=FIGURE
)
def plot_classifier_comparison(comparison, *, figure=None):
    """Draw what two classifiers decide, and where they differ.

    Parameters
    ----------
    comparison : ClassifierComparison
        From ``ClassifierMap.compare``.
    figure : matplotlib Figure or SubFigure, default=None
        Where to draw. None makes a new one.

    Returns
    -------
    matplotlib Figure
        Three maps: one classifier, the other, and in the dark where they decide for
        different classes. There, points are objects of which they say different things.

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from labelscape.boundary import ClassifierMap
    >>> from labelscape.plotting import plot_classifier_comparison
    >>> X, y = load_iris(return_X_y=True)
    >>> model = ClassifierMap(GaussianNB().fit(X, y), PCA(2)).fit(X)
    >>> tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    >>> figure = plot_classifier_comparison(model.compare(tree, X))
    >>> len(figure.axes)
    3
    >>> plt.close(figure)
    """
    size = fitting_size(comparison.first, PANEL, n_panels=3)
    figure = figure_or_new(figure, size=size)
    panels = figure.subplots(1, 3)
    both = np.concatenate([comparison.first.classes, comparison.second.classes])
    looks = classes_of(both)
    pictures = comparison.first, comparison.second
    for ax, regions, name in zip(panels, pictures, comparison.names, strict=False):
        draw_decisions(ax, regions, looks)
        blank(ax, title=short(name))
    _draw_differences(panels[2], comparison)
    legend_beside(panels[2], looks)
    return figure


def _draw_differences(ax, comparison):
    regions = comparison.first
    colors = np.array([rgb(PANE), rgb(QUIET)])[comparison.differ.astype(int)]
    draw_cells(ax, regions, colors)
    title = f"They differ on {comparison.share:.1%} of the map near data"
    if comparison.places is not None:
        apart = comparison.places[comparison.objects_differ]
        ax.scatter(
            *apart.T,
            s=point_size(len(comparison.places)),
            c=INK,
            linewidths=0,
            zorder=3,
        )
        title = f"They differ on {comparison.share_of_objects:.1%} of the objects"
    blank(ax, title=title)
