"""Model files contain no training samples, except on request or with a warning."""

import warnings
import zipfile

import numpy as np
import pytest
from tests.faults.kinds import KINDS, NEW, D, X, Y, fitted, made

from labelscape import load, save
from labelscape._core.errors import InputWarning
from labelscape.crossfit import CrossFit
from labelscape.embeddings import WeightedMDS
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GLVQ, GMLVQ, ICF, KMeansPrototypes, LiRaMLVQ

# Made of objects by nature, or given them by the user.
MADE_OF_OBJECTS = {
    "ICF": "ICF.prototypes_",
    "KMeansPrototypes of all": "KMeansPrototypes.prototypes_",
    "FisherMetric given": "FisherMetric.parzen_points",
    "ClassifierMap of places": "ClassifierMap.projection",
}
# A scaler keeps the extremes or the median of each feature, but no row.
SCALED = ("Pipeline", "Pipeline of a map")


def words(values):
    """Return the bytes of numbers, at both precisions."""
    return {
        v.tobytes() for t in (np.float64, np.float32) for v in values.astype(t).flat
    }


def members(path):
    with zipfile.ZipFile(path) as archive:
        return [archive.read(name) for name in archive.namelist()]


def found(values, path):
    """Return how many of the numbers stand in a file, as bytes or as text."""
    contents, text = members(path), [repr(float(v)) for v in values.flat]
    as_text = sum(any(v.encode() in part for part in contents) for v in text)
    return as_text + sum(any(v in part for part in contents) for v in words(values))


def embeddings(model):
    """Return the maps of a model and of the models inside it."""
    last = model[-1] if hasattr(model, "steps") else model
    nested = [getattr(last, name, None) for name in ("projection_", "embedder")]
    maps = [getattr(part, "embedding_", None) for part in (last, *nested)]
    return [Z for Z in maps if Z is not None]


def saved(kind, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        save(fitted(kind), path, **options)
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [k for k in KINDS if k not in (*MADE_OF_OBJECTS, *SCALED)]
)
def test_no_value_of_a_row_is_in_a_file(kind, tmp_path):
    path = saved(kind, tmp_path / "a.model")
    assert found(X, path) == 0
    off_diagonal = D[np.triu_indices(len(D), 1)]
    assert found(off_diagonal, path) == 0
    assert [found(Z, path) for Z in embeddings(fitted(kind))] == [0] * len(
        embeddings(fitted(kind))
    )


@pytest.mark.parametrize("kind", SCALED)
def test_no_row_is_in_the_file_of_a_pipeline(kind, tmp_path):
    path, model = saved(kind, tmp_path / "a.model"), fitted(kind)
    rows = [X, model[:-1].transform(X), *embeddings(model)]
    pairs = [
        row[i : i + 2] for table in rows for row in table for i in range(len(row) - 1)
    ]
    contents = members(path)
    neighbors = [row.tobytes() for table in pairs for row in table]
    assert not any(row in part for row in neighbors for part in contents)


@pytest.mark.parametrize("kind", ["FisherMetric", "CCA", "FisherTSNE by a metric"])
def test_the_search_finds_rows_where_they_are(kind, tmp_path):
    assert found(X, saved(kind, tmp_path / "a.model", include_data=True)) >= X.size


@pytest.mark.parametrize("kind", MADE_OF_OBJECTS)
def test_a_model_that_is_made_of_objects_is_saved_with_a_warning(kind, tmp_path):
    with pytest.warns(
        InputWarning, match=f"contains training samples,.*: {MADE_OF_OBJECTS[kind]}"
    ):
        save(fitted(kind), tmp_path / "a.model")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(fitted(kind), tmp_path / "a.model", include_data=True)
        load(tmp_path / "a.model")


# A class of one object far from the others, whose prototype nothing moves.
LONELY = np.vstack([X, np.full(X.shape[1], 1e3)])
LONELY_Y = np.append(Y, "z")


