"""A model file to damage; reading a pickle makes the test fail."""

import pickle

import numpy as np
import pytest
import skops.io  # noqa: F401  reads a pickle of its own when it is first imported
from scipy import sparse
from tests.faults.model_files.members import Pair, Toy

from labelscape._model_file import _registry, save


@pytest.fixture(autouse=True)
def _toys_are_registered_and_pickle_is_locked(monkeypatch):
    monkeypatch.setattr(_registry, "ROOMS", (*_registry.ROOMS, Toy.__module__))
    monkeypatch.setitem(_registry.RECORDS, "Pair", Pair.__module__)

    def alarm(*args, **kwargs):
        pytest.fail("a pickle was read")

    for name in ("load", "loads", "Unpickler"):
        monkeypatch.setattr(pickle, name, alarm)


@pytest.fixture
def path(tmp_path):
    toy = Toy(scale=0.5, metric=Toy())
    toy.means_ = np.arange(12.0).reshape(3, 4)
    toy.classes_ = np.array(["a", "b", 3], dtype=object)
    toy.sparse_ = sparse.csr_array(np.eye(3))
    toy.rest_ = {"a": (1, np.float32(2)), 1: [None, np.inf], None: Pair(1, 2)}
    toy.names_ = np.array(["x", "yy"])
    toy.truths_ = np.array([True, False])
    save(toy, tmp_path / "toy.model")
    return tmp_path / "toy.model"
