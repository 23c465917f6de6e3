import inspect
from typing import ClassVar

import numpy as np
import pytest
from scipy.sparse import csr_array

from labelscape import embeddings, jobs, plotting, scene
from labelscape._core.checks import mask_argument, matrix_argument, vector_argument
from labelscape._core.errors import InputError, ParameterError
from labelscape._core.labels import labels_argument
from labelscape._core.params import (
    arguments,
    check_params,
    dict_like,
    either,
    flag,
    instance,
    iterable,
    number,
    one_of,
    optional,
    path,
    rules_of,
    seed_rule,
    several,
    text,
    whole,
)


class Map:
    _rules: ClassVar = {
        "n_components": whole(1),
        "tol": number(0.0),
        "solver": one_of("a", "b"),
    }

    def __init__(self, n_components=2, tol=0.1, solver="a", random_state=None):
        self.n_components, self.tol, self.solver = n_components, tol, solver


class Plane(Map):
    _rules: ClassVar = {"n_components": whole(2, 2), "turned": flag()}

    def __init__(self, n_components=2, turned=False):
        super().__init__(n_components)
        self.turned = turned


def test_a_class_adds_its_rules_to_those_of_its_bases():
    assert list(rules_of(Map)) == ["n_components", "tol", "solver"]
    assert rules_of(Plane)["n_components"].wanted == "a whole number between 2 and 2"


def test_only_parameters_of_the_constructor_have_rules():
    assert list(rules_of(Plane)) == ["n_components", "turned"]


def test_the_first_broken_rule_is_told_as_data():
    with pytest.raises(ParameterError, match=r"Map: tol must be a number") as error:
        check_params(Map(tol=np.float64(-1), solver="c"))
    found = error.value
    assert (found.owner, found.parameter, found.value) == ("Map", "tol", -1)
    assert found.wanted == "a number of at least 0"


def test_parameters_that_keep_their_rules_pass():
    check_params(Map())
    check_params(Plane(turned=np.True_))


def test_a_rule_tells_a_form_what_to_ask_for():
    rule = either(whole(1), one_of("auto", None))
    assert [part.kind for part in rule.alternatives] == ["whole", "choice"]
    assert rule.alternatives[1].choices == ("auto", None)
    assert flag().alternatives[0].kind == "flag"


def test_numbers_whose_squares_vanish_are_refused_where_they_are_of_no_use():
    assert number(0.0).holds(1e-300)
    useful = number(0.0, vanishing=False)
    assert useful.holds(0)
    assert useful.holds(1e-90)
    assert not useful.holds(1e-300)


TABLE = np.arange(6.0).reshape(3, 2)


@arguments(n=whole(1), title=optional(text()))
def drawn(n, *, title=None):
    """Return the arguments."""
    return n, title


def test_a_function_with_rules_is_otherwise_as_it_was():
    assert drawn(2, title="a") == (2, "a")
    assert str(inspect.signature(drawn)) == "(n, *, title=None)"
    assert drawn.__doc__ == "Return the arguments."


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n": 0}, r"^drawn: n must be a whole number of at least 1, got 0\.$"),
        ({"n": 1, "title": 3}, r"^drawn: title must be text, or None, got 3\.$"),
    ],
)
def test_what_breaks_a_rule_is_named(given, words):
    with pytest.raises(ParameterError, match=words):
        drawn(**given)


@pytest.mark.parametrize(
    ("rule", "kept", "broken"),
    [
        (path(), "a.csv", ["", "a\0b", 3, None, b"a"]),
        (seed_rule(), 2**32 - 1, [-1, 2**32, 1.0, True, "1"]),
        (instance(InputError), InputError("no"), [InputError, None]),
        (dict_like(), {"a": 1}, [{1: "a"}, [], "a"]),
        (several("names", text()), ["a"], ["a", [1], {"a": 1}, {"a"}, None]),
        (iterable(), (one for one in "ab"), ["ab", {"a": 1}, np.array(3.0), 3]),
    ],
)
def test_rules_tell_right_from_wrong(rule, kept, broken):
    assert rule.holds(kept)
    assert not any(rule.holds(value) for value in broken)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1.0, 2.0], r"f: X must be a table of numbers with 2 columns, got .* \(2,\)"),
        (TABLE[:, :1], r"with 2 columns, got an array of shape \(3, 1\)"),
        (TABLE[:0], r"got an array of shape \(0, 2\)"),
        ([[1.0, np.nan]], r"f: input X contains NaN: column 1 .* row 0"),
        ([[1.0, 1e200]], r"f: column 1 of X is 1e\+200"),
        (
            [[1.0], [1.0, 2.0]],
            r"f: X must be an array of numbers, with rows",
        ),
        ([[1.0, "a"]], r"f: X must be an array of numbers.*'a'"),
        ([[1.0, {}]], r"f: X must be an array of numbers.*dict"),
        ([[1.0, 1j]], r"f: X must contain numbers, got values of type complex128"),
        (csr_array(TABLE), r"f: X is sparse\. Pass X\.toarray\(\)"),
        ("text", r"f: X must be an array, got 'text'"),
        (None, r"f: X must be an array, got None"),
        (3.0, r"f: X must be an array, got 3\.0"),
    ],
)
def test_no_table_of_numbers_is_refused_in_words(value, words):
    with pytest.raises(InputError, match=words):
        matrix_argument("f", "X", value, n_columns=2)


