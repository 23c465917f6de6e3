import re
from enum import Enum
from typing import ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator

from labelscape._core.checks import check_dissimilarities, check_finite, check_X
from labelscape._core.errors import InputError, missing_extra, shown
from labelscape._core.labels import check_labels, check_sample_weight
from labelscape._core.params import (
    array,
    check_argument,
    check_params,
    either,
    flag,
    function,
    mapping,
    number,
    one_of,
    whole,
)
from labelscape._core.points.spaces import check_matrix


class Map(BaseEstimator):
    _rules: ClassVar = {
        "n_components": whole(1),
        "tol": number(above=0),
        "solver": one_of("lbfgs", "sgd"),
    }

    def __init__(self, n_components=2, tol=0.1, solver="lbfgs"):
        self.n_components = n_components
        self.tol = tol
        self.solver = solver


@pytest.mark.parametrize(
    ("rule", "right", "wrong"),
    [
        (whole(1), [1, np.int64(3)], [0, 1.0, True, "1", None]),
        (whole(2, 4), [2, 4], [1, 5]),
        (number(0.0), [0, 2.5, np.float32(1)], [-1e-9, np.nan, np.inf, True, "a", 1j]),
        (number(above=0.0, below=1.0), [0.5], [0.0, 1.0]),
        (one_of("a", None), ["a", None], ["b", 1, np.ones(2)]),
        (flag(), [True, np.False_], [0, 1, "yes"]),
        (array(2), [np.ones((2, 2)), [[1.0]]], [np.ones(3), "ab", 1.0]),
        (mapping(), [{}], [[], None]),
        (function(), [len], [1, "len"]),
        (either(whole(1), one_of("auto")), [3, "auto"], [0, "none"]),
    ],
)
def test_a_rule_holds_for_what_it_says(rule, right, wrong):
    assert all(rule.holds(value) for value in right)
    assert not any(rule.holds(value) for value in wrong)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"n_components": 0},
            "Map: n_components must be a whole number of at least 1, got 0.",
        ),
        ({"tol": -1}, "Map: tol must be a number above 0, got -1."),
        (
            {"solver": "newton"},
            "Map: solver must be 'lbfgs' or 'sgd', got 'newton'.",
        ),
    ],
)
def test_a_wrong_parameter_is_named_with_what_was_wanted_and_what_came(given, words):
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        check_params(Map(**given))


def test_a_wrong_argument_of_a_function_is_named_too():
    with pytest.raises(ValueError, match="report: k must be a whole number of at lea"):
        check_argument("report", "k", 0, whole(1))


def test_long_values_are_shown_short():
    assert len(shown("x" * 1000)) == 60
    assert shown(np.ones((3, 4))) == "an array of shape (3, 4)"


def test_numbers_and_text_of_numpy_are_shown_as_plain_ones():
    assert shown(np.int64(3)) == "3"
    assert shown(np.str_("age")) == "'age'"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_keep_their_precision(dtype):
    assert check_X(Map(), np.ones((3, 2), dtype=dtype)).dtype == dtype


def test_whole_numbers_become_floats():
    assert check_X(Map(), [[1, 2], [3, 4]]).dtype == np.float64


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (np.nan, "contains NaN: column 1 has 2 missing values, the first in row 2"),
        (np.inf, "contains infinity: column 1 is inf in row 2"),
        (-np.inf, "contains infinity: column 1 is -inf in row 2"),
        (1e200, r"column 1 of X is 1e\+200 in row 2, which is too large"),
    ],
)
def test_an_unusable_number_is_found_and_named(value, words):
    X = np.ones((5, 3))
    X[[2, 4], 1] = value
    with pytest.raises(ValueError, match=words):
        check_finite(X, owner="Map")


