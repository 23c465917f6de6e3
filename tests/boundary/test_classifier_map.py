import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris
from sklearn.decomposition import PCA
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

import labelscape
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import LFDA, Sammon
from labelscape.prototypes import GLVQ

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
FITTED, NEW = X[::2], X[1::2]
BAYES = GaussianNB().fit(FITTED, NAMES[y[::2]])


class TwoHalves:
    """A classifier of data of any width, with the same name in all processes.

    A plain function would be shown with its address.
    """

    def __call__(self, Z):
        p = 1.0 / (1.0 + np.exp(-np.asarray(Z).mean(axis=1)))
        return np.column_stack([1.0 - p, p])

    def __repr__(self):
        return "TwoHalves()"


CONTRACT = ClassifierMap(
    TwoHalves(), Sammon(n_pivots=200, max_iter=5), resolution=5, n_centers=20
)


@parametrize_with_checks([CONTRACT])
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def model():
    return ClassifierMap(BAYES, resolution=60, random_state=0).fit(FITTED)


# What a picture says


def test_agreement_is_the_share_of_samples_that_come_back_with_their_class(model):
    again = model.inverse_transform(model.transform(NEW))
    expected = np.mean(BAYES.predict(again) == BAYES.predict(NEW))
    assert model.score(NEW) == pytest.approx(expected)
    assert model.score(NEW) > 0.9
    again = model.inverse_transform(model.embedding_)
    expected = np.mean(BAYES.predict(again) == BAYES.predict(FITTED))
    assert model.agreement_ == model.agreement_train_ == pytest.approx(expected)


def test_the_round_trip_is_compared_with_the_mean_of_the_fitted_objects(model):
    again = model.inverse_transform(model.transform(NEW))
    total = np.sum((NEW - FITTED.mean(axis=0)) ** 2)
    expected = 1 - np.sum((NEW - again) ** 2) / total
    assert model.round_trip_r2(NEW) == pytest.approx(expected)
    assert 0.5 < model.round_trip_r2_ <= 1.0


def test_neighbours_on_the_map_tell_what_it_can_show(model):
    Z, places = model.transform(NEW), model.embedding_
    nearest = [np.argmin(np.hypot(*(places - z).T)) for z in Z]
    expected = np.mean(BAYES.predict(FITTED)[nearest] == BAYES.predict(NEW))
    assert model.nn_agreement(NEW) == pytest.approx(expected)
    assert 0.9 < model.nn_agreement_ <= 1.0


def test_cells_under_objects_have_their_class(model):
    regions = model.regions_
    columns = np.abs(model.embedding_[:, :1] - regions.x).argmin(axis=1)
    rows = np.abs(model.embedding_[:, 1:] - regions.y).argmin(axis=1)
    shown = regions.labels[rows, columns]
    assert np.mean(shown == model.predictions_) > 0.95
    assert not regions.far[rows, columns].any()
    assert model.share_far_from_data_ == regions.share_far_from_data


def test_labels_are_those_of_the_classifier(model):
    assert (model.classes_ == NAMES).all()
    assert (model.predictions_ == BAYES.predict(FITTED)).all()
    assert (model.predict(NEW) == BAYES.predict(NEW)).all()
    assert model.kind_ == "probability"


def test_every_prediction_is_counted():
    asked = []

    def counting(Z):
        asked.append(len(Z))
        return BAYES.predict_proba(Z)

    model = ClassifierMap(counting, resolution=20, random_state=0).fit(FITTED)
    assert model.n_predictions_ == sum(asked)
    cells = model.regions_.winners.size
    # The objects, the metric of the map (one more to look), the grid, the way back.
    assert model.n_predictions_ == 3 * len(FITTED) + 1 + cells


def test_labels_are_not_looked_at():
    one = ClassifierMap(BAYES, resolution=20, random_state=0).fit(FITTED, y[::2])
    two = ClassifierMap(BAYES, resolution=20, random_state=0).fit(FITTED)
    assert (one.embedding_ == two.embedding_).all()


def test_a_random_state_gives_the_same_picture():
    one, two = (
        ClassifierMap(BAYES, resolution=20, n_centers=30, train_size=40, random_state=3)
        .fit(FITTED)
        .regions_
        for _ in range(2)
    )
    assert one.certainty.tobytes() == two.certainty.tobytes()
    assert one.support.tobytes() == two.support.tobytes()


