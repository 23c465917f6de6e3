"""Data frames with words, through pipelines of any encoder."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import make_column_transformer
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

from labelscape.prototypes import GLVQ
from labelscape.scene._inputs import unwrap
from labelscape.scene._internal import scene_of as built_scene
from labelscape.scene._model import _categories

RANDOM = np.random.RandomState(0)
N = 60
Y = np.arange(N) % 2
VALUES = {
    "age": np.where(np.arange(N) == 3, np.nan, RANDOM.normal(40, 10, N) + 10 * Y),
    "colour": np.where(RANDOM.rand(N) < 0.6, np.array(["red", "green"])[Y], "blue"),
    "wet": RANDOM.rand(N) < 0.3 + 0.4 * Y,
    "link": [f"https://trees.example/{i}" for i in range(N)],
}


def encoders(**words):
    return make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age"]),
        (OneHotEncoder(sparse_output=False, **words), ["colour"]),
        ("passthrough", ["wet"]),
    )


def scene_of(frame, *steps):
    model = make_pipeline(*steps, GLVQ(random_state=0)).fit(frame, Y)
    return built_scene(model, frame, Y, quality=False, regions=False, random_state=0)


@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame])
def test_features_are_shown_as_the_columns_are(form):
    scene = scene_of(form(VALUES), encoders(), StandardScaler())
    age, *colours, wet = scene.features
    assert [age.name, wet.name] == ["age", "wet=yes"]
    known = ~np.isnan(VALUES["age"])
    np.testing.assert_allclose(age.values[known], VALUES["age"][known], rtol=1e-6)
    assert age.imputed.tolist() == [3]
    assert [colour.name for colour in colours] == [
        "colour=blue",
        "colour=green",
        "colour=red",
    ]
    assert colours[0].kind == wet.kind == "truth"


def test_columns_of_words_are_columns_and_others_are_shown():
    colour, wet, link = scene_of(pd.DataFrame(VALUES), encoders()).columns
    assert [colour.words[k] for k in colour.codes] == VALUES["colour"].tolist()
    assert wet.words == ("no", "yes")
    assert link.texts[7] == "https://trees.example/7"


def test_with_a_category_dropped_all_are_known_still():
    colour, *_ = scene_of(pd.DataFrame(VALUES), encoders(drop="first")).columns
    assert colour.features.tolist() == [1, 2]
    assert [colour.words[k] for k in colour.codes] == VALUES["colour"].tolist()


def test_a_code_that_is_one_number_is_a_column_too():
    frame = pd.DataFrame(VALUES)[["colour"]]
    scene = scene_of(frame, OrdinalEncoder(), StandardScaler())
    (colour,) = scene.columns
    assert scene.features[0].name == "colour"
    assert [colour.words[k] for k in colour.codes] == VALUES["colour"].tolist()


def test_words_that_no_feature_tells_apart_are_one_category():
    frame = pd.DataFrame(
        {"x": np.arange(N), "size": ["s", "m", "l", "l", "l", "l"] * 10}
    )
    rare = OneHotEncoder(min_frequency=0.3, sparse_output=False)
    (size,) = scene_of(
        frame, make_column_transformer((rare, ["size"]), ("passthrough", ["x"]))
    ).columns
    assert size.words == ("l", "m or s")


def test_columns_that_became_one_feature_together_are_shown_only():
    scene = scene_of(pd.DataFrame(VALUES), encoders(), PCA(2))
    assert [feature.name for feature in scene.features] == ["pca0", "pca1"]
    assert {column.name for column in scene.columns} == set(VALUES)
    assert all(column.features is None for column in scene.columns)


def test_a_model_sees_categories_in_its_own_units():
    frame = pd.DataFrame(VALUES)
    model = make_pipeline(encoders(), StandardScaler(), GLVQ(random_state=0))
    subject = unwrap(model.fit(frame, Y), frame, None)
    for column in _categories(subject):
        assert (column.of(subject.X) >= 0).all()
