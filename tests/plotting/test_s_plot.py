"""The S-plot: covariance and correlation of each feature with the first axis."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from labelscape._core.errors import InputError
from labelscape.embeddings import LFDA, OPLSDA
from labelscape.plotting import plot_s


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer()
    return data.data[:150], data.target[:150], data.feature_names


def test_points_are_covariances_and_correlations_with_the_scores(cancer):
    X, y, _ = cancer
    model = OPLSDA(scaling="pareto").fit(X, y)
    points = np.asarray(plot_s(model, X).collections[0].get_offsets())
    t = model.scores_[:, 0]
    scaled = (X - X.mean(axis=0)) / np.sqrt(X.std(axis=0, ddof=1))
    covariances = [np.cov(t, column)[0, 1] for column in scaled.T]
    correlations = [np.corrcoef(t, column)[0, 1] for column in scaled.T]
    np.testing.assert_allclose(points[:, 0], covariances, rtol=1e-7)
    np.testing.assert_allclose(points[:, 1], correlations, rtol=1e-7)


def test_the_features_at_both_ends_are_named(cancer):
    X, y, names = cancer
    ax = plot_s(OPLSDA().fit(X, y), X, n_named=2, feature_names=names)
    places = np.asarray(ax.collections[0].get_offsets())[:, 0]
    ends = names[np.argsort(places)[[0, 1, -2, -1]]]
    assert {text.get_text() for text in ax.texts} == set(ends)


def test_a_constant_feature_has_no_correlation(cancer):
    X, y, _ = cancer
    X = np.column_stack([X, np.full(len(X), 7.0)])
    points = np.asarray(plot_s(OPLSDA().fit(X, y), X).collections[0].get_offsets())
    np.testing.assert_array_equal(points[-1], [0.0, 0.0])


def test_a_map_without_such_scores_is_refused(cancer):
    X, y, _ = cancer
    with pytest.raises((InputError, TypeError), match="Use PLSDA or OPLSDA"):
        plot_s(LFDA().fit(X, y), X)