def test_threads_of_blas_do_not_change_a_bit():
    D, classes = load_digits(return_X_y=True)
    D, classes = D[:300] / 16.0, classes[:300]
    model = ClassifierMap(GaussianNB().fit(D, classes), resolution=10, random_state=0)
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            model.fit(D)
            parts = model.embedding_, model.regions_.certainty, model.transform(D + 0.1)
            found.append([*parts, model.inverse_.coefficients])
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_most_objects_of_a_large_table_are_placed_on_a_map_of_some():
    model = ClassifierMap(BAYES, resolution=20, train_size=60, random_state=0).fit(X)
    assert model.embedding_.shape == (150, 2)
    assert len(model.projection_.embedding_) == 60
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)
    assert model.agreement_train_ > 0.9


def test_fewer_kernels_than_objects_are_enough():
    model = ClassifierMap(BAYES, PCA(2), resolution=20, n_centers=25).fit(FITTED)
    assert model.inverse_.coefficients.shape == (25, 4)
    assert model.score(NEW) > 0.8


# Classifiers of all kinds


class Only:
    """A classifier with predict only."""

    def __init__(self, classifier):
        self.predict = classifier.predict


@pytest.mark.parametrize(
    ("classifier", "kind"),
    [
        (SVC().fit(X, y), "decision"),
        (LogisticRegression(max_iter=500).fit(X, y), "probability"),
        (KNeighborsClassifier(1).fit(X, y), "probability"),  # exactly 0 and 1
        (Only(SVC().fit(X, y)), "label"),
        (SVC().fit(X[y < 2], y[y < 2]), "decision"),
        (GLVQ(random_state=0).fit(X, y), "probability"),
    ],
)
def test_unseen_objects_are_shown_as_the_classifier_sees_them(classifier, kind):
    model = ClassifierMap(classifier, resolution=20, random_state=0).fit(FITTED)
    assert model.kind_ == kind
    assert model.score(NEW) > 0.9


def test_a_classifier_of_digits_is_shown_well():
    X, y = load_digits(return_X_y=True)
    classifier = SVC().fit(X[::4], y[::4])
    model = ClassifierMap(classifier, resolution=40, random_state=0).fit(X[::4])
    assert model.score(X[1::4]) > 0.95
    assert model.round_trip_r2(X[1::4]) > 0.3


def test_a_frame_goes_in_and_comes_out():
    frame = pd.DataFrame(FITTED, columns=list("abcd"))
    classifier = GaussianNB().fit(frame, y[::2])
    model = ClassifierMap(classifier, PCA(2), resolution=10)
    Z = model.set_output(transform="pandas").fit_transform(frame)
    assert list(Z.columns) == ["classifiermap0", "classifiermap1"]
    assert model.score(frame) > 0.9  # frames inside would be in the way here
    assert model.compare(classifier, frame).share_of_samples == 0.0


# The label term


def test_the_label_term_moves_the_picture_towards_the_classifier():
    scaled = StandardScaler().fit_transform(X)
    classifier = LogisticRegression().fit(scaled, y)
    plain = ClassifierMap(classifier, PCA(2), resolution=10, bandwidth_factor=3)
    plain.fit(scaled)
    assert plain.label_term_ == {
        "lambda2": 0.0,
        "slope": "none",
        "reason": "lambda2 is 0.",
    }
    bent = clone(plain).set_params(lambda2=10.0).fit(scaled)
    assert bent.label_term_["lambda2"] == 10.0
    assert bent.label_term_["slope"].startswith("analytic")
    gap = [
        np.square(
            classifier.predict_proba(m.inverse_transform(m.embedding_))
            - classifier.predict_proba(scaled)
        ).sum()
        for m in (plain, bent)
    ]
    assert gap[1] < 0.8 * gap[0]


# Hard data


def test_forty_classes_and_classes_with_one_object():
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(40), [1, 2] + 38 * [10])
    objects = 9 * rng.normal(size=(40, 6))[labels] + rng.normal(size=(len(labels), 6))
    classifier = KNeighborsClassifier(1).fit(objects, labels)
    model = ClassifierMap(classifier, resolution=30, random_state=0).fit(objects)
    assert len(model.classes_) == 40
    assert model.agreement_train_ > 0.9


def test_duplicates_and_constant_features_do_no_harm():
    objects = np.column_stack([FITTED.repeat(3, axis=0), np.ones(3 * len(FITTED))])

    def classifier(Z):
        return BAYES.predict_proba(Z[:, :4])

    model = ClassifierMap(classifier, resolution=20, random_state=0).fit(objects)
    assert model.agreement_train_ > 0.9
    np.testing.assert_allclose(model.inverse_transform([[0.0, 0.0]])[0, 4], 1.0)


def test_objects_that_are_all_the_same_are_one_region():
    same = np.tile(X[0], (20, 1))
    model = ClassifierMap(BAYES, same[:, :2], resolution=5).fit(same)
    assert (model.regions_.labels == "setosa").all()
    assert model.agreement_train_ == 1.0


