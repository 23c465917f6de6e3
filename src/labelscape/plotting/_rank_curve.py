"""How well a map keeps neighbourhoods, from the smallest to the largest."""

import numpy as np

from labelscape._core.arguments import arguments
from labelscape._core.docs import shared_parameters
from labelscape._core.errors import InputError
from labelscape._core.points.spaces import METRIC_TEXTS
from labelscape.plotting._palette import INK, QUIET, class_colors
from labelscape.plotting._theme import AXES, SMALL, TITLE, axes_or_new, quiet, short

LINES = ("-", "--", ":", "-.")


@arguments(title=TITLE, ax=AXES)
@shared_parameters(METRIC_TEXTS)
def plot_rank_curve(X, maps, *, metric="euclidean", title=None, ax=None):
    """Draw R_NX(K), the share of kept neighbours beyond chance, for all sizes K.

    1 is a perfect map and 0 a random one. The left of the curve tells about close
    neighbours, the right about the arrangement as a whole.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Objects, or their dissimilarities if ``metric="precomputed"``.
    maps : array-like of shape (n_samples, n_components), or dict of str to array-like
        One map, or several with their names.
    {metric}
    title : str, default=None
        What stands above the curve.
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes

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
    areas = {name: _area(curve) for name, curve in curves.items()}
    ax = axes_or_new(ax, size=(5.6, 3.6))
    colors = dict(zip(curves, class_colors(len(curves)), strict=True))
    # The legend reads from the best map to the worst, like the curves from above.
    for at, name in enumerate(sorted(curves, key=lambda name: -areas[name])):
        curve = curves[name]
        ax.plot(
            np.arange(1, len(curve) + 1),
            curve,
            color=colors[name],
            linestyle=LINES[at // 12 % len(LINES)],
            linewidth=1.8,
            label=f"{short(name)}  {areas[name]:.2f}",
        )
    ax.axhline(0.0, color=QUIET, linewidth=0.8)
    ax.set_ylim(min(0.0, *(curve.min() for curve in curves.values())), 1.0)
    _legend_beside(ax, "area")
    return _over_sizes(ax, title, "neighbours kept, R_NX(K)")


@arguments(title=TITLE, ax=AXES)
@shared_parameters(METRIC_TEXTS)
def plot_trust_curve(X, maps, *, metric="euclidean", title=None, ax=None):
    """Draw trustworthiness and continuity for all neighbourhood sizes K.

    Trustworthiness, a full line, falls where neighbours on the map are none in the
    data; continuity, a dashed one, where neighbours in the data are torn apart.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Objects, or their dissimilarities if ``metric="precomputed"``.
    maps : array-like of shape (n_samples, n_components), or dict of str to array-like
        One map, or several with their names.
    {metric}
    title : str, default=None
        What stands above the curves.
    ax : matplotlib Axes, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Axes

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
    ax = axes_or_new(ax, size=(5.6, 3.6))
    for (name, found), color in zip(
        curves.items(), class_colors(len(curves)), strict=True
    ):
        K = np.arange(1, len(found.trustworthiness) + 1)
        style = {"color": color, "linewidth": 1.8}
        label = short(name)
        ax.plot(K, found.trustworthiness, label=f"{label}, T", **style)
        ax.plot(K, found.continuity, label=f"{label}, C", linestyle="--", **style)
    ax.set_ylim(top=1.0)
    _legend_beside(ax)
    return _over_sizes(ax, title, "trustworthiness, continuity")


def _named(maps, *, owner):
    """Return maps by their names."""
    named = maps if isinstance(maps, dict) else {"map": maps}
    if not named:
        raise InputError("there is no map. Pass {name: embedding, …}.", owner=owner)
    return named


def _over_sizes(ax, title, what):
    """Let curves run over neighbourhood sizes, the small ones as wide as the large."""
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:.0f}")
    return quiet(ax, title=title, x="neighbourhood size K", y=what)


def _legend_beside(ax, title=None):
    legend = ax.legend(
        frameon=False,
        fontsize=SMALL,
        labelcolor=INK,
        loc="upper left",
        bbox_to_anchor=(1.02, 1.0),
        borderaxespad=0.0,
        title=title,
        title_fontsize=SMALL,
        alignment="left",
    )
    legend.get_title().set_color(QUIET)


def _area(curve):
    """Return the mean of the curve with weights 1/K: AUC_lnK."""
    return float(np.average(curve, weights=1.0 / np.arange(1, len(curve) + 1)))
