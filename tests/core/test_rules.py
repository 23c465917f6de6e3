"""Rules on the class: read by fits, forms and requests."""

from typing import ClassVar

import numpy as np
import pytest

from labelscape._core.errors import ParameterError
from labelscape._core.rules import (
    check_params,
    either,
    flag,
    number,
    one_of,
    rules_of,
    whole,
)


class Map:
    _rules: ClassVar = {
        "n_components": whole(1),
        "tol": number(0.0),
        "solver": one_of("a", "b"),
    }

    def __init__(self, n_components=2, tol=0.1, solver="a", random_state=None):
        self.n_components, self.tol, self.solver = n_components, tol, solver


class Plane(Map):
    _rules: ClassVar = {"n_components": whole(2, 2), "turned": flag()}

    def __init__(self, n_components=2, turned=False):
        super().__init__(n_components)
        self.turned = turned


def test_a_class_adds_its_rules_to_those_of_its_bases():
    assert list(rules_of(Map)) == ["n_components", "tol", "solver"]
    assert rules_of(Plane)["n_components"].wanted == "a whole number between 2 and 2"


def test_only_parameters_of_the_constructor_have_rules():
    assert list(rules_of(Plane)) == ["n_components", "turned"]


def test_the_first_broken_rule_is_told_as_data():
    with pytest.raises(ParameterError, match=r"Map: tol must be a number") as error:
        check_params(Map(tol=np.float64(-1), solver="c"))
    found = error.value
    assert (found.owner, found.parameter, found.value) == ("Map", "tol", -1)
    assert found.wanted == "a number of at least 0"


def test_parameters_that_keep_their_rules_pass():
    check_params(Map())
    check_params(Plane(turned=np.True_))


def test_a_rule_tells_a_form_what_to_ask_for():
    rule = either(whole(1), one_of("auto", None))
    assert [part.kind for part in rule.alternatives] == ["whole", "choice"]
    assert rule.alternatives[1].choices == ("auto", None)
    assert flag().alternatives[0].kind == "flag"


def test_numbers_whose_squares_vanish_are_refused_where_they_are_of_no_use():
    assert number(0.0).holds(1e-300)
    useful = number(0.0, vanishing=False)
    assert useful.holds(0)
    assert useful.holds(1e-90)
    assert not useful.holds(1e-300)
