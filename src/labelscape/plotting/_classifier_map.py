"""Figures of classifiers: decision regions, certainty and samples."""

from itertools import pairwise
from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.params import flag, having
from labelscape.plotting import _theme as theme
from labelscape.plotting._marks import (
    checked_map,
    classes_of,
    draw_points,
    legend_beside,
    name_classes,
    names_on_map,
    point_size,
)


@theme.draws(isolines=flag())
def plot_classifier_map(
    model, X=None, y=None, *, isolines=True, title=None, legend="auto", ax=None
) -> Any:
    """Draw the decision regions of a classifier, its certainty, and samples.

    Each position has the color of the predicted class. The color is stronger where the
    classifier is more certain. Thin lines are at certainties of 0.6, 0.8 and 0.95.
    Hatched regions are far from all data, so predictions there are extrapolated. If
    true classes are given, rings mark misclassified samples.

    Parameters
    ----------
    model : ClassifierMap
        A fitted ClassifierMap.
    X : array-like of shape (n_samples, n_features), default=None
        Samples to show. None means the fitted samples, if the model contains them.
    y : array-like of shape (n_samples,), default=None
        True classes of the samples. With None, points have the color of the predicted
        class.
    isolines : bool, default=True
        Whether to draw lines of equal certainty.
    title : str, default=None
        Title of the map. By default, the share of samples in the region of their
        predicted class.
    {legend}
    {ax}

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
    'Regions match predictions for 96.0% of the fitted samples'
    >>> plt.close(ax.figure)
    """
    owner = "plot_classifier_map"
    use = "has no regions. Use ClassifierMap(classifier)."
    theme.check_model(model, "regions_", use, owner=owner)
    styles = classes_of(model.classes_)
    if X is None:
        Z, predictions = (
            getattr(model, name, None) for name in ("embedding_", "predictions_")
        )
        agreement = model.agreement_train_
    else:
        Z, predictions = np.asarray(model.transform(X)), model.predict(X)
        agreement = model.score(X)
    ax = theme.axes_or_new(ax, size=fitting_size(model.regions_))
    draw_decisions(ax, model.regions_, styles, isolines=isolines)
    if title is None:
        whose = "the fitted" if X is None else "these"
        title = f"Regions match predictions for {agreement:.1%} of {whose} samples"
    theme.blank(ax, title=title)
    if Z is None:
        if y is not None:
            raise InputError(
                "y needs samples, but the model was saved without them. Pass X as "
                "well, or do not pass y.",
                owner=owner,
            )
        name_classes(ax, styles, legend)
        return ax
    checked_map(Z, y, owner=owner)
    indices = styles.indices(predictions if y is None else y)
    draw_points(ax, Z, indices, styles)
    wrong = np.zeros(len(Z), bool) if y is None else np.asarray(y) != predictions
    if wrong.any():
        look = {"facecolors": "none", "edgecolors": theme.INK, "linewidths": 0.9}
        ax.scatter(*Z[wrong].T, s=2.0 * point_size(len(Z)) + 12.0, zorder=4, **look)
    name_classes(ax, styles, legend, lambda: names_on_map(ax, Z, indices, styles))
    return ax


# Two classifiers on one map, and the area where they disagree.

PANEL = 3.6  # length of the longer side of one map, in inches


