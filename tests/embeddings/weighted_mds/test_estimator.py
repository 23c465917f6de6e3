import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import pdist, squareform
from sklearn.base import BaseEstimator

from labelscape._core import threads
from labelscape._core.points.spaces import Points
from labelscape.embeddings import WeightedMDS, picture_agreement, prototype_weights

rng = np.random.default_rng(0)
X = rng.normal(size=(24, 5))
FLAT = rng.normal(size=(24, 2)) * [3.0, 1.0]
W = 10.0 ** rng.uniform(-4, 0, size=(24, 24))
W = W + W.T


def slow_stress(Z, D, weights):
    """The reported value, from its formula; pairs at distance 0 count nothing."""
    error = scale = 0.0
    for i in range(len(D)):
        for j in range(i):
            if D[i, j] > 0:
                d = np.linalg.norm(Z[i] - Z[j])
                error += weights[i, j] * (d - D[i, j]) ** 2 / D[i, j]
                scale += weights[i, j] * D[i, j]
    return error / scale


@pytest.mark.parametrize("power", [1, 2])
@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_the_reported_stress_is_that_of_the_map(power, solver):
    mds = WeightedMDS(weights=W, power=power, solver=solver, random_state=0).fit(X)
    D = squareform(pdist(X)) ** power
    assert_allclose(mds.stress_, slow_stress(mds.embedding_, D, W), rtol=1e-9)
    assert mds.loss_curve_[-1] == mds.stress_
    assert len(mds.loss_curve_) == mds.n_iter_
    assert np.all(np.diff(mds.loss_curve_) <= 0)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
def test_flat_data_are_drawn_exactly(solver):
    for weights in ("uniform", W, csr_array(W)):
        mds = WeightedMDS(weights=weights, solver=solver, random_state=0).fit(FLAT)
        assert mds.stress_ < 1e-12
        assert_allclose(pdist(mds.embedding_), pdist(FLAT), rtol=1e-5)


