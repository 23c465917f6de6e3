from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize

import labelscape.prototypes.explain._categories as search
from labelscape._core.columns import Categories
from labelscape.datasets import read_table
from labelscape.prototypes import GLVQ, GMLVQ, LGMLVQ, PushAndGrow
from labelscape.prototypes.explain._categories import smallest_change_of_columns


def column(name, first, n, size=1.0):
    """Return a column of n categories: one feature each, or one for two."""
    codes = np.array([[0.0], [1.0]]) if n == 2 else np.eye(n)
    words = tuple(f"{name}{k}" for k in range(n))
    return Categories(name, words, first + np.arange(codes.shape[1]), size * codes)


def random_case(rng, with_matrix):
    n_numbers = int(rng.integers(1, 4))
    categories, j = [], n_numbers
    for i in range(rng.integers(1, 4)):
        categories.append(column("abc"[i], j, rng.integers(2, 5), rng.uniform(0.3, 2)))
        j += len(categories[-1].features)
    prototypes = rng.normal(size=(int(rng.integers(3, 7)), j))
    classes = np.r_[0, 1, 2, rng.integers(0, 3, len(prototypes) - 3)]
    Omega = rng.normal(size=(rng.integers(1, j + 1), j)) if with_matrix else np.eye(j)
    x = rng.normal(size=j)
    for one in categories:
        x[one.features] = one.codes[rng.integers(len(one.codes))]
    return x, prototypes, classes, categories, Omega


def classifier(prototypes, classes, Omega):
    def classify(Z):
        return classes[(((Z[:, None] - prototypes) @ Omega.T) ** 2).sum(-1).argmin(1)]

    return classify


def by_all_assignments(x, prototypes, classes, categories, Omega, own, scale):
    """Return the smallest change among all assignments, each by SciPy's SLSQP."""
    numbers = np.ones(len(x), dtype=bool)
    for one in categories:
        numbers[one.features] = False
    best = np.inf
    for codes in product(*(one.codes for one in categories)):
        z = x.copy()
        for one, code in zip(categories, codes, strict=True):
            z[one.features] = code
        cost = (((z - x) / scale) ** 2).sum()
        for winner in np.flatnonzero(classes != own):
            moved = nearest_in_cell(
                z, prototypes, classes, Omega, own, winner, scale, numbers
            )
            best = min(best, np.sqrt(cost + moved))
    return best


def nearest_in_cell(z, prototypes, classes, Omega, own, winner, scale, numbers):
    """Return the squared length of the move of numbers into the cell of a winner."""
    Lambda = Omega.T @ Omega
    rivals = prototypes[classes == own]
    w = prototypes[winner]
    normals = 2 * (rivals - w) @ Lambda
    offsets = np.einsum("j,jk,k", w - z, Lambda, w - z) - np.einsum(
        "ij,jk,ik->i", rivals - z, Lambda, rivals - z
    )
    A = (normals * scale)[:, numbers]
    found = minimize(
        lambda t: t @ t,
        np.linalg.lstsq(A, -offsets - 1e-3, rcond=None)[0],
        jac=lambda t: 2 * t,
        constraints={
            "type": "ineq",
            "fun": lambda t: -(A @ t + offsets),
            "jac": lambda t: -A,
        },
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-14},
    )
    is_inside = (A @ found.x + offsets <= 1e-7 * (1 + np.abs(offsets))).all()
    return found.fun if is_inside else np.inf


@pytest.mark.parametrize("seed", range(12))
def test_the_smallest_change_is_that_of_all_assignments(seed):
    rng = np.random.default_rng(seed)
    x, prototypes, classes, categories, Omega = random_case(rng, seed % 2)
    classify = classifier(prototypes, classes, Omega)
    own = int(classify(x[None])[0])
    scale = rng.uniform(0.5, 2.0, len(x))
    change, exact = smallest_change_of_columns(
        x,
        prototypes,
        classes,
        categories,
        Omega=Omega,
        own=own,
        classify=classify,
        scale=scale,
    )
    best = by_all_assignments(x, prototypes, classes, categories, Omega, own, scale)
    assert exact
    assert classify(change.point[None])[0] != own
    assert change.distance == pytest.approx(best, rel=1e-5)
    assert change.distance == pytest.approx(np.linalg.norm((change.point - x) / scale))
    for one in categories:
        assert one.of(change.point[None])[0] >= 0


