"""A function as metric means the same to every measure."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from tests.quality.cases import plain

from labelscape import quality

LABELED = (
    quality.class_trustworthiness,
    quality.class_continuity,
    quality.label_trustworthiness,
    quality.label_continuity,
    quality.distortion_by_class,
)
PLAIN = (
    quality.trustworthiness,
    quality.continuity,
    quality.q_nx,
    quality.r_nx,
    quality.auc_log_rnx,
    quality.sammon_stress,
    quality.stress_1,
    quality.spearman_rho,
    quality.pearson_r,
    quality.shepard_pairs,
)


def length(a, b):
    return np.linalg.norm(a - b)


def uphill(a, b):
    return max(b[0] - a[0], 0.0)


@pytest.mark.parametrize("measure", [*PLAIN, *LABELED])
def test_a_function_of_two_objects_gives_what_its_distances_give(measure):
    X, Y, y = plain()
    given = (X, Y, y) if measure in LABELED else (X, Y)
    assert_allclose(measure(*given, metric=length), measure(*given), rtol=1e-9)


@pytest.mark.parametrize("measure", [*PLAIN, *LABELED])
def test_an_asymmetric_function_is_refused(measure):
    X, Y, y = plain()
    given = (X, Y, y) if measure in LABELED else (X, Y)
    wanted = f"^{measure.__name__}: dissimilarities must be symmetric"
    with pytest.raises(ValueError, match=wanted):
        measure(*given, metric=uphill)


def test_votes_and_reports_take_it_too():
    X, Y, y = plain()
    assert quality.knn_accuracy(X, y, 3, length) == quality.knn_accuracy(X, y, 3)
    by_function, by_data = (
        quality.report(X, Y, y, metric=metric) for metric in (length, "euclidean")
    )
    for name, value in by_data.scores.items():
        assert_allclose(by_function.scores[name], value, rtol=1e-9)
    shares = quality.pointwise_distortion(X, Y, metric=length)
    assert_allclose(shares.stress, quality.pointwise_distortion(X, Y).stress)