@theme.draws(comparison=having("differ", "what ClassifierMap.compare returns"))
def plot_classifier_comparison(comparison, *, figure=None) -> Any:
    """Draw the decision regions of two classifiers, and the area where they differ.

    Parameters
    ----------
    comparison : ClassifierComparison
        Result of ``ClassifierMap.compare``.
    figure : matplotlib Figure or SubFigure, default=None
        The figure to draw in. None makes a new figure.

    Returns
    -------
    matplotlib Figure
        Three maps: the regions of both classifiers, and a dark area where their
        predictions differ, with the samples for which they differ.

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
    figure = theme.figure_or_new(figure, size=size)
    panels = figure.subplots(1, 3)
    both = np.concatenate([comparison.first.classes, comparison.second.classes])
    styles = classes_of(both)
    pictures = comparison.first, comparison.second
    for ax, regions, name in zip(panels, pictures, comparison.names, strict=False):
        draw_decisions(ax, regions, styles)
        theme.blank(ax, title=theme.short(name))
    _draw_differences(panels[2], comparison)
    legend_beside(panels[2], styles)
    return figure


def _draw_differences(ax, comparison):
    regions = comparison.first
    colors = np.array([theme.rgb(theme.PANE), theme.rgb(theme.QUIET)])[
        comparison.differ.astype(int)
    ]
    ax.imshow(
        colors,
        extent=_sides(regions),
        origin="lower",
        interpolation="bilinear",
        zorder=0,
    )
    _hatch(ax, regions)
    _look_at(ax, regions)
    title = f"Predictions differ on {comparison.share:.1%} of the map near data"
    if comparison.positions is not None:
        apart = comparison.positions[comparison.samples_differ]
        ax.scatter(
            *apart.T,
            s=point_size(len(comparison.positions)),
            c=theme.INK,
            linewidths=0,
            zorder=3,
        )
        share = comparison.share_of_samples
        title = f"Predictions differ for {share:.1%} of the samples"
    theme.blank(ax, title=title)


# Strength of the color at the lowest certainty and at certainty 1.
PALEST, FULLEST = 0.06, 0.5
FAR_SHARE = 0.45  # factor of this strength far from all data
N_SHADES = 8  # colors of a class, from pale to full
# Lines of equal certainty, if the classifier has probabilities or decision values.
LEVELS = (0.6, 0.8, 0.95)
# Drawing order: everything is above the colors (0) and below the points (1).
HATCHES, ISOLINES, BORDERS = 0.5, 0.6, 0.7


def draw_decisions(ax, regions, classes, *, isolines=True):
    """Draw regions: colors, borders, lines of equal certainty, and hatching."""
    _draw_areas(ax, regions, classes)
    _hatch(ax, regions)
    _look_at(ax, regions)
    if isolines:
        _draw_isolines(ax, regions)
    _draw_borders(ax, regions)


def _sides(regions):
    """Return left, right, bottom and top of the cells."""
    half = (regions.x[1] - regions.x[0]) / 2.0
    return tuple(np.add(regions.box, (-half, half, -half, half)))


def _look_at(ax, regions):
    left, right, bottom, top = _sides(regions)
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal", adjustable="box")


def _draw_areas(ax, regions, classes):
    """Draw regions as areas, which remain sharp and editable in a vector file."""
    share = _strengths(regions)
    # Cells extend half a step beyond their centers.
    left, right, bottom, top = _sides(regions)
    x = np.concatenate([[left], regions.x, [right]])
    y = np.concatenate([[bottom], regions.y, [top]])
    shades = np.linspace(0.0, FULLEST, N_SHADES + 1)
    for c, own in enumerate(classes.indices(regions.classes)):
        field = np.pad(np.where(regions.winners == c, share, 0.0), 1, mode="edge")
        # Each shade covers the paler one, so that there are no gaps.
        for low, high in pairwise(shades):
            level = max(low, PALEST * FAR_SHARE / 2.0)
            if field.max() > level:
                color = 1.0 - (level + high) / 2.0 * (
                    1.0 - theme.rgb(classes.colors[own])
                )
                ax.contourf(x, y, field, levels=[level, 1.0], colors=[color], zorder=0)


def fitting_size(regions, longest=6.4, n_panels=1):
    """Return the size of a figure whose panels have the shape of the grid."""
    width, height = len(regions.x), len(regions.y)
    unit = longest / max(width, height)
    # Space for a title above, and for class names at the side.
    return n_panels * unit * width + 1.0, unit * height + 0.4


def _strengths(regions):
    """Return the strength of the color of each cell."""
    # Probabilities start at chance, decision values at 0.
    least = min(1.0 / len(regions.classes), regions.certainty.min())
    sure = (regions.certainty - least) / (1.0 - least)
    share = PALEST + (FULLEST - PALEST) * sure
    return np.where(regions.far, FAR_SHARE * share, share)


def _hatch(ax, regions):
    """Hatch lightly where predictions are extrapolated, far from all data."""
    if regions.far.any():
        area = ax.contourf(
            regions.x,
            regions.y,
            regions.far,
            levels=[0.5, 1.5],
            hatches=["////"],
            colors="none",
            zorder=HATCHES,
        )
        area.set_edgecolor(theme.FRAME)
        area.set_linewidth(0.0)


def _draw_borders(ax, regions):
    """Draw the borders between predicted classes, where two scores are equal."""
    # The lead is the score of the best class minus the second-best score. It is 0 at
    # borders, and lines at 0 are smoother than the edges of the grid cells.
    for c in np.unique(regions.winners):
        lead = np.where(regions.winners == c, regions.lead, -regions.lead)
        if lead.min() < 0.0 < lead.max():
            ax.contour(
                regions.x,
                regions.y,
                lead,
                levels=[0.0],
                colors=theme.PAPER,
                linewidths=1.4,
                zorder=BORDERS,
            )


def _draw_isolines(ax, regions):
    near = np.ma.masked_where(regions.far, regions.certainty)
    levels = [level for level in LEVELS if near.min() < level < near.max()]
    if levels:
        ax.contour(
            regions.x,
            regions.y,
            near,
            levels=levels,
            colors=theme.INK,
            alpha=0.35,
            linewidths=0.6,
            zorder=ISOLINES,
        )
