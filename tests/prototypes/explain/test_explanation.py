import dataclasses

import numpy as np
import pytest

from labelscape.prototypes.explain._explanation import Explanation, distance_terms


def explanation(n_features=4, n_classes=3, **changes):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n_features)
    classes = [f"class {c}" for c in range(n_classes)]
    fields = {
        "x": x,
        "prediction": classes[1],
        "confidence": 0.8765432,
        "nearest": {c: 10 + k for k, c in enumerate(classes)},
        "distances": {c: float((k - 1) ** 2 + 1) for k, c in enumerate(classes)},
        "contributions": rng.normal(size=n_features),
        "counterfactual": x + 0.5,
        "counterfactual_distance": 0.5 * n_features**0.5,
        "counterfactual_prediction": classes[0],
        "exact": True,
        "feature_names": [f"width {j}" for j in range(n_features)],
    }
    return Explanation(**{**fields, **changes})


@pytest.mark.parametrize("shape", [None, (4,), (2, 4), (4, 4)])
def test_terms_add_up_to_the_squared_distance(shape):
    rng = np.random.default_rng(1)
    v = rng.normal(size=4)
    Omega = None if shape is None else rng.normal(size=shape)
    matrix = np.eye(4) if Omega is None else Omega
    matrix = np.diag(matrix) if matrix.ndim == 1 else matrix
    terms = distance_terms(v, Omega)
    assert terms.shape == (4,)
    assert terms.sum() == pytest.approx(((matrix @ v) ** 2).sum(), rel=1e-12)


def test_the_terms_of_a_distance_are_those_of_the_formula():
    rng = np.random.default_rng(3)
    v, Omega = rng.normal(size=5), rng.normal(size=(3, 5))
    Lambda = Omega.T @ Omega
    wanted = [v[j] * sum(Lambda[j, k] * v[k] for k in range(5)) for j in range(5)]
    np.testing.assert_allclose(distance_terms(v, Omega), wanted, rtol=1e-12)


def test_the_own_class_stands_first_and_the_others_by_distance():
    lines = str(explanation(n_classes=4)).splitlines()
    assert lines[0] == "class 1, confidence 0.8765"
    assert [line[:7] for line in lines[3:7]] == [f"class {c}" for c in (1, 0, 2, 3)]
    assert lines[4].split()[-2:] == ["2", "10"]


def test_the_features_that_count_most_stand_first_with_value_and_change():
    shown = explanation(
        n_features=2, x=np.array([3.0, 4.0]), contributions=np.array([0.1, -7.0])
    )
    shown = dataclasses.replace(shown, counterfactual=np.array([3.0, 1.5]))
    table = str(shown).split("\n\n")[2].splitlines()
    assert table[1].split() == ["width", "1", "4", "-7", "-2.5"]
    assert table[2].split() == ["width", "0", "3", "+0.1", "0"]


def test_ten_thousand_features_and_forty_classes_fit_on_a_screen():
    name = "a feature with a name that goes on\nand on " * 3
    large = explanation(10_000, 40, feature_names=[name] * 10_000)
    lines = str(large).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 88
    assert "and 34 more" in str(large)
    assert "and 9,992 more" in str(large)


def test_the_features_left_out_are_summed_up():
    terms = np.r_[np.full(8, 5.0), 1.0, 0.5]
    shown = str(explanation(n_features=10, contributions=terms))
    assert "and 2 more, with a total of +1.5" in shown


@pytest.mark.parametrize(
    ("exact", "words"),
    [
        (True, "No allowed change flips the decision."),
        (False, "No allowed change that flips the decision was found."),
    ],
)
def test_it_says_when_nothing_flips_the_decision(exact, words):
    shown = str(
        explanation(
            counterfactual=None,
            counterfactual_distance=np.inf,
            counterfactual_prediction=None,
            exact=exact,
        )
    )
    assert shown.endswith(words)
    assert "change\n" not in shown


def test_a_change_that_may_not_be_the_smallest_is_called_locally_smallest():
    assert "The locally smallest change" in str(explanation(exact=False))
    assert "The smallest change" in str(explanation())


def test_features_without_names_are_numbered():
    assert "feature 2" in str(explanation(feature_names=None))


def test_labels_and_names_are_escaped_in_html():
    evil = "<script>x</script>"
    page = explanation(
        n_features=1,
        prediction=evil,
        nearest={evil: 0, "b": 1},
        distances={evil: 1.0, "b": 2.0},
        counterfactual_prediction="<b>",
        feature_names=["<i>&"],
    )._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page
    assert "&lt;i&gt;&amp;" in page
    assert "<b>" not in page
    assert page.count("<table>") == page.count("</table>") == 2


def test_the_record_cannot_be_changed_and_shows_its_table_as_repr():
    record = explanation()
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.confidence = 1.0
    assert repr(record) == str(record)
