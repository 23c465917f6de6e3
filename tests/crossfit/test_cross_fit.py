"""Cross-fitting, compared with a loop over folds."""

import copy

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import labelscape
from labelscape._core.columns import selected_features
from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.datasets import load

X, Y = load_iris(return_X_y=True)
MEMBERS = [GaussianNB(), LogisticRegression(max_iter=500)]


def test_an_object_is_judged_by_models_that_never_saw_it():
    model = CrossFit(MEMBERS, 4, random_state=0).fit(X, Y)
    slow = np.zeros((150, 3))
    for k in range(4):
        out = model.fold_ == k
        for member in MEMBERS:
            fitted = clone(member).fit(X[~out], Y[~out])
            slow[out] += fitted.predict_proba(X[out]) / 2
    np.testing.assert_allclose(model.probabilities_, slow, atol=1e-12)


def test_new_objects_are_judged_by_the_mean_of_all_models():
    model = CrossFit(GaussianNB(), 3, random_state=0).fit(X[::2], Y[::2])
    slow = np.mean([fold[0].predict_proba(X[1::2]) for fold in model.models_], axis=0)
    np.testing.assert_allclose(model.predict_proba(X[1::2]), slow, atol=1e-12)
    assert np.array_equal(model.predict(X[1::2]), slow.argmax(axis=1))


def test_folds_are_of_equal_size_and_hold_each_class():
    different = X + np.arange(150)[:, None] * 1e-6  # two irises are the same
    model = CrossFit(GaussianNB(), random_state=0).fit(different, Y)
    counts = np.array([np.bincount(Y[model.fold_ == k]) for k in range(5)])
    assert (counts == 10).all()


def test_copies_and_groups_are_held_out_together():
    rng = np.random.default_rng(0)
    copies = rng.permutation(np.repeat(np.arange(50), 3))
    model = CrossFit(GaussianNB(), random_state=0).fit(X[copies * 3], Y[copies * 3])
    assert all(len(set(model.fold_[copies == i])) == 1 for i in range(50))
    group = np.arange(150) % 30
    model = CrossFit(GaussianNB(), random_state=0).fit(X, Y, group)
    assert all(len(set(model.fold_[group == g])) == 1 for g in range(30))


@pytest.mark.parametrize("n_copies", [1, 3])
def test_labels_of_noise_are_not_learned_also_from_copies(n_copies):
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(100), n_copies)
    noise, labels = rng.normal(size=(100, 3))[rows], rng.integers(0, 2, 100)[rows]
    model = CrossFit(KNeighborsClassifier(1), random_state=0).fit(noise, labels)
    right = (model.probabilities_.argmax(axis=1) == labels).mean()
    assert abs(right - 0.5) < 0.15


def test_a_class_that_only_one_fold_has_gets_no_probability_there():
    labels = np.array(["a"] * 75 + ["b"] * 74 + ["once"])
    model = CrossFit(GaussianNB(), random_state=0).fit(X, labels)
    assert model.probabilities_[-1, 2] == 0.0
    np.testing.assert_allclose(model.probabilities_.sum(axis=1), 1.0)


def test_what_was_said_is_recalled_from_a_file_without_it(tmp_path):
    model = CrossFit(random_state=0).fit(X, Y)
    labelscape.save(model, tmp_path / "m")
    again = labelscape.load(tmp_path / "m")
    assert not hasattr(again, "probabilities_")
    assert np.array_equal(again.out_of_fold_proba(X), model.probabilities_)
    assert np.array_equal(
        again.predict_proba(X[:5] + 0.1), model.predict_proba(X[:5] + 0.1)
    )


def test_one_and_two_threads_give_the_same_bits(monkeypatch):
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("OMP_NUM_THREADS", threads)
        model = CrossFit(random_state=0).fit(X, Y)
        found.append(np.vstack([model.probabilities_, model.predict_proba(X)]))
    assert np.array_equal(*found)


def test_prototypes_and_waves_are_better_together_than_chance_on_every_class():
    model = CrossFit(random_state=0).fit(X, Y)
    right = model.probabilities_.argmax(axis=1) == Y
    assert all(right[c == Y].mean() > 0.85 for c in range(3))


@pytest.mark.parametrize(
    ("settings", "y", "groups", "words"),
    [
        ({"estimator": "best"}, Y, None, "estimator must be 'auto'"),
        ({"estimator": []}, Y, None, "estimator must be"),
        ({"n_folds": 1}, Y, None, "n_folds must be a whole number of at least 2"),
        ({}, Y, np.zeros(150), "all rows belong together"),
        ({}, np.r_[np.zeros(149), 1], None, "two classes with at least two"),
        ({}, Y, np.zeros(3), "groups must contain one value per sample"),
    ],
)
def test_what_can_not_be_is_said(settings, y, groups, words):
    with pytest.raises(ValueError, match=words):
        CrossFit(**{"estimator": GaussianNB(), **settings}).fit(X, y, groups)


