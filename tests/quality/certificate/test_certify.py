"""Certificates of finished maps: fitted maps, maps of labels, and hard input."""

import numpy as np
import pytest
from numpy.random import RandomState
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_digits, load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from labelscape._core.columns import far_cells, without_far_cells
from labelscape._resampling.classifiers import discriminant_answers, linear_answers
from labelscape._resampling.trial import Split
from labelscape.quality import certify
from labelscape.quality.certificate.certify import (
    PredictedPlaces,
)


def table(n=120, d=6, apart=0.0, seed=0, n_classes=2):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, d))
    X[:, 0] += apart * y
    return X, y


def drawn_apart(y, seed=0):
    rng = np.random.default_rng(seed)
    return np.c_[5.0 * y, 0.0 * y] + rng.normal(size=(len(y), 2))


@pytest.fixture(scope="module")
def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def test_an_honest_map_is_real(wine):
    X, y = wine
    found = certify(X, PCA(2, random_state=0).fit_transform(X), y, random_state=0)
    assert (found.verdict.real, found.verdict.kept) == ("yes", "all")
    assert found.p_value == 0.002  # twice the smallest one
    assert "at positions predicted from the data" in str(found.verdict)
    assert "at least" in found.verdict.lights[1].figure
    assert len(found.misplaced) < 5
    assert np.isfinite(found.place_errors).all()
    assert found.points.tried.max() == 5


def test_a_map_that_shows_little_keeps_little():
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    found = certify(X, PCA(2, random_state=0).fit_transform(X), y, random_state=0)
    assert (found.verdict.real, found.verdict.kept) == ("yes", "little")
    assert abs(found.unseen - found.seen) < 0.06


@pytest.mark.parametrize("seed", range(6))
def test_a_map_drawn_by_labels_of_noise_is_not_real(seed):
    X, y = table(seed=seed)
    found = certify(X, drawn_apart(y, seed), y, random_state=seed)
    assert found.seen > 0.95
    assert found.verdict.real == "no"
    assert "At their drawn positions" in str(found.verdict)
    assert len(found.misplaced) > 40


@pytest.mark.parametrize("seed", range(4))
def test_a_map_without_the_data_is_not_real_however_well_these_separate(seed):
    X, y = table(n=200, d=5, apart=6.0, seed=seed, n_classes=3)
    Z = np.random.default_rng(seed).normal(size=(len(X), 2))
    found = certify(X, Z, y, random_state=0)
    assert found.original > 0.95
    assert found.unseen < 0.45
    assert found.verdict.real == "no"


@pytest.mark.slow
def test_a_map_that_was_fitted_to_all_labels_of_noise_is_rarely_real():
    reals = []
    for seed in range(20):
        X, y = table(n=100, d=40, seed=seed)
        Z = LinearDiscriminantAnalysis().fit(X, y).transform(X)
        reals.append(certify(X, Z, y, random_state=seed).verdict.real)
    assert sum(real != "no" for real in reals) <= 2


def test_a_map_that_exaggerates_is_partly_real():
    X, y = table(n=400, apart=1.0)
    found = certify(X, drawn_apart(y), y, random_state=0)
    assert found.verdict.real in ("partly", "no")
    weak = X[:, :2] + 3.0 * y[:, None]
    assert certify(X, weak, y, random_state=0).verdict.real == "partly"


def test_a_point_at_a_wrong_place_is_found(wine):
    X, y = wine
    Z = PCA(2, random_state=0).fit_transform(X)
    wrong = np.array([3, 70, 150])
    Z[wrong] = Z[[150, 150, 3]]
    found = certify(X, Z, y, random_state=0)
    assert set(wrong) <= set(found.misplaced[:6])
    assert f"{len(found.misplaced)} of {found.n_judged}" in " ".join(found.notes)


def test_predicted_places_are_those_of_the_definition():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(40, 3)), rng.normal(size=(40, 2))
    places = PredictedPlaces.of(X, Z, RandomState(0))
    S = (X - X.mean(axis=0)) / X.std(axis=0)
    assert_allclose(places.spaces[0], S)
    fitted, unseen = np.arange(25), np.arange(25, 40)
    means = [
        guess.mean for guess in places.predicted(Split(fitted, unseen), RandomState(1))
    ]
    near = [
        Z[np.argsort(((S[i] - S[fitted]) ** 2).sum(axis=1))[:5]].mean(axis=0)
        for i in unseen
    ]
    center, level = S[fitted].mean(axis=0), Z[fitted].mean(axis=0)
    A = S[fitted] - center
    line = np.linalg.solve(A.T @ A + np.eye(3), A.T @ (Z[fitted] - level))
    lines = (S[unseen] - center) @ line + level
    assert len(means) == 2
    for wanted in (near, lines):
        assert any(np.allclose(mean, wanted) for mean in means)