@pytest.mark.parametrize(
    "model",
    [
        GLVQ(),
        GMLVQ(),
        LiRaMLVQ(n_components=2),
        CrossFit([GMLVQ()], random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_prototype_of_a_class_of_one_object_is_told(model, tmp_path):
    model.fit(LONELY, LONELY_Y)
    with pytest.warns(InputWarning, match="contains training samples,.*prototypes_"):
        save(model, tmp_path / "a.model")
    again = load(tmp_path / "a.model")
    with pytest.warns(InputWarning, match="contains training samples"):
        save(again, tmp_path / "b.model")


@pytest.mark.parametrize("n_lonely", [1, 2, 3])
def test_the_usual_ensemble_holds_no_object_of_a_small_class(n_lonely, tmp_path):
    lonely = np.random.default_rng(0).normal(1e3, 1.0, (n_lonely, X.shape[1]))
    table, labels = np.vstack([X, lonely]), np.append(Y, ["z"] * n_lonely)
    model = CrossFit(random_state=0).fit(table, labels)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(model, tmp_path / "a.model")
    assert found(table, tmp_path / "a.model") == 0
    assert (model.probabilities_[: len(X), :-1].sum(axis=1) > 0.5).all()


def test_the_prototype_of_copies_is_told(tmp_path):
    copies = np.repeat(X, 3, axis=0)
    model = KMeansPrototypes(k=3).fit(copies[: 3 * 9], np.arange(27) // 9)
    assert min(map(len, model.members_)) == 3
    with pytest.warns(InputWarning, match="KMeansPrototypes.prototypes_"):
        save(model, tmp_path / "a.model")


def test_a_stream_remembers_which_prototypes_are_objects(tmp_path):
    model = GLVQ().partial_fit(LONELY, LONELY_Y, classes=np.unique(LONELY_Y))
    model.partial_fit(X, Y)
    with pytest.warns(InputWarning, match="GLVQ.prototypes_"):
        save(model, tmp_path / "a.model")


def test_prototypes_that_stand_for_many_need_no_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save(KMeansPrototypes(k=1).fit(X, Y), tmp_path / "a.model")
        save(GMLVQ(2).fit(X, Y), tmp_path / "a.model")
        save(ICF(), tmp_path / "b.model")


def test_a_metric_says_that_its_points_were_left_out(tmp_path):
    again = load(saved("FisherMetric", tmp_path / "a.model"))
    assert not hasattr(again, "parzen_points_")
    for ask in (again.pairwise, again.predict_proba, again.tensor, again.relevances):
        with pytest.raises(ValueError, match="saved without them"):
            ask(NEW)
    assert "FisherMetric" in again._repr_html_()


@pytest.mark.parametrize(
    "kind", ["FisherMetric", "FisherMetric kmeans", "FisherMetric few"]
)
def test_a_metric_takes_its_points_from_the_fitted_table(kind, tmp_path):
    again = load(saved(kind, tmp_path / "a.model"))
    np.testing.assert_array_equal(again.pairwise(X), fitted(kind).pairwise(X))
    for method in ("predict_proba", "tensor", "relevances", "pairwise"):
        wanted = getattr(fitted(kind), method)(NEW)
        np.testing.assert_array_equal(getattr(again, method)(NEW), wanted)
    assert found(X, saved_again(again, tmp_path / "b.model")) == 0


def saved_again(model, path):
    save(model, path)
    return path


def test_a_metric_of_given_points_or_of_a_classifier_works_from_a_file(tmp_path):
    for kind in ("FisherMetric given", "FisherMetric of a classifier"):
        again = load(saved(kind, tmp_path / "a.model"))
        np.testing.assert_array_equal(again.pairwise(NEW), fitted(kind).pairwise(NEW))


def test_a_weighted_map_asks_before_it_keeps_places(tmp_path):
    save(made(WeightedMDS).fit(X), tmp_path / "a.model")
    again = load(tmp_path / "a.model")
    assert not hasattr(again, "embedding_")
    assert again.stress_ == made(WeightedMDS).fit(X).stress_


def test_a_fitted_metric_that_is_a_parameter_loses_its_rows_too(tmp_path):
    again = load(saved("FisherTSNE by a metric", tmp_path / "a.model"))
    assert isinstance(again.metric, FisherMetric)
    assert not hasattr(again.metric, "_X")
    assert not hasattr(again.metric, "parzen_points_")
    made_again = again.fit_transform(X, Y)
    np.testing.assert_array_equal(
        made_again, fitted("FisherTSNE by a metric").embedding_
    )
