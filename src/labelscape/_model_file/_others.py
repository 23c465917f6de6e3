"""What scikit-learn's classifiers and transformers must be that a file may hold.

A file holds what they predict from, and nothing else: attributes that are listed here.
What can be made again from these (the search tree of neighbors, the table of a one-hot
encoder) is made again by scikit-learn itself when a file is loaded.
"""

import warnings
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from labelscape._core.errors import InputError
from labelscape._core.fits.learned import (
    Attribute,
    Declared,
    classes,
    numbers,
    optional,
    or_none,
    tested,
)
from labelscape._core.rules import Rule, finite, flag, jobs, one_of, whole
from labelscape._model_file._trees import is_tree

_WHOLE = whole(0)
_COUNTS = optional(
    Rule(
        "whole numbers",
        lambda found: whole(0).holds(found) or _is_ints(found, low=0),
    )
)
_SEED = Rule(
    "None or a whole number",
    lambda found: found is None or whole(0, 2**32 - 1).holds(found),
)


def _is_ints(found: Any, low: int) -> bool:
    is_array = type(found) is np.ndarray and found.dtype.kind in "iu"
    return bool(is_array and found.min(initial=low) >= low)


def _checked(
    wanted: str, holds: Callable[[Any, Any], bool], *, needed: bool = True
) -> Attribute:
    """Declare an attribute by a test that may look at the whole model."""
    found = tested(wanted, lambda value, fit: holds(value, fit.model))
    return found if needed else optional(found)


def _n_classes(model: Any) -> int:
    return len(model.classes_)


def _n_lines(model: Any) -> int:
    """Return how many scores decide; of two classes one is enough."""
    return 1 if _n_classes(model) == 2 else _n_classes(model)


def _n_pairs(model: Any) -> int:
    return _n_classes(model) * (_n_classes(model) - 1) // 2


def _has_floats(
    *shape: Callable[[Any], int], single: bool = False
) -> Callable[[Any, Any], bool]:
    """Return a test for floats of this shape; ``single`` if float32 will do."""

    def holds(found: Any, model: Any) -> bool:
        return _is_floats(found, *(size(model) for size in shape), single=single)

    return holds


def _is_floats(found: Any, *shape: int, single: bool = False) -> bool:
    """Whether a value is an array of finite numbers of this shape."""
    return (
        type(found) is np.ndarray
        and (found.dtype == np.float64 or (single and found.dtype == np.float32))
        and found.shape == shape
        and bool(np.isfinite(found).all())
    )


# Support vector machines: libsvm's loops trust all of these sizes.


def _n_vectors(model: Any) -> int:
    return len(model.support_vectors_)


def _counts_vectors(found: Any, model: Any) -> bool:
    return (
        _is_ints(found, low=0)
        and found.dtype == np.int32
        and found.shape == (_n_classes(model),)
        and int(found.sum()) == _n_vectors(model)
    )


def _points_to_objects(found: Any, model: Any) -> bool:
    return (
        _is_ints(found, low=0)
        and found.dtype == np.int32
        and found.shape == (_n_vectors(model),)
    )


def _is_calibration(found: Any, model: Any) -> bool:
    return _is_floats(found, len(found)) and len(found) in (0, _n_pairs(model))


_DUAL = _checked(
    "coefficients of all support vectors",
    _has_floats(lambda model: _n_classes(model) - 1, _n_vectors),
)
_OFFSETS = _checked("a number for each pair of classes", _has_floats(_n_pairs))
_CALIBRATION = _checked("a number for each pair of classes, or none", _is_calibration)

_SVC: dict[str, Declared] = {
    "classes_": classes(),
    "support_vectors_": numbers("vectors", "features"),
    "support_": _checked("an index for each support vector", _points_to_objects),
    "_n_support": _checked("the number of vectors of each class", _counts_vectors),
    "dual_coef_": _DUAL,
    "_dual_coef_": _DUAL,
    "intercept_": _OFFSETS,
    "_intercept_": _OFFSETS,
    "_probA": _CALIBRATION,
    "_probB": _CALIBRATION,
    "_gamma": finite(0.0),
    "_sparse": one_of(False),
    "class_weight_": numbers("classes", low=0.0),
    "fit_status_": _WHOLE,
    "shape_fit_": Rule(
        "two whole numbers",
        lambda found: (
            type(found) is tuple
            and len(found) == 2
            and all(whole(1).holds(n) for n in found)
        ),
    ),
    "n_iter_": _COUNTS,
    "_num_iter": _COUNTS,
    "_effective_probability": optional(flag()),
}


# Networks.


def _are_layers(found: Any, model: Any) -> bool:
    """Whether weights lead from the features to the classes, layer by layer."""
    sizes = [coef.shape[0] for coef in found] + [_n_lines(model)]
    return (
        type(found) is list
        and len(found) >= 1
        and sizes[0] == model.n_features_in_
        and all(
            _is_floats(coef, *sizes_of_layer, single=True)
            for coef, sizes_of_layer in zip(found, pairwise(sizes), strict=True)
        )
    )


