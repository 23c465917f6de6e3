"""The LVQ family on chunks: the same fit, the same answers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from tests.prototypes.lvq.cases import FAMILY, blobs

from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    LBFGS,
    LGMLVQ,
    SGD,
    LiRaMLVQ,
    LocalLiRaMLVQ,
)

da = pytest.importorskip("dask.array", reason="labelscape[dask] is not installed")
dd = pytest.importorskip("dask.dataframe", reason="labelscape[dask] is not installed")
pd = pytest.importorskip("pandas")

every_model = pytest.mark.parametrize("model", FAMILY)


def wine():
    X, y = load_wine(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    return StandardScaler().fit_transform(X)[order], y[order]


def chunked(X, y, chunks=50):
    return da.from_array(X, chunks=(chunks, 7)), da.from_array(y, chunks=chunks)


def learned(model):
    """Return what a fit has learned, by name; the search for the temperature ends
    where its cost is flat.
    """
    kept = {k: v for k, v in vars(model).items() if k.endswith("_") and k[0] != "_"}
    for name in ("temperature_", "classes_", "prototype_labels_"):
        kept.pop(name)
    return kept


def assert_alike(found, expected, tolerance=1e-9):
    assert found.classes_.tolist() == expected.classes_.tolist()
    assert found.prototype_labels_.tolist() == expected.prototype_labels_.tolist()
    assert found.temperature_ == pytest.approx(expected.temperature_, rel=1e-5)
    assert found._is_sample.tolist() == expected._is_sample.tolist()
    ours, theirs = learned(found), learned(expected)
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        assert_allclose(ours[name], value, atol=tolerance, err_msg=name)


@every_model
@pytest.mark.parametrize("per_class", [1, 3])
def test_chunks_are_learned_as_if_they_were_in_memory(model, per_class):
    X, y = wine()
    one = model(per_class, max_iter=15, random_state=0)
    expected = one.fit(X, y)
    found = model(per_class, max_iter=15, random_state=0).fit(*chunked(X, y))
    assert_alike(found, expected)
    assert found.prototypes_.dtype == expected.prototypes_.dtype


@pytest.mark.parametrize(
    "options",
    [
        {"solver": LBFGS(n_init=3), "null_space_correction": True},
        {"class_weight": "balanced", "matrix_init": "pca"},
        {"class_weight": {0: 2.0, 1: 0.5}, "prototype_init": "random"},
        {"regularization": 0.1, "prototypes_per_class": {0: 2, 2: 3}},
    ],
)
def test_all_ways_to_start_and_to_weight_are_those_of_a_fit_in_memory(options):
    X, y = wine()
    weights = np.arange(len(y)) % 3
    expected = LiRaMLVQ(**options, max_iter=10, random_state=0).fit(X, y, weights)
    found = LiRaMLVQ(**options, max_iter=10, random_state=0).fit(
        *chunked(X, y), da.from_array(weights, chunks=30)
    )
    assert_alike(found, expected)


def test_missing_values_are_left_out_chunk_by_chunk():
    X, y = wine()
    X[::7, 3], X[::5, 1] = np.nan, np.nan
    for model in (GMLVQ, LocalLiRaMLVQ):
        given = {"missing": "ignore", "max_iter": 8, "random_state": 0}
        expected = model(**given).fit(X, y)
        assert_alike(model(**given).fit(*chunked(X, y)), expected)
    X[120] = np.nan
    with pytest.raises(ValueError, match="Sample 120 has no value at all"):
        GLVQ(missing="ignore").fit(*chunked(X, y))


def test_single_precision_stays_single():
    X, y = wine()
    X = X.astype(np.float32)
    expected = LiRaMLVQ(max_iter=5, random_state=0).fit(X, y)
    found = LiRaMLVQ(max_iter=5, random_state=0).fit(*chunked(X, y))
    assert found.prototypes_.dtype == found.omega_.dtype == np.float32
    assert_alike(found, expected, tolerance=1e-4)


def test_a_data_frame_gives_its_names_and_may_not_know_its_sizes():
    X, y = wine()
    names = [f"feature {j}" for j in range(X.shape[1])]
    frame = pd.DataFrame(X, columns=names)
    labels = pd.Series(np.array(["ash", "elm", "oak"])[y])
    expected = LiRaMLVQ(max_iter=10, random_state=0).fit(frame, labels)
    table = dd.from_pandas(frame.assign(kind=labels), npartitions=4)
    table = table[table["feature 0"] < 10]  # nobody knows how many are left
    found = LiRaMLVQ(max_iter=10, random_state=0).fit(table[names], table["kind"])
    assert found.feature_names_in_.tolist() == names
    kept = vars(expected).pop("feature_names_in_"), vars(found).pop("feature_names_in_")
    assert_alike(found, expected)
    vars(found)["feature_names_in_"] = kept[0]
    score = found.score(table[names], table["kind"])
    assert score == pytest.approx(found.score(frame, labels))
    with pytest.raises(ValueError, match="feature names should match"):
        found.predict(table[names[::-1]])


def test_the_last_bits_depend_on_the_chunks_and_not_on_the_threads():
    import dask

    X, y = wine()
    found = []
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler, num_workers=4):
            model = LGMLVQ(max_iter=6, random_state=0).fit(*chunked(X, y, 20))
        found.append(model.local_matrices_.tobytes() + model.prototypes_.tobytes())
    assert found[0] == found[1]


@pytest.mark.parametrize("model", [GLVQ, LocalLiRaMLVQ])
def test_online_training_goes_over_the_chunks_in_a_seeded_order(model):
    X, y = blobs(90)
    table = chunked(X, y, 20)
    given = {"solver": SGD(matrix_epoch=3), "max_iter": 12, "random_state": 0}
    first, again = (model(**given).fit(*table) for _ in range(2))
    other = model(**{**given, "random_state": 1}).fit(*table)
    assert first.prototypes_.tobytes() == again.prototypes_.tobytes()
    assert first.prototypes_.tobytes() != other.prototypes_.tobytes()
    assert first.score(X, y) > model(**given).fit(X, y).score(X, y) - 0.06


def test_callbacks_and_the_model_so_far_are_there_for_chunks():
    X, y = wine()
    seen = []
    model = GLVQ(max_iter=4, callback=seen.append, random_state=0).fit(*chunked(X, y))
    assert [news["iteration"] for news in seen] == [1, 2, 3, 4]
    assert [news["loss"] for news in seen] == model.loss_curve_


def test_held_out_objects_are_watched_in_memory():
    X, y = wine()
    table = chunked(X, y)
    model = GLVQ(max_iter=4, random_state=0).fit(*table, validation=(X[:30], y[:30]))
    assert len(model.validation_curve_) == model.n_iter_
    with pytest.raises(TypeError, match="validation must be in memory"):
        GLVQ().fit(*table, validation=table)


def test_a_fit_goes_on_where_the_last_one_ended():
    X, y = wine()
    model = GMLVQ(warm_start=True, max_iter=5, random_state=0).fit(*chunked(X, y))
    cost = model.loss_curve_[-1]
    assert model.fit(*chunked(X, y)).loss_curve_[0] < cost


def test_labels_that_say_nothing_are_noticed_in_chunks():
    from labelscape.embeddings import LabelsSayNothing

    X = np.random.default_rng(0).normal(size=(300, 5))
    with pytest.warns(LabelsSayNothing):
        LiRaMLVQ(max_iter=2).fit(*chunked(X, np.arange(300) % 2, 100))


def test_objects_for_which_there_is_no_room_are_read_again_each_time(monkeypatch):
    from labelscape._core.rows import chunks

    X, y = wine()
    reads = []

    def read(block):
        reads.append(len(block))
        return block

    def fitted(bytes_kept):
        monkeypatch.setattr(chunks, "BYTES_KEPT", bytes_kept)
        reads.clear()
        table = da.from_array(X, chunks=(60, 13)).map_blocks(read, meta=X[:0])
        model = GLVQ(max_iter=5, random_state=0).fit(table, y)
        return model.prototypes_.tobytes(), len(reads)

    (kept, few), (read_again, many) = fitted(2**30), fitted(0)
    assert kept == read_again
    assert few == 2 * 3 < many  # a look, and the objects as they are kept
