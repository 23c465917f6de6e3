"""The columns of a scene: those that features stand for, and those only shown."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.columns.categories import Categories
from labelscape._core.columns.shown import ShownColumn
from labelscape._core.errors import InputError
from labelscape.scene._classes import Classes
from labelscape.scene._features import Shown, feature
from labelscape.scene._units import Matrix
from labelscape.scene.scene import MANY_CLASSES, Codes, SceneColumn, Texts

# Indices of categories have 16 bits at most, one value of which means "none".
MOST_CATEGORIES = 65535


def check_categories(categories: Sequence[Categories], n_features: int) -> None:
    """Raise unless columns of categories are among the features, each for itself."""
    owned = np.concatenate([[], *(column.features for column in categories)])
    known = np.arange(n_features)
    outside = [
        column.name
        for column in categories
        if len(column.features) == 0 or not np.isin(column.features, known).all()
    ]
    if outside:
        raise InputError(
            f"categories says that column {outside[0]!r} stands for features that X, "
            f"with {n_features}, does not have.",
            owner="build_scene",
            parameter="categories",
        )
    if len(np.unique(owned)) < len(owned):
        raise InputError(
            "categories gives one feature of X to two columns.",
            owner="build_scene",
            parameter="categories",
        )


def category_columns(
    categories: Sequence[Categories],
    X: Matrix,
    features: Shown | None,
    imputed: Mapping[int, Any],
) -> list[SceneColumn]:
    """Return columns of categories; X holds their features.

    ``features`` of the scene are those of X, if it is given; ``imputed`` are rows of
    features of X that were assumed.
    """
    place: dict[int, int] = {}
    if features is not None:
        place = {int(j): k for k, j in enumerate(features.columns)}
    return [_of_categories(column, X, place, imputed) for column in categories]


def _of_categories(
    column: Categories, X: Matrix, place: dict[int, int], imputed: Mapping[int, Any]
) -> SceneColumn:
    codes = column.of(X)
    for j in column.features:
        codes[np.asarray(imputed.get(int(j), ()), dtype=np.intp)] = -1
    coded = SceneColumn(
        column.name, words=column.words, codes=_indices(codes, len(column.words))
    )
    shown = [place[int(j)] for j in column.features if int(j) in place]
    if len(shown) < len(column.features):
        return coded
    return SceneColumn(
        column.name,
        words=column.words,
        codes=coded.codes,
        features=np.array(shown, dtype=np.uint32),
        patterns=column.codes.astype(np.float32),
    )


def _indices(codes: NDArray[np.intp], n_words: int) -> Codes:
    """Return indices in the smallest type, its largest value for -1."""
    kind = np.uint8 if n_words < MANY_CLASSES else np.uint16
    found: Any = np.where(codes < 0, np.iinfo(kind).max, codes).astype(kind)
    return found  # type: ignore[no-any-return]


def looked_at(column: ShownColumn) -> SceneColumn:
    """Return a column that is only shown."""
    name, kind, values = column.name, column.kind, column.values
    if kind not in ("category", "text"):
        meaning: Any = None if kind == "number" else kind
        return SceneColumn(name, numbers=feature(name, values, meaning))
    words = {word for word in values if word is not None}
    if kind == "category" and len(words) < MOST_CATEGORIES:
        classes = Classes([str(word) for word in words])
        known = np.array([None if w is None else str(w) for w in values], dtype=object)
        return SceneColumn(name, words=classes.names, codes=classes.codes(known))
    return SceneColumn(
        name, texts=Texts.of("" if word is None else str(word) for word in values)
    )
