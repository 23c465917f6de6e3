"""Checks of models that skops restored, whose private attributes have any value.

Compiled code of scikit-learn trusts these attributes: a wrong index ends the process.
"""

import warnings
from collections.abc import Callable, Iterator
from copy import copy
from itertools import product
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from labelscape._core.params import one_of
from labelscape._core.types import Array
from labelscape._model_file._archive import ModelFileError
from labelscape._model_file._declared import NO_FILES, check_rules, each_category_once

# Parameters that let a model read or write files of any name.
_REACH = {"memory": NO_FILES, "input": one_of("content")}
_LEAF = -1  # in place of a child


def check_innards(model: Any) -> None:
    """Raise an error if a part of a model uses files, or could end the process."""
    parts = list(_parts(model))
    for part in parts:
        if isinstance(part, np.ndarray) and part.size > part.nbytes:
            raise ModelFileError("it has an array of empty texts")
        if hasattr(part, "__dict__") and not isinstance(part, type):
            check_rules(type(part).__name__, vars(part), _REACH)
    models = [part for part in parts if isinstance(part, BaseEstimator)]
    # The last checks use the models, after all other parts are known to be right.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they pass no names of features
        for checks, part in product((_CHECKS, _TRIALS), models):
            for name in checks.keys() & vars(part).keys():
                if not _holds(checks[name], part):
                    raise ModelFileError(
                        f"the {name} of its {type(part).__name__} is invalid"
                    )


def _holds(check: Callable[[Any], bool], part: Any) -> bool:
    try:
        return check(part)
    except Exception:  # attributes of any type and shape raise any error
        return False


def _parts(model: Any) -> Iterator[Any]:
    """Yield a model and everything in it once, also what `get_params` omits."""
    seen: set[int] = set()
    left = [model]
    while left:
        part = left.pop()
        if id(part) not in seen:
            seen.add(id(part))
            yield part
            left += _inside(part)


def _inside(part: Any) -> list[Any]:
    if isinstance(part, dict):
        return [*part, *part.values()]
    if isinstance(part, list | tuple | set):
        return list(part)
    if isinstance(part, np.ndarray):
        return part.ravel().tolist() if part.dtype == object else []
    is_object = hasattr(part, "__dict__") and not isinstance(part, type)
    return list(vars(part).values()) if is_object else []


def _is_a(part: Any, name: str) -> bool:
    # By name, because its module takes long to import.
    return any(base.__name__ == name for base in type(part).__mro__)


def _is_tree(part: Any) -> bool:
    """Return whether each child stands behind its parent, and no other has it."""
    from sklearn.tree._tree import Tree

    tree = part.tree_
    if not isinstance(tree, Tree) or tree.n_features != part.n_features_in_:
        return False
    n, left, right = tree.node_count, tree.children_left, tree.children_right
    at = np.flatnonzero(left != _LEAF)
    children = np.concatenate([left[at], right[at]])
    if n < 1 or not np.array_equal(np.sort(children), np.arange(1, n)):
        return False
    feature = tree.feature[at]
    return bool(
        (children > np.tile(at, 2)).all()
        and ((feature >= 0) & (feature < tree.n_features)).all()
        and min(tree.value.shape) > 0
        and _depth(left, right) <= tree.max_depth
    )


def _depth(left: Array, right: Array) -> int:
    """Return the number of splits on the longest way from the root of a tree."""
    depth, level = 0, np.zeros(1, dtype=np.intp)
    while len(inner := level[left[level] != _LEAF]):
        depth += 1
        level = np.concatenate([left[inner], right[inner]])
    return depth


def _flat(models: Any) -> list[Any]:
    return models.ravel().tolist() if isinstance(models, np.ndarray) else list(models)


def _share_features(part: Any) -> bool:
    """Return whether all trees have as many features as the rows that they get."""
    if _is_a(part, "IsolationForest"):
        widths = {len(features) for features in part.estimators_features_}
        wanted = {part._max_features}
    elif _is_a(part, "BaseForest") or _is_a(part, "BaseGradientBoosting"):
        widths = wanted = {part.n_features_in_}
    else:  # other ensembles let each model check its rows
        return True
    trees = [one for one in _flat(part.estimators_) if "tree_" in vars(one)]
    return {one.n_features_in_ for one in trees} == widths == wanted


def _are_boosted(part: Any) -> bool:
    """Return whether there is a tree for each column of the first predictions."""
    if not _is_a(part, "BaseGradientBoosting"):
        return True
    first = part._raw_predict_init(np.zeros((1, part.n_features_in_), np.float32))
    return bool(part.estimators_.shape[1:] == first.shape[1:])


def _is_machine(part: Any) -> bool:
    """Return whether the arrays of a support vector machine fit together."""
    if "_impl" in vars(part) or not isinstance(part.kernel, str) or part._sparse:
        return False
    counts, at = part._n_support, part.support_
    n_classes, n = len(counts), len(at)
    n_pairs = n_classes * (n_classes - 1) // 2
    is_classifier = part._impl in ("c_svc", "nu_svc")
    if not is_classifier:  # two counts, of which the second has no meaning
        counts = counts[:1]
    shape = (n, part.n_features_in_)
    return bool(
        (n_classes >= 2 if is_classifier else n_classes == 2)
        and min(counts) >= 0
        and sum(counts.tolist()) == n
        and part._dual_coef_.shape == (n_classes - 1, n)
        and part._intercept_.shape == (n_pairs,)
        and part._probA.size == part._probB.size
        and part._probA.size in (0, n_pairs)
        and (part.kernel == "precomputed" or part.support_vectors_.shape == shape)
        and ((at >= 0) & (at < part.shape_fit_[0])).all()
    )


def _are_neighbors(part: Any) -> bool:
    """Return whether each row of nearest neighbors has one of the classes."""
    if not _is_a(part, "NeighborsBase"):
        return True
    rows, width = part._fit_X.shape
    if rows != part.n_samples_fit_ or width != part.n_features_in_:
        return False
    if not {"_y", "classes_"} <= vars(part).keys():
        return True
    codes = part._y.reshape(rows, -1)
    classes = part.classes_ if part.outputs_2d_ else [part.classes_]
    return len(classes) == codes.shape[1] and all(
        0 <= column.min() <= column.max() < len(one)
        for column, one in zip(codes.T, classes, strict=True)
    )


def _is_vocabulary(part: Any) -> bool:
    return sorted(part.vocabulary_.values()) == list(range(len(part.vocabulary_)))


def _is_encoder(part: Any) -> bool:
    """Return whether each category of a one-hot encoder has one of its columns."""
    if not _is_a(part, "OneHotEncoder"):
        return True
    rare = getattr(part, "_infrequent_indices", ())
    for category, indices in zip(part.categories_, rare, strict=False):
        if indices is not None and not 0 <= indices.min() <= indices.max() < len(
            category
        ):
            return False
    # Not dense, because that would already write outside of the array.
    encoder = copy(part).set_params(sparse_output=True)
    encoder.set_output(transform="default")
    encoder.transform(*each_category_once(part)).check_format(full_check=True)
    return True


_CHECKS: dict[str, Callable[[Any], bool]] = {
    "tree_": _is_tree,
    "estimators_": _share_features,
    "support_vectors_": _is_machine,
    "_fit_X": _are_neighbors,
    "vocabulary_": _is_vocabulary,
}
_TRIALS: dict[str, Callable[[Any], bool]] = {
    "init_": _are_boosted,
    "categories_": _is_encoder,
}
