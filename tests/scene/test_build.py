import warnings

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_matrix
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression
from sklearn.metrics import balanced_accuracy_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from tests.scene.cases import centers, iris, liram, push_and_grow

from labelscape import embeddings, prototypes
from labelscape.boundary import ClassifierMap
from labelscape.boundary._grid import regions_on
from labelscape.quality import honesty, report
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of

QUICK = {"regions": 24, "random_state": 0}
MAPS = [
    name
    for name in embeddings.__all__
    if hasattr(getattr(embeddings, name), "fit") and name != "KernelMap"
]


class Rigid(BaseEstimator):
    """A map that cannot place new objects."""

    def fit(self, X, y=None):
        self.embedding_ = X[:, :2]
        return self


def prepared(model):
    """Return a model with a seed, and for few objects."""
    known = model.get_params()
    few = {"random_state": 0, "perplexity": 5}
    return model.set_params(**{name: few[name] for name in few if name in known})


def shown(*given, **options):
    """Return a scene after a way through its bytes."""
    return decode(encode(scene_of(*given, **QUICK | options)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n in prototypes.__all__ if hasattr(getattr(prototypes, n), "fit")]
)
def test_every_prototype_model_has_a_scene(name):
    X, y = iris(15)
    model = prepared(getattr(prototypes, name)()).fit(X, y)
    scene = shown(model, X, y)
    k = len(model.prototypes_)
    assert scene.model.name == name
    assert scene.model.prototypes.values.shape == (k, 4)
    assert scene.maps[0].prototypes.shape == (k, 2)
    assert scene.maps[0].regions is not None
    assert scene.model.class_levels[0].object_positions.shape == (15, 2)
    assert scene.model.compressed.counts.sum() == 15
    assert len(scene.model.explanations.objects) == 15
    found = np.array(scene.classes)[scene.predictions]
    assert_array_equal(found, model.predict(X))
    assert_allclose(scene.certainty, model.predict_proba(X).max(axis=1), rtol=1e-6)


@pytest.mark.parametrize("name", MAPS)
def test_every_map_has_a_scene(name):
    X, y = iris(40)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 40 objects are few for some of them
        given = (embeddings.LFDA(),) if name == "LandmarkMap" else ()
        model = prepared(getattr(embeddings, name)(*given)).fit(X, y)
    scene = shown(model, X, y)
    assert scene.model is None
    assert scene.title == name
    assert "A map by" not in scene.maps[0].words
    places = getattr(model, "embedding_", None)
    places = model.transform(X) if places is None else places
    assert_allclose(scene.maps[0].positions, places[:, :2], rtol=1e-6)


def test_a_classifier_is_pictured():
    X, y = iris()
    scene = shown(make_pipeline(StandardScaler(), SVC()).fit(X, y), X, y)
    assert scene.title == "SVC"
    assert scene.model is None
    assert scene.maps[0].regions.agreement > 0.9
    assert np.mean(scene.predictions == scene.labels) > 0.95


def test_a_classifier_of_another_library_is_pictured():
    class Other:
        """Knows nothing of scikit-learn."""

        def fit(self, X, y):
            self.classes_, self.limit_ = np.array(["no", "yes"]), X[:, 0].mean()
            return self

        def predict(self, X):
            return self.classes_[(np.asarray(X)[:, 0] > self.limit_).astype(int)]

    X, _ = iris(40)
    scene = shown(X[:, :2], X, classifier=Other().fit(X, None))
    assert scene.classes == ("no", "yes")
    assert scene.maps[0].regions.agreement > 0.8


def test_a_model_gives_the_scene_its_name_even_on_a_map_of_the_data():
    X, y = iris()
    scene = shown(push_and_grow(), X, y)
    assert (scene.title, scene.maps[0].name) == ("PushAndGrow", "Distances")


