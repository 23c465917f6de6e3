"""explore accepts data frames with any columns."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn import config_context
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from labelscape import explore
from labelscape.boundary import ClassifierMap
from labelscape.crossfit import CrossFit
from labelscape.datasets import read_table
from labelscape.embeddings import LFDA
from labelscape.prototypes import GLVQ, GMLVQ, LiRaMLVQ, PushAndGrow

N = 40
Y = np.arange(N) % 2
RANDOM = np.random.RandomState(0)
FRAME = pd.DataFrame(
    {
        "age": RANDOM.normal(40, 10, N) + 10 * Y,
        "height": RANDOM.normal(170, 5, N),
        "colour": np.where(RANDOM.rand(N) < 0.6, np.array(["red", "green"])[Y], "blue"),
        "link": [f"https://trees.example/{i}" for i in range(N)],
    }
)
NUMBERS = ["age", "height"]
QUICK = {"quality": False, "regions": False, "random_state": 0}


def encoder():
    return make_column_transformer(
        (StandardScaler(), NUMBERS), (OneHotEncoder(sparse_output=False), ["colour"])
    )


def names(things):
    return [thing.name for thing in things]


def test_a_pipeline_that_encodes_is_shown_with_its_names_of_features():
    model = make_pipeline(encoder(), GLVQ(random_state=0)).fit(FRAME, Y)
    view = explore(model, FRAME, Y, **QUICK)
    assert names(view.scene.columns) == list(FRAME)
    assert names(view.scene.features) == model[:1].get_feature_names_out().tolist()
    answer = view._answer(3)
    assert len(answer["contributions"]) == 5


def test_with_places_words_are_encoded():
    scene = explore(FRAME[NUMBERS].to_numpy(), FRAME, Y, **QUICK).scene
    assert names(scene.features) == [
        *NUMBERS,
        "colour=blue",
        "colour=green",
        "colour=red",
    ]
    assert names(scene.columns) == ["colour", "link"]


def test_a_model_of_some_columns_shows_the_others():
    model = GLVQ(random_state=0).fit(FRAME[NUMBERS], Y)
    scene = explore(model, FRAME, Y, **QUICK).scene
    assert names(scene.features) == NUMBERS
    assert names(scene.columns) == ["colour", "link"]


@pytest.mark.parametrize(
    ("X", "n_features"),
    [
        (FRAME[NUMBERS].to_numpy(), 2),
        (read_table(FRAME.drop(columns="link")).X, 5),
    ],
)
def test_a_model_of_arrays_is_given_what_it_was_fitted_to(X, n_features):
    scene = explore(GLVQ(random_state=0).fit(X, Y), FRAME, Y, **QUICK).scene
    assert len(scene.features) == n_features
    assert names(scene.columns) == ["colour", "link"]


def test_a_model_of_other_features_is_refused_in_words():
    model = GLVQ(random_state=0).fit(FRAME[["age"]].to_numpy(), Y)
    with pytest.raises(ValueError, match="was fitted to 1 features"):
        explore(model, FRAME, Y, **QUICK)


def test_an_estimator_that_waits_is_fitted_to_encoded_words():
    view = explore(LFDA(), FRAME, Y, **QUICK)
    assert names(view.scene.columns) == ["colour", "link"]
    assert view.fit().scene.n_features == 5
    assert names(view.scene.columns) == ["colour", "link"]


def test_a_pipeline_that_waits_is_fitted_to_the_frame():
    view = explore(make_pipeline(encoder(), GLVQ(random_state=0)), FRAME, Y, **QUICK)
    assert names(view.fit().scene.columns) == list(FRAME)


def test_a_pipeline_that_takes_no_words_says_what_to_do():
    view = explore(make_pipeline(StandardScaler(), GLVQ()), FRAME, Y, **QUICK)
    with pytest.raises(ValueError, match="Add an encoder as the first step"):
        view.fit()


def test_named_columns_are_shown_only():
    view = explore(LFDA(), FRAME, Y, columns=["height", "link"], **QUICK).fit()
    assert names(view.scene.features) == [
        "age",
        "colour=blue",
        "colour=green",
        "colour=red",
    ]
    assert names(view.scene.columns) == ["colour", "height", "link"]
    view.color_by = "column:height"
    with pytest.raises(ValueError, match="'column:' and the name of a column"):
        view.color_by = "column:link"


def test_a_column_of_the_model_can_be_shown_too():
    model = GLVQ(random_state=0).fit(FRAME[NUMBERS], Y)
    scene = explore(model, FRAME[NUMBERS], Y, columns=["age"], **QUICK).scene
    assert names(scene.features) == NUMBERS
    assert names(scene.columns) == ["age"]


def test_a_name_that_is_no_column_is_refused():
    with pytest.raises(ValueError, match="columns contains 'weight', which is not"):
        explore(LFDA(), FRAME, Y, columns=["weight"])


def test_columns_beside_an_array_come_as_a_dict():
    X = FRAME[NUMBERS].to_numpy()
    scene = explore(X, X, Y, columns={"batch": list("ab") * 20}, **QUICK).scene
    assert scene.columns[0].words == ("a", "b")


def test_free_text_alone_leaves_nothing_to_fit():
    with pytest.raises(ValueError, match="X cannot be converted to numbers"):
        explore(LFDA(), FRAME[["link"]], Y)


@pytest.mark.parametrize(
    "call",
    [
        lambda: explore(FRAME, Y),
        lambda: explore(FRAME[NUMBERS], Y),
        lambda: explore(FRAME),
        lambda: explore(FRAME, y=Y),
    ],
)
def test_a_table_without_a_model_is_told_to_name_one(call):
    with pytest.raises(ValueError, match=r"pass a model or a map first, .*LFDA\(\)"):
        call()


def picture_of_prototypes(X, y):
    model = PushAndGrow().fit(X, y)
    return ClassifierMap(model, resolution=20, random_state=0).fit(X, y)


FITTED = {
    "LiRaMLVQ": lambda X, y: LiRaMLVQ(random_state=0, max_iter=5).fit(X, y),
    "GMLVQ": lambda X, y: GMLVQ(random_state=0, max_iter=5).fit(X, y),
    "PushAndGrow": lambda X, y: PushAndGrow().fit(X, y),
    "CrossFit": lambda X, y: CrossFit(random_state=0).fit(X, y),
    "ClassifierMap": picture_of_prototypes,
}


@pytest.mark.parametrize("fitted", FITTED.values(), ids=FITTED)
@pytest.mark.parametrize("frames", ["pandas", "polars", "pandas for all"])
def test_names_of_columns_are_no_trouble_on_the_way(fitted, frames):
    # Warnings are errors here: scikit-learn warns where names get lost.
    X = pl.from_pandas(FRAME[NUMBERS]) if frames == "polars" else FRAME[NUMBERS]
    output = "pandas" if frames == "pandas for all" else "default"
    with config_context(transform_output=output):
        view = explore(fitted(X, Y), X, Y, quality=False, random_state=0)
    assert names(view.scene.features) == NUMBERS


def test_a_constant_column_is_named_once_by_fit_and_honesty_together():
    frame = FRAME[NUMBERS].assign(dull=1.0)
    with pytest.warns(UserWarning, match="constant") as caught:
        explore(GMLVQ(random_state=0, max_iter=5), frame, Y, honesty=True).fit()
    assert [str(one.message) for one in caught] == [
        "GMLVQ: 1 feature is constant (dull); the relevance of constant features is "
        "reported as 0."
    ]
