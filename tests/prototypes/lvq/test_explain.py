"""The explanation of one decision, for every model of the family."""

import numpy as np
import pytest
from tests.prototypes.lvq.cases import FAMILY, blobs

from labelscape.prototypes import GLVQ, LGMLVQ, LiRaMLVQ, LocalLiRaMLVQ

LOCAL = (LGMLVQ, LocalLiRaMLVQ)


@pytest.fixture(params=FAMILY, ids=[model.__name__ for model in FAMILY])
def fitted(request):
    X, y = blobs(90)
    names = np.array(["ash", "elm", "oak"])[y]
    return request.param(2, max_iter=30, random_state=0).fit(X, names), X


def test_contributions_add_up_to_the_lead_of_the_decision(fitted):
    model, X = fitted
    for x in X[:6]:
        found = model.explain(x)
        own, *others = sorted(found.distances.values())
        assert found.contributions.sum() == pytest.approx(others[0] - own, abs=1e-10)
        assert found.distances[found.prediction] == own


def test_the_record_agrees_with_the_model(fitted):
    model, X = fitted
    D, proba = model.metric_.distances(X), model.predict_proba(X)
    for i, x in enumerate(X[:6]):
        found = model.explain(x)
        assert found.prediction == model.predict(X[i : i + 1])[0]
        assert found.confidence == pytest.approx(proba[i].max())
        for label, prototype in found.nearest.items():
            mine = np.flatnonzero(model.prototype_labels_ == label)
            assert prototype == mine[D[i, mine].argmin()]
            assert found.distances[label] == pytest.approx(D[i, prototype])


def test_the_counterfactual_flips_the_decision(fitted):
    model, X = fitted
    for x in X[:6]:
        found = model.explain(x)
        (flipped,) = model.predict(found.counterfactual[None])
        assert flipped == found.counterfactual_prediction != found.prediction
        length = np.linalg.norm(found.counterfactual - x)
        assert found.counterfactual_distance == pytest.approx(length)
        assert found.exact == (not isinstance(model, LOCAL))


def test_no_shorter_change_flips_an_exact_one(fitted):
    model, X = fitted
    rng = np.random.default_rng(0)
    for x in X[:5]:
        found = model.explain(x)
        directions = rng.normal(size=(300, 5))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        shorter = x + 0.999 * found.counterfactual_distance * directions
        if found.exact:
            assert set(model.predict(shorter)) == {found.prediction}


def test_wishes_are_kept(fitted):
    model, X = fitted
    x = X[0]
    own = model.explain(x).prediction
    for target in {"ash", "elm", "oak"} - {own}:
        found = model.explain(x, target=target, fixed=[0], lower=x - 20, upper=x + 20)
        if found.counterfactual is None:
            continue
        assert found.counterfactual_prediction == target
        assert found.counterfactual[0] == x[0]
        assert (np.abs(found.counterfactual - x) <= 20).all()
        assert model.predict(found.counterfactual[None]) == [target]


def test_without_any_free_feature_nothing_flips(fitted):
    model, X = fitted
    found = model.explain(X[0], fixed=np.ones(5, dtype=bool))
    assert found.counterfactual is None
    assert found.counterfactual_distance == np.inf


def test_it_prints_as_a_table_with_the_names_of_the_features():
    pandas = pytest.importorskip("pandas")
    X, y = blobs(60)
    frame = pandas.DataFrame(X, columns=["mass", "age", "size", "hue", "site"])
    model = LiRaMLVQ(max_iter=10, random_state=0).fit(frame, y)
    for x in (frame.iloc[3], frame.iloc[3:4], X[3], X[3:4], X[3].tolist()):
        text = str(model.explain(x))
        assert "mass" in text
        assert "contribution" in text
    assert "<table>" in model.explain(X[3])._repr_html_()


def test_float32_models_are_explained_in_full_precision():
    X, y = blobs(60)
    model = LiRaMLVQ(max_iter=10, random_state=0).fit(X.astype(np.float32), y)
    found = model.explain(X[0])
    own, other = sorted(found.distances.values())[:2]
    assert found.contributions.sum() == pytest.approx(other - own, abs=1e-10)


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros(4), "X has 4 features, but GLVQ is expecting 5"),
        ([0.0, np.nan, 0.0, 0.0, 0.0], "column 1 has 1 missing value"),
        ([0.0, np.inf, 0.0, 0.0, 0.0], "contains infinity: column 1"),
        (np.zeros((2, 5)), r"x must be one sample, got .* \(2, 5\)"),
        ("abc", "could not convert string to float"),
        (np.zeros(0), "feature"),
    ],
    ids=["short", "nan", "infinite", "two objects", "text", "empty"],
)
def test_what_is_no_object_is_refused_clearly(x, message):
    X, y = blobs(60)
    model = GLVQ(max_iter=2).fit(X, y)
    with pytest.raises(ValueError, match=message):
        model.explain(x)


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"target": "fir"}, r"target must be one of the classes .* got 'fir'"),
        ({"fixed": [9]}, r"fixed must contain .* from 0 to 4, got \[9\]"),
        ({"fixed": ["mass"]}, r"fixed must contain .* got \['mass'\]"),
        ({"lower": 1.0, "upper": 0.0}, "lower limit .* must not be above"),
        ({"lower": np.inf}, "must allow a finite value, got inf and inf"),
        ({"upper": -np.inf}, "must allow a finite value, got -inf and -inf"),
        ({"fixed": [[0], [0, 1]]}, "fixed must be an array of numbers"),
        ({"lower": [1.0]}, r"lower must be .* each of the 5 features, got .* \(1,\)"),
        ({"scale": [1.0, 2.0]}, r"scale must be .* each of the 5 features"),
        ({"scale": 0.0}, "scale must be finite and above"),
    ],
    ids=[
        "target",
        "fixed",
        "names",
        "limits",
        "no room below",
        "no room above",
        "rows of several lengths",
        "shape",
        "units",
        "no unit",
    ],
)
def test_a_wish_that_makes_no_sense_is_named(wish, message):
    X, y = blobs(60)
    model = GLVQ(max_iter=2).fit(X, y)
    with pytest.raises(ValueError, match=message):
        model.explain(X[0], **wish)
