"""How a model learned or grew: its curves, epoch by epoch or round by round."""

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.errors import InputError
from labelscape._core.estimator import shared_parameters
from labelscape._core.params import arguments
from labelscape.plotting._palette import COLORS, PAPER
from labelscape.plotting._theme import (
    FIGURE,
    FIGURE_TEXTS,
    LEGEND_STYLE,
    figure_or_new,
    quiet,
)

# How a model learned: its cost, and its accuracy on seen and unseen samples.


@arguments(figure=FIGURE)
@shared_parameters(FIGURE_TEXTS)
def plot_learning_curve(model, *, figure=None):
    """Draw cost and accuracy over the iterations of a fit.

    Parameters
    ----------
    model : estimator
        A fitted model with ``loss_curve_``. Where it has ``accuracy_curve_`` and
        ``validation_curve_`` (an LVQ model fitted with ``validation=(X, y)``), the
        accuracy on training and on held-out samples is drawn as well.
    {figure}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_iris
    >>> from labelscape.plotting import plot_learning_curve
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> figure = plot_learning_curve(LiRaMLVQ(random_state=0).fit(X, y))
    >>> [ax.get_title(loc="left") for ax in figure.axes]
    ['Cost', 'Accuracy']
    >>> plt.close(figure)
    """
    check_is_fitted(model)
    if getattr(model, "loss_curve_", None) is None:
        raise InputError(
            f"{type(model).__name__} keeps no loss_curve_.", owner="plot_learning_curve"
        )
    curves = {
        "training": getattr(model, "accuracy_curve_", None),
        "held out": getattr(model, "validation_curve_", None),
    }
    curves = {name: curve for name, curve in curves.items() if curve is not None}
    n_panels = 2 if curves else 1
    figure = figure_or_new(figure, size=(4.0 * n_panels, 3.0))
    axes = figure.subplots(1, n_panels, squeeze=False)[0]
    _draw(axes[0], model.loss_curve_, COLORS[0])
    quiet(axes[0], title="Cost", x="iteration")
    if curves:
        for (name, curve), color in zip(curves.items(), COLORS, strict=False):
            _draw(axes[1], curve, color, label=name, dashed=name != "training")
        low = min(min(curve) for curve in curves.values())
        axes[1].set_ylim(max(0.0, min(low - 0.02, 0.9)), 1.01)
        quiet(axes[1], title="Accuracy", x="iteration")
        axes[1].legend(loc="best", **LEGEND_STYLE)
    return figure


def _draw(ax, curve, color, label=None, dashed=False):
    # One iteration is a point, which no line would show.
    marker = "o" if len(curve) <= 2 else None
    steps = np.arange(1, len(curve) + 1)
    ax.plot(
        steps,
        curve,
        color=color,
        linewidth=1.8,
        linestyle=(0, (4, 2)) if dashed else "-",
        marker=marker,
        label=label,
    )
    ax.xaxis.get_major_locator().set_params(integer=True)


# How a growing model grew: quality and number of prototypes, round by round.


@arguments(figure=FIGURE)
@shared_parameters(FIGURE_TEXTS)
def plot_growth(model, *, figure=None):
    """Draw the quality and the number of prototypes after each round of growing.

    Rounds that were not accepted are hollow: their gain did not pay for the prototypes.

    Parameters
    ----------
    model : PushAndGrow or LVQAndGrow
        A fitted model with ``history_``.
    {figure}

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
        raise InputError(
            f"{type(model).__name__} does not grow. Use PushAndGrow or LVQAndGrow.",
            owner="plot_growth",
        )
    accepted = np.asarray(model.history_["accepted"], dtype=bool)
    figure = figure_or_new(figure, size=(6.4, 2.8))
    left, right = figure.subplots(1, 2)
    _draw_rounds(left, np.asarray(model.history_["quality"]), accepted, COLORS[0])
    quiet(left, title="Quality (mean confidence)", x="round")
    counts = np.asarray(model.history_["n_prototypes"])
    _draw_rounds(right, counts, accepted, COLORS[2])
    right.set_ylim(bottom=0, top=1.2 * counts.max())
    right.yaxis.get_major_locator().set_params(integer=True)
    quiet(right, title="Prototypes", x="round")
    if not accepted.all():
        left.legend(**LEGEND_STYLE)
    return figure


def _draw_rounds(ax, values, accepted, color):
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