def test_recalling_takes_the_objects_of_the_fit():
    model = CrossFit(GaussianNB(), random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match="takes the 150 samples of the fit, got 3"):
        model.out_of_fold_proba(X[:3])


def test_a_refit_to_the_same_labels_says_nearly_the_same():
    first = CrossFit(random_state=0).fit(X, Y)
    again = copy.copy(first).refit(X, Y)
    assert np.array_equal(again.fold_, first.fold_)
    assert np.abs(again.probabilities_ - first.probabilities_).mean() < 0.02


def test_a_refit_to_mended_labels_comes_near_to_a_fit_from_the_beginning():
    wrong = Y.copy()
    wrong[np.random.default_rng(0).choice(150, 15, replace=False)] += 1
    first = CrossFit(random_state=0).fit(X, wrong % 3)
    cold = CrossFit(random_state=0).fit(X, Y)
    warm = copy.copy(first).refit(X, Y)

    def loss(model):
        return -np.log(model.probabilities_[np.arange(150), Y]).mean()

    assert loss(warm) - loss(cold) < 0.2 * (loss(first) - loss(cold))


def test_models_that_can_not_move_on_are_fitted_anew_to_the_same_folds():
    changed = np.roll(Y, 3)
    model = CrossFit(GaussianNB(), random_state=0).fit(X, Y).refit(X, changed)
    for k in range(5):
        own = model.fold_ == k
        alone = GaussianNB().fit(X[~own], changed[~own])
        np.testing.assert_allclose(
            model.probabilities_[own], alone.predict_proba(X[own]), atol=1e-12
        )


@pytest.mark.parametrize(
    ("rows", "y", "words"),
    [
        (slice(3), Y[:3], "refit takes the 150 samples of the fit, got 3"),
        (slice(None), np.minimum(Y, 1), "labels of the 3 classes of the last fit"),
        (slice(None), Y + 1, "labels of the 3 classes of the last fit"),
        (slice(None), Y[:5], "150"),
    ],
)
def test_a_refit_takes_the_objects_and_classes_of_the_fit(rows, y, words):
    model = CrossFit(GaussianNB(), random_state=0).fit(X, Y)
    with pytest.raises(ValueError, match=words):
        model.refit(X[rows], y)


def wide_table(shift, n=80, d=900, seed=0):
    """Return a table of more features than rows, of which 20 differ by class."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.permutation(np.arange(n) % 2)
    X[:, :20] += shift * y[:, None]
    return X, y


def test_of_a_wide_table_features_are_selected_without_the_fold():
    X, y = wide_table(2.5)
    model = CrossFit(random_state=0).fit(X, y)
    assert model.columns_.shape == (5, 50)
    assert (model.probabilities_.argmax(axis=1) == y).mean() > 0.9
    assert (CrossFit("auto").fit(X[:, :40], y)._columns) is None
    for k in range(5):
        wanted = selected_features(X[model.fold_ != k], y[model.fold_ != k], 50)
        assert_array_equal(model.columns_[k], wanted)


def test_of_a_wide_table_of_noise_nothing_is_learned():
    right = []
    for seed in range(5):
        X, y = wide_table(0.0, seed=seed)
        model = CrossFit(random_state=0).fit(X, y)
        right.append((model.probabilities_.argmax(axis=1) == y).mean())
    assert 0.4 < np.mean(right) < 0.6


def test_models_of_a_wide_table_are_the_same_after_a_file(tmp_path):
    X, y = wide_table(1.5)
    model = CrossFit(random_state=0).fit(X, y)
    labelscape.save(model, tmp_path / "wide.model")
    again = labelscape.load(tmp_path / "wide.model")
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wine", "checkerboard", "modes"])
def test_a_metric_keeps_the_models_with_the_least_loss_on_held_out_objects(name):
    table = load(name)
    X, y = table.X[::2], np.asarray(table.y)[::2]
    both = CrossFit(random_state=0).fit(X, y)
    codes = np.searchsorted(both.classes_, y)
    members = np.zeros((2, len(X), len(both.classes_)))
    for i, fold in enumerate(both.fold_):
        for j, model in enumerate(both.models_[fold]):
            members[j, i] = model.predict_proba(X[i : i + 1])[0]

    def loss(p):
        right = -np.log(np.maximum(p[np.arange(len(p)), codes], 1e-3))
        return np.mean([right[codes == c].mean() for c in range(len(both.classes_))])

    losses = [loss(members.mean(axis=0)), loss(members[0]), loss(members[1])]
    best, kept = int(np.argmin(losses)), both._keeping_better(X, y)
    wanted = [members.mean(axis=0), *members][best]
    np.testing.assert_allclose(kept.probabilities_, wanted, atol=1e-9)
    assert len(both.models_[0]) == 2
    if name == "checkerboard":  # four prototypes of a class can't follow its squares
        assert [type(one) for one in kept.models_[0]] == [RandomFeatureClassifier]
    np.testing.assert_array_equal(kept.out_of_fold_proba(X), kept.probabilities_)
    again = kept.refit(X, y)
    assert len(again.models_[0]) == len(kept.models_[0])
