"""Files of earlier versions, with parameters under the names that they had then."""

import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from tests.model_file.toys import assert_same, manifest_of

from labelscape import load, prototypes, save
from labelscape._model_file._archive import pack, unpack
from labelscape.boundary import ClassifierMap

X, y = load_iris(return_X_y=True)
FAMILY = ["GLVQ", "GRLVQ", "GMLVQ", "LGMLVQ", "LiRaMLVQ", "LocalLiRaMLVQ"]


def as_it_was(path, **parameters):
    """Give a file parameters under their old names, in place of ``sgd_params``."""
    tree, arrays = unpack(path.read_bytes())
    del tree["parameters"]["sgd_params"]
    tree["parameters"] |= parameters
    path.write_bytes(pack(tree, arrays.values()))


def saved(name, path):
    model = getattr(prototypes, name)(max_iter=3, random_state=0).fit(X, y)
    save(model, path)
    return model


def old_parameters(name, *, decay=1e-4, epoch=100, clip=False):
    matrix = {} if name == "GLVQ" else {"matrix_start": epoch}
    return {"learning_rate_decay": decay, "clip_step": clip} | matrix


@pytest.mark.parametrize("name", FAMILY)
def test_parameters_that_joined_a_group_are_found_in_it(name, tmp_path):
    model = saved(name, tmp_path / "old.model")
    as_it_was(tmp_path / "old.model", **old_parameters(name, decay=0.3, epoch=7))
    again = load(tmp_path / "old.model")
    matrix = {} if name == "GLVQ" else {"matrix_epoch": 7}
    assert again.sgd_params == {"decay": 0.3} | matrix
    assert_same(again.predict_proba(X), model.predict_proba(X))
    clone(again).set_params(solver="sgd").fit(X, y)


@pytest.mark.parametrize("name", FAMILY)
def test_old_defaults_are_the_defaults_of_today(name, tmp_path):
    model = saved(name, tmp_path / "old.model")
    as_it_was(tmp_path / "old.model", **old_parameters(name))
    assert load(tmp_path / "old.model").get_params() == model.get_params()


def test_a_loaded_model_is_saved_under_the_names_of_today(tmp_path):
    saved("GMLVQ", tmp_path / "old.model")
    as_it_was(tmp_path / "old.model", **old_parameters("GMLVQ", clip=True))
    save(load(tmp_path / "old.model"), tmp_path / "new.model")
    parameters = manifest_of(tmp_path / "new.model")["model"]["parameters"]
    assert parameters["sgd_params"] == {"dict": [["clip_step", True]]}
    assert "clip_step" not in parameters


def test_old_and_new_names_together_are_of_no_version(tmp_path):
    saved("GLVQ", tmp_path / "odd.model")
    as_it_was(tmp_path / "odd.model", sgd_params=None, clip_step=True)
    with pytest.raises(ValueError, match="has the parameter 'clip_step', which"):
        load(tmp_path / "odd.model")


def test_a_class_never_had_the_parameters_of_another(tmp_path):
    saved("GLVQ", tmp_path / "odd.model")
    as_it_was(tmp_path / "odd.model", matrix_start=3)
    with pytest.raises(ValueError, match="has the parameter 'matrix_start', which"):
        load(tmp_path / "odd.model")


def test_a_picture_of_an_earlier_version_is_colored_as_it_was(tmp_path):
    model = ClassifierMap(LogisticRegression(max_iter=1000).fit(X, y), PCA(2), 10)
    save(model.fit(X), tmp_path / "old.model", include_data=True)
    tree, arrays = unpack((tmp_path / "old.model").read_bytes())
    del tree["parameters"]["coloring"], tree["state"]["coloring_"]
    del tree["state"]["_answers"]
    (tmp_path / "old.model").write_bytes(pack(tree, arrays.values()))
    again = load(tmp_path / "old.model")
    assert again.coloring_ == "inverse"
    assert again.score(X) == model.score(X)
