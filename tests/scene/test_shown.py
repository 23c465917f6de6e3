"""Columns of categories and columns to look at, as a scene holds them."""

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

from labelscape._core.columns import Categories, ShownColumn
from labelscape.prototypes import GLVQ
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of as built_scene

COLOURS = ("blue", "green", "red")
# age, then three features of a colour, then one that says whether the wood is soft.
CODES = np.array([0, 1, 2, 1, 0, 2, 2, 0])
X = np.column_stack([np.arange(8.0), np.eye(3)[CODES], CODES == 2])
Y = np.array(["a", "b"] * 4)
CATEGORIES = (
    Categories("colour", COLOURS, np.array([1, 2, 3]), np.eye(3)),
    Categories("wood", ("hard", "soft"), np.array([4]), np.array([[0.0], [1.0]])),
)


def scene_of(**options):
    return built_scene(X[:, :2], X, Y, quality=False, **options)


def test_a_column_of_categories_has_its_words_codes_and_features():
    colour, wood = scene_of(categories=CATEGORIES).columns
    assert colour.name == "colour"
    assert colour.words == COLOURS
    assert colour.codes.tolist() == CODES.tolist()
    assert colour.features.tolist() == [1, 2, 3]
    assert wood.patterns.tolist() == [[0.0], [1.0]]


def test_an_imputed_category_is_none():
    names = ["age", "c=blue", "c=green", "c=red", "soft"]
    gaps = {name: [2] for name in names[1:4]}
    colour, _ = scene_of(
        categories=CATEGORIES, feature_names=names, imputed=gaps
    ).columns
    assert colour.codes[2] == 255


def test_columns_survive_encoding():
    shown = {"batch": list("aabbaabb"), "dose": np.arange(8.0), "note": ["x"] * 8}
    scene = decode(encode(scene_of(categories=CATEGORIES, columns=shown)))
    colour, _, batch, dose, note = scene.columns
    assert colour.words == COLOURS
    assert batch.codes.tolist() == [0, 0, 1, 1, 0, 0, 1, 1]
    assert dose.numbers.values.tolist() == list(range(8))
    assert note.features is None


def test_a_column_that_is_known_is_not_shown_twice():
    scene = scene_of(categories=CATEGORIES, columns={"colour": list("abcabcab")})
    assert [column.name for column in scene.columns] == ["colour", "wood"]


def test_texts_stay_texts():
    notes = np.array(["a note", None, *"cdefgh"], dtype=object)
    (found,) = scene_of(columns=[ShownColumn("note", "text", notes)]).columns
    assert found.texts[0] == "a note"
    assert found.texts[1] == ""


def test_of_many_features_a_column_is_chosen_as_a_whole():
    model = GLVQ(random_state=0).fit(X, Y)
    scene = built_scene(model, X, Y, categories=CATEGORIES, max_features=3)
    shown = [feature.name for feature in scene.features]
    assert shown in (["x1", "x5"], ["x2", "x3", "x4"])
    for column in scene.columns:  # its points are coloured by it all the same
        assert (column.features is None) == ("x2" not in shown) or column.name == "wood"
        assert column.codes is not None


def test_categories_of_features_that_are_not_there_are_refused():
    beyond = Categories("size", ("s", "l"), np.array([7]), np.array([[0.0], [1.0]]))
    with pytest.raises(ValueError, match=r"'size' .* must be indices from 0 to 4"):
        scene_of(categories=[beyond])


def test_a_column_is_known_although_the_model_sees_components():
    model = make_pipeline(PCA(2), GLVQ(random_state=0)).fit(X, Y)
    colour, _ = built_scene(model, X, Y, categories=CATEGORIES, quality=False).columns
    assert colour.codes.tolist() == CODES.tolist()
    assert colour.features is None


def test_two_columns_cannot_share_a_feature():
    with pytest.raises(ValueError, match="assigns one feature of X to two columns"):
        scene_of(categories=[CATEGORIES[0], CATEGORIES[0]])
