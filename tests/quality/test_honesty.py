import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_wine
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import MDS
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.quality import reference

from labelscape.embeddings import LFDA, KernelMap
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty
from labelscape.quality._honesty import Split, _report


class Memory(TransformerMixin, BaseEstimator):
    """A map that shows each fitted object at its label, and others anywhere."""

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
    """Writes down all that it is given."""

    seen = []  # noqa: RUF012 - shared on purpose: clones write into one book

    def fit(self, X, y=None):
        self.seen.append((X, y))
        return super().fit(X)

    def transform(self, X):
        self.seen.append((X, None))
        return super().transform(X)


class Broken(PCA):
    """Loses the place of a point, or all but one."""

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
    assert found.verdict.found == "real"
    assert found.unseen > 0.9
    assert found.p_value == pytest.approx(1 / 21)
    assert abs(found.null_unseen - 1 / 3) < 0.1


@pytest.mark.parametrize(
    "estimator", [Memory(), NeighborhoodComponentsAnalysis(2, max_iter=20)]
)
def test_separation_of_noise_was_made_by_the_method(estimator):
    found = honesty(estimator, *noise(120), 2, 10, random_state=0)
    assert found.verdict.found == "made"
    assert found.gap > 0.2
    assert found.null > 0.2
    assert found.p_value > 0.05