def _are_offsets(found: Any, model: Any) -> bool:
    return (
        type(found) is list
        and len(found) == len(model.coefs_)
        and all(
            _is_floats(offsets, coef.shape[1], single=True)
            for offsets, coef in zip(found, model.coefs_, strict=True)
        )
    )


_MLP: dict[str, Declared] = {
    "classes_": classes(),
    "coefs_": _checked("weights from features to classes", _are_layers),
    "intercepts_": _checked("offsets of each layer", _are_offsets),
    "n_layers_": _checked(
        "the number of layers", lambda found, model: found == len(model.coefs_) + 1
    ),
    "n_outputs_": _checked(
        "the number of outputs",
        lambda found, model: found == model.coefs_[-1].shape[1],
    ),
    "out_activation_": _checked(
        "what the classes need",
        lambda found, model: (
            found == ("logistic" if _n_classes(model) == 2 else "softmax")
        ),
    ),
    "n_iter_": _WHOLE,
    "loss_": optional(finite()),
}


# Trees and forests of them.


def _is_tree_of(found: Any, model: Any) -> bool:
    return (
        is_tree(found)
        and found.n_features == model.n_features_in_
        and list(found.n_classes) == [_n_classes(model)]
    )


def _is_forest(found: Any, model: Any) -> bool:
    return (
        type(found) is list
        and len(found) >= 1
        and all(
            type(tree).__name__ in ("DecisionTreeClassifier", "ExtraTreeClassifier")
            and _is_tree_of(tree.tree_, model)
            for tree in found
        )
    )


_COUNTED: dict[str, Declared] = {
    "classes_": classes(1),
    "n_classes_": _checked(
        "the number of classes", lambda found, model: found == _n_classes(model)
    ),
    "n_outputs_": whole(1, 1),
}
_TREE = _COUNTED | {
    "max_features_": (whole(1)),
    "tree_": _checked("a tree for these features and classes", _is_tree_of),
}
_FOREST = _COUNTED | {"estimators_": _checked("a list of fitted trees", _is_forest)}

_PCA: dict[str, Declared] = {
    "components_": numbers("components", "features"),
    "mean_": numbers("features"),
    "explained_variance_": numbers("components", low=0.0),
    "explained_variance_ratio_": numbers("components", low=0.0),
    "singular_values_": numbers("components", low=0.0),
    "noise_variance_": finite(0.0),
    "n_components_": _checked(
        "the number of components", lambda found, model: found == len(model.components_)
    ),
    "n_samples_": _WHOLE,
    "_fit_svd_solver": optional(Rule("a word", lambda found: isinstance(found, str))),
}

_LINES: dict[str, Declared] = {
    "classes_": classes(),
    "coef_": _checked(
        "coefficients of each class and feature",
        _has_floats(_n_lines, lambda model: model.n_features_in_, single=True),
    ),
    "intercept_": _checked(
        "a number for each class", _has_floats(_n_lines, single=True)
    ),
}
_LDA: dict[str, Declared] = _LINES | {
    "means_": numbers("classes", "features"),
    "priors_": numbers("classes", low=0.0),
    "xbar_": optional(numbers("features")),
    "covariance_": optional(numbers("features", "features")),
    "scalings_": optional(numbers("features", "rank")),
    "explained_variance_ratio_": optional(numbers("parts", low=0.0)),
    "_max_components": (whole(1)),
    "_n_features_out": _WHOLE,
}
_NCA: dict[str, Declared] = {
    "components_": numbers("components", "features"),
    "n_iter_": _WHOLE,
}
_LOGISTIC: dict[str, Declared] = _LINES | {
    "n_iter_": _COUNTS,
}


# Neighbors and encoders are made again from what they were fitted to.


def _are_codes(found: Any, model: Any) -> bool:
    return (
        _is_ints(found, low=0)
        and found.shape == (len(model._fit_X),)
        and int(found.max()) < _n_classes(model)
    )


def _are_objects(found: Any, model: Any) -> bool:
    """Whether a value is a table; of whole numbers, where a fit was given them."""
    return (
        type(found) is np.ndarray
        and found.dtype.kind in "iuf"
        and found.ndim == 2
        and found.shape[1] == model.n_features_in_
        and bool(np.isfinite(found).all())
    )


_KNN: dict[str, Declared] = {
    "classes_": classes(1),
    "_fit_X": _checked("objects with these features", _are_objects),
    "_y": _checked("the class of each object", _are_codes),
}


def _are_categories(found: Any, model: Any) -> bool:
    return (
        type(found) is list
        and len(found) == model.n_features_in_
        and all(type(one) is np.ndarray and one.ndim == 1 and len(one) for one in found)
    )


