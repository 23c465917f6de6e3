"""Figures of fitted models: relevances, decision plane, learning and growth.

Relevances are drawn as in Bunte et al. 2012, Figs. 1 and 5.
"""

from typing import Any

import numpy as np

from labelscape._core.checks import matrix_argument, named_as
from labelscape._core.errors import InputError
from labelscape._core.params import whole
from labelscape.plotting import _theme as theme
from labelscape.plotting._map import plot_map
from labelscape.plotting._marks import checked_map, classes_on, write_labels
from labelscape.prototypes._internal import class_scores_in_plane

# With more features, names do not fit on an axis.
MOST_NAMES = 25
N_SHOWN = 20
MOST_EIGENVALUES = 25


@theme.draws()
def plot_relevances(model, *, intervals=None, feature_names=None, figure=None) -> Any:
    """Draw what a model has learned about the features.

    For a matrix model, this shows the off-diagonal elements of the relevance matrix,
    its diagonal (how much each feature matters), and its eigenvalues (how many
    directions matter). For `GRLVQ` it shows the relevances, for `LGMLVQ` the relevances
    of each local matrix. Of more than 25 features, the 20 most relevant are shown.

    Parameters
    ----------
    model : GMLVQ, LiRaMLVQ, LocalLiRaMLVQ, GRLVQ or LGMLVQ
        A fitted model.
    intervals : array-like of shape (n_features, 2), optional
        The interval of each relevance, which is drawn as an error bar, from
        ``model.relevance_intervals(X, y)``.
    {feature_names}
    {figure}

    Notes
    -----
    The matrix is Lambda = Omega^T Omega, without its diagonal (Bunte et al., 2012).
    A positive element means that the distance is larger if two samples differ in both
    features in the same direction. Compare relevances only if features are scaled.

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
    use = "learns no relevances. Use GRLVQ, GMLVQ or LiRaMLVQ."
    theme.check_model(model, "relevances_", use, owner="plot_relevances")
    relevances = np.atleast_2d(np.asarray(model.relevances_, dtype=np.float64))
    N = relevances.shape[1]
    names = np.array(theme.feature_labels(feature_names, model, N))
    # All features in their order, or the most relevant ones.
    chosen = np.arange(N)
    if N > MOST_NAMES:
        chosen = np.argsort(-relevances.max(axis=0), kind="stable")[:N_SHOWN]
    ends = None
    if intervals is not None:
        ends = _checked_intervals(model, intervals, N)[chosen]
    height = max(2.2, 1.2 + 0.2 * len(chosen))
    few = f", {len(chosen)} of {N} features" if len(chosen) < N else ""
    if hasattr(model, "omega_"):
        figure = theme.figure_or_new(figure, size=(height + 6.2, height + 0.9))
        left, middle, right = figure.subplots(1, 3, width_ratios=(height + 1, 2.2, 1.8))
        Lambda = np.asarray(model.relevance_matrix_, dtype=np.float64)
        _draw_matrix(figure, left, Lambda[np.ix_(chosen, chosen)], names[chosen])
        theme.titled(left, "Off-diagonal relevances")
        _draw_bars(middle, relevances[0, chosen], ends)
        middle.set_yticks([])
        middle.set_ylim(left.get_ylim())
        theme.quiet(middle, title="Relevances" + few)
        _draw_eigenvalues(right, Lambda)
        return figure
    if len(relevances) == 1:
        figure = theme.figure_or_new(figure, size=(5.6, height))
        ax = figure.subplots()
        _draw_bars(ax, relevances[0, chosen], ends)
        ax.set_yticks(range(len(chosen)), names[chosen])
        ax.set_ylim(len(chosen) - 0.5, -0.5)
        theme.quiet(ax, title="Relevances" + few)
        return figure
    figure = theme.figure_or_new(
        figure, size=(2.5 + 0.35 * len(relevances), height + 1)
    )
    _draw_local(figure, model, relevances[:, chosen], names[chosen], few)
    return figure


def _checked_intervals(model, intervals, N):
    """Return one interval per feature, after a check."""
    owner = "plot_relevances"
    if not hasattr(model, "relevance_intervals"):
        raise InputError(
            f"{type(model).__name__} has a relevance per prototype or class for each "
            "feature, so intervals can't be drawn. Leave them out.",
            owner=owner,
            parameter="intervals",
        )
    return matrix_argument(owner, "intervals", intervals, n_rows=N, n_columns=2)


def _draw_matrix(figure, ax, Lambda, names):
    np.fill_diagonal(Lambda, np.nan)
    largest = np.nanmax(np.abs(Lambda)) if len(Lambda) > 1 else 0.0
    reach = largest or 1.0
    # Cells may be rectangular, so that rows align with the bars beside them.
    image = ax.imshow(Lambda, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
    ax.set_xticks(range(len(names)), names, rotation=90)
    _name_rows(figure, image, ax, names)


def _draw_bars(ax, values, ends=None):
    at = range(len(values))
    ax.barh(at, values, height=0.7, color=theme.COLORS[0])
    if ends is not None:
        reach = np.abs(ends.T - values)
        ax.errorbar(values, at, xerr=reach, fmt="none", ecolor=theme.INK, elinewidth=1)
    ax.set_xlim(left=0.0)
    ax.margins(x=0.05)


def _draw_eigenvalues(ax, Lambda):
    values = np.linalg.eigvalsh(Lambda)[::-1][:MOST_EIGENVALUES]
    steps = np.arange(1, len(values) + 1)
    ax.bar(steps, np.clip(values, 0.0, None), width=0.7, color=theme.COLORS[2])
    ax.set_xlim(0.2, max(len(values), 5) + 0.8)
    ax.xaxis.get_major_locator().set_params(integer=True)
    theme.quiet(ax, title="Eigenvalues")


def _draw_local(figure, model, relevances, names, few):
    """Draw one column of relevances per local matrix."""
    ax = figure.subplots()
    image = ax.imshow(relevances.T, cmap="Blues", vmin=0.0, aspect="auto")
    by_class = model.localization == "class"
    owners = model.classes_ if by_class else model.prototype_labels_
    ax.set_xticks(
        range(len(owners)), [theme.short(owner) for owner in owners], rotation=90
    )
    theme.titled(ax, f"Relevances per {model.localization}{few}")
    _name_rows(figure, image, ax, names)


def _name_rows(figure, image, ax, names):
    """Write the names of a matrix's rows, and draw a color bar beside it."""
    ax.set_yticks(range(len(names)), names)
    ax.tick_params(length=0, labelsize=theme.SMALL)
    ax.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=ax, shrink=0.7, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=theme.SMALL, length=2)


