import numpy as np
import pytest
from scipy.spatial.distance import cdist, pdist
from scipy.stats import pearsonr, spearmanr

from labelscape import load, save
from labelscape._core import threads
from labelscape.embeddings import NEXOM, NEXOMVariant
from labelscape.embeddings.xom import _kernels
from labelscape.embeddings.xom.nexom import default_epochs


def reference(Y, own, D, noise, eta, sigma, gamma, clip, kernel="gaussian"):
    """NE-XOM from eq. 9, clipped, with h as float32, for Y (n, q)."""
    Y = Y.copy()
    for t, j in enumerate(own):
        s = Y[j] + noise[t]
        for i in range(len(Y)):
            h = float(np.float32(np.exp(-(D[j, i] ** 2) / (2 * sigma[t] ** 2))))
            gap = np.sum((Y[i] - s) ** 2)
            if kernel == "gaussian":
                g = np.exp(-gap / (2 * gamma[t] ** 2))
                c = 2 * eta[t] * (h - g)
            else:
                g = 1 / (1 + gap / gamma[t] ** 2)
                c = 4 * eta[t] * (h - g) * g
            Y[i] = Y[i] - np.clip(c, -clip, clip) * (Y[i] - s)
    return Y


@pytest.fixture
def run():
    """A map, data, and what a run of 80 steps needs."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(23, 5)), rng.normal(size=(23, 2))
    own, noise = rng.integers(23, size=80), 0.05 * rng.normal(size=(80, 2))
    rates = [np.geomspace(*ends, 80) for ends in ((0.5, 0.1), (3, 0.8), (0.6, 0.2))]
    return X, Y, own, noise, rates


@pytest.fixture
def X():
    return np.random.default_rng(1).normal(size=(60, 4))


@pytest.mark.parametrize("kernel", ["gaussian", "t"])
def test_steps_follow_the_formulas(run, kernel):
    X, Y, own, noise, (eta, sigma, gamma) = run
    D, Z = cdist(X, X), np.ascontiguousarray(Y.T)
    H = np.exp(-(D[own] ** 2) / (2 * sigma[:, None] ** 2)).astype(np.float32)
    steps = getattr(_kernels, f"{kernel}_steps")
    steps(Z, own, H, noise, 2 * eta, gamma, 0.3)
    expected = reference(Y, own, D, noise, eta, sigma, gamma, 0.3, kernel)
    np.testing.assert_allclose(Z.T, expected, atol=1e-10)


@pytest.mark.parametrize("kernel", ["gaussian", "t"])
def test_a_small_step_goes_down_the_slope_of_the_divergence(run, kernel):
    _, Y, _, _, _ = run
    rng = np.random.default_rng(2)
    h = rng.uniform(0.1, 1.0, size=(1, 23)).astype(np.float32)
    gamma, s = 1.3, Y[4]

    def divergence(Z):
        gap = np.sum((Z - s) ** 2, axis=1)
        if kernel == "gaussian":
            g = np.exp(-gap / (2 * gamma**2))
        else:
            g = 1 / (1 + gap / gamma**2)
        return np.sum(h[0] * np.log(h[0] / g) - h[0] + g)

    slope = np.zeros_like(Y)
    for entry in np.ndindex(Y.shape):
        nudge = np.zeros_like(Y)
        nudge[entry] = 1e-5
        slope[entry] = (divergence(Y + nudge) - divergence(Y - nudge)) / 2e-5
    Z = np.ascontiguousarray(Y.T)
    steps = getattr(_kernels, f"{kernel}_steps")
    rate = np.array([1e-3])
    steps(Z, np.array([4]), h, np.zeros((1, 2)), rate, np.array([gamma]), 1.0)
    # c holds 2 eta (h - g), the slope (h - g)/gamma^2.
    np.testing.assert_allclose(Y - Z.T, rate * gamma**2 * slope, atol=1e-10)


def test_no_image_moves_farther_than_clip_allows(run):
    _, Y, own, noise, _ = run
    H = np.ones((1, len(Y)), dtype=np.float32)
    for strength in (1e3, -1e3):
        Z = np.ascontiguousarray(Y.T)
        rate, width = np.array([strength]), np.array([0.01])
        _kernels.gaussian_steps(Z, own[:1], H, noise[:1], rate, width, 0.25)
        s = Y[own[0]] + noise[0]
        np.testing.assert_allclose(
            Z.T - s, (1 - np.sign(strength) * 0.25) * (Y - s), atol=1e-12
        )


@pytest.mark.parametrize("scale_step", [False, True])
def test_a_fit_is_its_start_schedule_and_steps(X, scale_step):
    # Few steps: those of the printed rule blow up rounding errors by half each time.
    X, start = X[:15], np.random.default_rng(0).normal(size=(15, 2))
    nexom = NEXOM(
        sigma=4.0,
        sigma_end=0.5,
        variant=NEXOMVariant(scale_step=scale_step, rescale=False),
        init=start,
        max_iter=2,
        metric="precomputed",
        random_state=5,
    ).fit(cdist(X, X))
    rng, size = np.random.RandomState(5), start.std(axis=0).max()
    own, noise = [], []
    for _ in range(2):
        own.append(rng.permutation(15))
        noise.append(rng.normal(size=(15, 2)))
    ends = ((0.5, 0.05), (4.0, 0.5), (0.5, 0.1))
    eta, sigma, gamma = (np.geomspace(*pair, 30) for pair in ends)
    expected = reference(
        (start - start.mean(axis=0)) / size,
        np.concatenate(own),
        cdist(X, X),
        0.1 * gamma[:, None] * np.concatenate(noise),
        eta / gamma**2 if scale_step else eta,
        sigma,
        gamma,
        0.5,
    )
    # The map is turned at the end, so its distances are compared.
    np.testing.assert_allclose(
        pdist(nexom.embedding_), pdist(expected), rtol=1e-7, atol=1e-9
    )


def test_rates_end_where_they_should(X):
    seen = []
    NEXOM(sigma_end=0.7, max_iter=4, random_state=0, callback=seen.append).fit(X)
    assert [news["epoch"] for news in seen] == [1, 2, 3, 4]
    assert seen[-1]["eta"] == pytest.approx(0.05)
    assert seen[-1]["gamma"] == pytest.approx(0.1)
    assert seen[-1]["sigma"] == pytest.approx(0.7)
    assert seen[0]["gamma"] == pytest.approx(0.5 * 0.2 ** (59 / 239))


def test_a_callback_may_stop_and_watching_changes_nothing(X):
    seen = []

    def watch(news):
        seen.append(news)
        return len(seen) == 2

    stopped = NEXOM(random_state=0, callback=watch).fit(X)
    assert stopped.n_iter_ == 2
    assert stopped.loss_curve_ == [news["cost"] for news in seen]
    assert np.shares_memory(seen[0]["embedding"], seen[1]["embedding"])
    news = []
    watched = NEXOM(random_state=0, callback=news.append).fit(X)
    alone = NEXOM(random_state=0).fit(X)
    np.testing.assert_array_equal(watched.embedding_, alone.embedding_)
    assert watched.loss_curve_ == alone.loss_curve_
    assert len(alone.loss_curve_) == alone.n_iter_
    assert news[-1]["stress"] == pytest.approx(alone.stress_, rel=1e-9)


def test_one_and_two_threads_give_the_same_bits(X, monkeypatch):
    monkeypatch.setattr("labelscape.embeddings.xom._neighborhoods.BLOCK_BYTES", 2048)
    maps = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        maps.append(NEXOM(max_iter=5, random_state=0).fit_transform(X))
    np.testing.assert_array_equal(maps[0], maps[1])


def test_data_and_their_distances_give_the_same_map(X):
    start = np.random.default_rng(0).normal(size=(60, 2))
    settings = {"init": start, "random_state": 0, "max_iter": 5}
    of_data = NEXOM(**settings).fit_transform(X)
    of_matrix = NEXOM(metric="precomputed", **settings).fit_transform(cdist(X, X))
    np.testing.assert_allclose(of_data, of_matrix, atol=1e-6)


def test_data_in_other_units_give_the_same_map_in_those_units(X):
    Z = NEXOM(random_state=0).fit_transform(X)
    np.testing.assert_allclose(
        NEXOM(random_state=0).fit_transform(1024.0 * X), 1024.0 * Z, rtol=1e-6
    )
    unscaled = [
        NEXOM(random_state=0, variant=NEXOMVariant(rescale=False)).fit_transform(c * X)
        for c in (1.0, 1024.0)
    ]
    np.testing.assert_allclose(unscaled[0], unscaled[1], rtol=1e-6, atol=1e-9)


def test_rescaling_changes_nothing_but_the_size(X):
    plain = NEXOM(random_state=0, variant=NEXOMVariant(rescale=False)).fit(X)
    scaled = NEXOM(random_state=0).fit(X)
    ratio = scaled.embedding_ / plain.embedding_
    np.testing.assert_allclose(ratio, ratio[0, 0], rtol=1e-9)
    D, d = pdist(X), pdist(scaled.embedding_)
    assert np.sum((D - d) ** 2 / D) / D.sum() == pytest.approx(scaled.stress_)
    assert plain.stress_ == pytest.approx(scaled.stress_)


def test_the_map_lies_centred_on_its_principal_axes(X):
    Z = NEXOM(random_state=0).fit_transform(X)
    covariance = np.cov(Z.T)
    np.testing.assert_allclose(Z.mean(axis=0), 0.0, atol=1e-12)
    assert abs(covariance[0, 1]) < 1e-12
    assert covariance[0, 0] >= covariance[1, 1]
    assert (Z[np.argmax(np.abs(Z), axis=0), [0, 1]] > 0).all()


@pytest.mark.parametrize("kind", ["normal", "uniform", "t"])
def test_noise_has_the_deviation_that_was_asked_for(kind):
    nexom = NEXOM(noise=0.2, variant=NEXOMVariant(noise_kind=kind))
    noise = nexom._noise(np.random.RandomState(0), np.full(50_000, 3.0))
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=0.01)
    np.testing.assert_allclose(noise.std(axis=0), 0.6, rtol=0.02)
    tails = np.mean(np.abs(noise) > 1.8)  # beyond three deviations
    assert {"normal": 0.001 < tails < 0.004, "uniform": tails == 0.0}.get(
        kind, tails > 0.004
    )


@pytest.mark.parametrize("n_components", [1, 3])
@pytest.mark.parametrize("kernel", ["gaussian", "t"])
def test_maps_have_any_number_of_dimensions(X, n_components, kernel):
    nexom = NEXOM(n_components, kernel=kernel, random_state=0).fit(X)
    assert nexom.embedding_.shape == (60, n_components)
    assert nexom.stress_ < 0.3


def test_one_width_for_all_is_the_quantile_of_all_distances(X):
    given = NEXOM(
        sigma=float(np.quantile(pdist(X), 0.8)), sigma_end=0.5, random_state=0
    )
    named = NEXOM(sigma="global", sigma_end=0.5, random_state=0)
    np.testing.assert_array_equal(named.fit_transform(X), given.fit_transform(X))


def test_duplicates_end_close_together(X):
    X[10:20] = X[10]
    Z = NEXOM(random_state=0).fit_transform(X)
    assert pdist(Z[10:20]).max() < 0.01 * np.ptp(Z)
    most = np.concatenate([np.repeat(X[:1], 50, axis=0), X[:10]])
    for duplicates in (most, np.repeat(X[:2], 9, axis=0)):
        Z = NEXOM(random_state=0).fit_transform(duplicates)
        assert np.isfinite(Z).all()
        assert pdist(Z[:9]).max() < 0.05 * np.ptp(Z)


def test_one_object_and_objects_that_are_one_lie_at_the_origin():
    for X in (np.ones((1, 3)), np.ones((6, 3))):
        nexom = NEXOM().fit(X)
        np.testing.assert_array_equal(nexom.embedding_, np.zeros((len(X), 2)))
        assert nexom.stress_ == 0.0


def test_two_objects_keep_their_distance():
    Z = NEXOM(random_state=0).fit_transform([[0.0, 0.0], [3.0, 4.0]])
    assert pdist(Z) == pytest.approx([5.0])


def test_three_objects_at_equal_distances_stay_apart():
    nexom = NEXOM(metric="precomputed", random_state=0).fit(1.0 - np.eye(3))
    assert nexom.stress_ < 0.2
    assert pdist(nexom.embedding_).min() > 0.2


def test_equal_distances_between_all_still_give_a_map():
    nexom = NEXOM(metric="precomputed", random_state=0).fit(1.0 - np.eye(12))
    assert pdist(nexom.embedding_).min() > 0.0
    assert np.isfinite(nexom.embedding_).all()


def test_a_start_in_one_place_is_an_error():
    with pytest.raises(ValueError, match=r"all samples in one position.*init='pca'"):
        NEXOM(init=np.ones((4, 2))).fit(np.eye(4))


def test_the_number_of_epochs_falls_smoothly_with_the_number_of_objects():
    epochs = [default_epochs(n) for n in (2, 500, 1000, 2000, 20_000)]
    assert epochs == [50, 50, 22, 10, 10]
    between = [default_epochs(n) for n in range(500, 2001, 10)]
    assert (np.diff(between) <= 0).all()
    assert NEXOM(random_state=0).fit(np.eye(4)).n_iter_ == 50


def judged(X, nexom):
    D, d = pdist(X), pdist(nexom.fit_transform(X))
    return nexom.stress_, spearmanr(D, d)[0], pearsonr(D, d)[0]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_wine_reaches_the_figures_of_the_paper(paper_table, seed):
    X, _ = paper_table("wine")
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    first_axis = np.sqrt(np.linalg.eigvalsh(np.cov(X.T, bias=True))[-1])
    of_paper = NEXOM(
        sigma_end=0.5,
        gamma=3.0 / first_axis,
        gamma_end=0.05 / first_axis,
        learning_rate=0.1,
        learning_rate_end=0.001,
        random_state=seed,
    )
    for nexom in (NEXOM(random_state=seed), of_paper):
        stress, rho, r = judged(X, nexom)
        assert stress <= 0.08
        assert rho >= 0.87
        assert r >= 0.87


def test_a_variant_is_checked_when_it_is_made_and_kept_in_model_files(X, tmp_path):
    with pytest.raises(ValueError, match=r"NEXOMVariant: clip must be .* got 3"):
        NEXOMVariant(clip=3)
    nexom = NEXOM(variant=NEXOMVariant(clip=0.3), max_iter=1, random_state=0).fit(X)
    save(nexom, tmp_path / "a.model", include_data=True)
    again = load(tmp_path / "a.model")
    assert again.variant == nexom.variant
    np.testing.assert_array_equal(again.transform(X), nexom.transform(X))