_ONE_HOT: dict[str, Declared] = {
    "categories_": _checked("the categories of each column", _are_categories)
}
_IMPUTER: dict[str, Declared] = {
    "statistics_": _checked(
        "a value for each feature",
        lambda found, model: (
            type(found) is np.ndarray and found.shape == (model.n_features_in_,)
        ),
    ),
    "indicator_": or_none(Rule("None", lambda found: False)),
    "_fit_dtype": _checked(
        "a dtype", lambda found, _: isinstance(found, np.dtype), needed=False
    ),
    "_fill_dtype": _checked(
        "a dtype", lambda found, _: isinstance(found, np.dtype), needed=False
    ),
}

LEARNED: dict[str, dict[str, Declared]] = {
    "PCA": _PCA,
    "LinearDiscriminantAnalysis": _LDA,
    "NeighborhoodComponentsAnalysis": _NCA,
    "LogisticRegression": _LOGISTIC,
    "SVC": _SVC,
    "KNeighborsClassifier": _KNN,
    "MLPClassifier": _MLP,
    "DecisionTreeClassifier": _TREE,
    "ExtraTreeClassifier": _TREE,
    "RandomForestClassifier": _FOREST,
    "ExtraTreesClassifier": _FOREST,
    "OneHotEncoder": _ONE_HOT,
    "SimpleImputer": _IMPUTER,
}
# Models that are made of objects, and where these are.
HELD = {"SVC": ("support_vectors_",), "KNeighborsClassifier": ("_fit_X",)}

_COMMON_RULES = {"random_state": _SEED, "n_jobs": jobs(), "callback": one_of(None)}
RULES: dict[str, dict[str, Rule]] = {
    "PCA": {"whiten": flag()},
    "LinearDiscriminantAnalysis": {
        "solver": one_of("svd", "lsqr", "eigen"),
        "covariance_estimator": one_of(None),
    },
    "NeighborhoodComponentsAnalysis": {},
    "LogisticRegression": {},
    "SVC": {
        "kernel": one_of("linear", "poly", "rbf", "sigmoid"),
        "degree": whole(0),
        "coef0": finite(),
        "cache_size": finite(above=0.0),
        "decision_function_shape": one_of("ovr", "ovo"),
        "break_ties": flag(),
    },
    "KNeighborsClassifier": {
        "weights": one_of("uniform", "distance", None),
        "metric": Rule(
            "the name of a metric",
            lambda found: isinstance(found, str) and found != "precomputed",
        ),
        "n_neighbors": whole(1),
        "leaf_size": whole(1),
    },
    "MLPClassifier": {"activation": one_of("identity", "logistic", "tanh", "relu")},
    "DecisionTreeClassifier": {},
    "ExtraTreeClassifier": {},
    "RandomForestClassifier": {},
    "ExtraTreesClassifier": {},
    "OneHotEncoder": {
        "min_frequency": one_of(None),
        "max_categories": one_of(None),
        "feature_name_combiner": one_of("concat"),
    },
    "SimpleImputer": {"add_indicator": one_of(False)},
}
RULES = {name: _COMMON_RULES | rules for name, rules in RULES.items()}


def complete(model: Any) -> None:
    """Make again what a file leaves out because it follows from the rest."""
    made = _MAKERS.get(type(model).__name__)
    if made is not None and "n_features_in_" in vars(model):
        made(model)


def try_out(model: Any) -> None:
    """Let a loaded classifier predict once: what does not fit together shows."""
    if not hasattr(model, "classes_") or "n_features_in_" not in vars(model):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model.predict(np.zeros((1, model.n_features_in_)))
        except Exception as error:
            raise InputError(
                f"{type(model).__name__} can not predict "
                f"({type(error).__name__}: {str(error)[:200]})."
            ) from error


def _fitted_again(model: Any, *data: Any) -> None:
    """Fit to what was kept, and keep the names of columns."""
    names = vars(model).get("feature_names_in_")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(*data)
    if names is not None:
        model.feature_names_in_ = names


def _neighbors(model: Any) -> None:
    _fitted_again(model, model._fit_X, model.classes_[model._y])


def _one_hot(model: Any) -> None:
    """Fit to a table that has each category of a column once, the last one again."""
    longest = max(len(one) for one in model.categories_)
    columns = [
        np.append(one, [one[-1]] * (longest - len(one))).astype(object)
        for one in model.categories_
    ]
    kept = model.categories_
    _fitted_again(model, np.column_stack(columns))
    model.categories_ = kept  # in the types that they had


def _network(model: Any) -> None:
    from sklearn.preprocessing import LabelBinarizer

    model._label_binarizer = LabelBinarizer().fit(model.classes_)


_MAKERS: dict[str, Callable[[Any], None]] = {
    "KNeighborsClassifier": _neighbors,
    "OneHotEncoder": _one_hot,
    "MLPClassifier": _network,
}
