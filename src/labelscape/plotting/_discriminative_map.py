"""The map of a matrix LVQ model, with the regions in which it decides."""

from sklearn.utils.validation import check_is_fitted

from labelscape._core.arguments import arguments
from labelscape._core.errors import InputError
from labelscape.plotting._map import LEGEND, plot_map
from labelscape.plotting._points import checked_map, classes_on
from labelscape.plotting._theme import AXES, TITLE
from labelscape.prototypes._internal import class_scores_in_plane, prototypes_in_plane


@arguments(title=TITLE, legend=LEGEND, ax=AXES)
def plot_discriminative_map(model, X, y, *, title=None, legend="auto", ax=None):
    """Draw objects in the space of a matrix LVQ model, with its decisions.

    In two dimensions the plane is coloured by the class that the model decides for. The
    borders are straight for one matrix, and curved where classes or prototypes have
    local ones. An object in a region of another colour is misclassified.

    Parameters
    ----------
    model : LiRaMLVQ, LocalLiRaMLVQ or GMLVQ
        A fitted model with ``n_components`` of 1, 2 or 3.
    X : array-like of shape (n_samples, n_features)
        Objects, prepared like those the model was fitted to.
    y : array-like of shape (n_samples,)
        Their true classes.
    title : str, default=None
        What stands above the map. None: the model, and the number of objects. How many
        of them it gets right says little where it was trained on them.
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
    >>> from labelscape.plotting import plot_discriminative_map
    >>> from labelscape.prototypes import LiRaMLVQ
    >>> X, y = load_iris(return_X_y=True)
    >>> ax = plot_discriminative_map(LiRaMLVQ(random_state=0).fit(X, y), X, y)
    >>> ax.get_title(loc="left").startswith("LiRaMLVQ")
    True
    >>> plt.close(ax.figure)
    """
    check_is_fitted(model)
    name = type(model).__name__
    if not hasattr(model, "omega_"):
        raise InputError(
            f"{name} has no projection. Use LiRaMLVQ or LocalLiRaMLVQ.",
            owner="plot_discriminative_map",
        )
    M = len(model.omega_)
    if M > 3:
        raise InputError(
            f"the model has {M} dimensions, of which a map "
            "shows 3 at most. Use LiRaMLVQ(n_components=2), or model.reduced(2).",
            owner="plot_discriminative_map",
        )
    Z = checked_map(model.transform(X), y, owner="plot_discriminative_map")
    if title is None:
        title = f"{name}: {len(Z):,} objects"
    return plot_map(
        Z,
        y,
        prototypes=prototypes_in_plane(model),
        prototype_labels=model.prototype_labels_,
        regions=class_scores_in_plane(model) if M == 2 else None,
        classes=classes_on(Z, y, model.classes_),
        title=title,
        legend=legend,
        ax=ax,
    )
