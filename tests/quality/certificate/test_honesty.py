"""The whole certificate, for maps with known properties."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import SpectralEmbedding
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.quality.certificate.cases import led_digits, titanic, votes

from labelscape.embeddings import LFDA, KernelMap
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty


class Memory(TransformerMixin, BaseEstimator):
    """A map that shows fitted samples at their label, and others at random."""

    def fit(self, X, y):
        self.known_ = {x.tobytes(): label for x, label in zip(X, y, strict=True)}
        return self

    def transform(self, X):
        anywhere = np.array(["no", "yes"])[np.arange(len(X)) % 2]
        labels = [
            self.known_.get(x.tobytes(), other)
            for x, other in zip(X, anywhere, strict=True)
        ]
        return (np.array(labels) == "yes")[:, None] + 1e-3 * X[:, :1]


class Watched(PCA):
    """A map that records its arguments."""

    seen = []  # noqa: RUF012 - shared on purpose: clones write into one book

    def fit(self, X, y=None):
        self.seen.append((X, y))
        return super().fit(X)

    def transform(self, X):
        self.seen.append((X, None))
        return super().transform(X)


class Broken(PCA):
    """A map without the position of one point, or with one position only."""

    def __init__(self, n_components=2, rows=None):
        super().__init__(n_components)
        self.rows = rows

    def transform(self, X):
        Z = super().transform(X)
        Z[3] = np.nan
        return Z[: self.rows]


def noise(n=200, d=20):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), np.array(["no", "yes"])[rng.integers(2, size=n)]


def wine():
    X, y = load_wine(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def test_wine_by_discriminant_analysis_is_really_separate():
    found = honesty(LinearDiscriminantAnalysis(), *wine(), random_state=0)
    assert (found.verdict.real, found.verdict.kept) == ("yes", "all")
    assert found.unseen > 0.9
    assert found.unseen_interval.low > 0.9
    assert found.p_value == 0.001
    assert abs(found.null_unseen - 1 / 3) < 0.1
    assert found.chance == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    "estimator",
    [
        Memory(),
        NeighborhoodComponentsAnalysis(2, max_iter=20),
        LFDA(),
        LiRaMLVQ(random_state=0, max_iter=30),
    ],
)
def test_separation_of_noise_was_made_by_the_method(estimator):
    found = honesty(estimator, *noise(120), n_splits=2, random_state=0)
    assert found.verdict.real == "no"
    assert "the map shows separation that is not there" in str(found.verdict)
    assert found.gap > 0.1
    assert found.null > 0.1
    assert found.p_value > 0.05


@pytest.mark.parametrize("estimator", [LFDA(), LiRaMLVQ(random_state=0, max_iter=30)])
def test_our_own_supervised_maps_pass_on_wine(estimator):
    found = honesty(estimator, *wine(), n_splits=2, random_state=0)
    assert (found.verdict.real, found.verdict.kept) == ("yes", "all")


def test_an_unsupervised_map_of_noise_shows_no_separation():
    found = honesty(PCA(2), *noise(), random_state=0)
    assert "the map shows separation that is not there" not in str(found.verdict)
    assert found.verdict.kept is None


# The four everyday tables that a certificate must not be wrong about.


def test_copies_of_rows_with_random_labels_are_not_taken_for_a_separation():
    X, y = noise(100, 10)
    found = honesty(
        LinearDiscriminantAnalysis(), np.repeat(X, 3, axis=0), np.repeat(y, 3)
    )
    assert found.verdict.real == "no"
    assert found.notes[0] == "100 different rows among 300; equal rows stay together."


def test_patients_measured_four_times_are_not_taken_for_a_separation():
    rng = np.random.default_rng(1)
    patients, of_row = rng.normal(size=(60, 10)), np.repeat(np.arange(60), 4)
    X = patients[of_row] + 0.1 * rng.normal(size=(240, 10))
    y = rng.integers(2, size=60)[of_row]
    near = NeighborhoodComponentsAnalysis(2, max_iter=20)
    assert honesty(near, X, y, np.arange(240), random_state=0).verdict.real != "no"
    found = honesty(near, X, y, groups=of_row, random_state=0)
    assert found.verdict.real == "no"
    assert found.notes[0].startswith("60 groups among 240 rows")
    found = honesty(near, X, y, random_state=0)  # families, by their distances
    assert found.verdict.real == "no"
    assert found.notes[0].startswith("Sets of about 4 nearly equal rows")


def test_near_copies_are_not_taken_for_a_separation():
    rng = np.random.default_rng(0)
    X, y = np.repeat(rng.normal(size=(80, 8)), 3, axis=0), rng.integers(2, size=80)
    X += 0.01 * rng.normal(size=X.shape)
    near = NeighborhoodComponentsAnalysis(2, max_iter=20)
    assert honesty(near, X, np.repeat(y, 3), random_state=0).verdict.real == "no"


@pytest.mark.parametrize("table", [titanic, led_digits, votes])
def test_tables_of_few_values_are_judged_row_by_row(table):
    X, y = table(500)
    assert honesty(PCA(2), X, y, random_state=0).verdict.real == "yes"
    shuffled = np.random.default_rng(1).permutation(y)
    assert honesty(PCA(2), X, shuffled, random_state=0).verdict.real == "no"
    thrice = (np.repeat(X, 3, axis=0), np.repeat(shuffled, 3))
    assert honesty(PCA(2), *thrice, random_state=0).verdict.real == "no"


def test_a_rare_class_that_is_separated_perfectly_is_real():
    rng = np.random.default_rng(2)
    y = rng.permutation(np.repeat(["common", "rare"], [388, 12]))
    X = rng.normal(size=(400, 10)) + 8 * (y == "rare")[:, None]
    found = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    assert (found.verdict.real, found.unseen) == ("yes", 1.0)
    assert found.by_class == {"common": 1.0, "rare": 1.0}


def test_a_row_counter_in_a_sorted_table_is_named():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.normal(size=(300, 5)), np.arange(300.0)])
    y = np.repeat(["a", "b", "c"], 100)
    names = [f"gene {j}" for j in range(5)] + ["row"]
    found = honesty(LinearDiscriminantAnalysis(), X, y, feature_names=names)
    kinds = {leak.code: leak for leak in found.warnings}
    assert set(kinds) == {"counter", "order"}
    assert kinds["counter"].subjects == ("row",)
    assert kinds["counter"].figure > 0.9
    assert "'row' is a row counter" in str(found)


# How it is measured.


def test_the_numbers_belong_together():
    X, y = wine()
    found = honesty(PCA(2), X, y, n_splits=3, n_refits=2, random_state=0)
    seen, unseen, original = np.mean(found.splits, axis=0)
    assert found.seen == pytest.approx(seen, abs=0.01)  # splits differ by a unit or two
    assert found.unseen == pytest.approx(unseen, abs=0.01)
    assert found.original == pytest.approx(original, abs=0.01)
    assert found.gap == pytest.approx(found.seen - found.unseen)
    assert found.kept == pytest.approx(
        (found.unseen - 1 / 3) / (found.original - 1 / 3)
    )
    null_seen, null_unseen, _ = np.mean(found.null_splits, axis=0)
    assert (found.null_seen, found.null_unseen) == pytest.approx(
        (null_seen, null_unseen)
    )
    recalls = np.diag(found.confusion) / found.confusion.sum(axis=1)
    assert found.unseen == pytest.approx(recalls.mean())
    assert list(found.by_class.values()) == pytest.approx((recalls - 1 / 3) * 1.5)
    assert found.points.tried.sum() == found.confusion.sum()
    assert found.points.right.sum() == np.trace(found.confusion)
    assert found.unseen_interval.low < found.unseen < found.unseen_interval.high


def test_pairs_that_are_mixed_up_most_come_first():
    rng = np.random.default_rng(0)
    y = np.repeat(["near", "nearby", "far"], 60)
    X = rng.normal(size=(180, 2)) + np.repeat([[0.0], [1.0], [20.0]], 60, axis=0)
    found = honesty(PCA(2), X, y, random_state=0)
    assert {found.pairs[0].a, found.pairs[0].b} == {"near", "nearby"}
    assert 0.05 < found.pairs[0].share < 0.5
    assert len(found.pairs) == 1
    hard = found.points.share < 0.5
    assert hard[y == "far"].sum() == 0 < hard.sum()


def test_a_map_never_sees_a_held_out_object_or_its_label():
    X, y = wine()
    book = Watched.seen
    book.clear()
    honesty(Watched(2), X, y, n_splits=2, n_refits=3, random_state=0)
    assert len(book) == 5 * 3
    true = {x.tobytes(): label for x, label in zip(X, y, strict=True)}
    for fit in range(5):
        (fitted, labels), (again, _), (held_out, _) = book[3 * fit : 3 * fit + 3]
        assert_array_equal(fitted, again)
        assert not {x.tobytes() for x in fitted} & {x.tobytes() for x in held_out}
        assert len(fitted) + len(held_out) == len(X)
        agreement = np.mean([true[x.tobytes()] for x in fitted] == labels)
        assert agreement == 1.0 if fit < 2 else agreement < 0.6
        # Shuffled or not, the classes are as frequent as in the true labels.
        split = book[3 * (fit % 2)][1]
        assert_array_equal(np.bincount(labels), np.bincount(split))


def test_results_do_not_depend_on_the_number_of_processes():
    X, y = noise(60, 5)
    estimator = NeighborhoodComponentsAnalysis(2, init="random", random_state=0)
    options = {"n_splits": 2, "n_refits": 2, "random_state": 3}
    one = honesty(estimator, X, y, n_jobs=1, **options)
    two = honesty(estimator, X, y, n_jobs=2, **options)
    assert one.splits == two.splits
    assert one.null_splits == two.null_splits
    assert one.verdict == two.verdict


def test_a_seed_repeats_the_result_of_a_random_method_too():
    X, y = noise(60, 5)
    estimator = NeighborhoodComponentsAnalysis(2, init="random", max_iter=3)
    options = {"n_splits": 2, "n_refits": 1}
    one = honesty(estimator, X, y, random_state=3, **options)
    two = honesty(estimator, X, y, random_state=3, **options)
    other = honesty(estimator, X, y, random_state=4, **options)
    assert one.splits == two.splits != other.splits
    pipeline = make_pipeline(StandardScaler(), estimator)
    again = [honesty(pipeline, X, y, random_state=3, **options) for _ in range(2)]
    assert again[0].splits == again[1].splits
    assert estimator.random_state is None


def test_the_callback_hears_of_every_fit(capsys):
    news = []
    X, y = wine()
    options = {"n_splits": 2, "n_refits": 3, "random_state": 0}
    found = honesty(PCA(2), X, y, callback=news.append, **options)
    assert [item["fit"] for item in news] == [1, 2, 3, 4, 5]
    assert news[0]["seen"] == found.splits[0].seen
    assert news[-1]["unseen"] == found.null_splits[-1].unseen
    assert capsys.readouterr().out == ""
    honesty(PCA(2), X, y, verbose=True, **options)
    assert "5/5" in capsys.readouterr().out


def test_the_callback_can_end_it_after_the_first_fit():
    X, y = wine()
    found = honesty(PCA(2), X, y, random_state=0, callback=lambda news: True)
    assert len(found.splits) == 1
    assert found.null_splits == []
    assert (found.null_seen, found.null) == (None, None)
    assert found.verdict.real == "yes"


def test_it_prints_numbers_verdict_and_notes():
    X, y = wine()
    found = honesty(PCA(2), X, y, n_splits=2, n_refits=2, random_state=0)
    lines = str(found).splitlines()
    assert lines[:4] == str(found.verdict).splitlines()
    header = lines[4].split()
    assert " ".join(header) == "5 neighbors, balanced true labels 95% interval shuffled"
    assert lines[9:] == found.notes
    assert found._repr_html_().startswith(f"<p>{lines[0]}</p><p>{lines[1]}</p>")
    frame = found.to_frame()
    assert list(frame["labels"]) == ["true"] * 2 + ["shuffled"] * 2
    assert_allclose(frame["gap"], frame["seen"] - frame["unseen"])


def test_a_map_of_one_dimension_and_float32_data_are_welcome():
    X, y = noise()
    found = honesty(
        LinearDiscriminantAnalysis(), X.astype(np.float32), y, random_state=0
    )
    assert found.verdict.real == "no"


def test_a_map_that_cannot_place_new_points_gets_kernels_to_do_it():
    X, y = wine()
    spectral = SpectralEmbedding(n_neighbors=15)
    options = {"n_splits": 2, "n_refits": 1, "random_state": 0}
    found = honesty(spectral, X, y, **options)
    assert found.verdict.real == "yes"
    assert found.splits == honesty(KernelMap(spectral), X, y, **options).splits


# What cannot be judged.


def test_a_class_of_one_object_does_not_switch_the_judgement_off():
    X, y = wine()
    y[4] = 7
    found = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    assert found.verdict.real == "yes"
    assert found.left_out == [7]
    assert found.classes.tolist() == [0, 1, 2]
    assert found.points.tried[4] == 0
    assert "Too few rows to test: 7 (at least 2 independent rows" in str(found)


@pytest.mark.parametrize(
    ("n", "groups", "why"),
    [
        (8, None, "only 8 independent rows (or groups); at least 10"),
        (
            100,
            np.r_[np.arange(60) % 3, 3 + np.arange(40) % 3],
            "only 6 independent rows (or groups)",
        ),
        (
            100,
            np.repeat([1, 2], [60, 40]),
            "fewer than two classes have two independent rows",
        ),
    ],
)
def test_too_few_units_are_not_judged_at_all(n, groups, why):
    X, _ = noise(n)
    y = np.repeat(["a", "b"], [int(0.6 * n), n - int(0.6 * n)])
    found = honesty(LinearDiscriminantAnalysis(), X, y, groups)
    assert found.verdict.real == "untested"
    assert str(found).startswith(f"Not tested: {why}")
    assert (found.seen, found.gap, found.kept, found.pairs) == (None, None, None, [])
    assert not found.points.tried.any()


def test_a_large_table_is_judged_on_some_of_its_units():
    rng = np.random.default_rng(0)
    y = np.repeat(["common", "rare"], [2900, 100])
    X = rng.normal(size=(3000, 3)) + 3 * (y == "rare")[:, None]
    pairs = np.arange(3000) // 2
    found = honesty(
        LinearDiscriminantAnalysis(), X, y, pairs, max_samples=300, random_state=0
    )
    tried = found.points.tried > 0
    assert 250 < tried.sum() <= found.n_judged < 400
    assert (y[tried] == "rare").sum() > 30
    assert f"Tested on {found.n_judged} random rows of 3,000." in found.notes
    assert found.verdict.real == "yes"


def test_what_is_no_map_is_refused():
    with pytest.raises(TypeError, match="has no fit method, so it is not an estimator"):
        honesty(wine, *wine())


def test_lost_points_are_named():
    with pytest.raises(
        ValueError, match=r"Broken placed 1 of \d+ points at NaN .* row 3"
    ):
        honesty(Broken(), *wine(), random_state=0)
    with pytest.raises(
        ValueError, match=r"shape \(1, 2\) for the positions of \d+ points"
    ):
        honesty(Broken(rows=1), *wine(), random_state=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_splits", 0),
        ("n_refits", -1),
        ("n_jobs", "all"),
        ("n_jobs", 0),
        ("callback", 3),
    ],
)
def test_wrong_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=f"honesty: {name} must be"):
        honesty(PCA(2), *wine(), **{name: value})


def test_unusable_data_are_named():
    X, y = wine()
    with pytest.raises(ValueError, match="178 samples but y has 177"):
        honesty(PCA(2), X, y[:-1])
    with pytest.raises(ValueError, match="at least two classes"):
        honesty(PCA(2), X, np.zeros(178))
    with pytest.raises(ValueError, match="groups must contain one value per sample"):
        honesty(PCA(2), X, y, y[:-1])
    X[5, 2] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN: column 2 .* in row 5"):
        honesty(PCA(2), X, y)


def test_maps_do_not_warn_of_labels_that_honesty_has_shuffled():
    X, y = load_wine(return_X_y=True)
    found = honesty(LFDA(), X, y, n_splits=1, random_state=0)
    # And no warning, which would be an error here.
    assert found.unseen > found.null_unseen


def test_of_few_features_among_many_a_linear_model_shows_what_the_data_separate():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 900)), np.arange(80) % 2
    shuffled = rng.permutation(y)
    found = honesty(PCA(2), X + 1.5 * y[:, None] * (np.arange(900) < 20), y)
    assert found.verdict.is_linear
    assert found.original > 0.85
    assert " in the data with a linear model." in str(found.verdict)
    found = honesty(PCA(2), X, shuffled, random_state=0)
    assert found.original < 0.65
    assert found.verdict.real == "no"


def test_a_copy_of_the_class_among_the_features_makes_the_light_amber():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = np.c_[rng.normal(size=(90, 4)), np.array([15.0, 5.0, 10.0])[y]]
    names = ["a", "b", "c", "d", "outcome"]
    found = honesty(PCA(2), X, y, feature_names=names, random_state=0)
    assert found.verdict.given_away == "outcome"
    assert found.verdict.lights[0].state == "fair"


def donors(effect_in, n_donors=4, seed=0):
    """Return rows of donors that all have both classes, 2 sd apart in some of them."""
    rng = np.random.default_rng(seed)
    donor, y = (
        np.repeat(np.arange(n_donors), 40),
        np.tile(np.repeat([0, 1], 20), n_donors),
    )
    X = rng.normal(size=(len(y), 6)) + rng.normal(scale=0.5, size=(n_donors, 6))[donor]
    X[:, 0] += 2.0 * y * np.isin(donor, effect_in)
    return X, y, donor


def test_few_groups_that_share_classes_are_tested_by_each_other():
    X, y, donor = donors(effect_in=[0, 1, 2, 3])
    report = honesty(LinearDiscriminantAnalysis(), X, y, donor, random_state=0)
    assert report.verdict.real in ("yes", "partly")
    assert report.p_value <= 0.05
    assert abs(report.verdict.known - report.unseen) < 0.15
    assert report.points.tried.tolist() == [1] * len(y)  # each donor left out once
    assert "so the separation is valid for a new group" in str(report)


@pytest.mark.parametrize("effect_in", [[], [0]])
def test_an_effect_in_one_group_does_not_hold_in_a_new_group(effect_in):
    X, y, donor = donors(effect_in, n_donors=5)
    report = honesty(LinearDiscriminantAnalysis(), X, y, donor, random_state=0)
    assert report.verdict.real == "no"
    assert "so the separation is not valid for a new group" in str(report)