def test_a_classifier_map_is_shown_with_its_own_regions():
    X, y = iris()
    picture = ClassifierMap(GaussianNB().fit(X, y), PCA(2), resolution=30).fit(X)
    scene = shown(picture, X, y)
    regions = scene.maps[0].regions
    found = regions_on(*centers(regions), picture.inverse_, picture._scores)
    assert_array_equal(np.array(scene.classes)[regions.labels], found.labels)
    assert_array_equal(regions.support == 0, found.far)
    assert regions.agreement == picture.agreement_train_
    # What is drawn around the picture is no part of it.
    assert regions.share_far == picture.share_far_from_data_


def test_a_classifier_has_the_share_far_from_data_of_its_picture():
    X, y = iris()
    classifier = GaussianNB().fit(X, y)
    (drawn,) = shown(classifier, X, y, random_state=0).maps
    (own,) = shown(
        ClassifierMap(classifier, drawn.positions, random_state=0).fit(X), X, y
    ).maps
    assert 0.0 < drawn.regions.share_far < 1.0
    assert drawn.regions.share_far == pytest.approx(own.regions.share_far, abs=0.02)


def test_a_map_that_decides_has_regions():
    X, y = iris()
    scene = shown(LinearDiscriminantAnalysis().fit(X, y), X, y)
    assert scene.predictions is not None
    assert scene.maps[0].regions.agreement > 0.9


