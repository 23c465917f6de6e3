"""The record of a run, from which commands, functions and code take its options."""

import inspect

import pytest

from labelscape import jobs
from labelscape.datasets import load
from labelscape.jobs import RunOrder

FUNCTIONS = {
    "map": jobs.map_table,
    "refit": jobs.refit_table,
    "prototypes": jobs.prototype_table,
    "classify": jobs.classify_table,
    "compare": jobs.compare_methods,
    "certify": jobs.certify_table,
}


@pytest.mark.parametrize("job", FUNCTIONS)
def test_a_function_takes_the_options_of_its_job(job):
    taken = inspect.signature(FUNCTIONS[job]).parameters
    assert {*RunOrder().arguments(job)} <= {*taken}


@pytest.mark.parametrize("job", FUNCTIONS)
def test_defaults_are_allowed(job):
    rules, given = RunOrder.rules(job), RunOrder().arguments(job)
    assert rules.keys() - given.keys() == {"table", "begin", "callback"}
    assert all(rules[name].holds(value) for name, value in given.items())


def test_dimensions_are_a_parameter_of_the_method():
    order = RunOrder(parameters={"whiten": True}, n_components=3)
    given = order.arguments("map")
    assert given["parameters"] == {"whiten": True, "n_components": 3}
    assert "n_components" not in given


def test_code_has_all_settings_that_change_the_map_and_no_tests():
    order = RunOrder(
        method="lda",
        parameters={"shrinkage": None},
        n_landmarks=40,
        honesty=False,
        audit=True,
        islands=True,
        seed=3,
    )
    code = order.map_code()
    assert code == (
        "map_table(table, 'lda', judge=False, seed=3, "
        "parameters={'shrinkage': None}, n_landmarks=40)"
    )
    assert RunOrder(method="pca", parameters={}).map_code() == (
        "map_table(table, 'pca', judge=False, seed=0)"
    )
    names = {"map_table": jobs.map_table, "table": load("iris")}
    assert len(eval(code, names).fitted) == 40
