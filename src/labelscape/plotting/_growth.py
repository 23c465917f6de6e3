"""How a growing model grew: quality and number of prototypes, round by round."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape.plotting._palette import COLORS, INK, PAPER
from labelscape.plotting._theme import SMALL, figure_or_new, quiet


def plot_growth(model, *, figure=None):
    """Draw the quality and the number of prototypes after each round of growing.

    Rounds that were not accepted are hollow: their gain did not pay for the prototypes.

    Parameters
    ----------
    model : PushAndGrow or LVQAndGrow
        A fitted model with ``history_``.
    figure : matplotlib Figure or SubFigure, default=None
        Where to draw. None makes a new figure.

    Returns
    -------
    matplotlib Figure

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from labelscape.datasets import make_xor
    >>> from labelscape.plotting import plot_growth
    >>> from labelscape.prototypes import PushAndGrow
    >>> figure = plot_growth(PushAndGrow().fit(*make_xor(random_state=0)))
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['Quality (mean confidence)', 'Prototypes']
    >>> plt.close(figure)
    """
    check_is_fitted(model)
    if not hasattr(model, "history_"):
        raise ValueError(
            f"plot_growth: {type(model).__name__} does not grow. Use PushAndGrow or "
            "LVQAndGrow."
        )
    accepted = np.asarray(model.history_["accepted"], dtype=bool)
    figure = figure_or_new(figure, size=(6.4, 2.8))
    left, right = figure.subplots(1, 2)
    _draw(left, np.asarray(model.history_["quality"]), accepted, COLORS[0])
    quiet(left, title="Quality (mean confidence)", x="round")
    counts = np.asarray(model.history_["n_prototypes"])
    _draw(right, counts, accepted, COLORS[2])
    right.set_ylim(bottom=0, top=1.2 * counts.max())
    right.yaxis.get_major_locator().set_params(integer=True)
    quiet(right, title="Prototypes", x="round")
    if not accepted.all():
        left.legend(frameon=False, fontsize=SMALL, labelcolor=INK)
    return figure


def _draw(ax, values, accepted, color):
    rounds = np.arange(1, len(values) + 1)
    ax.plot(rounds, values, color=color, linewidth=1.0, alpha=0.5, zorder=1)
    for kept, face, name in ((True, color, "accepted"), (False, PAPER, "not accepted")):
        chosen = accepted == kept
        ax.scatter(
            rounds[chosen],
            values[chosen],
            s=36,
            c=face,
            edgecolors=color,
            linewidths=1.4,
            label=name,
            zorder=2,
        )
    ax.set_xlim(0.5, len(values) + 0.5)
    ax.xaxis.get_major_locator().set_params(integer=True)