def test_places_alone_are_enough():
    scene = shown([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    assert scene.n_points == 3
    assert scene.subtitle == "3 points"
    assert (scene.features, scene.classes, scene.n_features) == ((), (), 0)
    assert scene.maps[0].quality is None


def test_maps_with_other_than_two_dimensions_say_so():
    X, y = iris()
    one = shown(X[:, :1], X, y, maps={"three": X[:, 1:]})
    assert not one.maps[0].positions[:, 1].any()
    assert "one dimension" in one.maps[0].words
    assert "first two dimensions" in one.maps[1].words
    assert_allclose(one.maps[1].positions, X[:, 1:3], rtol=1e-6)


def test_a_pipeline_is_shown_in_units_of_the_data():
    X, y = iris()
    pipeline = make_pipeline(StandardScaler(), prototypes.GLVQ(random_state=0))
    pipeline.fit(X, y)
    scene = shown(pipeline, X, y)
    scaler, model = pipeline[0], pipeline[-1]
    assert_allclose(
        scene.model.prototypes.values, scaler.inverse_transform(model.prototypes_)
    )
    assert_allclose(scene.features[2].values, X[:, 2], rtol=1e-6)
    assert scene.model.metric.kind == "diagonal"
    # The distance of the model, from values in units of the data.
    gap = X[5] - scene.model.prototypes.values[0]
    d = np.square(scene.model.metric.factors * gap).sum()
    assert_allclose(d, scene.model.class_distances[5, 0], rtol=1e-5)


def test_a_change_in_units_of_the_data_flips_the_decision():
    X, y = iris()
    pipeline = make_pipeline(StandardScaler(), prototypes.LiRaMLVQ(random_state=0))
    pipeline.fit(X, y)
    scene = scene_of(pipeline, X, y, **QUICK)
    found = scene.model.explanations
    # A little further, because the border was rounded to single precision.
    after = pipeline.predict(X[found.objects] + 1.001 * found.changes)
    assert_array_equal(after, np.array(scene.classes)[found.change_classes])


def test_features_after_an_encoder_are_those_the_model_sees():
    table = pd.DataFrame({"size": [1.0, 2, 3, 4], "kind": ["a", "b", "a", "b"]})
    y = ["p", "q", "p", "q"]
    pipeline = make_pipeline(
        OneHotEncoder(sparse_output=False), StandardScaler(), prototypes.PushAndGrow()
    ).fit(table, y)
    scene = shown(pipeline, table, y)
    names = [feature.name for feature in scene.features]
    assert names[-2:] == ["kind_a", "kind_b"]
    assert_array_equal(scene.features[-1].values, [0, 1, 0, 1])


def test_a_data_frame_gives_the_names_of_features():
    X, y = iris()
    table = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    pipeline = make_pipeline(StandardScaler(), prototypes.LiRaMLVQ(random_state=0))
    scene = shown(pipeline.fit(table, y), table, y, maps={"PCA": PCA(2).fit(table)})
    assert [feature.name for feature in scene.features] == ["a", "b", "c", "d"]


def test_a_model_can_be_shown_on_any_map():
    X, y = iris()
    model = make_pipeline(StandardScaler(), prototypes.LiRaMLVQ(random_state=0))
    model.fit(X, y)
    pca = PCA(2).fit(X)
    scene = shown(pca, X, y, prototypes=model, maps={"own": model, "petals": X[:, 2:]})
    W = model[0].inverse_transform(model[-1].prototypes_)
    assert_allclose(scene.maps[0].prototypes, pca.transform(W), rtol=1e-4, atol=1e-5)
    own = model[-1].transform(model[-1].prototypes_)
    assert_allclose(scene.maps[1].prototypes, own, rtol=1e-5)
    assert "exact" in scene.maps[1].regions.words
    medoids = scene.model.prototypes.medoids
    assert_allclose(scene.maps[2].prototypes, X[medoids, 2:], rtol=1e-6)


def test_a_classifier_of_its_own_decides():
    X, y = iris()
    other = GaussianNB().fit(X, y)
    scene = shown(push_and_grow(), X, y, classifier=other)
    assert_array_equal(np.array(scene.classes)[scene.predictions], other.predict(X))
    assert scene.model.name == "PushAndGrow"


def test_dissimilarities_are_no_features():
    X, y = iris(40)
    D = cdist(X, X)
    model = prototypes.PushAndGrow(metric="precomputed").fit(D, y)
    scene = shown(model, D, y)
    assert scene.features == ()
    assert scene.model.prototypes.values.shape == (3, 0)
    assert scene.model.explanations is None
    assert scene.maps[0].quality.rows
    assert_allclose(scene.model.class_distances, -model.decision_function(D), rtol=1e-5)


def test_a_sparse_matrix_is_shown_like_a_dense_one():
    X, y = iris()
    scene = shown(prototypes.KMeansPrototypes(random_state=0).fit(X, y), csr_matrix(X))
    assert_allclose(scene.features[0].values, X[:, 0], rtol=1e-6)
    assert scene.labels is None
    assert scene.predictions is not None


def test_missing_values_stay_missing():
    X, y = iris()
    X[3, 2] = np.nan
    model = prototypes.LiRaMLVQ(missing="ignore", random_state=0).fit(X, y)
    scene = shown(model, X, y)
    assert np.flatnonzero(np.isnan(scene.features[2].values)).tolist() == [3]
    assert 3 not in scene.model.explanations.objects
    assert scene.maps[0].quality.rows == ()
    assert "missing" in scene.maps[0].quality.note
    assert scene.maps[0].distortion is None


def test_objects_other_than_the_fitted_ones_can_be_shown():
    X, _ = iris()
    scene = shown(push_and_grow(), X[::3], held_out=np.ones(50, dtype=bool))
    assert scene.n_points == 50
    assert scene.held_out.all()
    medoids = scene.model.prototypes.medoids
    assert medoids.max() < 50


def test_reports_that_are_known_are_used():
    X, y = iris()
    Z = X[:, 2:]
    quality = report(X, Z, y)
    honest = honesty(PCA(2), X, y, n_splits=2, n_refits=0, random_state=0)
    scene = shown(Z, X, y, quality=quality, honesty=honest)
    rows = {row.name: row.value for row in scene.maps[0].quality.rows}
    assert rows == quality.scores
    assert scene.maps[0].honesty.verdict == str(honest.verdict)
    assert scene.maps[0].honesty.real == honest.verdict.real
    assert scene.maps[0].honesty.kept == honest.verdict.kept


def test_honesty_is_measured_when_asked_for():
    X, y = iris()
    scene = shown(PCA(2).fit(X), X, y, honesty=True)
    assert scene.maps[0].honesty.real == "yes"
    assert np.nanmean(scene.maps[0].judged_right) > 0.9


def test_what_was_not_measured_says_why():
    X, y = iris()
    Z = PCA(2).fit_transform(X)
    certified = shown(Z, X, y).maps[0]
    assert certified.honesty.real == "yes"
    errors, misplaced = certified.place_errors.errors, certified.place_errors.misplaced
    np.testing.assert_array_equal(np.sort(misplaced), np.flatnonzero(errors > 0.5))
    given = shown(Z, X, y, honesty=False)
    assert given.maps[0].honesty.verdict.startswith("Not tested: the positions were")
    assert given.maps[0].place_errors is None
    fitted = shown(PCA(2).fit(X), X, y)
    assert fitted.maps[0].honesty.verdict == "Not tested: the test was not requested."


def test_a_classifier_is_judged_by_held_out_objects_or_not_at_all():
    X, y = iris()
    held_out = np.arange(len(X)) % 3 == 0
    forest = RandomForestClassifier(random_state=0).fit(X[~held_out], y[~held_out])
    unknown = shown(forest, X, y).maps[0].honesty
    assert unknown.real == "untested"
    assert "but it may have been trained on them" in unknown.verdict
    assert unknown.lights[0].answer == "Not tested"
    assert "explore(..., held_out=" in unknown.notes[0]
    known = shown(forest, X, y, held_out=held_out).maps[0].honesty
    assert (known.real, known.notes) == ("yes", ())
    right = balanced_accuracy_score(y[held_out], forest.predict(X[held_out]))
    assert known.lights[0].figure.startswith(f"{right:.0%} of held-out rows")


def test_the_same_seed_gives_the_same_bytes():
    X, y = iris(30)
    one, two = (encode(scene_of(push_and_grow(), X, y, **QUICK)) for _ in range(2))
    assert one == two


@pytest.mark.parametrize(
    ("given", "options", "error", "words"),
    [
        (("wine",), {}, TypeError, "fitted model or map.*got 'wine'"),
        ((PCA,), {}, TypeError, "fitted model or map"),
        ((liram(),), {}, ValueError, "X is missing"),
        (([],), {}, ValueError, "no points"),
        (([1.0, 2.0],), {}, ValueError, r"shape \(2,\)"),
        (([["a", "b"]],), {}, ValueError, "must be an array of numbers"),
        (
            ([[0, 0], [1, np.nan]],),
            {},
            ValueError,
            "no position for 1 point.*1",
        ),
        (([[0, 0], [1, 1e300]],), {}, ValueError, "first in row 1"),
        (([[0, 0]], [[1.0], [2.0]]), {}, ValueError, "1 points, but there are 2"),
        (([[0, 0]], [["red"]]), {}, ValueError, "column 0 of X.*TableEncoder"),
        (([[0, 0]], [1.0]), {}, ValueError, r"one row per point.*\(1,\)"),
        (([[0, 0]], None, ["a", "b"]), {}, ValueError, r"1 points but y has shape"),
        (([[0, 0]],), {"ids": ["a", "b"]}, ValueError, "ids must have one entry"),
        (([[0, 0]],), {"held_out": []}, ValueError, "held_out must have one"),
        (([[0, 0]],), {"maps": {"B": [[0, 0]] * 2}}, ValueError, "'B' has 2 points"),
        (([[0, 0]], [[1]]), {"feature_names": ["a", "b"]}, ValueError, "1 features"),
        (([[0, 0]],), {"regions": 1}, ValueError, "regions must be True or False"),
        (([[0, 0]],), {"quality": "x"}, ValueError, "quality must be.*QualityReport"),
        (([[0, 0]],), {"honesty": 3}, ValueError, "honesty must be.*HonestyReport"),
        (([[0, 0]],), {"honesty": True}, ValueError, "needs labels"),
        (([[0, 0]], None, [1]), {"honesty": True}, ValueError, "An array cannot"),
        (([[0, 0]],), {"max_features": -1}, ValueError, "max_features"),
    ],
)
def test_what_cannot_be_shown_is_told(given, options, error, words):
    with pytest.raises(error, match=words):
        scene_of(*given, **options)


def test_estimators_that_show_nothing_are_told():
    X, y = iris()
    with pytest.raises(NotFittedError):
        scene_of(PCA(2), X)
    with pytest.raises(TypeError, match="LinearRegression is neither a map nor"):
        scene_of(LinearRegression().fit(X, X[:, 0]), X)
    with pytest.raises(TypeError, match=r"prototypes must be.*got PCA"):
        scene_of(X[:, :2], X, prototypes=PCA(2).fit(X))
    with pytest.raises(TypeError, match=r"classifier must be.*got KMeans"):
        scene_of(X[:, :2], X, classifier=KMeans(2, n_init=1).fit(X))
    with pytest.raises(TypeError, match="'svc' is a SVC, which is not a map"):
        scene_of(X[:, :2], X, maps={"svc": SVC().fit(X, y)}, quality=False)
    with pytest.raises(ValueError, match="PushAndGrow cannot be fitted"):
        scene_of(push_and_grow(), X, y, honesty=True)
    rigid = Rigid().fit(X)
    with pytest.raises(ValueError, match="10 samples, but Rigid was fitted to 150"):
        scene_of(rigid, X[:10])


def test_a_map_of_three_dimensions_has_a_depth_and_is_measured_with_it():
    X, y = iris()
    scene = shown(X[:, 1:], X, y, maps={"flat": X[:, 1:3]})
    solid, flat = scene.maps
    assert_allclose(solid.depth.points, X[:, 3], rtol=1e-6)
    assert "drag to rotate it" in solid.words
    assert (solid.regions, solid.arrows, solid.stretch) == (None, None, (1.0, 1.0))
    wanted = report(X, X[:, 1:].astype(np.float32), y, 12).trustworthiness
    assert solid.quality.rows[0].value == pytest.approx(wanted)
    assert flat.depth is None
    assert flat.quality.rows[0].value != pytest.approx(wanted)


def test_prototypes_stand_in_three_dimensions_with_their_map():
    X, y = iris()
    model = prototypes.LiRaMLVQ(n_components=3, random_state=0).fit(X, y)
    scene = shown(model, X, y)
    solid = scene.maps[0]
    placed = model.transform(model.prototypes_)
    assert_allclose(solid.prototypes, placed[:, :2], rtol=1e-4, atol=1e-5)
    assert_allclose(solid.depth.prototypes, placed[:, 2], rtol=1e-4, atol=1e-5)
    again = decode(encode(scene)).maps[0]
    assert_array_equal(again.depth.points, solid.depth.points)


def test_a_third_coordinate_that_is_missing_is_told_with_its_row():
    Z = np.zeros((4, 3))
    Z[2, 2] = np.nan
    with pytest.raises(ValueError, match="no position for 1 point, the first in row 2"):
        shown(Z)


def test_many_classes_look_by_who_is_near_on_the_first_map_and_few_in_their_order():
    rng = np.random.default_rng(0)
    y = np.arange(280) % 14
    Z = np.column_stack([y + 0.1 * rng.normal(size=280), np.zeros(280)])
    scene = shown(Z, y=y, maps={"other": Z[::-1]})
    assert sorted(scene.looks) == list(range(14))
    assert not (np.diff(scene.looks % 12) == 0).any()
    assert_array_equal(decode(encode(scene)).looks, scene.looks)
    assert shown(Z, y=y % 12).looks is None