@pytest.mark.parametrize(
    ("estimator", "name"),
    [(LFDA(), "LFDA"), (LiRaMLVQ(random_state=0, max_iter=30), "LiRaMLVQ")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_our_own_supervised_maps_pass_on_wine_and_not_on_noise(estimator, name):
    options = {"n_splits": 2, "n_permutations": 19, "random_state": 0}
    assert honesty(estimator, *wine(), **options).verdict.found == "real"
    assert honesty(estimator, *noise(100), **options).verdict.found == "made"


def test_an_unsupervised_map_of_noise_shows_no_separation():
    found = honesty(PCA(2), *noise(), random_state=0)
    assert found.verdict.found == "none"


def test_the_numbers_are_those_of_the_definition():
    X, y = wine()
    found = honesty(PCA(2), X, y, n_splits=3, n_permutations=4, k=3, random_state=0)
    seen, unseen, original = np.array(found.splits).T
    null_seen, null_unseen, _ = np.array(found.null_splits).T
    assert found.seen == pytest.approx(seen.mean())
    assert found.unseen == pytest.approx(unseen.mean())
    assert found.gap == pytest.approx(np.mean(seen - unseen))
    assert found.original == pytest.approx(original.mean())
    assert found.null == pytest.approx(np.mean(null_seen - null_unseen))
    assert found.p_value == (1 + np.sum(null_unseen >= unseen.mean())) / 5
    assert (found.null_seen, found.null_unseen) == pytest.approx(
        (null_seen.mean(), null_unseen.mean())
    )


def test_one_fit_is_scored_as_defined():
    X, y = wine()
    book = Watched.seen
    book.clear()
    k = 3
    found = honesty(Watched(2), X, y, n_splits=1, n_permutations=1, k=k, random_state=0)
    (fitted, labels), (_, _), (held_out, _) = book[:3]
    model = PCA(2).fit(fitted)
    Z, Z_new = model.transform(fitted), model.transform(held_out)
    by_object = {x.tobytes(): label for x, label in zip(X, y, strict=True)}
    truth = np.array([by_object[x.tobytes()] for x in held_out])
    seen = reference.knn_hits(reference.distances(Z), labels, k).mean()
    assert found.splits[0].seen == pytest.approx(seen)
    for given, new, score in [
        (Z, Z_new, found.splits[0].unseen),
        (fitted, held_out, found.splits[0].original),
    ]:
        hits = []
        for point, label in zip(new, truth, strict=True):
            hits.append(reference.vote(given, labels, point, k) == label)
        assert score == pytest.approx(np.mean(hits))


def test_a_map_never_sees_a_held_out_object_or_its_label():
    X, y = wine()
    book = Watched.seen
    book.clear()
    honesty(Watched(2), X, y, n_splits=2, n_permutations=3, random_state=0)
    assert len(book) == 5 * 3
    for fit in range(5):
        (fitted, labels), (again, _), (held_out, _) = book[3 * fit : 3 * fit + 3]
        assert_array_equal(fitted, again)
        both = {x.tobytes() for x in fitted} & {x.tobytes() for x in held_out}
        assert not both
        assert len(fitted) + len(held_out) == len(X)
        true = {x.tobytes(): label for x, label in zip(X, y, strict=True)}
        agreement = np.mean([true[x.tobytes()] for x in fitted] == labels)
        assert agreement == 1.0 if fit < 2 else agreement < 0.6
        # Shuffled or not, the classes are as frequent as in the true labels.
        assert_array_equal(np.bincount(labels), np.bincount(book[0][1]))


def test_results_do_not_depend_on_the_number_of_processes():
    X, y = noise(60, 5)
    estimator = NeighborhoodComponentsAnalysis(2, init="random", random_state=0)
    options = {"n_splits": 2, "n_permutations": 3, "random_state": 3}
    one = honesty(estimator, X, y, n_jobs=1, **options)
    two = honesty(estimator, X, y, n_jobs=2, **options)
    assert one.splits == two.splits
    assert one.null_splits == two.null_splits
    assert one.verdict == two.verdict


def test_a_seed_repeats_the_result_of_a_random_method_too():
    X, y = noise(60, 5)
    estimator = NeighborhoodComponentsAnalysis(2, init="random", max_iter=3)
    options = {"n_splits": 2, "n_permutations": 2}
    one = honesty(estimator, X, y, random_state=3, **options)
    two = honesty(estimator, X, y, random_state=3, **options)
    other = honesty(estimator, X, y, random_state=4, **options)
    assert one.splits == two.splits != other.splits
    pipeline = make_pipeline(StandardScaler(), estimator)
    again = [honesty(pipeline, X, y, random_state=3, **options) for _ in range(2)]
    assert again[0].splits == again[1].splits
    assert estimator.random_state is None


def test_a_rare_class_is_never_shuffled_out_of_the_fitted_points():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), np.repeat([0, 1], [36, 4])
    found = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    assert len(found.null_splits) == 20


def test_few_shuffles_do_not_turn_a_real_separation_into_a_made_one():
    found = honesty(
        LinearDiscriminantAnalysis(), *wine(), n_permutations=3, random_state=0
    )
    assert found.p_value == 0.25
    assert found.verdict.found == "real"


def test_the_callback_hears_of_every_fit(capsys):
    news = []
    X, y = wine()
    options = {"n_splits": 2, "n_permutations": 3, "random_state": 0}
    found = honesty(PCA(2), X, y, callback=news.append, **options)
    assert [item["fit"] for item in news] == [1, 2, 3, 4, 5]
    assert news[0]["seen"] == found.splits[0].seen
    assert news[-1]["unseen"] == found.null_splits[-1].unseen
    assert capsys.readouterr().out == ""
    honesty(PCA(2), X, y, verbose=True, **options)
    assert "5/5" in capsys.readouterr().out


def test_the_callback_can_end_the_shuffling():
    X, y = wine()
    found = honesty(PCA(2), X, y, 2, 50, random_state=0, callback=lambda news: True)
    assert len(found.splits) == 2
    assert len(found.null_splits) == 1  # one at least, to compare with
    assert found.p_value == 0.5


def test_the_level_is_the_verdict_in_a_word():
    options = {"n_splits": 2, "n_permutations": 19, "random_state": 0}
    assert honesty(LFDA(), *wine(), **options).level == "real"
    assert honesty(LFDA(), *noise(100), **options).level == "made"


def test_it_prints_numbers_and_verdict():
    X, y = wine()
    found = honesty(PCA(2), X, y, n_splits=2, n_permutations=2, random_state=0)
    lines = str(found).splitlines()
    assert lines[0].startswith("5-NN accuracy")
    assert lines[0].endswith("true labels  shuffled labels")
    assert lines[-2:] == [str(found.verdict), found.chance]
    assert str(found.verdict) in found._repr_html_()
    frame = found.to_frame()
    assert list(frame["labels"]) == ["true"] * 2 + ["shuffled"] * 2
    assert_allclose(frame["gap"], frame["seen"] - frame["unseen"])


@pytest.mark.parametrize(
    ("shuffled", "words"),
    [
        ([0.2] * 5, "None of 5 shuffles did as well on unseen points (p ≤ 0.17, "),
        ([0.2] * 20, "the least that 20 can show)."),
        ([0.2], "None of 1 shuffle did as well"),
        (
            [0.2, 0.9, 0.2, 0.7],
            "1 of 4 shuffles did as well on unseen points (p = 0.4).",
        ),
    ],
)
def test_the_p_value_is_told_with_what_so_few_shuffles_can_show(shuffled, words):
    true = [Split(0.9, 0.8, 0.8)] * 2
    found = _report(true, [Split(0.9, unseen, 0.5) for unseen in shuffled], 5)
    assert words in found.chance


def test_a_map_of_one_dimension_and_float32_data_are_welcome():
    X, y = noise()
    found = honesty(
        LinearDiscriminantAnalysis(), X.astype(np.float32), y, random_state=0
    )
    assert found.verdict.found == "made"


def test_a_map_that_cannot_place_new_points_gets_kernels_to_do_it():
    X, y = wine()
    mds = MDS(n_init=1, max_iter=50, init="random")
    found = honesty(mds, X, y, n_splits=2, n_permutations=2, random_state=0)
    assert str(found.verdict).startswith("The separation is real")
    kernels = honesty(
        KernelMap(mds), X, y, n_splits=2, n_permutations=2, random_state=0
    )
    assert found.splits == kernels.splits


def test_what_is_no_map_is_refused():
    with pytest.raises(TypeError, match="function has no fit, so it is no map"):
        honesty(wine, *wine())


def test_lost_points_are_named():
    with pytest.raises(
        ValueError, match=r"Broken placed 1 of 89 points at NaN .* row 3"
    ):
        honesty(Broken(), *wine(), random_state=0)
    with pytest.raises(ValueError, match=r"shape \(1, 2\) for the places of 89 points"):
        honesty(Broken(rows=1), *wine(), random_state=0)


def test_a_class_of_one_object_is_refused():
    X, y = noise(30)
    y = y.astype(object)
    y[4] = "lone"
    with pytest.raises(ValueError, match="class 'lone' has 1 object"):
        honesty(PCA(2), X, y)


def test_too_few_points_for_the_neighbours_are_refused():
    X, y = noise(20)
    with pytest.raises(ValueError, match="only 10 points are fitted, too few for k"):
        honesty(PCA(2), X, y, k=10)
    with pytest.raises(ValueError, match="cannot be split so"):
        honesty(PCA(2), X, y, test_size=0.01)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n_splits", 0),
        ("n_permutations", 0),
        ("k", 1.5),
        ("test_size", 1.0),
        ("n_jobs", "all"),
    ],
)
def test_wrong_arguments_are_named(name, value):
    with pytest.raises(ValueError, match=f"honesty: {name} must be"):
        honesty(PCA(2), *wine(), **{name: value})


def test_unusable_data_are_named():
    X, y = wine()
    with pytest.raises(ValueError, match="178 objects but y has 177"):
        honesty(PCA(2), X, y[:-1])
    with pytest.raises(ValueError, match="at least two classes"):
        honesty(PCA(2), X, np.zeros(178))
    X[5, 2] = np.nan
    with pytest.raises(ValueError, match=r"X contains NaN: column 2 .* in row 5"):
        honesty(PCA(2), X, y)


def test_maps_do_not_warn_of_labels_that_honesty_has_shuffled():
    X, y = load_wine(return_X_y=True)
    found = honesty(LFDA(), X, y, n_splits=1, n_permutations=2, random_state=0)
    assert (
        found.unseen > found.null_unseen
    )  # and no warning, which would be an error here
