"""Figures that show how well a map preserves neighborhoods and distances."""

from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.params import number, optional
from labelscape.plotting import _theme as theme
from labelscape.plotting._marks import VECTOR_LIMIT, checked_map, point_size

LINES = ("-", "--", ":", "-.")


@theme.draws()
def plot_rank_curve(X, maps, *, metric="euclidean", title=None, ax=None) -> Any:
    """Draw R_NX(K), the share of preserved neighbors beyond chance, for all sizes K.

    R_NX is 1 for a perfect map and 0 for a random map. The left of the curve shows
    close neighbors, the right shows the overall arrangement.

    Parameters
    ----------
    {data}
    {maps}
    title : str, default=None
        Title of the curve.
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_rank_curve
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_rank_curve(X, {"sepals": X[:, :2], "petals": X[:, 2:]})
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['sepals  0.49', 'petals  0.48']
    >>> plt.close(ax.figure)
    """
    from labelscape.quality import r_nx

    named = _named(maps, owner="plot_rank_curve")
    curves = {name: np.asarray(r_nx(X, Z, metric=metric)) for name, Z in named.items()}
    # AUC_lnK: the mean of a curve with weights 1/K.
    areas = {
        name: float(np.average(curve, weights=1.0 / np.arange(1, len(curve) + 1)))
        for name, curve in curves.items()
    }
    ax = theme.axes_or_new(ax, size=(5.6, 3.6))
    colors = dict(zip(curves, theme.class_colors(len(curves)), strict=True))
    # The legend lists the best map first, in the order of the curves.
    for at, name in enumerate(sorted(curves, key=lambda name: -areas[name])):
        curve = curves[name]
        ax.plot(
            np.arange(1, len(curve) + 1),
            curve,
            color=colors[name],
            linestyle=LINES[at // 12 % len(LINES)],
            linewidth=1.8,
            label=f"{theme.short(name)}  {areas[name]:.2f}",
        )
    ax.axhline(0.0, color=theme.QUIET, linewidth=0.8)
    ax.set_ylim(min(0.0, *(curve.min() for curve in curves.values())), 1.0)
    _legend_beside(ax, "area")
    return _over_sizes(ax, title, "neighbors preserved, R_NX(K)")


@theme.draws()
def plot_trust_curve(X, maps, *, metric="euclidean", title=None, ax=None) -> Any:
    """Draw trustworthiness and continuity for all neighborhood sizes K.

    Trustworthiness (solid line) is low if neighbors on the map are not neighbors in the
    data; continuity (dashed line) is low if true neighbors are apart on the map.

    Parameters
    ----------
    {data}
    {maps}
    title : str, default=None
        Title of the curves.
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_trust_curve
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_trust_curve(X, {"sepals": X[:, :2], "petals": X[:, 2:]})
    >>> [line.get_label() for line in ax.lines]
    ['sepals, T', 'sepals, C', 'petals, T', 'petals, C']
    >>> plt.close(ax.figure)
    """
    from labelscape.quality import rank_curves

    named = _named(maps, owner="plot_trust_curve")
    curves = {name: rank_curves(X, Z, metric=metric) for name, Z in named.items()}
    ax = theme.axes_or_new(ax, size=(5.6, 3.6))
    for (name, curve), color in zip(
        curves.items(), theme.class_colors(len(curves)), strict=True
    ):
        K = np.arange(1, len(curve.trustworthiness) + 1)
        style = {"color": color, "linewidth": 1.8}
        label = theme.short(name)
        ax.plot(K, curve.trustworthiness, label=f"{label}, T", **style)
        ax.plot(K, curve.continuity, label=f"{label}, C", linestyle="--", **style)
    ax.set_ylim(top=1.0)
    _legend_beside(ax)
    return _over_sizes(ax, title, "trustworthiness, continuity")


def _named(maps, *, owner):
    """Return maps as a dict of names."""
    named = maps if isinstance(maps, dict) else {"map": maps}
    if not named:
        raise InputError("there is no map. Pass {name: embedding, …}.", owner=owner)
    return named


def _over_sizes(ax, title, what):
    """Set up axes for curves over neighborhood sizes, on a logarithmic scale."""
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:.0f}")
    return theme.quiet(ax, title=title, x="neighborhood size K", y=what)


def _legend_beside(ax, title=None):
    words = {"title": title, "title_fontsize": theme.SMALL, "alignment": "left"}
    ax.legend(**theme.BESIDE, **theme.LEGEND_STYLE, **words).get_title().set_color(
        theme.QUIET
    )


MOST_DOTS = 3000  # more pairs than this are drawn as a density