@pytest.fixture(scope="module")
def mushrooms():
    """A table in which colour and smell decide, and size a little."""
    rng = np.random.default_rng(0)
    colors = rng.choice(["red", "green", "brown"], 120)
    smell = rng.choice(["none", "foul"], 120)
    size = rng.normal(10, 2, 120)
    is_bad = (colors == "red").astype(float) + 1.2 * (smell == "foul") + 0.1 * size
    edible = np.where(is_bad > 2.0, "poisonous", "edible")
    frame = pd.DataFrame(
        {"size": size, "color": colors, "smell": smell, "edible": edible}
    )
    return read_table(frame, label="edible")


@pytest.fixture(scope="module")
def model(mushrooms):
    frame = pd.DataFrame(mushrooms.X, columns=mushrooms.feature_names)
    return GMLVQ(random_state=0).fit(frame, mushrooms.y)


def test_an_object_becomes_another_category_and_not_a_part_of_it(mushrooms, model):
    for x in mushrooms.X[:20]:
        found = model.explain(x, categories=mushrooms.categories, fixed=[0])
        assert found.exact
        if found.counterfactual is not None:
            for one in mushrooms.categories:
                assert one.of(found.counterfactual[None])[0] >= 0


def test_without_categories_the_explanation_is_as_ever(mushrooms, model):
    plain, same = (model.explain(mushrooms.X[0], **c) for c in ({}, {"categories": ()}))
    assert str(plain) == str(same)
    assert "feature  " in str(plain)


def test_a_column_has_the_sum_of_its_features(mushrooms, model):
    found = model.explain(mushrooms.X[0], categories=mushrooms.categories)
    names = [one.name for one in found.columns]
    assert names == ["size", "color", "smell"]
    total = sum(one.contribution for one in found.columns)
    assert total == pytest.approx(found.contributions.sum())
    color = mushrooms.categories[0]
    assert found.columns[1].contribution == pytest.approx(
        found.contributions[color.features].sum()
    )


def test_the_table_says_which_category_an_object_would_need(mushrooms, model):
    X = mushrooms.X
    found = model.explain(X[0], categories=mushrooms.categories, fixed=[0])
    lines = str(found).splitlines()
    assert any(line.startswith("column ") for line in lines)
    changed = [c for c in found.columns if c.after != c.value]
    assert changed
    for one in changed:
        line = next(line for line in lines if line.startswith(one.name))
        assert one.value in line
        assert line.endswith(f"→ {one.after}")
    assert "→" in found._repr_html_()


def test_a_fixed_feature_holds_its_whole_column(mushrooms, model):
    color = mushrooms.categories[0]
    for x in mushrooms.X[:10]:
        found = model.explain(
            x, categories=mushrooms.categories, fixed=[int(color.features[1])]
        )
        if found.counterfactual is not None:
            same = found.counterfactual[color.features] == x[color.features]
            assert same.all()


def test_limits_rule_categories_out(mushrooms, model):
    color = mushrooms.categories[0]
    upper = np.full(mushrooms.X.shape[1], np.inf)
    k = color.words.index("green")
    upper[color.features[k]] = 0.0  # nothing may be green
    for x in mushrooms.X:
        if color.of(x[None])[0] == k:
            continue
        found = model.explain(x, categories=mushrooms.categories, upper=upper)
        assert found.columns[1].after != "green"


def test_an_object_between_categories_may_stay_there():
    one = column("a", 1, 3)
    prototypes = np.array([[0.0, 0.3, 0.3, 0.4], [2.0, 0.3, 0.3, 0.4]])
    x = np.array([0.9, 0.2, 0.3, 0.5])
    classify = classifier(prototypes, np.array([0, 1]), np.eye(4))
    change, exact = smallest_change_of_columns(
        x, prototypes, np.array([0, 1]), [one], own=0, classify=classify
    )
    assert exact
    assert change.point[1:].tolist() == x[1:].tolist()
    assert change.distance == pytest.approx(0.1)


