"""Declarations of fitted attributes: what they accept, and what they say."""

import pickle
from typing import ClassVar, NamedTuple

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from labelscape._core.rules import number, whole
from labelscape._core.state import (
    StateError,
    check_fitted,
    classes,
    curve,
    declares,
    indices,
    labels,
    numbers,
    one_each,
    optional,
    or_none,
    part,
    record,
    table,
    truths,
    whole_numbers,
)


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
        """Leave behind what a fit does."""
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
        "members_": one_each("groups", whole_numbers("members")),
        "pair_": record(Pair),
        "history_": table(
            size=whole_numbers("rounds"), gain=optional(truths("rounds"))
        ),
        "width_": or_none(number(above=0)),
        "chosen_": truths("groups"),
        "levels_": lambda model: numbers(model.power, low=0.0),
        "inner_": optional(part("fit", kind=Base)),
    }


def test_what_a_fit_leaves_behind_is_accepted():
    check_fitted(Model(power=4).fit(), whole=True)


def test_an_unfitted_model_is_told_so():
    with pytest.raises(NotFittedError):
        check_fitted(Model())


@pytest.mark.parametrize(
    ("attribute", "value", "words"),
    [
        ("n_features_in_", 2.0, "a whole number of at least 1, got 2.0"),
        ("n_features_in_", 3, r"means_ .* shape \(3 groups, 3 features\)"),
        ("feature_names_in_", np.array(["p"], object), "names of 2 features"),
        ("classes_", np.array(["b", "a"]), "sorted labels, each once, 2 or more"),
        ("classes_", np.array(["a"]), "2 or more"),
        ("classes_", np.array(["a", 1], object), "sorted labels"),
        (
            "means_",
            np.ones((3, 3)),
            r"got an array of dtype float64 and shape \(3, 3\)",
        ),
        ("means_", np.ones((0, 2)), r"\(groups, 2 features\)"),
        ("means_", np.full((3, 2), np.inf), "with NaN or infinity in it"),
        ("means_", np.full((3, 2), 1e151), "from 1e[+]151"),
        ("means_", np.ones((3, 2), np.float16), "dtype float16"),
        ("means_", np.ones((3, 2), ">f8"), "dtype >f8"),
        ("means_", np.ones((3, 2)).tolist(), r"got \[\[1.0, 1.0\]"),
        ("labels_", np.array(["b", "a", "b"]), "in the order of the classes"),
        ("labels_", np.array(["a", "b", "c"]), "labels of classes_"),
        ("labels_", np.array([0, 1, 1]), "dtype int64"),
        ("nearest_", np.array([0, 3, 1]), "indices of 3 groups, got 3 among them"),
        ("nearest_", np.array([0, -1, 1]), "whole numbers from 0"),
        ("loss_curve_", (1.0,), "a list of finite numbers"),
        ("loss_curve_", [1.0, None], "a list of finite numbers"),
        ("members_", [np.arange(2)], "a list of 3 arrays"),
        ("members_", [np.arange(2.0)] * 3, r"members_\[0\] must be"),
        ("pair_", (1, 2), "a Pair"),
        ("pair_", Pair(np.ones(4), np.ones(5)), r"pair_\.right .* \(4 halves,\)"),
        ("history_", {"length": 3}, "a dict of size, gain"),
        ("history_", {}, r"history_\['size'\] must be there"),
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
    with pytest.raises(StateError, match=words) as caught:
        check_fitted(model, whole=True)
    assert str(caught.value).startswith("Model: the fitted attribute ")
    assert str(caught.value).endswith("Fit the model again.")


def test_a_missing_attribute_is_named_unless_files_leave_it_out():
    model = Model().fit()
    del model.levels_
    check_fitted(model)
    del model.means_
    with pytest.raises(StateError, match="means_ must be there, got nothing"):
        check_fitted(model)


def test_a_model_inside_has_as_many_features():
    model = Model().fit()
    model.inner_ = Base().fit()
    check_fitted(model)
    model.inner_.n_features_in_ = 3
    with pytest.raises(StateError, match="fitted to 2 features, got one of 3"):
        check_fitted(model)


def test_members_and_curves_are_looked_at_when_all_is():
    model = Model().fit()
    model.loss_curve_ = [np.nan]
    check_fitted(model)
    with pytest.raises(StateError, match="loss_curve_"):
        check_fitted(model, whole=True)


def test_a_broken_parameter_is_told_as_in_a_fit():
    with pytest.raises(ValueError, match="Model: power must be a whole number"):
        check_fitted(Model().fit().set_params(power=0))


def test_properties_that_can_not_be_told_count_as_missing():
    assert issubclass(StateError, AttributeError)


def test_an_error_comes_through_a_process():
    error = StateError("GLVQ", "n_iter_", "a whole number", "None")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