@theme.draws()
def plot_shepard(X, embedding, *, metric="euclidean", title=None, ax=None) -> Any:
    """Draw each pair of samples by its distance in the data and on the map.

    If a map preserves all distances, every pair is on the line. Pairs below the line
    are too close on the map (false neighbors), pairs above it are too far apart.

    Parameters
    ----------
    {data}
    embedding : array-like of shape (n_samples, n_components)
        The map, which is rescaled to fit the data best.
    {metric}
    title : str, default=None
        Title of the diagram. By default, Pearson's correlation.
    {ax}

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
    ax = theme.axes_or_new(ax, size=(4.6, 4.2))
    far = max(delta.max(), d.max(), np.finfo(float).tiny) * 1.02
    if len(delta) <= MOST_DOTS:
        ax.scatter(delta, d, s=8, c=theme.COLORS[0], alpha=0.35, linewidths=0)
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
    ax.plot([0, far], [0, far], color=theme.INK, linewidth=0.8, linestyle=(0, (4, 3)))
    ax.set_xlim(0, far)
    ax.set_ylim(0, far)
    ax.set_aspect("equal")
    for words, where in (("tears", (0.03, 0.97)), ("false neighbors", (0.97, 0.03))):
        ax.annotate(
            words,
            where,
            xycoords="axes fraction",
            ha="left" if where[0] < 0.5 else "right",
            va="top" if where[1] > 0.5 else "bottom",
            fontsize=theme.SMALL,
            color=theme.INK,
        )
    if title is None:
        title = "Shepard diagram"
        if len(delta) > 1 and np.ptp(delta) > 0 and np.ptp(d) > 0:
            title += f", r = {np.corrcoef(delta, d)[0, 1]:.2f}"
    return theme.quiet(
        ax, title=title, x="distance in the data", y="distance on the map"
    )


@theme.draws(limit=optional(number(above=0)))
def plot_distortion(
    X,
    embedding,
    *,
    n_neighbors=12,
    metric="euclidean",
    limit=None,
    title=None,
    ax=None,
) -> Any:
    """Draw a map on which the color of a point shows the errors of its neighborhood.

    A pale point has the same neighbors on the map and in the data. An orange point has
    false neighbors, a blue point has lost neighbors, and a dark point has both
    errors. The square beside the map is the legend.

    Parameters
    ----------
    {data}
    embedding : array-like of shape (n_samples, 2)
        The map of the samples.
    n_neighbors : int, default=12
        Size of the neighborhoods.
    {metric}
    limit : float, default=None
        The distortion that is drawn in full color. None means the distortion that 2% of
        the points exceed. To compare maps, pass the same value.
    title : str, default=None
        Title of the map. None means trustworthiness and continuity.
    {ax}

    Notes
    -----
    The distortions are 1 minus the trustworthiness and 1 minus the continuity of each
    point, see `labelscape.quality.pointwise_distortion`; colors are mixed as in
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
    points = pointwise_distortion(X, Z, n_neighbors=n_neighbors, metric=metric)
    false, tears = 1.0 - points.trustworthiness, 1.0 - points.continuity
    if limit is None:
        limit = float(np.quantile(np.maximum(false, tears), 0.98)) or 1.0
    ax = theme.axes_or_new(ax)
    limit = float(limit)
    _draw(ax, Z, false / limit, tears / limit)
    _draw_key(ax, limit)
    if title is None:
        scores = 1 - false.mean(), 1 - tears.mean()
        title = "Trustworthiness {:.2f}, continuity {:.2f}".format(*scores)
    return theme.blank(ax, title=title)


def _draw(ax, Z, false, tears):
    """Draw the points, with the most distorted ones in front."""
    order = np.argsort(np.maximum(false, tears), kind="stable")
    many = len(Z) > VECTOR_LIMIT
    ax.scatter(
        *Z[order].T,
        s=1.3 * point_size(len(Z)),
        c=theme.distortion_colors(false, tears)[order],
        linewidths=0.0 if many else 0.4,
        edgecolors=theme.QUIET,
        rasterized=many,
    )
    ax.set_aspect("equal", adjustable="datalim")


def _draw_key(ax, limit):
    """Draw the colors of both distortions as a square beside the map."""
    steps = np.linspace(0.0, 1.0, 24)
    false, tears = np.meshgrid(steps, steps)
    key = ax.inset_axes((1.12, 0.7, 0.24, 0.24))
    key.imshow(
        theme.distortion_colors(false, tears),
        extent=(0, limit, 0, limit),
        origin="lower",
        interpolation="bilinear",
    )
    key.set_xticks([0, limit], ["0", f"{limit:.2g}"])
    key.set_yticks([limit], [f"{limit:.2g}"])
    key.tick_params(length=0, labelsize=theme.SMALL - 1, labelcolor=theme.INK, pad=2)
    key.spines[:].set_visible(False)
    key.set_xlabel("false neighbors", fontsize=theme.SMALL, color=theme.INK, labelpad=1)
    key.set_ylabel("tears", fontsize=theme.SMALL, color=theme.INK, labelpad=-8)
