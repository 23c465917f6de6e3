"""labelscape.explore: a view of a model or a map."""

from functools import partial
from typing import Any

import numpy as np
from sklearn.decomposition import PCA
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import columns_of_words, numbers_argument
from labelscape._core.errors import InputError
from labelscape.hosts.notebook.explorer import Explorer, ShownScene
from labelscape.hosts.notebook.given import holds_words, prepared
from labelscape.hosts.notebook.live import judge_of
from labelscape.hosts.questions import explainer
from labelscape.scene._internal import scene_of


def explore(
    model_or_map: Any,
    X: Any = None,
    y: Any = None,
    *,
    height: int = 560,
    theme: str = "auto",
    **options: Any,
) -> Explorer:
    """Explore a model or a map, in a notebook or as a page.

    Parameters
    ----------
    model_or_map : estimator, Pipeline, array-like of shape (n_samples, 2 or 3), AnnData
        A fitted map, prototype model, ClassifierMap or other classifier, a pipeline
        that ends in one of these, or positions of points. For an estimator that is not
        fitted yet, call ``fit`` of the Explorer, which shows the map during the fit.
        For cells (AnnData), a map is fitted first and stored in the AnnData object.
    X : array-like of shape (n_samples, n_features), default=None
        The samples, as the model expects them. A data frame may have extra columns
        that the model does not use; these are shown with the points. For positions,
        and for an estimator that is not fitted yet, columns of text are encoded as in
        `datasets.read_table`.
    y : array-like of shape (n_samples,), default=None
        The classes of the samples.
    height : int, default=560
        Height in a notebook, in pixels.
    theme : {"auto", "light", "dark"}, default="auto"
        Colors of the view; "auto" follows JupyterLab or the operating system.
    **options
        More options, as for :func:`labelscape.scene.build_scene`: ``ids``, ``texts``,
        ``images``, ``thumbnails``, ``title``, ``feature_names``, ``feature_kinds``,
        ``imputed``, ``categories``, ``columns``, ``maps``, ``prototypes``,
        ``classifier``, ``regions``, ``quality``, ``honesty``, ``audit``, ``groups``,
        ``held_out``, ``max_features``, ``compression``, ``class_points``,
        ``random_state``.

        ``audit``: the report of :func:`labelscape.audit` for the same rows. The
        Summary in the view shows this report. Suspected labels can be changed there.

        ``columns``: columns that are shown with the points but are not features, such
        as a batch, a date, a comment or a link: a data frame, a dict from names to
        values, or names of columns of a data frame X.

        Three options are for tests. ``honesty``: True to test whether the separation on
        a map is real, or a HonestyReport. By default, the view shows "Not tested" and,
        in a notebook, a button that starts the test. ``groups``: the group of each
        sample, such as a patient. The test keeps each group together. ``held_out``:
        samples that were not used to fit the map or classifier. The view marks these
        samples, and tests a classifier on them.

        For cells (AnnData), the options are those of `labelscape.jobs.map_cells`, such
        as ``label``, ``groups`` and ``rep``.

    Returns
    -------
    Explorer
        It is displayed in a notebook. ``to_html(path)`` writes a page that opens
        offline, and ``selection`` is the array of points selected in the view.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from labelscape import explore
    >>> from labelscape.prototypes import PushAndGrow
    >>> X, y = load_iris(return_X_y=True)
    >>> view = explore(PushAndGrow().fit(X, y), X, y, title="Iris")
    >>> view.selection = y == 2
    >>> len(view.selection)
    50

    To watch a map during the fit, display ``view`` in a notebook before calling
    ``fit``:

    >>> from labelscape.embeddings import Sammon
    >>> view = explore(Sammon(random_state=0), X, y)
    >>> view.fit()
    Explorer of 150 points: Sammon. ...
    """
    if hasattr(model_or_map, "obsm"):
        shown = _cells(model_or_map, X, y, options)
        return Explorer(shown, height=height, theme=theme)
    _check_order(model_or_map, X, y)
    show = partial(_shown, X=X, y=y, options=options)
    waiting = None
    if not _is_fitted(model_or_map):
        rows, _ = prepared(model_or_map, X, options, is_fitted=False)
        waiting = partial(_fitted, model_or_map, rows, y)
    return Explorer(
        show(model_or_map), height=height, theme=theme, show=show, waiting=waiting
    )


