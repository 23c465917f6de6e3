"""Maps, metrics and pictures of classifiers: what their parameters may be."""

import inspect

import pytest
from sklearn.base import BaseEstimator

from labelscape import boundary, embeddings, geometry
from labelscape._core.rules import rules_of

ESTIMATORS = [
    member
    for room in (boundary, embeddings, geometry)
    for member in (getattr(room, name) for name in room.__all__)
    if isinstance(member, type) and issubclass(member, BaseEstimator)
]
# Scikit-learn checks the one, and any value has a truth that can be asked.
FREE = {"random_state", "verbose"}


def test_no_estimator_is_forgotten():
    assert {"Sammon", "FisherMetric", "ClassifierMap"} <= {
        cls.__name__ for cls in ESTIMATORS
    }


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_has_a_rule(estimator):
    parameters = inspect.signature(estimator).parameters.keys()
    assert parameters - FREE <= rules_of(estimator).keys()


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_rules_accept_the_defaults(estimator):
    parameters = inspect.signature(estimator).parameters
    defaults = {name: p.default for name, p in parameters.items()}
    refused = {
        name: defaults[name]
        for name, rule in rules_of(estimator).items()
        if defaults[name] is not inspect.Parameter.empty
        and not rule.holds(defaults[name])
    }
    assert refused == {}


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_constructors_are_written_out_and_only_store(estimator):
    parameters = inspect.signature(estimator).parameters
    values = {name: object() for name in parameters}
    assert "__init__" in vars(estimator)
    assert vars(estimator(**values)) == values
