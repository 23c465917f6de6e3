"""Islands: planted groups are stable, and islands of noise are not."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import TSNE

from labelscape.embeddings import KernelTSNE
from labelscape.quality import Island, islands

SIZES = [90, 60, 30]


def planted(seed=0):
    """Return three heaps of different sizes, of two classes."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(3), SIZES)
    centers = np.zeros((3, 6))
    centers[[1, 2], [0, 1]] = 15.0
    X = rng.normal(size=(len(group), 6)) + centers[group]
    return X, np.array(["oak", "oak", "elm"])[group], group


@pytest.mark.parametrize(
    "estimator",
    [PCA(2), LinearDiscriminantAnalysis(), KernelTSNE(perplexity=15)],
)
def test_planted_groups_are_stable(estimator):
    X, y, group = planted()
    if isinstance(estimator, LinearDiscriminantAnalysis):
        y = group
    found = islands(estimator, X, y, n_resamples=4, random_state=0)
    assert [island.size for island in found] == SIZES
    assert {island.verdict for island in found} == {"stable"}
    for g, island in enumerate(found):
        assert_array_equal(island.members, np.flatnonzero(group == g))


@pytest.mark.parametrize("scale", [1e-150, 1e100])
def test_the_scale_of_the_data_does_not_matter(scale):
    X, y, _ = planted()
    found = islands(PCA(2), scale * X, y, n_resamples=1, random_state=0)
    assert [island.size for island in found] == SIZES


def test_islands_say_which_classes_they_hold():
    X, y, _ = planted()
    y[0] = "elm"
    first, *_, last = islands(PCA(2), X, y, n_resamples=2, random_state=0)
    assert first.classes == {"oak": 89, "elm": 1}
    assert (first.holds, last.holds) == ("oak (89), elm (1)", "elm (30)")


def test_labels_are_not_needed():
    X, *_ = planted()
    found = islands(PCA(2), X, n_resamples=2, random_state=0)
    assert [island.classes for island in found] == [{}, {}, {}]


def test_noise_is_of_one_piece():
    X = np.random.default_rng(0).normal(size=(200, 5))
    found = islands(PCA(2), X, random_state=0)
    assert len(found) == 0
    assert set(found.of_sample.tolist()) == {-1}
    assert "no islands" in str(found)


def test_islands_that_labels_have_made_of_noise_fall_apart():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 140)), rng.integers(3, size=150)
    found = islands(LinearDiscriminantAnalysis(), X, y, random_state=0)
    assert len(found) == 3
    assert {island.verdict for island in found} == {"falls apart"}


def test_an_island_of_one_patient_is_not_stable():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(30), 20)
    centers = np.zeros((30, 3))
    centers[0] = 30.0
    X = centers[patient] + rng.normal(size=(600, 3))
    alone = islands(PCA(2), X, groups=patient, random_state=0)
    assert [island.size for island in alone] == [580, 20]
    assert alone[1].verdict == "falls apart"
    assert islands(PCA(2), X, random_state=0)[1].verdict == "stable"


def test_a_map_that_was_given_is_the_one_that_is_judged():
    X, _, group = planted()
    Z = 40.0 * (group == 1)[:, None] + X[:, 2:4]
    found = islands(PCA(2), X, embedding=Z, n_resamples=3, random_state=0)
    assert [island.size for island in found] == [120, 60]


def test_a_map_that_cannot_place_new_points_gets_kernels_to_do_it():
    X, *_ = planted()
    found = islands(TSNE(perplexity=10), X, n_resamples=1, random_state=0)
    assert [island.size for island in found] == SIZES


def test_results_do_not_depend_on_the_number_of_processes():
    X, y, _ = planted()
    one, two = (
        islands(TSNE(perplexity=8), X, y, n_resamples=3, n_jobs=k, random_state=0)
        for k in (1, 2)
    )
    assert_array_equal(one.of_sample, two.of_sample)
    assert [a.stability for a in one] == [b.stability for b in two]


def test_of_many_objects_some_are_judged_and_all_have_an_island():
    X, y, group = planted()
    found = islands(PCA(2), X, y, max_samples=90, n_resamples=3, random_state=0)
    assert 80 <= found.n_judged <= 100
    assert "random rows of 180" in found.note
    assert_array_equal(found.of_sample, group)


def test_the_callback_hears_of_every_fit_and_can_end_it():
    X, y, _ = planted()
    heard = []
    islands(PCA(2), X, y, n_resamples=3, random_state=0, callback=heard.append)
    assert [news["fit"] for news in heard] == [1, 2, 3]
    assert all(news["stability"] == 1.0 for news in heard)
    found = islands(PCA(2), X, y, random_state=0, callback=lambda news: True)
    assert found.n_resamples == 1


def test_too_few_units_are_not_judged():
    found = islands(PCA(2), np.eye(12))
    assert str(found) == (
        "Islands were not tested: only 12 independent rows (or groups); at least 20 "
        "are needed."
    )


@pytest.mark.parametrize(
    ("stability", "verdict", "words"),
    [
        (0.914, "stable", "This island is stable (.91)."),
        (1.0, "stable", "This island is stable (1.00)."),
        (0.6, "doubtful", "This island is doubtful (.60)."),
        (
            0.38,
            "falls apart",
            "This island falls apart on other halves of the data (.38).",
        ),
    ],
)
def test_the_sentence_follows_from_the_record(stability, verdict, words):
    island = Island(np.arange(3), stability, {})
    assert (island.verdict, str(island)) == (verdict, words)


def test_an_island_of_one_cloud_says_so():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 5))
    side = X[:, 0] > 0.0
    drawn = np.c_[6.0 * side, np.zeros(300)] + 0.5 * X[:, 1:3]
    cut = islands(PCA(2), X, embedding=drawn, n_resamples=2, random_state=0)
    assert [island.is_cut for island in cut] == [True, True]
    assert "part of a continuous group: the data have no gap there." in str(cut[0])
    assert cut.finding.endswith("; 2 are part of a continuous group.")
    apart = np.c_[X[:, 0] + 8.0 * side, X[:, 1:]]
    found = islands(PCA(2), apart, n_resamples=2, random_state=0)
    assert [island.is_cut for island in found] == [False, False]
    assert "cloud" not in found.finding


def test_a_report_is_a_table_as_text_html_and_frame():
    X, y, _ = planted()
    y[y == "elm"] = "<b>"
    found = islands(PCA(2), X, y, n_resamples=2, random_state=0)
    assert "3 of 3 islands (clusters) are stable." in str(found)
    assert "&lt;b&gt; (30)" in found._repr_html_()
    assert found.to_frame()["size"].tolist() == SIZES


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"n_resamples": 0}, "n_resamples must be a whole number of at least 1"),
        ({"max_samples": 3}, "max_samples must be"),
        ({"groups": [1, 2]}, "groups must contain one value per sample"),
        ({"y": [0, 1]}, "y has 2 labels"),
        ({"embedding": np.zeros((3, 2))}, "embedding must be a table of numbers"),
        ({"X": np.full((40, 2), np.nan)}, "contains NaN"),
    ],
)
def test_wrong_arguments_are_named(changed, words):
    given = {"estimator": PCA(2), "X": planted()[0]} | changed
    with pytest.raises(ValueError, match=f"^islands: .*{words}"):
        islands(**given)


def test_what_is_no_map_is_refused():
    with pytest.raises(TypeError, match="islands: str has no fit"):
        islands("lda", planted()[0])
