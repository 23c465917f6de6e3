import numpy as np
import openTSNE
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris

from labelscape._core.points.distances import nearest_neighbors
from labelscape.embeddings import KernelTSNE
from labelscape.embeddings.tsne._base import affinities, usual_perplexity

X, _ = load_iris(return_X_y=True)
SHORT = {"early_exaggeration_iter": 20, "max_iter": 30}


def test_affinities_of_euclidean_neighbours_are_those_of_opentsne():
    indices, distances = nearest_neighbors(X, 30)
    given = openTSNE.affinity.PerplexityBasedNN(X, perplexity=10, method="exact")
    P = affinities(distances, indices, 10)
    assert_allclose(P.sum(), 1.0)
    # Duplicates may stand in another order; their affinities are the same.
    assert_allclose(np.sort(P.data)[-500:], np.sort(given.P.data)[-500:], rtol=1e-6)


@pytest.mark.parametrize("init", ["pca", "spectral", "random", X[:, :2]])
def test_a_map_begins_where_it_is_told_to_and_is_the_same_for_one_seed(init):
    model = KernelTSNE(init=init, random_state=0, **SHORT)
    first = model.fit_transform(X)
    assert first.shape == (150, 2)
    assert_array_equal(first, model.fit_transform(X))


def test_a_wrong_start_is_refused():
    with pytest.raises(ValueError, match=r"init must contain .* \(150, 2\)"):
        KernelTSNE(init=X[:3, :2]).fit(X)


def test_the_settings_reach_opentsne():
    quiet = KernelTSNE(random_state=0, **SHORT).fit(X)
    assert quiet.n_iter_ == 50
    for setting in (
        {"exaggeration": 4},
        {"early_exaggeration": 4},
        {"learning_rate": 9},
    ):
        other = KernelTSNE(random_state=0, **SHORT, **setting).fit(X)
        assert np.abs(other.embedding_ - quiet.embedding_).max() > 1e-6


@pytest.mark.parametrize("last", [5, 25])
def test_a_callback_sees_each_iteration_and_may_stop_the_fit(last):
    news = []

    def watch(event):
        news.append(event)
        return event["iteration"] == last

    model = KernelTSNE(random_state=0, callback=watch, **SHORT).fit(X)
    assert [event["iteration"] for event in news] == list(range(1, last + 1))
    assert model.n_iter_ == last
    assert model.kl_divergence_ == news[-1]["kl_divergence"]
    assert news[-1]["embedding"].shape == (150, 2)
    assert model.transform(X).shape == (150, 2)


def test_watching_changes_nothing(capsys):
    quiet = KernelTSNE(random_state=0, **SHORT).fit(X)
    watched = KernelTSNE(random_state=0, verbose=True, **SHORT).fit(X)
    assert "KernelTSNE" in capsys.readouterr().out
    assert_array_equal(quiet.embedding_, watched.embedding_)
    assert_allclose(quiet.kl_divergence_, watched.kl_divergence_)


def test_a_perplexity_that_the_objects_are_too_few_for_is_refused():
    with pytest.raises(ValueError, match=r"below n_samples / 3 .* = 60\), got 20"):
        KernelTSNE(perplexity=20).fit(X[:60])


def test_without_a_perplexity_there_are_thirty_neighbours_or_what_objects_allow():
    assert [usual_perplexity(n) for n in (4, 61, 91, 1000)] == [1, 20, 30, 30]
    few = KernelTSNE(random_state=0, **SHORT).fit(X[::3])
    assert few.perplexity_ == pytest.approx(49 / 3)
    assert np.isfinite(few.embedding_).all()


def test_without_a_perplexity_a_map_of_many_is_that_of_thirty():
    left_open = KernelTSNE(random_state=0, **SHORT).fit(X)
    said = KernelTSNE(perplexity=30, random_state=0, **SHORT).fit(X)
    assert_array_equal(left_open.embedding_, said.embedding_)


def test_three_objects_are_too_few():
    with pytest.raises(ValueError, match=r"at least 4 samples \(n_samples = 3\)"):
        KernelTSNE().fit(X[:3])
    assert KernelTSNE(**SHORT).fit_transform(X[:4]).shape == (4, 2)


@pytest.mark.parametrize("scale", [1e-140, 1e-30, 1e30, 1e140])
def test_the_unit_of_the_features_does_not_matter(scale):
    indices, distances = nearest_neighbors(X, 30)
    P, scaled = (
        affinities(distances, indices, 10),
        affinities(scale * distances, indices, 10),
    )
    assert_allclose(scaled.toarray(), P.toarray(), rtol=1e-5, atol=1e-12)
    Z = KernelTSNE(random_state=0, **SHORT).fit(scale * X).transform(scale * X[:5])
    assert np.isfinite(Z).all()


def test_objects_that_are_all_the_same_are_no_obstacle():
    Z = KernelTSNE(perplexity=3, random_state=0, **SHORT).fit_transform(
        np.ones((20, 3))
    )
    assert np.isfinite(Z).all()


def test_maps_have_one_or_two_dimensions():
    assert KernelTSNE(1, random_state=0, **SHORT).fit_transform(X).shape == (150, 1)
    with pytest.raises(ValueError, match="n_components must be a whole number between"):
        KernelTSNE(3).fit(X)
