"""Where a map can be trusted: each point by its false neighbours and its tears."""

import numpy as np

from labelscape._core.arguments import arguments, optional
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape._core.rules import number
from labelscape.plotting._palette import INK, QUIET, distortion_colors
from labelscape.plotting._points import VECTOR_LIMIT, checked_map, point_size
from labelscape.plotting._theme import AXES, SMALL, TITLE, axes_or_new, blank


@arguments(limit=optional(number(above=0)), title=TITLE, ax=AXES)
@shared_parameters(METRIC_TEXTS)
def plot_distortion(
    X,
    embedding,
    *,
    n_neighbors=12,
    metric="euclidean",
    limit=None,
    title=None,
    ax=None,
):
    """Draw a map on which each point shows how far to trust its neighbourhood.

    Pale: its neighbours on the map are its neighbours in the data. Orange: it has false
    neighbours. Blue: it was torn from true ones. Dark: both. The square beside the map
    is the key.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Objects, or their dissimilarities if ``metric="precomputed"``.
    embedding : array-like of shape (n_samples, 2)
        Their map.
    n_neighbors : int, default=12
        Size of the neighbourhoods.
    {metric}
    limit : float, default=None
        The distortion that gets the full colour. None: that of the worst 2 % of the
        points. Give the same to compare maps.
    title : str, default=None
        What stands above the map. None: trustworthiness and continuity.
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes

    Notes
    -----
    The distortions are 1 minus the trustworthiness and 1 minus the continuity of each
    point, see `labelscape.quality.pointwise_distortion`; colours are mixed as in
    CheckViz (Lespinats and Aupetit, 2011).

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_distortion
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_distortion(X, X[:, :2])
    >>> ax.get_title(loc="left")
    'Trustworthiness 0.92, continuity 0.97'
    >>> plt.close(ax.figure)
    """
    from labelscape.quality import pointwise_distortion

    Z = checked_map(embedding, owner="plot_distortion")
    if Z.shape[1] != 2:
        raise InputError(
            f"the map must have 2 columns, got {Z.shape[1]}.", owner="plot_distortion"
        )
    found = pointwise_distortion(X, Z, n_neighbors=n_neighbors, metric=metric)
    false, tears = 1.0 - found.trustworthiness, 1.0 - found.continuity
    if limit is None:
        limit = float(np.quantile(np.maximum(false, tears), 0.98)) or 1.0
    ax = axes_or_new(ax)
    limit = float(limit)
    _draw(ax, Z, false / limit, tears / limit)
    _draw_key(ax, limit)
    if title is None:
        scores = 1 - false.mean(), 1 - tears.mean()
        title = "Trustworthiness {:.2f}, continuity {:.2f}".format(*scores)
    return blank(ax, title=title)


def _draw(ax, Z, false, tears):
    """Draw the points, the most distorted ones above the others."""
    order = np.argsort(np.maximum(false, tears), kind="stable")
    many = len(Z) > VECTOR_LIMIT
    ax.scatter(
        *Z[order].T,
        s=1.3 * point_size(len(Z)),
        c=distortion_colors(false, tears)[order],
        linewidths=0.0 if many else 0.4,
        edgecolors=QUIET,
        rasterized=many,
    )
    ax.set_aspect("equal", adjustable="datalim")


def _draw_key(ax, limit):
    """Draw the colours of both distortions as a square beside the map."""
    steps = np.linspace(0.0, 1.0, 24)
    false, tears = np.meshgrid(steps, steps)
    key = ax.inset_axes((1.12, 0.7, 0.24, 0.24))
    key.imshow(
        distortion_colors(false, tears),
        extent=(0, limit, 0, limit),
        origin="lower",
        interpolation="bilinear",
    )
    key.set_xticks([0, limit], ["0", f"{limit:.2g}"])
    key.set_yticks([limit], [f"{limit:.2g}"])
    key.tick_params(length=0, labelsize=SMALL - 1, labelcolor=INK, pad=2)
    key.spines[:].set_visible(False)
    key.set_xlabel("false neighbours", fontsize=SMALL, color=INK, labelpad=1)
    key.set_ylabel("tears", fontsize=SMALL, color=INK, labelpad=-8)
