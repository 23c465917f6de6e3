"""Chunks of X, with labels and weights in the same chunks."""

from itertools import pairwise

import numpy as np
import pytest

from labelscape._core.rows.any_rows import rows_of
from labelscape._core.rows.chunks import computed, task, tree
from labelscape.prototypes import GLVQ

da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")
dd = pytest.importorskip("dask.dataframe", reason="labelscape[dask] is not installed")
pd = pytest.importorskip("pandas")

X = np.random.default_rng(0).normal(size=(100, 3))
CODES = np.arange(100) % 2
Y = np.array(["ash", "elm"])[CODES]
WEIGHTS = np.linspace(0.5, 1.5, 100)


def unknown(array, chunks):
    """Return a Dask array with unknown chunk lengths."""
    frame = pd.DataFrame(array) if array.ndim == 2 else pd.Series(array)
    starts = np.concatenate([[0], np.cumsum(chunks)])
    parts = [frame.iloc[a:b] for a, b in pairwise(starts)]
    return dd.from_map(lambda part: part, parts, meta=frame.iloc[:0]).to_dask_array()


def gathered(*given):
    """Return all samples of chunked data as one array."""
    return rows_of(GLVQ(), *given).thinned(10**9)


@pytest.mark.parametrize("of_y", [(30, 30, 30, 10), (55, 45), (1, 98, 1), (0, 100)])
@pytest.mark.parametrize("is_known", [True, False])
def test_labels_and_weights_are_cut_as_x_is(of_y, is_known):
    make = (lambda a, c: da.from_array(a, chunks=(c,))) if is_known else unknown
    table = da.from_array(X, chunks=((30, 30, 40), (2, 1)))
    table = table if is_known else unknown(X, (30, 30, 40))
    found = gathered(table, make(CODES, of_y), make(WEIGHTS, (60, 40)))
    np.testing.assert_array_equal(found.X, X)
    np.testing.assert_array_equal(found.codes, CODES)
    np.testing.assert_allclose(found.shares, WEIGHTS / WEIGHTS.sum(), rtol=1e-13)


def test_labels_and_weights_may_be_in_memory():
    for y in (Y, list(Y), pd.Series(Y, index=np.arange(100)[::-1])):
        found = gathered(unknown(X, (0, 70, 0, 30)), y, WEIGHTS)
        np.testing.assert_array_equal(found.codes, Y == "elm")
        np.testing.assert_allclose(found.shares, WEIGHTS / WEIGHTS.sum(), rtol=1e-13)


def test_a_frame_of_one_column_is_a_column():
    frame = dd.from_pandas(pd.DataFrame({"kind": Y}), npartitions=3)
    np.testing.assert_array_equal(gathered(da.asarray(X), frame).codes, Y == "elm")


def test_a_sample_is_the_one_of_the_whole():
    chunks = rows_of(GLVQ(), unknown(X, (33, 1, 0, 66)), Y)
    np.testing.assert_array_equal(chunks.thinned(15).X, X[::7])
    elms = X[Y == "elm"]
    np.testing.assert_array_equal(chunks.of_class(1, np.arange(0, 50, 3)).X, elms[::3])
    some = chunks.sampled(20)
    assert np.bincount(some.codes).tolist() == [10, 10]


def test_objects_of_weight_0_are_not_there():
    weights = (np.arange(100) >= 40) * 1.0
    chunks = rows_of(GLVQ(), unknown(X, (30, 30, 40)), Y, weights)
    np.testing.assert_array_equal(chunks.thinned(100).X, X[40:])
    np.testing.assert_array_equal(chunks.ranges[0], X[40:].min(axis=0))


def test_sums_are_added_in_an_order_that_depends_on_nothing_but_their_number():
    parts = [task(str, k) for k in range(11)]
    found = computed([tree(lambda a, b: f"({a}{b})", parts)])[0]
    eight, three = "(((((((01)2)3)4)5)6)7)", "((89)10)"
    assert found == f"({eight}{three})"


def dropped(values, row, value):
    changed = np.array(values, dtype=object if value is None else None)
    changed[row] = value
    return changed