def _shown(thing: Any, *, X: Any, y: Any, options: dict[str, Any]) -> ShownScene:
    """Return the scene of a model or map, and functions to explain and test it."""
    is_fitted = _is_fitted(thing)
    X, options = prepared(thing, X, options, is_fitted=is_fitted)
    if not is_fitted:
        # The encoding of text columns is unknown before a pipeline is fitted.
        X, options = prepared(np.empty((0, 2)), X, options, is_fitted=True)
        # Until the fit, points are shown on principal components, without quality.
        why = "the map is not fitted yet"
        untested = {"quality": False, "honesty": None, "note": why}
        start = {"title": type(thing).__name__} | options | untested
        return ShownScene(scene_of(_start(X), X, y, **start), None)
    scene = scene_of(thing, X, y, **options)
    model = options.get("prototypes")
    model = thing if model is None else model
    return ShownScene(
        scene,
        explainer(
            model, X, scene, options.get("feature_names"), options.get("categories")
        ),
        judge_of(thing, X, y, scene, options),
    )


def _cells(cells: Any, X: Any, y: Any, options: dict[str, Any]) -> ShownScene:
    """Fit a map to cells; return its scene, and a function to explain predictions."""
    # Imported here, because only this view fits a map.
    from labelscape.jobs import map_cells

    if X is not None or y is not None or "label" not in options:
        raise InputError(
            "pass the names of the classes and features of cells: explore(adata, "
            "label='cell_type', groups='donor_id', rep='X_pca').",
            owner="explore",
        )
    seed = options.pop("random_state", options.get("seed", 0))
    result = map_cells(cells, **options | {"seed": seed})
    table, explains = result.table, result.explains
    scene = result.scene(seed=seed)
    known = (table.X, scene, table.feature_names, table.categories)
    return ShownScene(scene, explains.model and explainer(explains.model, *known))


def _check_order(thing: Any, X: Any, y: Any) -> None:
    """Raise an error if the first argument is a table, not a model or a map."""
    if hasattr(thing, "fit"):
        return
    is_labels = y is None and X is not None and np.ndim(X) == 1
    if is_labels or columns_of_words(thing):
        raise InputError(
            "pass a model or a map first, then X and y. For a table, pass a method: "
            "explore(LFDA(), X, y).fit(). For positions, pass the classes by name: "
            "explore(positions, y=y).",
            owner="explore",
        )


def _fitted(estimator: Any, X: Any, y: Any, callback: Any) -> Any:
    """Fit an estimator, which reports each iteration to ``callback`` if it can."""
    own = estimator.get_params().get("callback", ...)
    try:
        if own is not ...:
            estimator.set_params(callback=callback)
        return estimator.fit(X, y)
    except (TypeError, ValueError) as error:
        if not holds_words(X):
            raise
        raise InputError(
            f"{type(estimator).__name__} cannot be fitted to X, which contains text: "
            f"{error} Add an encoder as the first step of the pipeline, such as a "
            "ColumnTransformer with a OneHotEncoder.",
            owner="explore",
        ) from error
    finally:
        if own is not ...:
            estimator.set_params(callback=own)


def _is_fitted(thing: Any) -> bool:
    if not hasattr(thing, "fit") or isinstance(thing, type):
        return True
    try:
        check_is_fitted(thing)
    except NotFittedError:
        return False
    return True


def _start(X: Any) -> Any:
    """Return the first two principal components."""
    if X is None:
        raise InputError(
            "X is missing. An estimator that is not fitted yet needs data: pass the "
            "samples as X.",
            owner="explore",
        )
    try:
        X = numbers_argument("explore", "X", X)
    except (ValueError, TypeError):
        raise InputError(
            "X contains values that are not numbers. Encode them first, for example "
            "with labelscape.datasets.read_table.",
            owner="explore",
        ) from None
    if X.ndim != 2 or not X.size:
        raise InputError(
            "X must be a table with one row per sample, got an array of shape "
            f"{X.shape}.",
            owner="explore",
        )
    filled = np.where(np.isfinite(X), X, np.nan)
    filled = np.where(np.isnan(filled), np.nanmean(filled, axis=0), filled)
    return np.asarray(PCA(min(2, *X.shape), random_state=0).fit_transform(filled))
