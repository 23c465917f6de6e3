"""Results as plain values."""

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from labelscape._core.plain import attributes, plain
from labelscape._resampling.chance import Interval


@dataclass
class Group:
    label: Any
    rows: Any
    share: float
    classes: Any = ()


class Point(NamedTuple):
    x: float
    y: float


def test_records_arrays_and_lists_become_values_of_json():
    group = Group("oak", np.array([2, 5]), np.float64(0.5))
    found = plain([group, Point(1.0, np.inf), {"n": np.int64(3)}, None, True, "a"])
    assert found == [
        {"label": "oak", "rows": [2, 5], "share": 0.5, "classes": []},
        {"x": 1.0, "y": None},
        *({"n": 3}, None, True, "a"),
    ]
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_labels_are_text_also_if_they_are_numbers():
    assert plain(Group(3, [], 0.0, (np.int64(1), 2)))["label"] == "3"
    assert plain(Group(3, [], 0.0, np.array([1, 2])))["classes"] == ["1", "2"]
    counts = plain(Group(3, [], 0.0, {1: 7, np.int64(2): 9}))["classes"]
    assert counts == {"1": 7, "2": 9}


def test_keys_of_a_dict_are_not_fields():
    assert plain({"a": 0.5, "label": 3}) == {"a": 0.5, "label": 3}
    assert plain(Group(3, {"b": 1}, 0.0))["rows"] == {"b": 1}


def test_a_record_may_write_itself():
    assert plain({"interval": Interval(0.1, 0.2)}) == {"interval": [0.1, 0.2]}


def test_some_attributes_of_an_object():
    assert attributes(Point(1.0, 2.0), ("y",)) == {"y": 2.0}