def test_a_classifier_that_says_one_thing_of_everything_is_one_region():
    def stubborn(Z):
        return np.tile([1.0, 0.0], (len(Z), 1))

    model = ClassifierMap(stubborn, resolution=10, random_state=0).fit(FITTED)
    assert (model.regions_.winners == 0).all()
    assert model.score(NEW) == 1.0


def test_four_objects_are_the_fewest():
    assert ClassifierMap(BAYES, resolution=5).fit(X[::40]).embedding_.shape == (4, 2)
    with pytest.raises(ValueError, match="minimum of 4 is required"):
        ClassifierMap(BAYES).fit(X[:3])


# Errors


@pytest.mark.parametrize(
    "wrong",
    [
        {"classifier": "SVC"},
        {"classifier": None},
        {"classifier": SVC},
        {"projection": PCA},
        {"projection": "pca"},
        {"resolution": 1},
        {"lambda1": 0},
        {"lambda2": -1},
        {"slope": 3},
        {"bandwidth_factor": 0},
        {"ridge": -1},
        {"n_centers": 0},
        {"train_size": 3},
        {"verbose": "yes"},
        {"callback": 1},
    ],
)
def test_wrong_parameters_are_named(wrong):
    parameters = {"classifier": BAYES, **wrong}
    with pytest.raises(ValueError, match=f"ClassifierMap: {next(iter(wrong))} must be"):
        ClassifierMap(**parameters).fit(X)


def test_missing_values_are_named(model):
    holes = X.copy()
    holes[7, 2] = np.nan
    with pytest.raises(ValueError, match="column 2 has 1 missing value"):
        ClassifierMap(BAYES).fit(holes)
    with pytest.raises(ValueError, match="column 2 has 1 missing value"):
        model.score(holes)
    with pytest.raises(ValueError, match="input Z contains NaN"):
        model.inverse_transform([[np.nan, 0.0]])


@pytest.mark.parametrize("shape", [(3, 4), (2,), (0, 2)])
def test_places_have_two_columns_and_are_one_or_more(model, shape):
    with pytest.raises(
        ValueError, match=r"shape \(n, 2\) with n > 0; got one of shape"
    ):
        model.inverse_transform(np.ones(shape))


def test_columns_in_another_order_than_the_classifier_knows_are_refused():
    frame = pd.DataFrame(FITTED, columns=list("abcd"))
    turned = frame[list("dcba")]
    classifier = GaussianNB().fit(frame, y[::2])
    words = r"classifier \(GaussianNB\) was fitted to: column 0 is 'd', but it was 'a'"
    with pytest.raises(ValueError, match=words):
        ClassifierMap(classifier, PCA(2), resolution=5).fit(turned)
    with pytest.raises(ValueError, match=r"projection \(PCA\) was fitted to: column 0"):
        ClassifierMap(BAYES, PCA(2).fit(frame), resolution=5).fit(turned)
    other = ClassifierMap(BAYES, PCA(2), resolution=5).fit(turned)
    with pytest.raises(ValueError, match=words):
        other.compare(classifier)


def test_a_regression_is_refused_before_there_is_a_map():
    lines = LinearRegression().fit(FITTED, y[::2])
    with pytest.raises(ValueError, match="returns continuous numbers"):
        ClassifierMap(lines, callback=lambda news: 1 / 0).fit(FITTED)


def test_a_projection_that_works_in_place_leaves_the_objects_alone():
    mine = FITTED.copy()
    spoiling = make_pipeline(StandardScaler(copy=False), PCA(2))
    model = ClassifierMap(BAYES, spoiling, resolution=5).fit(mine)
    np.testing.assert_array_equal(mine, FITTED)
    calm = make_pipeline(StandardScaler(), PCA(2))
    plain = ClassifierMap(BAYES, calm, resolution=5).fit(FITTED)
    np.testing.assert_allclose(model.embedding_, plain.embedding_, atol=1e-12)


def test_a_classifier_of_other_features_says_so():
    with pytest.raises(ValueError, match="features"):
        ClassifierMap(BAYES).fit(X[:, :3])


def test_a_classifier_that_breaks_on_the_grid_is_reported():
    def fragile(Z):
        p = BAYES.predict_proba(Z)
        return np.where(len(Z) == len(FITTED), p, np.nan)

    with pytest.raises(ValueError, match=r"classifier \(fragile\) must return prob"):
        ClassifierMap(fragile, PCA(2), 5, coloring="inverse").fit(FITTED)


# Copies and files


