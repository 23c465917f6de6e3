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
from labelscape.scene._internal import scene_of as built_scene

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
def test_features_have_the_names_that_scikit_learn_gives(form):
    scene = scene_of(form(VALUES), encoders(), StandardScaler())
    assert [feature.name for feature in scene.features] == [
        "pipeline__age",
        "onehotencoder__colour_blue",
        "onehotencoder__colour_green",
        "onehotencoder__colour_red",
        "passthrough__wet",
    ]


def test_the_columns_of_the_frame_are_shown_with_the_features():
    scene = scene_of(pd.DataFrame(VALUES), encoders())
    columns = {column.name: column for column in scene.columns}
    assert {*columns} == set(VALUES)
    assert all(column.features is None for column in scene.columns)
    colour, link = columns["colour"], columns["link"]
    assert [colour.words[k] for k in colour.codes] == VALUES["colour"].tolist()
    assert link.texts[7] == "https://trees.example/7"


def test_nothing_but_the_rows_goes_through_the_steps():
    seen = []

    class Encoder(OrdinalEncoder):
        def transform(self, X):
            seen.append(len(X))
            return super().transform(X)

    frame = pd.DataFrame(VALUES)[["colour"]]
    model = make_pipeline(Encoder(), GLVQ(random_state=0)).fit(frame, Y)
    seen.clear()
    built_scene(model, frame, Y, quality=False, regions=False, random_state=0)
    assert {*seen} == {N}


def test_columns_that_became_one_feature_together_are_shown_only():
    scene = scene_of(pd.DataFrame(VALUES), encoders(), PCA(2))
    assert [feature.name for feature in scene.features] == ["pca0", "pca1"]
    assert {column.name for column in scene.columns} == set(VALUES)
    assert all(column.features is None for column in scene.columns)
