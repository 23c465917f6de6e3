"""The Shepard diagram: distances in the data against distances on the map."""

import numpy as np

from labelscape._core.arguments import arguments
from labelscape._core.docs import shared_parameters
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape.plotting._palette import COLORS, INK
from labelscape.plotting._theme import AXES, SMALL, TITLE, axes_or_new, quiet

# More pairs than this are drawn as a density.
MOST_DOTS = 3000


@arguments(title=TITLE, ax=AXES)
@shared_parameters(METRIC_TEXTS)
def plot_shepard(X, embedding, *, metric="euclidean", title=None, ax=None):
    """Draw each pair of objects by its distance in the data and on the map.

    A map that keeps all distances puts every pair on the line. Pairs below it are too
    near on the map (false neighbours), pairs above it too far apart (tears).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Objects, or their dissimilarities if ``metric="precomputed"``.
    embedding : array-like of shape (n_samples, n_components)
        The map. It is drawn at the size that suits it best.
    {metric}
    title : str, default=None
        What stands above the diagram. None: Pearson's correlation.
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_shepard
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_shepard(X, X[:, 2:])
    >>> ax.get_title(loc="left")
    'Shepard diagram, r = 0.99'
    >>> plt.close(ax.figure)
    """
    from labelscape.quality import shepard_pairs

    delta, d = shepard_pairs(X, embedding, metric=metric, random_state=0)
    ax = axes_or_new(ax, size=(4.6, 4.2))
    far = max(delta.max(), d.max(), np.finfo(float).tiny) * 1.02
    if len(delta) <= MOST_DOTS:
        ax.scatter(delta, d, s=8, c=COLORS[0], alpha=0.35, linewidths=0)
    else:
        ax.hexbin(
            delta,
            d,
            gridsize=60,
            extent=(0, far, 0, far),
            bins="log",
            cmap="Blues",
            mincnt=1,
            linewidths=0.1,
        )
    ax.plot([0, far], [0, far], color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_xlim(0, far)
    ax.set_ylim(0, far)
    ax.set_aspect("equal")
    for words, where in (("tears", (0.03, 0.97)), ("false neighbours", (0.97, 0.03))):
        ax.annotate(
            words,
            where,
            xycoords="axes fraction",
            ha="left" if where[0] < 0.5 else "right",
            va="top" if where[1] > 0.5 else "bottom",
            fontsize=SMALL,
            color=INK,
        )
    if title is None:
        title = f"Shepard diagram{_correlation(delta, d)}"
    return quiet(ax, title=title, x="distance in the data", y="distance on the map")


def _correlation(delta, d):
    if len(delta) < 2 or np.ptp(delta) == 0 or np.ptp(d) == 0:
        return ""
    return f", r = {np.corrcoef(delta, d)[0, 1]:.2f}"
