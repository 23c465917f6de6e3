"""Parts that skops reads follow the rules of the file, too."""

import json
import os
import zipfile
from pathlib import Path

import numpy as np
import pytest
import skops.io
from sklearn.cluster import OPTICS
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import BaggingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from tests.faults.attacks.model_bases import unzipped, written, zipped
from tests.faults.kinds import X, Y
from tests.faults.model_files.members import refused

from labelscape import load, save


def pipe(memory="cache"):
    # Not fitted, so that nothing is written.
    return make_pipeline(StandardScaler(), LogisticRegression(), memory=memory)


def only_fitted():
    model = OneVsRestClassifier(pipe(None)).fit(X, Y)
    model.estimators_[1].memory = "cache"
    return model


@pytest.mark.parametrize(
    "model",
    [
        pipe(),
        OneVsRestClassifier(pipe()),
        BaggingClassifier(OneVsRestClassifier(pipe())),
        FeatureUnion([("a", pipe())]),
        ColumnTransformer([("a", pipe(), [0])]),
        OPTICS(memory="cache"),
        make_pipeline(FeatureUnion([("a", "drop")]), OneVsRestClassifier(pipe())),
        only_fitted(),
    ],
)
def test_memory_is_refused_wherever_it_is(model, tmp_path):
    path = tmp_path / "a.model"
    with pytest.raises(ValueError, match=r"memory must be None, because a model file"):
        save(model, path, include_data=True)
    assert not path.exists()
    written(path, type(model).__name__, skops.io.dumps(model))
    refused(path, "memory must be None|its Pipeline must not be stored by skops")


def test_a_model_that_reads_files_by_their_names_is_refused(tmp_path):
    model = CountVectorizer(input="filename")
    with pytest.raises(ValueError, match=r"CountVectorizer.input must be 'content'"):
        save(model, tmp_path / "a.model", include_data=True)


@pytest.mark.parametrize("model", [pipe(None), StandardScaler()])
def test_a_class_with_rules_of_its_own_is_no_part_for_skops(model, tmp_path):
    name = type(model).__name__
    written(tmp_path / "a.model", name, skops.io.dumps(model.fit(X, Y)))
    refused(tmp_path / "a.model", f"its {name} must not be stored by skops")


def test_encoders_that_join_rare_categories_are_parts_of_other_models(tmp_path):
    encoder = OneHotEncoder(min_frequency=3, sparse_output=False)
    model = ColumnTransformer([("o", encoder, [0])]).fit(np.round(X), Y)
    save(model, tmp_path / "a.model", include_data=True)
    again = load(tmp_path / "a.model").transform(np.round(X))
    np.testing.assert_array_equal(again, model.transform(np.round(X)))


def changed_svc(path, change, **options):
    members, schema = unzipped(skops.io.dumps(SVC().fit(X, Y)))
    change(schema, members)
    written(path, "SVC", zipped(members, schema, **options))


def test_a_compressed_part_is_refused(tmp_path):
    changed_svc(tmp_path / "a", lambda *_: None, compression=zipfile.ZIP_DEFLATED)
    refused(tmp_path / "a", "compressed parts|larger than the file")


def test_a_part_that_is_read_many_times_is_refused(tmp_path):
    def change(schema, members):
        members["big.npy"] = bytes(10**5)
        one = {"__class__": "ndarray", "__module__": "numpy", "file": "big.npy"}
        one |= {"__loader__": "NdArrayNode", "type": "numpy"}
        schema["content"]["content"]["C"] = [one] * 99

    changed_svc(tmp_path / "a", change)
    refused(tmp_path / "a", "reads its arrays more than once")


@pytest.mark.parametrize("of", ["itself", "another"])
def test_a_reference_is_refused(of, tmp_path):
    def change(schema, members):
        content = schema["content"]["content"]
        key = schema["__id__"] if of == "itself" else content["classes_"]["__id__"]
        content["gamma"] = {"__id__": key}

    changed_svc(tmp_path / "a", change)
    refused(tmp_path / "a", "contain or replace each other")


@pytest.mark.parametrize("loader", ["LossNode", "PartialNode", "ListNode"])
def test_a_trusted_name_does_not_open_other_doors(loader, tmp_path):
    def change(schema, members):
        tree = {"__class__": "Tree", "__module__": "sklearn.tree._tree"}
        schema["content"]["content"]["gamma"] = tree | {"__loader__": loader}

    changed_svc(tmp_path / "a", change)
    refused(tmp_path / "a", f"Tree that is stored as a {loader}")


def test_too_many_parts_are_refused_before_they_are_read(tmp_path):
    def change(schema, members):
        schema["content"]["content"]["gamma"] = {"content": json.dumps([[]] * 400_000)}

    changed_svc(tmp_path / "a", change)
    refused(tmp_path / "a", "consists of more than 400,000 parts")


def test_a_sparse_matrix_of_another_type_is_refused(tmp_path):
    def change(schema, members):
        schema["content"]["content"]["gamma"] = {"__loader__": "SparseMatrixNode"}

    changed_svc(tmp_path / "a", change)
    refused(tmp_path / "a", "SparseMatrixNode")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_only_a_plain_file_is_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path, tmp_path / "pipe", Path(os.devnull)):
        refused(place, "a folder, a pipe or a device, not a file")
