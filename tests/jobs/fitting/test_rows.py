"""Maps that are fitted to landmarks, and the places of all rows."""

import json
from threading import Lock

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from tests.jobs.cases import table_of

from labelscape.datasets import load
from labelscape.jobs import map_record, map_scene
from labelscape.jobs._mapping import Effort, map_table


@pytest.fixture(scope="module")
def blobs():
    return table_of(*make_blobs(1500, 5, centers=4, cluster_std=4.0, random_state=0))


def test_a_map_is_fitted_to_landmarks_and_says_so(blobs):
    table = blobs
    effort = Effort(n_splits=1, n_refits=0, rows=300)
    result = map_table(table, "lfda", n_landmarks=200, effort=effort)
    assert len(result.fitted) == 200
    assert result.embedding.shape == (1500, 2)
    np.testing.assert_allclose(
        result.model.transform(table.X), result.embedding, atol=1e-10
    )
    assert result.fitted_words == (
        "Fitted to 200 of 1,500 rows; the others were placed on the map."
    )
    whole = result.honesty.whole
    assert (whole.n, whole.n_judged) == (1300, 1300)
    assert str(whole) in result.honesty.notes
    record = map_record(result)
    assert record["growth"] == [{"n_landmarks": 200, "gain": None}]
    assert record["honesty"]["whole"]["unseen"] == whole.unseen
    json.dumps(record)


def test_landmarks_grow_and_the_whole_is_known_within_a_tolerance(blobs, monkeypatch):
    monkeypatch.setattr("labelscape.embeddings.landmarks._growth.FIRST", 50)
    monkeypatch.setattr("labelscape.jobs._mapping.MANY_ROWS", 1000)
    heard = []
    result = map_table(
        blobs,
        "tsne",
        judge=False,
        n_landmarks="auto",
        tolerance=0.3,
        parameters={"early_exaggeration_iter": 5, "max_iter": 10, "perplexity": 5},
        callback=lambda news: heard.append(news),
    )
    sizes = [step.n_landmarks for step in result.growth]
    assert sizes[:2] == [50, 100]
    assert len(result.fitted) == sizes[-1]
    assert 0.0 < result.quality.within <= 0.3
    within = f"and the whole is shown within ± {result.quality.within:.2g}. Landmarks"
    assert within in result.fitted_words
    assert "grew from 50; their last step gained" in result.fitted_words
    assert heard
    assert result.model[-1].callback is None
    own = result.model[-1].embedding_
    np.testing.assert_array_equal(result.embedding[result.fitted], own)
    np.testing.assert_array_equal(
        map_scene(result).maps[0].positions, result.embedding.astype(np.float32)
    )
    assert map_record(result)["quality_intervals"] == result.quality.intervals


def test_a_map_that_places_nothing_has_landmarks_with_kernels():
    result = map_table(load("iris"), "wmds", judge=False, n_landmarks=60)
    assert type(result.model[-1]).__name__ == "KernelMap"
    assert len(result.fitted) == 60


def test_the_cross_fitted_map_is_fitted_to_all_landmarks():
    result = map_table(
        load("iris"),
        "crossfit",
        judge=False,
        n_landmarks=90,
        parameters={"early_exaggeration_iter": 5, "max_iter": 5, "focus": 0.5},
    )
    assert len(result.model[-1].train_indices_) == len(result.fitted) == 90


def test_a_number_of_landmarks_that_is_none_is_refused():
    with pytest.raises(ValueError, match="n_landmarks must be 'auto', or a whole"):
        map_table(load("iris"), "lda", n_landmarks="many")
    with pytest.raises(ValueError, match="tolerance must be"):
        map_table(load("iris"), "lda", tolerance=0.0)


def test_a_callback_with_all_that_belongs_to_it_is_told_of_landmarks():
    class Listener:
        def __init__(self):
            self.lock, self.told = Lock(), 0  # a lock can not be copied

        def hear(self, news):
            self.told += 1

    listener = Listener()
    wish = {"judge": False, "n_landmarks": 60, "callback": listener.hear}
    result = map_table(load("iris"), "sammon", **wish)
    assert listener.told > 3
    assert result.model[-1].get_params().get("callback") is None


def test_a_sample_is_not_larger_than_the_whole():
    with pytest.raises(ValueError, match="n_whole must be at least the number of rows"):
        map_table(load("iris"), "lda", n_landmarks=60, n_whole=20)
