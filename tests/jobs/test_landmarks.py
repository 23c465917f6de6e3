"""Maps that are fitted to landmarks, and the places of all rows."""

import json
from threading import Lock

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from tests.jobs.cases import table_of

from labelscape.datasets import load
from labelscape.jobs.map import Effort, map_table


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
    placed = result.honesty.placed
    assert (placed.n, placed.n_judged) == (1300, 1300)
    assert str(placed) in result.honesty.notes
    record = result.record()
    assert record["honesty"]["placed"]["unseen"] == placed.unseen
    json.dumps(record)


def test_many_rows_are_measured_with_an_interval(blobs, monkeypatch):
    monkeypatch.setattr("labelscape.jobs.map.MANY_ROWS", 1000)
    sample = {"n_samples": 300, "max_pairs": 10_000}
    monkeypatch.setattr("labelscape.jobs.map.SAMPLED", sample)
    heard = []
    result = map_table(
        blobs,
        "tsne",
        judge=False,
        n_landmarks=100,
        parameters={"early_exaggeration_iter": 5, "max_iter": 10, "perplexity": 5},
        callback=lambda news: heard.append(news),
    )
    assert len(result.fitted) == 100
    assert 0.0 < result.quality.within <= 0.3
    within = f". The quality scores are accurate to ± {result.quality.within:.2g}."
    assert within in result.fitted_words
    assert heard
    assert result.model[-1].callback is None
    own = result.model[-1].embedding_
    np.testing.assert_array_equal(result.embedding[result.fitted], own)
    np.testing.assert_array_equal(
        result.scene().maps[0].positions, result.embedding.astype(np.float32)
    )
    assert result.record()["quality_intervals"] == result.quality.intervals


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
    with pytest.raises(ValueError, match="n_landmarks must be a whole"):
        map_table(load("iris"), "lda", n_landmarks="many")


def test_a_callback_with_all_that_belongs_to_it_is_told_of_landmarks():
    class Listener:
        def __init__(self):
            self.lock, self.told = Lock(), 0  # a lock cannot be copied

        def hear(self, news):
            self.told += 1

    listener = Listener()
    wish = {"judge": False, "n_landmarks": 60, "callback": listener.hear}
    result = map_table(load("iris"), "sammon", **wish)
    assert listener.told > 3
    assert result.model[-1].get_params().get("callback") is None


def test_a_sample_is_not_larger_than_the_whole():
    with pytest.raises(ValueError, match="n_population must be at least the number"):
        map_table(load("iris"), "lda", n_landmarks=60, n_population=20)
