"""The Fisher metric for arrays of other libraries, compared with NumPy."""

import pickle
from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.naive_bayes import GaussianNB
from tests.geometry.cases import clouds, plain
from tests.geometry.reference import posterior, straight_length

from labelscape import load, save
from labelscape._core.rows import device
from labelscape._core.rows.answers import FOLLOWS
from labelscape._core.rows.device import where_is
from labelscape._core.rows.kinds import to_numpy
from labelscape.geometry import FisherMetric

TOLERANCE = {np.float64: 1e-10, np.float32: 1e-4}


def torch_arrays(A):
    return pytest.importorskip("torch").asarray(A)


def strict_arrays(A):
    strict = pytest.importorskip("array_api_strict")
    return strict.asarray(A, device=strict.Device("device1"))


@pytest.fixture(params=[strict_arrays, torch_arrays], ids=["strict", "torch"])
def arrays(request):
    return request.param


def uneven(n=90, d=4, seed=0):
    """Return normal classes of very different sizes."""
    rng = np.random.default_rng(seed)
    y = rng.choice(4, size=n, p=[0.7, 0.1, 0.1, 0.1])
    return 1.5 * rng.normal(size=(4, d))[y] + rng.normal(size=(n, d)), y


X, y = uneven()
NEW = uneven(25, seed=1)[0]
OPTIONS = {
    "default": {},
    "steps": {"n_steps": "auto"},
    "one step": {"n_steps": 1},
    "ends": {"method": "endpoint"},
    "bare": {"regularization": 0.0, "exclude_self": False},
    "clusters": {"parzen_selection": "kmeans", "parzen_points": 30},
    "balanced": {"class_weight": "balanced", "parzen_points": 0.5},
    "narrow": {"bandwidth": 0.02},
    "median": {"bandwidth": "median"},
    "given": {"parzen_points": (NEW, np.arange(25) % 3)},
}


def fitted(X, y=y, **options):
    return FisherMetric(random_state=0, **options).fit(X, y)


@cache
def by_numpy(kind, precision):
    """Return results of compiled loops: metric, distances, neighbors, probabilities."""
    A, B = X.astype(precision), NEW.astype(precision)
    metric = fitted(A, **OPTIONS[kind])
    D = [metric.pairwise(*pair) for pair in ((), (B,), (B, A), (A, B))]
    near = [metric.kneighbors(objects, 6) for objects in (None, B)]
    return metric, D, near, metric.predict_proba(B)


CASES = [(kind, np.float64) for kind in OPTIONS]
CASES += [(kind, np.float32) for kind in ("default", "ends", "narrow")]


@pytest.mark.parametrize(("kind", "precision"), CASES)
def test_distances_are_those_of_numpys_arrays(arrays, kind, precision):
    A, B = arrays(X.astype(precision)), arrays(NEW.astype(precision))
    wanted, D, near, p = by_numpy(kind, precision)
    found = fitted(A, **OPTIONS[kind])
    close = {"rtol": TOLERANCE[precision], "atol": 1e-12}
    assert found.n_steps_ == wanted.n_steps_
    assert_allclose(found.bandwidth_, wanted.bandwidth_, rtol=1e-12)
    assert_allclose(found.epsilon_, wanted.epsilon_, rtol=TOLERANCE[precision])
    for distances, pair in zip(D, ((), (B,), (B, A), (A, B)), strict=True):
        assert_allclose(to_numpy(found.pairwise(*pair)), distances, **close)
    assert_allclose(to_numpy(found.predict_proba(B)), p, rtol=0, atol=1e-12)
    for (distances, indices), objects in zip(near, (None, B), strict=True):
        lengths, places = found.kneighbors(objects, 6)
        assert_allclose(to_numpy(lengths), distances, **close)
        if "narrow" not in kind:  # where all are about as far
            assert_array_equal(to_numpy(places), indices)