def test_heavy_pairs_are_kept_better_than_light_ones():
    heavy = np.zeros(24 * 23 // 2, dtype=bool)
    heavy[::9] = True
    weights = squareform(np.where(heavy, 1.0, 1e-4))
    Z = WeightedMDS(weights=weights, random_state=0).fit_transform(X)
    error = np.abs(pdist(Z) - pdist(X)) / pdist(X)
    assert error[heavy].max() < 0.02 < 0.2 < error[~heavy].mean()


def test_distances_as_weights_give_the_raw_stress():
    D = squareform(pdist(X))
    mds = WeightedMDS(weights=D, random_state=0).fit(X)
    raw = np.sum((pdist(mds.embedding_) - pdist(X)) ** 2) / np.sum(pdist(X) ** 2)
    assert_allclose(mds.stress_, raw, rtol=1e-9)


def test_a_listed_full_matrix_is_the_same_as_the_array():
    dense = WeightedMDS(weights=W, n_init=1, tol=1e-12).fit(X)
    listed = WeightedMDS(weights=csr_array(W), n_init=1, tol=1e-12).fit(X)
    assert_allclose(listed.stress_, dense.stress_, rtol=1e-8)
    assert_allclose(listed.embedding_, dense.embedding_, atol=1e-3)


def test_listed_weights_never_ask_for_all_distances(monkeypatch):
    def refuse(self, *_):
        raise AssertionError("all distances were asked for")

    for question in ("rows", "matrix", "condensed"):
        monkeypatch.setattr(Points, question, refuse)
    for solver in ("lbfgs", "smacof"):
        WeightedMDS(weights=csr_array(W), solver=solver, max_iter=5).fit(X)


@pytest.mark.parametrize("factor", [1e-100, 1e-3, 1e100])
@pytest.mark.parametrize("power", [1, 1.5])
def test_the_unit_of_the_data_does_not_matter(factor, power):
    mds = WeightedMDS(power=power, random_state=0).fit(X)
    scaled = WeightedMDS(power=power, random_state=0).fit(X * factor)
    assert_allclose(scaled.stress_, mds.stress_, rtol=1e-6)
    assert_allclose(
        scaled.embedding_ / factor**power, mds.embedding_, rtol=0, atol=0.02
    )


def test_all_metrics_agree_on_the_same_distances():
    class Half(BaseEstimator):
        """Needs a fit, like FisherMetric."""

        def fit(self, X, y=None):
            self.factor_ = 0.5
            return self

        def pairwise(self, X):
            return self.factor_ * squareform(pdist(X))

    mds = WeightedMDS(random_state=0).fit(X)
    given = WeightedMDS(metric="precomputed", random_state=0).fit(squareform(pdist(X)))
    called = WeightedMDS(metric=lambda a, b: np.linalg.norm(a - b), random_state=0)
    metric = Half()
    learned = WeightedMDS(metric=metric, random_state=0).fit(X)
    assert_allclose(given.stress_, mds.stress_, rtol=1e-5)
    assert_allclose(called.fit(X).stress_, mds.stress_, rtol=1e-5)
    assert_allclose(learned.stress_, mds.stress_, rtol=1e-5)
    assert_allclose(2 * learned.embedding_, given.embedding_, atol=0.02)
    assert learned.metric_.factor_ == 0.5
    assert not hasattr(metric, "factor_")


def test_a_precomputed_matrix_is_tagged_as_pairwise():
    assert WeightedMDS(metric="precomputed").__sklearn_tags__().input_tags.pairwise
    assert not WeightedMDS().__sklearn_tags__().input_tags.pairwise


def test_the_map_lies_on_its_principal_axes():
    Z = WeightedMDS(random_state=0).fit_transform(X)
    scatter = Z.T @ Z
    assert_allclose(Z.mean(axis=0), 0.0, atol=1e-12)
    assert abs(scatter[0, 1]) < 1e-9 * scatter[0, 0]
    assert scatter[0, 0] > scatter[1, 1]
    assert (Z[np.abs(Z).argmax(axis=0), [0, 1]] > 0).all()


def test_threads_do_not_change_a_bit(monkeypatch):
    data = np.random.default_rng(0).normal(size=(400, 3))  # enough for two blocks
    maps = []
    for count in (1, 2):
        monkeypatch.setattr(threads, "n_threads", lambda count=count: count)
        mds = WeightedMDS(n_init=2, max_iter=5, random_state=0)
        maps.append(mds.fit_transform(data))
    assert_array_equal(maps[0], maps[1])


def test_identical_objects_share_a_place_and_weigh_together():
    twice = np.vstack([X, X[:3], X[:1]])
    mds = WeightedMDS(n_init=1, tol=1e-12).fit(twice)
    Z = mds.embedding_
    assert_array_equal(Z[[24, 25, 26, 27]], Z[[0, 1, 2, 0]])

    count = np.ones(24)
    count[:3] = [3, 2, 2]
    merged = WeightedMDS(weights=np.outer(count, count), n_init=1, tol=1e-12).fit(X)
    assert_allclose(merged.stress_, mds.stress_, rtol=1e-8)
    D = squareform(pdist(twice))
    assert_allclose(mds.stress_, slow_stress(Z, D, np.ones(D.shape)), rtol=1e-9)


def test_nearly_identical_objects_do_not_rule_the_map():
    data = np.vstack([X, X[0] + 1e-12])
    mds = WeightedMDS(random_state=0).fit(data)
    assert np.isfinite(mds.embedding_).all()
    assert_allclose(mds.embedding_[24], mds.embedding_[0], atol=1e-3)


@pytest.mark.parametrize("solver", ["lbfgs", "smacof"])
@pytest.mark.parametrize("n", [1, 2, 3])
def test_one_two_and_three_objects_are_drawn_exactly(n, solver):
    data = X[:n]
    mds = WeightedMDS(solver=solver, random_state=0).fit(data)
    assert mds.embedding_.shape == (n, 2)
    assert mds.stress_ < 1e-9
    assert_allclose(pdist(mds.embedding_), pdist(data), rtol=1e-4)


def test_all_objects_alike_are_one_point():
    mds = WeightedMDS().fit(np.ones((5, 3)))
    assert_array_equal(mds.embedding_, np.zeros((5, 2)))
    assert mds.stress_ == 0.0
    assert mds.loss_curve_ == []


def test_equal_distances_give_a_finite_map():
    D = 1.0 - np.eye(6)
    mds = WeightedMDS(metric="precomputed", random_state=0).fit(D)
    assert np.isfinite(mds.embedding_).all()
    assert len(np.unique(mds.embedding_.round(6), axis=0)) == 6


def test_objects_at_distance_zero_with_other_distances_are_drawn_close():
    odd = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 2.0], [1.0, 2.0, 0.0]])
    mds = WeightedMDS(metric="precomputed", random_state=0).fit(odd)
    assert np.isfinite(mds.embedding_).all()
    assert np.linalg.norm(mds.embedding_[0] - mds.embedding_[1]) < 0.01