def test_a_copy_keeps_the_classifier_and_the_map():
    pca = PCA(2).fit(X)
    copy = clone(ClassifierMap(BAYES, pca, resolution=7))
    assert copy.classifier is BAYES
    assert copy.projection is pca
    assert copy.resolution == 7


def test_labels_are_needed_only_if_the_projection_needs_them():
    assert not ClassifierMap(BAYES).__sklearn_tags__().target_tags.required
    assert ClassifierMap(BAYES, LFDA()).__sklearn_tags__().target_tags.required


def test_a_file_with_the_data_gives_back_the_whole_model(tmp_path):
    classifier = GLVQ(random_state=0).fit(FITTED, y[::2])
    model = ClassifierMap(classifier, FITTED[:, :2], resolution=10).fit(FITTED)
    labelscape.save(model, tmp_path / "a.model", include_data=True)
    again = labelscape.load(tmp_path / "a.model")
    assert again.score(NEW) == model.score(NEW)
    assert (again.transform(NEW) == model.transform(NEW)).all()
    assert (again.regions_.labels == model.regions_.labels).all()


def test_a_file_without_the_data_holds_the_picture(tmp_path):
    classifier = GLVQ(random_state=0).fit(FITTED, y[::2])
    model = ClassifierMap(classifier, resolution=10, random_state=0).fit(FITTED)
    labelscape.save(model, tmp_path / "a.model")
    again = labelscape.load(tmp_path / "a.model")
    assert (again.regions_.certainty == model.regions_.certainty).all()
    for call in (again.transform, again.score, again.inverse_transform, again.predict):
        with pytest.raises(ValueError, match="saved without them"):
            call(NEW)


def test_a_foreign_classifier_is_not_stored_but_its_picture_can_be(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("labelscape._model_file._skops.find_spec", lambda name: None)
    foreign = ClassifierMap(BAYES, PCA(2), resolution=10).fit(FITTED)
    with pytest.raises(TypeError, match=r"ClassifierMap\.classifier is a GaussianNB"):
        labelscape.save(foreign, tmp_path / "a.model")
    foreign.set_params(classifier=None, projection=None)
    labelscape.save(foreign, tmp_path / "a.model")
    again = labelscape.load(tmp_path / "a.model")
    assert again.agreement_train_ == foreign.agreement_train_
    assert (again.regions_.labels == foreign.regions_.labels).all()


def test_records_print_as_one_line():
    model = ClassifierMap(BAYES, Sammon(n_pivots=200), resolution=8).fit(FITTED)
    assert repr(model.regions_).startswith("Regions: 8 x ")
    assert repr(model.inverse_).startswith("InverseMap: ")
    other = LogisticRegression(max_iter=1000).fit(FITTED, NAMES[y[::2]])
    assert "LogisticRegression differ on" in repr(model.compare(other, FITTED))


# What places show


def forest_on_categories():
    """Return a forest for categories, rows to fit, and held-out rows."""
    rng = np.random.default_rng(0)
    X = np.concatenate([np.eye(4)[rng.integers(4, size=500)] for _ in range(8)], axis=1)
    y = (X[:, 0] + X[:, 5] + X[:, 10] + X[:, 15] + rng.normal(0, 0.4, 500)) > 1
    forest = RandomForestClassifier(50, random_state=0).fit(X[:350], y[:350])
    return forest, X[:350], X[350:]


def test_neighbors_color_the_picture_where_they_agree_much_better():
    forest, fitted, others = forest_on_categories()
    picture = ClassifierMap(forest, resolution=40, random_state=0).fit(fitted)
    inverse = ClassifierMap(forest, None, 40, coloring="inverse", random_state=0)
    inverse.fit(fitted)
    assert (picture.coloring_, inverse.coloring_) == ("neighbors", "inverse")
    assert picture.score(others) == picture.nn_agreement(others)
    assert picture.score(others) > inverse.score(others) + 0.1
    Z = picture.transform(others)
    shown = picture.shown_at(Z) == forest.predict(others)
    assert shown.mean() == pytest.approx(picture.score(others))
    # The grid shows what places show.
    regions = picture.regions_
    grid = np.stack(np.meshgrid(regions.x, regions.y), axis=-1).reshape(-1, 2)
    np.testing.assert_array_equal(picture.shown_at(grid), regions.labels.ravel())
    # A comparison asks both classifiers about the same objects.
    same = picture.compare(forest)
    assert same.share == 0.0


def test_a_smooth_classifier_is_asked_about_the_objects_of_places():
    picture = ClassifierMap(BAYES, random_state=0, resolution=20).fit(FITTED)
    assert picture.coloring_ == "inverse"