@theme.draws()
def plot_discriminative_map(model, X, y, *, title=None, legend="auto", ax=None) -> Any:
    """Draw samples in the space of a matrix LVQ model, with its decision regions.

    In two dimensions, the plane is colored by the predicted class. Borders are straight
    with one matrix, and curved if classes or prototypes have local matrices. A sample
    in a region of another color is misclassified.

    Parameters
    ----------
    model : LiRaMLVQ, LocalLiRaMLVQ or GMLVQ
        A fitted model with ``n_components`` of 1, 2 or 3.
    X : array-like of shape (n_samples, n_features)
        Samples, preprocessed in the same way as the training samples.
    y : array-like of shape (n_samples,)
        True classes of the samples.
    title : str, default=None
        Title of the map. By default, the model and the number of samples.
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
    owner = "plot_discriminative_map"
    use = "has no projection. Use LiRaMLVQ or LocalLiRaMLVQ."
    theme.check_model(model, "omega_", use, owner=owner)
    M = len(model.omega_)
    if M > 3:
        raise InputError(
            f"the model has {M} dimensions, but a map shows at most 3. Use "
            "LiRaMLVQ(n_components=2), or model.reduced(2).",
            owner=owner,
        )
    Z = checked_map(model.transform(X), y, owner=owner)
    if title is None:
        title = f"{type(model).__name__}: {len(Z):,} samples"
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


# Learning curves: cost, and accuracy on training and held-out samples.


@theme.draws()
def plot_learning_curve(model, *, figure=None) -> Any:
    """Draw cost and accuracy over the iterations of a fit.

    Parameters
    ----------
    model : estimator
        A fitted model with ``loss_curve_``. If it has ``accuracy_curve_`` and
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
    owner = "plot_learning_curve"
    theme.check_model(model, "loss_curve_", "has no loss_curve_.", owner=owner)
    stored = {
        "training": getattr(model, "accuracy_curve_", None),
        "held out": getattr(model, "validation_curve_", None),
    }
    curves = {name: curve for name, curve in stored.items() if curve is not None}
    n_panels = 2 if curves else 1
    figure = theme.figure_or_new(figure, size=(4.0 * n_panels, 3.0))
    axes = figure.subplots(1, n_panels, squeeze=False)[0]
    _draw(axes[0], model.loss_curve_, theme.COLORS[0])
    theme.quiet(axes[0], title="Cost", x="iteration")
    if curves:
        for (name, curve), color in zip(curves.items(), theme.COLORS, strict=False):
            _draw(axes[1], curve, color, label=name, dashed=name != "training")
        low = min(min(curve) for curve in curves.values())
        axes[1].set_ylim(max(0.0, min(low - 0.02, 0.9)), 1.01)
        theme.quiet(axes[1], title="Accuracy", x="iteration")
        axes[1].legend(loc="best", **theme.LEGEND_STYLE)
    return figure