@pytest.mark.parametrize(("dtype", "scale"), [(float, 1e-160), (np.float32, 1e-22)])
def test_differences_whose_squares_are_lost_are_refused_in_a_fit(dtype, scale):
    X = np.ones((2000, 2))
    X[-1, 1] += 3 * np.finfo(dtype).eps
    check_X(Map(), X.astype(dtype))
    X[:, 1] = 0.0
    X[-1, 1] = scale
    with pytest.raises(ValueError, match=r"by at most 1e-.* too small .*Rescale"):
        check_X(Map(), X.astype(dtype))
    check_X(Map(), np.full((3, 2), scale).astype(dtype))


def test_missing_values_are_no_difference():
    X = np.array([[np.nan, 1e-200], [np.nan, np.nan], [1.0, 2e-200]])
    with pytest.raises(ValueError, match="differ by at most 1e-200"):
        check_X(Map(), X, allow_nan=True)


def test_a_column_is_named_by_its_name():
    with pytest.raises(ValueError, match="column 'age' has 1 missing value,"):
        check_finite(np.array([[1.0, np.nan]]), ["height", "age"], owner="Map")


def test_missing_values_pass_where_they_are_allowed_but_infinities_do_not():
    check_finite(np.array([[np.nan, 1.0]]), owner="Map", allow_nan=True)
    with pytest.raises(ValueError, match="infinity"):
        check_finite(np.array([[np.nan, np.inf]]), owner="Map", allow_nan=True)


def test_sparse_data_are_looked_through_as_well():
    X = sp.csr_array(np.array([[0.0, np.nan], [1.0, 0.0]]))
    with pytest.raises(ValueError, match="column 1 has 1 missing value"):
        check_finite(X, owner="Map")


# Beyond 2^53 floats leave whole numbers out.
LARGE = [2**53, 2**53 + 1, 2**53 + 2]


@pytest.mark.parametrize(
    "y",
    [
        LARGE,
        np.array(LARGE, dtype=object),
        pd.Series(LARGE),
        pd.Series(LARGE, dtype="Int64"),
        pd.Series(LARGE, dtype="int64[pyarrow]"),
        pd.Series(LARGE, dtype=object),
        pd.Series(LARGE, dtype="category"),
        pl.Series(LARGE),
        np.array(LARGE, dtype=np.uint64) + 2**63,
        pd.Series([label + 2**63 for label in LARGE], dtype="UInt64"),
        [0, *(label + 2**63 for label in LARGE[1:])],
    ],
)
def test_classes_keep_all_digits_of_whole_numbers(y):
    classes, indices = check_labels(y, 3, owner="GLVQ")
    assert classes.dtype.kind in "iu"
    assert classes[indices].tolist() == [int(label) for label in y]


def test_labels_beyond_64_bits_are_refused_before_they_are_rounded():
    with pytest.raises(InputError, match="do not fit into 64 bits"):
        check_labels([-1, 2**63], 2, owner="GLVQ")


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(["a", "b", None], dtype="string"),
        pd.Series(["a", "b", None], dtype="string[pyarrow]"),
        pd.Series(["a", "b", pd.NA], dtype=object),
        pd.Series([1, 2, None], dtype="Int64"),
        ["a", "b", float("nan")],
        ["a", "b", None],
        np.ma.masked_array([1, 2, 2], [False, False, True], fill_value=2),
        np.ma.masked_array(["a", "b", "b"], [False, False, True]),
    ],
)
def test_a_missing_label_is_named_however_it_is_marked(y):
    with pytest.raises(InputError, match="NaN or None, 1 in all, the first in row 2"):
        check_labels(y, 3, owner="GLVQ")


