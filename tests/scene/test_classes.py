import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from labelscape.scene._internal import scene_of
from labelscape.scene.subject import Classes


def labeled(y):
    return scene_of(np.zeros((len(y), 2)), None, y)


@pytest.mark.parametrize(
    ("y", "names", "codes"),
    [
        (["b", "a", "b"], ("a", "b"), [1, 0, 1]),
        ([10, 9, 10], ("9", "10"), [1, 0, 1]),
        ([1.0, 0.5, np.nan], ("0.5", "1"), [1, 0, 255]),
        ([True, False], ("False", "True"), [1, 0]),
        (["b", None, 3], ("3", "b"), [1, 255, 0]),
        (["", "<b>", "🍷"], ("", "<b>", "🍷"), [0, 1, 2]),
        (pd.Series(["x", pd.NA], dtype="string"), ("x",), [0, 255]),
        (pd.Series(["x", "y"], dtype="category"), ("x", "y"), [0, 1]),
        ([[1], [2]], ("1", "2"), [0, 1]),
    ],
)
def test_labels_of_all_kinds_become_classes(y, names, codes):
    scene = labeled(y)
    assert scene.classes == names
    assert_array_equal(scene.labels, codes)


def test_labels_that_are_no_classes_are_refused():
    with pytest.raises(ValueError, match="70,000 different labels"):
        Classes(range(70_000))
