"""Files with impossible models of scikit-learn, or with code."""

import io
import zipfile

import numpy as np
import pytest
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.impute import SimpleImputer
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm import SVC
from tests.faults.kinds import X, Y
from tests.faults.model_files.members import Members, refused, unchecked

from labelscape import load, save


def broken(model, path, **attributes):
    for name, value in attributes.items():
        setattr(model, name, value)
    with unchecked():
        save(model, path, include_data=True)
    return path


@pytest.mark.parametrize(
    ("model", "attributes", "words"),
    [
        (LinearDiscriminantAnalysis(), {"coef_": np.ones((9, 4))}, "coef_ must be"),
        (LinearDiscriminantAnalysis(), {"xbar_": np.ones(9)}, "xbar_ must be"),
        (LinearDiscriminantAnalysis(), {"classes_": np.array(["a"])}, "classes_ must"),
        (PCA(2), {"components_": np.ones((2, 9))}, "components_ must be"),
        (PCA(2), {"n_components_": 3}, "n_components_ must be"),
        (SimpleImputer(), {"statistics_": np.ones(9)}, "statistics_ must be"),
    ],
)
def test_a_step_that_no_fit_has_made_is_refused(model, attributes, words, tmp_path):
    refused(broken(model.fit(X, Y), tmp_path / "a.model", **attributes), words)


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    model = PCA(2).fit(X)
    model.components_ = model.components_[:, :2]
    with pytest.raises(ValueError, match="components_ must be"):
        save(model, tmp_path / "a.model")
    assert not (tmp_path / "a.model").exists()


def test_categories_that_are_none_are_refused(tmp_path):
    model = OneHotEncoder().fit([["a"], ["b"]])
    path = broken(model, tmp_path / "a.model", categories_=[np.array([], object)])
    refused(path, "categories_ must be")


# Models that skops reads.


@pytest.fixture
def file_of_svc(tmp_path):
    save(SVC().fit(X, Y), tmp_path / "svc.model", include_data=True)
    return tmp_path / "svc.model"


def with_inner(path, change, compression=zipfile.ZIP_STORED):
    """Change members of the part for skops, with the right checksums."""
    members = Members(path)
    data = np.lib.format.read_array(io.BytesIO(members["arrays/0.npy"])).tobytes()
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as inner,
        zipfile.ZipFile(file, "w", compression) as changed,
    ):
        for name in inner.namelist():
            changed.writestr(name, change(inner.read(name)))
    manifest = members.manifest
    manifest["model"]["state"] = {"part_": {"array": "arrays/0.npy"}}
    described = manifest["arrays"]["arrays/0.npy"]
    described["shape"] = [len(file.getvalue())]
    members.manifest = manifest
    npy = io.BytesIO()
    np.lib.format.write_array(npy, np.frombuffer(file.getvalue(), np.uint8))
    members.replace_array("part_", npy.getvalue())
    members.write(path)


@pytest.mark.parametrize(
    "module", ["subprocess.Popen", "os.system", "builtins.eval", "labelscape.load"]
)
def test_no_class_that_skops_does_not_trust_is_made(file_of_svc, module):
    module, _, name = module.rpartition(".")
    other = f'"__class__": "{name}", "__module__": "{module}"'.encode()
    usual = b'"__class__": "SVC", "__module__": "sklearn.svm._classes"'

    def change(data):
        compact = b" ".join(data.split())
        assert usual in compact or b"__class__" not in data
        return compact.replace(usual, other) if usual in compact else data

    with_inner(file_of_svc, change)
    refused(file_of_svc, "Untrusted types found")


def test_a_part_that_is_unchanged_loads(file_of_svc):
    with_inner(file_of_svc, lambda data: data)
    assert (load(file_of_svc).predict(X) == SVC().fit(X, Y).predict(X)).all()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"class": "Popen"}, "its Popen is not a model of scikit-learn"),
        ({"skops": None}, "damaged"),
        ({"skops": {"array": "arrays/9.npy"}}, "damaged"),
    ],
)
def test_a_wrong_description_is_refused(file_of_svc, change, words):
    members = Members(file_of_svc)
    manifest = members.manifest
    manifest["model"] |= change
    members.manifest = manifest
    members.write(file_of_svc)
    refused(file_of_svc, words)


def test_without_skops_a_file_says_what_to_install(file_of_svc, monkeypatch):
    monkeypatch.setattr("labelscape._model_file._skops.find_spec", lambda name: None)
    refused(file_of_svc, r"a SVC of scikit-learn, .* pip install 'labelscape\[skops\]'")