@pytest.mark.parametrize("method", ["straight", "endpoint"])
def test_lengths_are_those_of_the_formula(arrays, method):
    metric = plain(bandwidth=1.3, n_steps=7, method=method).fit(arrays(X), y)
    D = to_numpy(metric.pairwise(arrays(NEW[:6]), arrays(X[:5])))
    T = 7 if method == "straight" else 1
    wanted = [[straight_length(a, b, X, y, 1.3, T) for b in X[:5]] for a in NEW[:6]]
    assert_allclose(D, wanted, rtol=1e-10)
    p = to_numpy(metric.predict_proba(arrays(NEW)))
    assert_allclose(p, [posterior(a, X, y, 1.3) for a in NEW], atol=1e-13)


def test_clusters_a_thousand_bandwidths_apart_are_measured_without_underflow(arrays):
    A, labels = clouds(30)
    A[labels == 1] += 2000.0
    A[4] = 1e9
    with pytest.warns(UserWarning, match="row 4"):
        wanted = fitted(A, labels, bandwidth=1.0)
    with pytest.warns(UserWarning, match="row 4"):
        found = fitted(arrays(A), labels, bandwidth=1.0)
    assert_allclose(to_numpy(found.pairwise()), wanted.pairwise(), rtol=1e-10)


def test_distances_are_symmetric_and_0_to_themselves_and_to_copies(arrays):
    A = np.concatenate([X, X[:9]]) + 1e5
    D = to_numpy(plain(regularization=0.1).fit(arrays(A), [*y, *y[:9]]).pairwise())
    assert_array_equal(D, D.T)
    assert (D.diagonal() == 0).all()
    assert D[np.arange(9), 90 + np.arange(9)].max() < 1e-13


def test_of_equally_near_objects_the_first_comes_first(arrays):
    whole = np.random.default_rng(0).integers(2, size=(60, 3)).astype(float)
    labels = np.arange(60) % 2
    wanted = plain(regularization=0.1).fit(whole, labels).kneighbors(None, 9)
    found = plain(regularization=0.1).fit(arrays(whole), labels).kneighbors(None, 9)
    assert_allclose(to_numpy(found[0]), wanted[0], atol=1e-7)
    # Copies are exactly as far, so their order tells.
    assert_array_equal(np.sort(to_numpy(found[1])), np.sort(wanted[1]))
    assert (to_numpy(found[1])[:, 0] == wanted[1][:, 0]).all()


@pytest.mark.parametrize("bandwidth", ["loo", 0.05])
def test_tiles_make_no_difference(arrays, monkeypatch, bandwidth):
    options = {"bandwidth": bandwidth}
    whole = fitted(arrays(X), **options)
    wanted = [to_numpy(whole.pairwise()), to_numpy(whole.pairwise(arrays(NEW)))]
    monkeypatch.setattr(device, "PROCESSOR_BYTES", 60_000)
    monkeypatch.setattr(device, "DEVICE_BYTES", 60_000)
    parts = fitted(arrays(X), **options)
    assert parts._at(None).distances.lines.side(parts._at(None).fitted.rows) == 64
    found = [to_numpy(parts.pairwise()), to_numpy(parts.pairwise(arrays(NEW)))]
    for D, E in zip(found, wanted, strict=True):
        assert_allclose(D, E, rtol=1e-10)


@pytest.mark.parametrize("precision", TOLERANCE)
def test_answers_are_where_the_objects_are(arrays, precision):
    given = arrays(X.astype(precision))
    metric = fitted(given, arrays(y))
    distances, indices = metric.kneighbors(given, 3)
    p, D = metric.predict_proba(given), metric.pairwise(given)
    for found in (distances, indices, p, D, metric.pairwise(), metric.parzen_points_):
        assert where_is(found) == where_is(given)
    assert distances.dtype == D.dtype == given.dtype


def test_a_metric_of_either_kind_answers_about_the_other(arrays):
    ours, theirs = fitted(X), fitted(arrays(X))
    for metric in (ours, theirs):
        D, E = metric.pairwise(NEW), metric.pairwise(arrays(NEW))
        assert type(D) is np.ndarray
        assert where_is(E) == where_is(arrays(NEW))
        assert_allclose(to_numpy(E), D, rtol=1e-10)
        # The fitted table is known again, and leaves itself out.
        for again in (X, arrays(X)):
            assert_allclose(to_numpy(metric.pairwise(again)), ours.pairwise())
        assert_allclose(metric.pairwise(NEW, arrays(X)), ours.pairwise(NEW, X))
        mixed = metric.pairwise(arrays(NEW), X.tolist())
        assert_allclose(to_numpy(mixed), ours.pairwise(NEW, X))
    ours.epsilon_ = 0.0
    assert_allclose(to_numpy(ours.pairwise(arrays(NEW))), ours.pairwise(NEW))