def test_a_target_is_reached_by_categories_alone(mushrooms):
    model = PushAndGrow().fit(mushrooms.X, mushrooms.y)
    x = mushrooms.X[0]
    other = next(c for c in model.classes_ if c != model.predict(x[None])[0])
    found = model.explain(x, target=other, categories=mushrooms.categories)
    assert found.counterfactual_prediction == other
    assert model.predict(found.counterfactual[None])[0] == other


def test_local_metrics_change_whole_categories_and_claim_no_more(mushrooms):
    model = LGMLVQ(random_state=0, max_iter=20).fit(mushrooms.X, mushrooms.y)
    for x in mushrooms.X[:5]:
        found = model.explain(x, categories=mushrooms.categories)
        assert not found.exact
        assert found.counterfactual is not None
        assert model.predict(found.counterfactual[None])[0] != found.prediction
        for one in mushrooms.categories:
            assert one.of(found.counterfactual[None])[0] >= 0


@pytest.mark.parametrize("kind", [GMLVQ, LGMLVQ])
def test_the_own_class_is_no_target(kind, mushrooms):
    model = kind(random_state=0, max_iter=3).fit(mushrooms.X, mushrooms.y)
    own = model.predict(mushrooms.X[:1])[0]
    with pytest.raises(ValueError, match="in the target class"):
        model.explain(mushrooms.X[0], target=own, categories=mushrooms.categories)


def test_a_search_that_is_cut_short_does_not_claim_to_be_exact(monkeypatch):
    rng = np.random.default_rng(3)
    categories = [column(f"c{i}", 3 * i, 3) for i in range(12)]
    x, Omega = np.tile([1.0, 0.0, 0.0], 12), np.eye(36)
    prototypes = np.vstack([x, rng.random((3, 36))])
    classes = np.array([0, 1, 1, 1])
    classify = classifier(prototypes, classes, Omega)
    asked = {"own": 0, "classify": classify}
    whole, exact = smallest_change_of_columns(
        x, prototypes, classes, categories, **asked
    )
    assert exact
    monkeypatch.setattr(search, "MOST_BOUNDS", 3)
    short, exact = smallest_change_of_columns(
        x, prototypes, classes, categories, **asked
    )
    assert not exact
    assert short is None or short.distance >= whole.distance


@pytest.mark.parametrize(
    ("categories", "words"),
    [
        ("color", "a list of Categories"),
        ([1], "a list of Categories"),
        ([column("a", 3, 4)], "the model has 4"),
        ([column("a", -1, 2)], "uses features -1 to -1"),
        ([replace(column("a", 0, 3), words=("a",))], "row for each category"),
        ([replace(column("a", 0, 2), codes=[[0], [np.nan]])], "finite numbers"),
        ([replace(column("a", 0, 2), features=np.array([0.5]))], "column for each of"),
        ([column("a", 0, 3), column("b", 2, 2)], "Feature 2 is in two columns"),
    ],
)
def test_wrong_categories_are_refused_in_words(categories, words):
    rng = np.random.default_rng(0)
    model = GLVQ().fit(rng.normal(size=(20, 4)), np.repeat([0, 1], 10))
    with pytest.raises(ValueError, match=words):
        model.explain(np.zeros(4), categories=categories)


def test_a_row_of_a_frame_brings_its_names_along(mushrooms):
    """A model in a pipeline sees numbers only, and has no names."""
    model = GLVQ().fit(mushrooms.X, mushrooms.y)
    names = mushrooms.feature_names
    frame = pd.DataFrame(mushrooms.X, columns=names)
    said = [
        str(model.explain(frame.iloc[0])),
        str(model.explain(frame.iloc[:1])),
        str(model.explain(mushrooms.X[0], feature_names=names)),
    ]
    assert said[0] == said[1] == said[2]
    assert "color=red" in said[0]
    assert "feature 0" in str(model.explain(mushrooms.X[0]))


def test_names_must_be_those_of_all_features(mushrooms, model):
    with pytest.raises(ValueError, match="feature_names must be 5 names"):
        model.explain(mushrooms.X[0], feature_names=["one"])