@pytest.mark.parametrize("n_components", [1, 3, 7])
def test_any_number_of_components_works(n_components):
    mds = WeightedMDS(n_components, random_state=0).fit(X)
    assert mds.embedding_.shape == (24, n_components)
    assert len(mds.get_feature_names_out()) == n_components
    if n_components > 4:  # the data have five dimensions
        assert mds.stress_ < 1e-9


def test_points_of_a_lattice_that_fall_together_are_parted():
    # The first two principal axes put many points of a cube in one place.
    cube = np.stack(np.meshgrid(*[np.arange(3.0)] * 3), axis=-1).reshape(-1, 3)
    mds = WeightedMDS(n_init=1).fit(cube)
    assert pdist(mds.embedding_).min() > 0.1


def test_more_starts_never_give_more_stress():
    few = WeightedMDS(power=2, n_init=1, random_state=0).fit(X)
    many = WeightedMDS(power=2, n_init=6, random_state=0).fit(X)
    assert many.stress_ <= few.stress_


def test_the_callback_sees_every_iteration_and_can_stop_the_fit():
    data = np.vstack([X, X[:2]])
    seen = []

    def callback(news):
        seen.append(news)
        return news["start"] == 1 and news["iteration"] == 3

    mds = WeightedMDS(callback=callback, random_state=0).fit(data)
    assert [news["iteration"] for news in seen[-3:]] == [1, 2, 3]
    assert seen[0]["embedding"].shape == (26, 2)
    assert mds.stress_ == min(news["stress"] for news in seen)
    stresses = [news["stress"] for news in seen if news["start"] == 0]
    assert mds.loss_curve_ == stresses


def test_verbose_shows_a_bar(capsys):
    WeightedMDS(verbose=True, n_init=1, random_state=0).fit(X)
    assert "WeightedMDS" in capsys.readouterr().out


def test_max_iter_is_the_most_iterations():
    assert WeightedMDS(max_iter=3, n_init=1).fit(X).n_iter_ == 3


class TestPrototypes:
    y = np.array(["a", "a", "b", "c"] + ["a", "b", "c", "b"] * 5)
    is_prototype = np.arange(24) < 4

    def test_named_weights_are_those_of_the_function(self):
        named = WeightedMDS(weights="prototype", random_state=0)
        named.fit(X, self.y, is_prototype=self.is_prototype)
        weights = prototype_weights(self.y, self.is_prototype)
        given = WeightedMDS(weights=weights, random_state=0).fit(X)
        assert_array_equal(named.embedding_, given.embedding_)

    def test_agreement_is_kept_for_any_weights(self):
        for weights in ("uniform", "prototype", "object"):
            mds = WeightedMDS(weights=weights, random_state=0)
            Z = mds.fit_transform(X, self.y, is_prototype=self.is_prototype)
            agreement = picture_agreement(Z, self.y, self.is_prototype)
            assert mds.agreement_ == agreement

    def test_without_objects_or_labels_there_is_no_agreement(self):
        mds = WeightedMDS(weights="prototype", random_state=0)
        mds.fit(X[:4], self.y[:4], is_prototype=np.ones(4, dtype=bool))
        assert mds.agreement_ is None
        mds = WeightedMDS(weights="object", random_state=0)
        assert mds.fit(X, is_prototype=self.is_prototype).agreement_ is None

    @pytest.mark.parametrize("weights", ["prototype", "object"])
    def test_prototypes_must_be_told(self, weights):
        with pytest.raises(ValueError, match=r"Call fit\(X, y, is_prototype=mask\)"):
            WeightedMDS(weights=weights).fit(X, self.y)

    @pytest.mark.parametrize(
        "mask", [[True, False], [0, 2] * 12, np.zeros(24, dtype=bool)]
    )
    def test_a_wrong_mask_is_an_error(self, mask):
        with pytest.raises(ValueError, match="is_prototype must be True"):
            WeightedMDS(weights="object").fit(X, self.y, is_prototype=mask)

    def test_class_weights_tell_the_decisions_better_than_uniform_ones(
        self, paper_table
    ):
        """Fig. 10 of the paper: five prototypes and eleven objects, 12 draws."""
        data, labels = paper_table("balance-scale")
        data = (data - data.min(axis=0)) / np.ptp(data, axis=0)
        left, right = data[labels == "L"], data[labels == "R"]
        # Two prototypes for each side, by the half that its objects lean to.
        prototypes = np.array(
            [
                left[left[:, 0] > left[:, 1]].mean(axis=0),
                left[left[:, 0] <= left[:, 1]].mean(axis=0),
                right[right[:, 2] > right[:, 3]].mean(axis=0),
                right[right[:, 2] <= right[:, 3]].mean(axis=0),
                data[labels == "B"].mean(axis=0),
            ]
        )
        classes = np.array(["L", "L", "R", "R", "B"])
        gaps = ((data[:, None] - prototypes) ** 2).sum(axis=2)
        correct = np.flatnonzero(classes[gaps.argmin(axis=1)] == labels)
        is_prototype = np.arange(16) < 5
        agreement = {"uniform": [], "prototype": []}
        for draw in range(12):
            shown = np.random.default_rng(draw).choice(correct, 11, replace=False)
            points = np.vstack([prototypes, data[shown]])
            told = np.concatenate([classes, labels[shown]])
            for weights, found in agreement.items():
                mds = WeightedMDS(weights=weights, power=2, random_state=draw)
                mds.fit(points, told, is_prototype=is_prototype)
                found.append(mds.agreement_)
        uniform, by_class = (
            np.mean(agreement["uniform"]),
            np.mean(agreement["prototype"]),
        )
        assert by_class >= uniform + 0.03


