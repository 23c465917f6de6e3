"""Two classifiers on one map, and where they disagree."""

import numpy as np

from labelscape.plotting._classes import classes_of
from labelscape.plotting._decisions import draw_cells, draw_decisions, fitting_size
from labelscape.plotting._legend import legend_beside
from labelscape.plotting._palette import INK, PANE, QUIET, rgb
from labelscape.plotting._points import point_size
from labelscape.plotting._theme import blank, figure_or_new, short

# Inches along the longer side of one map.
PANEL = 3.6


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