def test_labels_become_sorted_classes_and_indices():
    classes, indices = check_labels(["b", "a", "b"], 3, owner="Map")
    assert classes.tolist() == ["a", "b"]
    assert indices.tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, "requires y to be passed"),
        (["a", "b"], "X has 3 samples but y has 2 labels"),
        (["a", "a", "a"], "at least two classes, got 1 class"),
        (["a", None, "b"], "NaN or None, 1 in all, the first in row 1"),
        ([0.0, np.nan, 1.0], "NaN or None, 1 in all, the first in row 1"),
        ([0.1, 0.2, 0.35], "continuous numbers, not classes"),
        ([0.0, np.inf, 1.0], "infinity"),
        ([Enum("Kind", "oak elm").oak] * 3, r"contains labels, such as <Kind.oak: 1>"),
        (
            np.array(["a", 1, 2.5], dtype=object),
            "several kinds, such as 'a', 1, 2.5, which cannot be sorted. Make them",
        ),
    ],
)
def test_labels_that_are_no_classes_are_refused(y, words):
    y = np.array(y, dtype=object) if isinstance(y, list) and None in y else y
    with pytest.raises(ValueError, match=words):
        check_labels(y, 3, owner="Map")


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ([1.0, 2.0], "one number per sample"),
        ([1.0, -1.0, 1.0], "not negative, got -1 for sample 1"),
        ([1.0, np.nan, 1.0], "finite and not negative, got nan for sample 1"),
        ([0.0, 0.0, 0.0], "every sample_weight is zero"),
    ],
)
def test_wrong_weights_are_refused(weights, words):
    with pytest.raises(ValueError, match=words):
        check_sample_weight(weights, 3, owner="Map")


def test_no_weights_and_one_weight_mean_equal_weights():
    assert check_sample_weight(None, 3, owner="Map").tolist() == [1.0, 1.0, 1.0]
    assert check_sample_weight(2.0, 3, owner="Map").tolist() == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("D", "words"),
    [
        (csr_array(np.zeros((2, 2))), "is sparse. Pass D.toarray"),
        (np.ones((2, 3)), r"needs a square matrix.*shape \(2, 3\)"),
        ([[0.0, -1.0], [-1.0, 0.0]], "must not be negative, got -1 between samples 0"),
        ([[0.0, 1.0], [2.0, 0.0]], "must be symmetric, got 1 from sample 0 to 1 but 2"),
        ([[1.0, 0.5], [0.5, 1.0]], "itself must be 0, got 1 for sample 0.*similarity"),
        ([[0.0, np.nan], [np.nan, 0.0]], "contains NaN"),
    ],
)
def test_matrices_that_are_no_dissimilarities_are_refused(D, words):
    with pytest.raises(ValueError, match=words):
        check_dissimilarities(D, owner="Map")


def test_a_missing_package_is_named_with_its_extra():
    with pytest.raises(ImportError, match=r'pip install "labelscape\[plot\]"'):
        missing_extra("matplotlib", "plot", "plot_map")


@pytest.mark.parametrize("library", [pd.DataFrame, pl.DataFrame])
def test_columns_of_words_are_named_with_the_pipeline_that_takes_them(library):
    X = library({"age": [31, 58], "smokes": ["no", "yes"], "zone": ["a", "b"]})
    with pytest.raises(ValueError, match="'smokes', 'zone' of X are not num") as e:
        check_X(Map(), X)
    assert "OneHotEncoder(sparse_output=False), ['smokes', 'zone'])" in str(e.value)


def test_masked_numbers_are_missing_ones():
    X = np.ma.masked_array([[1, 2], [3, 4], [5, 9]], [[0, 0], [0, 0], [0, 1]])
    with pytest.raises(InputError, match=r"column 1 has 1 missing value.* row 2"):
        check_X(Map(), X)
    with pytest.raises(InputError, match=r"column 1 has 1 missing value.* row 2"):
        check_matrix(X, owner="trustworthiness")
    with pytest.raises(InputError, match="finite and not negative, got nan"):
        check_sample_weight(X[:, 1], 3, owner="Map")
    assert check_X(Map(), X[:2]).tolist() == [[1, 2], [3, 4]]


def test_functions_refuse_differences_whose_squares_are_lost_too():
    with pytest.raises(InputError, match="samples of X differ by at most 1e-300"):
        check_matrix([[0.0], [1e-300]], owner="trustworthiness")