@pytest.mark.parametrize(
    ("table", "y", "weights", "message"),
    [
        (X, Y[:90], None, "X has 100 samples but y has 90 labels"),
        (X, da.from_array(Y[:90]), None, "X has 100 samples but y has 90 labels"),
        (dropped(X, (77, 1), np.nan), Y, None, "column 1 has 1 missing value, the fi"
         "rst in row 77"),
        (dropped(X, (77, 1), np.inf), Y, None, "column 1 is inf in row 77"),
        (dropped(X, (77, 1), 1e200), Y, None, "is 1e+200 in row 77"),
        (X, dropped(Y, slice(70, 73), None), None, "3 in all, the first in row 70"),
        (X, np.zeros(100, dtype=int), None, "at least two classes, got 1 class: 0"),
        (X, WEIGHTS, None, "y contains continuous numbers"),
        (X, None, None, "requires y to be passed"),
        (X, Y, WEIGHTS[:90], r"sample_weight must contain one number per sample (100)"),
        (X, Y, dropped(WEIGHTS, 77, -1.0), "got -1 for sample 77"),
        (X, Y, np.zeros(100), "every sample_weight is zero"),
        (X, Y, (Y == "elm") * 1.0, "all samples of class 'ash' have weight 0"),
        (X[:, 0], Y, None, "X must be a table"),
        (1e-200 * X, Y, None, "differ by"),
        (X, dd.from_pandas(pd.DataFrame({"a": Y, "b": Y}), npartitions=2), None,
         "y must be one column, got a data frame of 2 ('a', 'b')"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_as_if_it_were_in_memory(
    table, y, weights, message
):
    table = da.from_array(table, chunks=(30, *table.shape[1:]))
    with pytest.raises(ValueError, match=r"^GLVQ") as refused:
        GLVQ().fit(table, y, weights)
    assert message in str(refused.value)


def test_labels_of_several_kinds_are_refused_even_in_chunks_of_their_own():
    numbers, words = da.from_array(np.arange(50) % 2), da.from_array(Y[:50])
    parts = [block for one in (numbers, words) for block in one.to_delayed()]
    y = da.concatenate([da.from_delayed(p, (50,), dtype=object) for p in parts])
    with pytest.raises(ValueError, match="mixes labels of several kinds"):
        GLVQ().fit(da.from_array(X, chunks=(50, 3)), y)


def test_what_is_no_table_of_dask_is_refused():
    from dask import delayed

    with pytest.raises(TypeError, match=r"X is a Dask Delayed\w*\. Pass an array"):
        GLVQ().fit(delayed(X), Y)


def test_columns_of_text_are_refused_by_name():
    frame = pd.DataFrame({"size": X[:, 0], "kind": Y})
    with pytest.raises(ValueError, match="X must be an array of numbers"):
        GLVQ().fit(dd.from_pandas(frame, npartitions=2), Y)


def test_labels_of_one_column_in_memory_are_labels():
    table = da.from_array(X, chunks=(50, 3))
    wanted = GLVQ(max_iter=2, random_state=0).fit(table, Y).prototypes_
    for labels in (Y[:, None], pd.DataFrame({"kind": Y})):
        with pytest.warns(Warning, match="column-vector"):
            found = GLVQ(max_iter=2, random_state=0).fit(table, labels)
        np.testing.assert_array_equal(found.prototypes_, wanted)
    with pytest.raises(ValueError, match="sample_weight must have one value for each"):
        GLVQ().fit(table, Y, sample_weight=WEIGHTS[:, None])


def test_a_column_is_no_table_and_no_objects_have_no_score():
    frame = pd.DataFrame(X, columns=list("abc")).assign(kind=Y)
    table = dd.from_pandas(frame, npartitions=2)
    model = GLVQ(max_iter=2).fit(table[list("abc")], table["kind"])
    with pytest.raises(ValueError, match=r"X must be a table, .* got a Dask Series"):
        model.predict(table["a"])
    none = table[table["a"] > 1e9]
    with pytest.raises(ValueError, match="X has no samples"):
        model.score(none[list("abc")], none["kind"])


def test_what_could_hold_chunks_and_does_not_is_in_memory():
    class Wrapped:
        """A wrapper of a NumPy array, like arrays of xarray."""

        shape, ndim, dtype = X.shape, 2, X.dtype

        def __dask_graph__(self):
            return None

        def __array__(self, dtype=None, copy=None):
            return X.astype(dtype or X.dtype)

    assert GLVQ(max_iter=2).fit(Wrapped(), Y).predict(Wrapped()).shape == (100,)
