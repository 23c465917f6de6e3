import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from labelscape._core import checks
from labelscape._core.checks import check_same_columns, named_as

X = np.arange(6.0).reshape(3, 2)


def test_a_model_fitted_to_a_data_frame_gets_one_again():
    pd = pytest.importorskip("pandas")
    scaler = StandardScaler().fit(pd.DataFrame(X, columns=["a", "b"]))
    assert named_as(scaler, X).columns.tolist() == ["a", "b"]
    # Warnings are errors here: scikit-learn would warn of missing names.
    scaler.transform(named_as(scaler, X))


@pytest.mark.parametrize("there", ["polars", None])
def test_names_need_no_pandas(monkeypatch, there):
    pl = pytest.importorskip("polars")
    scaler = StandardScaler().fit(pl.DataFrame({"a": X[:, 0], "b": X[:, 1]}))
    monkeypatch.setattr(checks, "find_spec", lambda name: name == there)
    named = named_as(scaler, X)
    assert isinstance(named, np.ndarray if there is None else pl.DataFrame)
    np.testing.assert_array_equal(np.asarray(named), X)


def test_others_get_an_array():
    for model in (StandardScaler().fit(X), len):
        np.testing.assert_array_equal(named_as(model, X), X)


@pytest.mark.parametrize("names", [None, ["a", "b"]])
def test_a_model_that_works_in_place_gets_a_copy(names):
    pd = pytest.importorskip("pandas")
    mine = X.copy()
    table = X.copy() if names is None else pd.DataFrame(X.copy(), columns=names)
    scaler = StandardScaler(copy=False).fit(table)
    scaler.transform(named_as(scaler, mine))
    np.testing.assert_array_equal(mine, X)


def test_of_another_number_of_columns_nothing_is_named():
    pd = pytest.importorskip("pandas")
    scaler = StandardScaler().fit(pd.DataFrame(X, columns=["a", "b"]))
    np.testing.assert_array_equal(named_as(scaler, X[:, :1]), X[:, :1])


class Named:
    def __init__(self, names=None):
        if names is not None:
            self.feature_names_in_ = np.array(names, dtype=object)


@pytest.mark.parametrize(
    ("ours", "theirs"), [("ab", "ab"), (None, "ab"), ("ab", None), (None, None)]
)
def test_equal_columns_and_columns_without_names_pass(ours, theirs):
    listed = [None if names is None else list(names) for names in (ours, theirs)]
    check_same_columns(Named(listed[0]), Named(listed[1]), called="the scaler")


@pytest.mark.parametrize(
    ("ours", "words"),
    [
        (
            "bac",
            "column 0 is 'b', but it was 'a' in the fit. Reorder the",
        ),
        (
            "abd",
            "X lacks 'c' and the fit did not use 'd'. Pass X with the columns in",
        ),
        ("ab", "fitted to: X lacks 'c'. Pass X"),
        ("abcdefghi", "the fit did not use 'd', 'e', 'f', 'g', 'h' and 1 more"),
    ],
)
def test_other_columns_are_named(ours, words):
    with pytest.raises(ValueError, match=f"^Named: the columns of X.*{words}"):
        check_same_columns(Named(list(ours)), Named(list("abc")), called="the scaler")
