"""The classes that a model file may contain."""

import json
import subprocess
import sys
from importlib import import_module

import pytest
from sklearn.base import BaseEstimator
from sklearn.decomposition import PCA
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape._model_file import can_hold
from labelscape._model_file._registry import (
    RECORDS,
    ROOMS,
    STEPS,
    model_named,
    model_names,
    public_names,
    record_named,
)


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_estimator_of_a_room_can_be_held(room):
    offered = {name: getattr(import_module(room), name) for name in public_names(room)}
    for name, thing in offered.items():
        is_model = isinstance(thing, type) and issubclass(thing, BaseEstimator)
        assert model_named(name) is (thing if is_model else None)


def test_names_are_read_without_loading_a_file_of_a_room():
    code = (
        "import json, sys\n"
        "from labelscape._model_file._registry import ROOMS, public_names\n"
        "print(json.dumps({room: public_names(room) for room in ROOMS}))\n"
        "rooms = tuple(room + '.' for room in ROOMS)\n"
        "assert not [name for name in sys.modules if name.startswith(rooms)]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for room, names in json.loads(done.stdout).items():
        assert names == import_module(room).__all__


@pytest.mark.parametrize(
    "name", ["Popen", "os", "class_layout", "Regions", "__all__", ""]
)
def test_what_is_no_estimator_of_ours_is_no_model(name):
    assert model_named(name) is None


def test_a_model_is_no_record_and_a_record_no_model():
    assert not set(model_names()) & set(RECORDS)
    assert all(record_named(name) for name in RECORDS)
    assert all(model_named(name) for name in STEPS)


def test_a_pipeline_is_held_if_all_of_its_steps_are():
    held = make_pipeline(StandardScaler(), "passthrough", RandomForestClassifier())
    assert can_hold(held)
    assert can_hold(held[-1])
    boosted = HistGradientBoostingClassifier(max_iter=1).fit([[0], [1]] * 9, [0, 1] * 9)
    assert not can_hold(make_pipeline(PCA(2), boosted))
    assert not can_hold("a text")