def test_what_can_be_read_as_numbers_is_taken():
    for value in (TABLE.tolist(), TABLE.astype(object), TABLE.astype(np.float32)):
        np.testing.assert_array_equal(matrix_argument("f", "X", value), TABLE)
    kept = matrix_argument("f", "X", [[np.nan]], finite=False)
    assert np.isnan(kept).all()


def test_rows_masks_and_labels_have_the_size_that_is_wanted():
    with pytest.raises(InputError, match=r"f: focus must be 2 numbers, got .* \(3,\)"):
        vector_argument("f", "focus", [1, 2, 3], size=2)
    with pytest.raises(InputError, match=r"f: m must be True or False for each of the"):
        mask_argument("f", "m", [0, 1, 2], size=3)
    assert mask_argument("f", "m", [0, 1]).tolist() == [False, True]
    with pytest.raises(InputError, match=r"f: y must be one label for each of the 3"):
        labels_argument("f", "y", ["a", "b"], size=3)
    with pytest.raises(InputError, match=r"f: y contains NaN or None, 1 in all"):
        labels_argument("f", "y", np.array(["a", None], dtype=object))
    with pytest.raises(InputError, match=r"f: y mixes labels of several kinds"):
        labels_argument("f", "y", np.array(["a", 1], dtype=object))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (
            lambda: embeddings.hyperbolic_focus(TABLE, focus=[1, 2, 3]),
            r"hyperbolic_focus: focus must be 2 numbers",
        ),
        (
            lambda: embeddings.mobius_refocus([[0.1, 0.2, 0.3]], [0, 0]),
            r"mobius_refocus: Z must be a table of numbers with 2 columns",
        ),
        (
            lambda: embeddings.prototype_weights(["a", "b"], [True]),
            r"prototype_weights: labels must contain one label for each of the 1 poi",
        ),
        (
            lambda: embeddings.picture_agreement(TABLE, [0, 1, 0], [False] * 3),
            r"picture_agreement: is_prototype must be True for at least one",
        ),
        (
            lambda: embeddings.compress_classes(TABLE, [0, 1]),
            r"compress_classes: y must be one label for each of the 3 samples",
        ),
        (
            lambda: embeddings.class_layout(TABLE, [0, 1, 2], [[1.0]], [0]),
            r"class_layout: samples must be a table of numbers with 2 columns",
        ),
        (
            lambda: plotting.plot_map(TABLE, [0, 1, "a"], ax=3),
            r"plot_map: ax must be matplotlib Axes, or None, got 3",
        ),
        (
            lambda: plotting.plot_map(TABLE, sizes=[1, 2, -1]),
            r"plot_map: sizes must not be negative, got -1",
        ),
        (
            lambda: plotting.class_colors(2.5),
            r"class_colors: n_classes must be a whole number",
        ),
        (
            lambda: scene.build_scene(
                scene.Subject(TABLE), scene.Data(held_out=[0, 1, 2])
            ),
            r"build_scene: held_out must be True or False for each of the 3 samples",
        ),
        (lambda: scene.decode("LSCN"), r"decode: given must be bytes, got 'LSCN'"),
        (lambda: jobs.map_table(3), r"map_table: table must be a Table, got 3"),
        (lambda: jobs.method_named(3), r"method_named: name must be text, got 3"),
        (lambda: jobs.methods_of("maps"), r"methods_of: group must be 'map' or"),
    ],
)
def test_helpers_say_whose_argument_is_wrong(call, words):
    with pytest.raises(InputError, match=words):
        call()
