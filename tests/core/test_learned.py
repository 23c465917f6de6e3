"""Declarations of fitted attributes: accepted values and messages."""

from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from labelscape._core.errors import InputError
from labelscape._core.learned import (
    bool_array,
    classes,
    curve,
    declares,
    indices,
    labels,
    list_of,
    numbers,
    optional,
    or_none,
    part,
    record,
    table,
    whole_numbers,
)
from labelscape._core.params import number, whole
from labelscape._model_file._declared import check_model


@declares(left=numbers("halves"), right=numbers("halves"))
class Pair(NamedTuple):
    left: object
    right: object


class Base(BaseEstimator):
    _rules: ClassVar = {"power": whole(1)}
    _learned: ClassVar = {
        "classes_": classes(),
        "means_": numbers("groups", "features"),
    }

    def __init__(self, power=1):
        self.power = power

    def fit(self):
        """Set the fitted attributes."""
        self.n_features_in_ = 2
        self.classes_ = np.array(["a", "b"])
        self.means_ = np.ones((3, 2))
        self.labels_ = np.array(["a", "b", "b"])
        self.nearest_ = np.array([0, 2, 1])
        self.loss_curve_ = [1.0, 0.5]
        self.members_ = [np.arange(2), np.arange(5), np.arange(1)]
        self.pair_ = Pair(np.ones(4), np.zeros(4))
        self.history_ = {"size": np.array([3])}
        self.width_ = None
        self.chosen_ = np.array([True, False, True])
        self.levels_ = np.ones(self.power)
        return self


class Model(Base):
    _training_data = ("levels_",)
    _learned: ClassVar = {
        "labels_": labels("groups", ordered=True),
        "nearest_": indices("groups", of="groups"),
        "loss_curve_": curve(),
        "members_": list_of("groups", whole_numbers("members")),
        "pair_": record(Pair),
        "history_": table(
            size=whole_numbers("rounds"), gain=optional(bool_array("rounds"))
        ),
        "width_": or_none(number(above=0)),
        "chosen_": bool_array("groups"),
        "levels_": lambda model: numbers(model.power, low=0.0),
        "inner_": optional(part("fit", kind=Base)),
    }


def test_what_a_fit_leaves_behind_is_accepted():
    check_model(Model(power=4).fit())


def test_an_unfitted_model_may_have_some_attributes_that_are_right():
    model = Model()
    check_model(model)
    model.n_features_in_ = 2
    model.classes_ = np.array(["b", "a"])
    with pytest.raises(InputError, match="sorted labels"):
        check_model(model)


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("n_features_in_", 2.0, "a whole number of at least 1, got 2.0"),
        ("n_features_in_", 3, r"means_ .* shape \(3 groups, 3 features\)"),
        ("feature_names_in_", np.array(["p"], object), "names of all features"),
        ("classes_", np.array(["b", "a"]), "at least 2 different sorted labels"),
        ("classes_", np.array(["a"]), "at least 2 different"),
        ("classes_", np.array(["a", 1], object), "sorted labels"),
        (
            "means_",
            np.ones((3, 3)),
            r"got an array of shape \(3, 3\)",
        ),
        ("means_", np.ones((0, 2)), r"\(groups, 2 features\)"),
        ("means_", np.full((3, 2), np.inf), "finite floats"),
        ("means_", np.full((3, 2), 1e151), "finite floats"),
        ("means_", np.ones((3, 2), np.float16), "finite floats"),
        ("means_", np.ones((3, 2), ">f8"), "finite floats"),
        ("means_", np.ones((3, 2)).tolist(), r"got \[\[1.0, 1.0\]"),
        ("labels_", np.array(["b", "a", "b"]), "in the order of the classes"),
        ("labels_", np.array(["a", "b", "c"]), "labels of classes_"),
        ("labels_", np.array([0, 1, 1]), "got an array"),
        ("nearest_", np.array([0, 3, 1]), "indices below 3, the number of groups"),
        ("nearest_", np.array([0, -1, 1]), "whole numbers from 0"),
        ("loss_curve_", (1.0,), "a list of finite numbers"),
        ("loss_curve_", [1.0, None], "a list of finite numbers"),
        ("members_", [np.arange(2)], "a list of 3 arrays"),
        ("members_", [np.arange(2.0)] * 3, r"members_\[0\] must be"),
        ("pair_", (1, 2), "a Pair"),
        ("pair_", Pair(np.ones(4), np.ones(5)), r"pair_\.right .* \(4 halves,\)"),
        ("history_", {"length": 3}, "a dict of size, gain"),
        ("history_", {}, "a dict of size, gain"),
        ("width_", -1.0, "a number above 0, got -1.0"),
        ("chosen_", np.ones(3), "truth values"),
        ("levels_", np.array([-1.0]), "floats from 0"),
        ("inner_", 3, "a fitted Base, got 3"),
        ("inner_", Base, "a fitted Base"),
    ],
)
def test_what_no_fit_leaves_behind_is_refused(attribute, value, words):
    model = Model().fit()
    setattr(model, attribute, value)
    with pytest.raises(InputError, match=words) as caught:
        check_model(model)
    assert str(caught.value).startswith("Model: the fitted attribute ")
    assert str(caught.value).endswith("Fit the model again.")


def test_a_missing_attribute_is_named_unless_files_leave_it_out():
    model = Model().fit()
    del model.levels_
    check_model(model)
    del model.means_
    with pytest.raises(InputError, match="means_ must be set, got None"):
        check_model(model)


def test_a_model_inside_has_as_many_features():
    model = Model().fit()
    model.inner_ = Base().fit()
    check_model(model)
    model.inner_.n_features_in_ = 3
    with pytest.raises(InputError, match="n_features_in_ of inner_ must be 2, got 3"):
        check_model(model)


def test_a_broken_parameter_is_told_as_in_a_fit():
    with pytest.raises(ValueError, match="Model: power must be a whole number"):
        check_model(Model().fit().set_params(power=0))