def test_a_metric_of_tensors_is_saved_copied_and_sent(arrays, tmp_path):
    metric = fitted(arrays(X))
    wanted = to_numpy(metric.pairwise(arrays(NEW)))
    metric.pairwise(NEW)
    again = pickle.loads(pickle.dumps(metric))
    assert_allclose(to_numpy(again.pairwise(arrays(NEW))), wanted)
    for whole in (True, False):
        save(metric, tmp_path / "metric.lsm", include_data=whole)
        known = load(tmp_path / "metric.lsm")
        assert_allclose(known.pairwise(X), to_numpy(metric.pairwise()), rtol=1e-10)
        assert_allclose(to_numpy(known.pairwise(arrays(NEW))), wanted, rtol=1e-10)


def test_a_metric_without_its_objects_knows_their_tensor(arrays, tmp_path):
    save(fitted(X), tmp_path / "metric.lsm")
    known = load(tmp_path / "metric.lsm")
    D = known.pairwise(arrays(X))
    assert_allclose(to_numpy(D), fitted(X).pairwise(), rtol=1e-10)


def test_a_saturated_metric_warns(arrays):
    metric = plain(bandwidth=1e-3).fit(arrays(X), y)
    with pytest.warns(UserWarning, match="saturated: 61 of 90"):
        metric.pairwise()


def test_what_only_numpy_can_do_is_refused_in_words(arrays):
    given = arrays(X)
    refused = {"method": "graph"}, {"rule": "left"}, {"estimator": GaussianNB()}
    for options in refused:
        assert not FisherMetric(**options).__sklearn_tags__().array_api_support
        metric = fitted(X, **options)
        for ask in (metric.pairwise, metric.kneighbors, metric.predict_proba):
            with pytest.raises(TypeError, match="Pass NumPy arrays"):
                ask(given)
        with pytest.raises(TypeError, match="Pass NumPy arrays"):
            metric.fit(given, y)
    with pytest.raises(TypeError, match="Pass NumPy arrays"):
        fitted(X).relevances(given)
    assert FisherMetric().__sklearn_tags__().array_api_support == FOLLOWS
    assert_allclose(fitted(given).relevances(NEW), fitted(X).relevances(NEW))


def test_unusable_objects_are_told_as_those_of_numpy_are(arrays):
    metric = fitted(arrays(X))
    for words, A in [
        ("row 4", np.where(X[4, 2] == X, np.nan, X)),
        ("too large to compute", 1e160 * X),
        ("two axes", X[:, 0]),
        ("3 features, but FisherMetric is expecting 4", X[:, :3]),
        ("0 sample", X[:0]),
    ]:
        with pytest.raises(ValueError, match=words):
            metric.pairwise(arrays(A))
    with pytest.raises(ValueError, match="minimum of 2 is required"):
        fitted(arrays(X[:1]), y[:1])
    with pytest.raises(ValueError, match="differ by"):
        fitted(arrays(1e-160 * X))
    with pytest.raises(ValueError, match="n_neighbors"):
        metric.kneighbors(arrays(NEW), 91)


def test_slopes_and_half_numbers_are_welcome():
    torch = pytest.importorskip("torch")
    slopes = torch.tensor(X, requires_grad=True)
    D = fitted(slopes).pairwise()
    assert not D.requires_grad
    assert_allclose(D, fitted(X).pairwise(), rtol=1e-10)
    half = torch.asarray(X).to(torch.bfloat16)
    assert fitted(half).pairwise().dtype == torch.float64
    assert fitted(torch.asarray(np.round(3 * X).astype(int))).pairwise().shape[0] == 90
