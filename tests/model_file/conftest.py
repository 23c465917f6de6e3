"""Toys that model files know of."""

import pytest
from sklearn.datasets import load_iris
from tests.model_file.toys import (
    Grid,
    Pair,
    Toy,
)

from labelscape._model_file import _registry


@pytest.fixture(autouse=True)
def _toys_are_registered(monkeypatch):
    monkeypatch.setattr(_registry, "ROOMS", (*_registry.ROOMS, Toy.__module__))
    monkeypatch.setitem(_registry.RECORDS, "Pair", Pair.__module__)
    monkeypatch.setitem(_registry.RECORDS, "Grid", Grid.__module__)


@pytest.fixture
def toy():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return Toy(scale=0.1).fit(X, y.map({0: "setosa", 1: "versicolor", 2: "virginica"}))