def test_the_linear_model_is_that_of_its_formula_and_sees_classes_between_others():
    rng = np.random.default_rng(0)
    y = np.arange(400) % 4
    X = rng.normal(size=(400, 3)) + 4.0 * y[:, None] * np.array([1.0, 0.5, 0.0])
    A, B, a, b = X[:200], X[200:], y[:200], y[200:]
    answers = discriminant_answers(A, a, B)
    assert np.mean(answers == b) > 0.95
    means = np.stack([A[a == c].mean(axis=0) for c in range(4)])
    within = A - means[a]
    nearest = [
        np.argmin(np.einsum("ci,ij,cj->c", d, np.linalg.inv(within.T @ within), d))
        for d in B[:, None] - means
    ]
    assert np.mean(answers == nearest) > 0.99  # up to the shrinkage
    assert np.mean(linear_answers(A, a, B) == b) < 0.9
    assert discriminant_answers(A[:4], a[:4], B).shape == (200,)


def test_same_seed_same_report(wine):
    X, y = wine
    Z = PCA(2, random_state=0).fit_transform(X)
    one, other = (certify(X, Z, y, random_state=3) for _ in range(2))
    assert one.verdict == other.verdict
    assert_array_equal(one.place_errors, other.place_errors)


def test_rows_of_a_group_stay_together():
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(40), 5)
    y = rng.permutation(np.arange(40) % 2)[patient]
    X = rng.normal(size=(40, 8))[patient] + 0.2 * rng.normal(size=(200, 8))
    Z = X[:, :2]
    assert certify(X, Z, y, patient, random_state=0).verdict.real != "yes"


@pytest.mark.parametrize("q", [1, 3])
def test_maps_of_other_dimensions(wine, q):
    X, y = wine
    Z = PCA(q, random_state=0).fit_transform(X)
    assert certify(X, Z, y, random_state=0).verdict.real == "yes"


def test_hard_tables():
    X, y = table(apart=4.0)
    assert certify(X, np.zeros((120, 2)), y, random_state=0).verdict.real == "no"
    assert certify(0.0 * X, X[:, :2], y, random_state=0).verdict.real == "untested"
    thrice = np.repeat(np.arange(120), 3)
    random = RandomState(0).permutation(y)[thrice]
    copied = certify(X[thrice], X[thrice, :2], random, random_state=0)
    assert copied.verdict.real in ("no", "untested")
    wide = np.random.default_rng(0).normal(size=(60, 500))
    wide[:, :50] += 2.0 * (np.arange(60) % 2)[:, None]
    Z = PCA(2, random_state=0).fit_transform(wide)
    assert certify(wide, Z, np.arange(60) % 2, random_state=0).verdict.real == "yes"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"Z": np.zeros((5, 2))}, "Z must be a table of numbers with 120 rows"),
        ({"Z": np.full((120, 2), np.nan)}, "NaN"),
        ({"y": np.zeros(120)}, "at least two classes"),
        ({"y": np.zeros(5)}, "y"),
        ({"groups": np.zeros(5)}, "^certify: groups"),
        ({"groups": [{}] * 120}, "certify: groups must .* numbers or words, got {}"),
    ],
)
def test_wrong_input_is_refused(change, words):
    X, y = table()
    with pytest.raises(ValueError, match=words):
        certify(**({"X": X, "Z": X[:, :2], "y": y} | change))


@pytest.mark.parametrize("value", [-999.0, 1e6, 1e30])
def test_one_impossible_cell_changes_no_answer_and_is_named(value):
    X, y = table(400, 3, 6.0)
    spoiled, Z = X.copy(), X[:, :2].copy()
    spoiled[5, 0] = value
    for found in (
        certify(spoiled, Z, y, random_state=0),
        certify(X, np.where(X[:, :1] == X[5, 0], value, Z), y, random_state=0),
    ):
        assert (found.verdict.real, found.verdict.gap) == ("yes", "yes")
        assert found.misplaced[0] == 5
    (cell,) = (w for w in certify(spoiled, Z, y).warnings if w.code == "far cell")
    assert cell.rows.tolist() == [5]
    assert str(cell).startswith(f"'x0' is {value:g} in row 5, far outside")


def test_heavy_tails_and_rare_ones_are_no_impossible_cells():
    rng = np.random.default_rng(0)
    X = np.c_[
        np.exp(2 * rng.normal(size=500)), np.arange(500) == 7, rng.poisson(0.1, 500)
    ]
    assert list(far_cells(X)) == []
    assert without_far_cells(X) is X


@pytest.mark.parametrize("unit", [1e-300, 2.0**-900])
def test_the_unit_of_data_and_map_changes_no_answer(unit):
    X, y = table(200, 3, 6.0)
    one = certify(X, X[:, :2], y, random_state=0)
    for other in (
        certify(X * unit, X[:, :2], y, random_state=0),
        certify(X, X[:, :2] * unit, y, random_state=0),
    ):
        assert (other.verdict.real, other.verdict.gap) == ("yes", "yes")
        assert other.unseen == pytest.approx(one.unseen, abs=0.02)


def test_a_map_whose_classes_are_single_points_is_real():
    y = (np.arange(24) < 11) * 1
    X = np.random.default_rng(0).normal(size=(24, 3)) + 40.0 * y[:, None]
    found = certify(X, np.c_[y, y] * 1.0, y, random_state=0)
    assert (found.verdict.real, found.seen) == ("yes", 1.0)
