"""Methods for chunked samples are lazy, and have the results of data in memory."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from labelscape.boundary import ClassifierMap
from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.embeddings import LFDA, KernelMap, Sammon
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GLVQ, LiRaMLVQ, PushAndGrow

da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")
dd = pytest.importorskip("dask.dataframe", reason="labelscape[dask] is not installed")
pd = pytest.importorskip("pandas")

X, Y = load_iris(return_X_y=True)
X = StandardScaler().fit_transform(X)
LABELS = np.array(["ash", "elm", "oak"], dtype="<U3")[Y]
SEEN, NEW = np.arange(150) % 2 == 0, np.arange(150) % 2 == 1
CASES = [
    (LiRaMLVQ(max_iter=5, random_state=0), "predict"),
    (LiRaMLVQ(max_iter=5, random_state=0), "predict_proba"),
    (LiRaMLVQ(max_iter=5, random_state=0), "decision_function"),
    (LiRaMLVQ(max_iter=5, random_state=0), "transform"),
    (PushAndGrow(), "predict"),
    (LFDA(), "transform"),
    (KernelMap(Sammon(max_iter=3, random_state=0)), "transform"),
    (FisherMetric(random_state=0), "predict_proba"),
    (FisherMetric(random_state=0), "kneighbors"),
    (CrossFit(GLVQ(max_iter=3, random_state=0), 2, random_state=0), "predict_proba"),
    (CrossFit(GLVQ(max_iter=3, random_state=0), 2, random_state=0), "predict"),
    (RandomFeatureClassifier(random_state=0), "predict_proba"),
]


def several(found):
    return found if isinstance(found, tuple) else (found,)


@pytest.mark.parametrize(
    ("model", "method"), CASES, ids=[f"{type(m).__name__}-{n}" for m, n in CASES]
)
def test_answers_are_lazy_and_those_of_objects_in_memory(model, method):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X[SEEN], LABELS[SEEN])
    known = da.from_array(X[NEW], chunks=((40, 20, 15), (3, 1)))
    frame = dd.from_pandas(pd.DataFrame(X[NEW]), npartitions=3)
    unknown = frame.to_dask_array()
    expected = several(getattr(model, method)(X[NEW]))
    for table, sizes in ((known, (40, 20, 15)), (unknown, 3 * (np.nan,))):
        found = several(getattr(model, method)(table))
        for ours, theirs in zip(found, expected, strict=True):
            assert isinstance(ours, da.Array)
            np.testing.assert_array_equal(ours.chunks[0], sizes)
            assert ours.dtype == theirs.dtype
            assert ours.shape[1:] == theirs.shape[1:]
            values = ours.compute(scheduler="synchronous")
            if theirs.dtype.kind == "f":
                np.testing.assert_allclose(values, theirs, rtol=1e-9, atol=1e-12)
            else:
                np.testing.assert_array_equal(values, theirs)


def test_nothing_is_computed_before_somebody_asks():
    def read(block):
        raise AssertionError("nobody asked")

    model = LiRaMLVQ(max_iter=2, random_state=0).fit(X, Y)
    table = da.from_array(X, chunks=(50, 4)).map_blocks(read, meta=np.empty((0, 0)))
    lazy = model.transform(table)
    with pytest.raises(AssertionError, match="nobody asked"):
        lazy.compute(scheduler="synchronous")


def test_the_model_is_in_the_graph_once_for_all_chunks():
    import pickle

    model = KernelMap(Sammon(max_iter=2, random_state=0)).fit(X)
    size = len(pickle.dumps(model))
    few, many = (
        dict(model.transform(da.zeros((400, 4), chunks=(rows, 4))).__dask_graph__())
        for rows in (200, 4)
    )
    grown = len(pickle.dumps(many)) - len(pickle.dumps(few))
    assert grown < 98 * size / 10


def test_a_model_that_is_fitted_anew_does_not_change_what_was_asked_before():
    model = GLVQ(max_iter=3, random_state=0).fit(X, Y)
    expected, lazy = model.predict(X), model.predict(da.from_array(X, chunks=50))
    model.fit(-X, Y)
    np.testing.assert_array_equal(lazy.compute(scheduler="synchronous"), expected)


def test_other_columns_are_refused_at_once_and_values_when_they_are_seen():
    model = GLVQ(max_iter=2).fit(X, Y)
    with pytest.raises(ValueError, match="X has 3 features, but GLVQ is expecting 4"):
        model.predict(da.from_array(X[:, :3]))
    gaps = X.copy()
    gaps[77, 2] = np.nan
    lazy = model.predict(da.from_array(gaps, chunks=(50, 4)))
    words = r"column 2 has 1 missing value, the first in row 27.* of chunk 1 of X"
    with pytest.raises(ValueError, match=words):
        lazy.compute(scheduler="synchronous")


def test_empty_chunks_stay_empty():
    model = LiRaMLVQ(max_iter=2, random_state=0).fit(X, Y)
    table = da.from_array(X, chunks=((0, 100, 50), (4,)))
    for method in ("predict", "transform"):
        found = getattr(model, method)(table).compute(scheduler="synchronous")
        np.testing.assert_array_equal(found, getattr(model, method)(X))


def test_a_score_is_the_share_of_all_chunks_together():
    model = GLVQ(max_iter=2, random_state=0).fit(X, Y)
    weights = np.arange(150) % 4
    table, y = da.from_array(X, chunks=(40, 4)), da.from_array(Y, chunks=70)
    assert model.score(table, y) == pytest.approx(model.score(X, Y))
    found = model.score(table, y, da.from_array(weights, chunks=60))
    assert found == pytest.approx(model.score(X, Y, weights))


def test_pictures_of_classifiers_place_chunks_too():
    picture = ClassifierMap(GLVQ(max_iter=2).fit(X, Y), resolution=20).fit(X)
    table = da.from_array(X[NEW], chunks=(40, 4))
    found = picture.transform(table).compute(scheduler="synchronous")
    np.testing.assert_allclose(found, picture.transform(X[NEW]), atol=1e-9)


def test_what_works_in_memory_says_that_it_gathers_all_chunks():
    from labelscape._core.errors import InputWarning

    table = dd.from_pandas(pd.DataFrame(X, columns=list("abcd")), npartitions=2)
    with pytest.warns(InputWarning, match="PushAndGrow works in memory, so all chunks"):
        model = PushAndGrow().fit(table, da.from_array(Y, chunks=50))
    assert model.feature_names_in_.tolist() == list("abcd")
    expected = PushAndGrow().fit(X, Y).prototypes_
    np.testing.assert_array_equal(model.prototypes_, expected)