def _draw(ax, curve, color, label=None, dashed=False):
    # A curve of one or two iterations has marks, because its line may be invisible.
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


# Growth of a model: quality and number of prototypes in each round.


@theme.draws()
def plot_growth(model, *, figure=None) -> Any:
    """Draw the quality and the number of prototypes after each round of growing.

    Hollow marks show rounds that were rejected because the gain was too small.

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
    use = "does not grow. Use PushAndGrow or LVQAndGrow."
    theme.check_model(model, "history_", use, owner="plot_growth")
    accepted = np.asarray(model.history_["accepted"], dtype=bool)
    figure = theme.figure_or_new(figure, size=(6.4, 2.8))
    left, right = figure.subplots(1, 2)
    _draw_rounds(left, np.asarray(model.history_["quality"]), accepted, theme.COLORS[0])
    theme.quiet(left, title="Quality (mean confidence)", x="round")
    counts = np.asarray(model.history_["n_prototypes"])
    _draw_rounds(right, counts, accepted, theme.COLORS[2])
    right.set_ylim(bottom=0, top=1.2 * counts.max())
    right.yaxis.get_major_locator().set_params(integer=True)
    theme.quiet(right, title="Prototypes", x="round")
    if not accepted.all():
        left.legend(**theme.LEGEND_STYLE)
    return figure


def _draw_rounds(ax, values, accepted, color):
    rounds = np.arange(1, len(values) + 1)
    ax.plot(rounds, values, color=color, linewidth=1.0, alpha=0.5, zorder=1)
    for is_accepted, face, name in (
        (True, color, "accepted"),
        (False, theme.PAPER, "not accepted"),
    ):
        chosen = accepted == is_accepted
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


@theme.draws(n_named=whole(0))
def plot_s(model, X, *, n_named=5, feature_names=None, ax=None) -> Any:
    """Draw the S-plot of a PLS map, to find the features that define its first axis.

    Each feature is a point. x is the covariance of the feature with the scores of the
    first component, and y is their correlation. Features at both ends of the S have a
    large covariance and a high correlation.

    Parameters
    ----------
    model : PLSDA or OPLSDA
        A fitted map.
    X : array-like of shape (n_samples, n_features)
        The samples, usually those of the fit.
    n_named : int, default=5
        Number of features at each end whose names are written.
    {feature_names}
    {ax}

    Examples
    --------
    >>> import matplotlib.pyplot as plt
    >>> from sklearn.datasets import load_breast_cancer
    >>> from labelscape.embeddings import OPLSDA
    >>> from labelscape.plotting import plot_s
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> ax = plot_s(OPLSDA().fit(X, y), X)
    >>> ax.get_ylabel()
    'correlation with the first axis'
    >>> plt.close(ax.figure)
    """
    use = "has no scores of partial least squares. Use PLSDA or OPLSDA."
    theme.check_model(model, "rotations_", use, owner="plot_s")
    X = matrix_argument("plot_s", "X", X)
    if len(X) < 2:
        raise InputError("X must have two rows or more.", owner="plot_s", parameter="X")
    t = model.transform(named_as(model, X))[:, 0]
    scaled = (X - model.mean_) / model.scale_
    t, scaled = t - t.mean(), scaled - scaled.mean(axis=0)
    covariance = scaled.T @ t / max(len(t) - 1, 1)
    spread = scaled.std(axis=0, ddof=1) * t.std(ddof=1)
    correlation = np.divide(
        covariance, spread, out=np.zeros_like(spread), where=spread > 0
    )
    ax = theme.axes_or_new(ax)
    ax.scatter(covariance, correlation, s=14, color=theme.class_colors(1), zorder=2)
    names = theme.feature_labels(feature_names, model, len(covariance))
    order = np.argsort(covariance, kind="stable")
    ends = np.unique(np.r_[order[:n_named], order[len(order) - n_named :]])
    places = np.column_stack([covariance, correlation])
    theme.quiet(
        ax,
        title="S-plot",
        x="covariance with the first axis",
        y="correlation with the first axis",
    )
    away = np.sign(places[ends]) * [1.0, 0.0]
    write_labels(ax, places[ends], [names[i] for i in ends], away=away, clear=places)
    return ax