def broken(change):
    wrong = W.copy()
    change(wrong)
    return wrong


@pytest.mark.parametrize("kind", [np.asarray, csr_array], ids=["array", "sparse"])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (W[:5, :5], r"shape \(24, 24\), got \(5, 5\)"),
        (broken(lambda w: w.__setitem__((0, 1), -1.0)), "must not be negative, got -1"),
        (broken(lambda w: w.__setitem__((0, 1), 9.0)), r"pass \(W \+ W.T\) / 2"),
        (broken(lambda w: w.__setitem__((0, 1), np.nan)), "weights contains NaN"),
        (broken(lambda w: w.__setitem__((0, slice(None)), 0.0)), "symmetric"),
    ],
)
def test_wrong_weights_are_named(weights, message, kind):
    with pytest.raises(ValueError, match=f"WeightedMDS: .*{message}"):
        WeightedMDS(weights=kind(weights)).fit(X)


@pytest.mark.parametrize("kind", [np.asarray, csr_array], ids=["array", "sparse"])
def test_weights_that_leave_an_object_alone_are_an_error(kind):
    weights = W.copy()
    weights[3], weights[:, 3] = 0.0, 0.0
    with pytest.raises(ValueError, match=r"2 parts .*samples 0 and 3.*1e-8"):
        WeightedMDS(weights=kind(weights)).fit(X)


def test_a_duplicate_without_weight_is_placed_with_its_twin():
    data = np.vstack([X, X[:1]])
    weights = np.zeros((25, 25))
    weights[:24, :24] = W
    Z = WeightedMDS(weights=weights, random_state=0).fit_transform(data)
    assert_array_equal(Z[24], Z[0])


def test_no_weight_at_all_is_an_error():
    with pytest.raises(ValueError, match="24 parts"):
        WeightedMDS(weights=np.zeros((24, 24))).fit(X)


def test_a_power_beyond_all_numbers_is_an_error():
    with pytest.raises(ValueError, match="Rescale the features or lower the power"):
        WeightedMDS(power=5).fit(X * 1e100)


def test_weights_only_where_objects_do_not_differ_are_an_error():
    odd = np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 2.0, 0.0]])
    weights = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    with pytest.raises(ValueError, match="nothing to draw"):
        WeightedMDS(weights=weights, metric="precomputed").fit(odd)


def test_distances_too_small_to_be_squared_are_an_error():
    with pytest.raises(ValueError, match="too small to compute"):
        WeightedMDS().fit(X * 1e-200)


@pytest.mark.parametrize(
    "wrong",
    [
        {"n_components": 0},
        {"weights": "class"},
        {"power": 0},
        {"metric": "cosine"},
        {"solver": "sgd"},
        {"n_init": 0},
        {"max_iter": 0},
        {"tol": -1},
    ],
)
def test_a_wrong_parameter_is_named(wrong):
    with pytest.raises(ValueError, match=f"WeightedMDS: {next(iter(wrong))} must be"):
        WeightedMDS(**wrong).fit(X)
