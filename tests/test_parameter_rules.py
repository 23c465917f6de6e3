"""Maps, metrics and pictures of classifiers: what their parameters may be."""

import inspect

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB

from labelscape import boundary, datasets, embeddings, geometry
from labelscape._core.errors import InputError
from labelscape._core.rules import rules_of
from labelscape.embeddings import XOM, FisherKernelTSNE, WeightedMDS
from labelscape.geometry import FisherMetric
from labelscape.prototypes import LiRaMLVQ

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


Y = np.arange(20) % 2
X = np.random.RandomState(0).normal(size=(20, 3)) + 3.0 * Y[:, None]
BAD = {
    "jitter": lambda: LiRaMLVQ(jitter=0.1, solver="sgd").fit(X, Y),
    "missing": lambda: LiRaMLVQ(missing="ignore", solver="sgd").fit(X, Y),
    "prototypes_per_class": lambda: LiRaMLVQ(prototypes_per_class={7: 1}).fit(X, Y),
    "matrix_init": lambda: LiRaMLVQ(matrix_init=np.ones((9, 9))).fit(X, Y),
    "train_size": lambda: FisherKernelTSNE(train_size=21).fit(X, Y),
    "n_sites": lambda: XOM(structure="gaussians").fit(X),
    "weights": lambda: WeightedMDS(weights="object").fit(X),
    "bandwidth": lambda: FisherMetric(bandwidth=1e-300).fit(X, Y),
    "rule": lambda: FisherMetric(rule="midpoint", estimator=GaussianNB()).fit(X, Y),
    "n": lambda: datasets.make_xor(6),
}


@pytest.mark.parametrize("parameter", BAD)
def test_an_error_names_the_parameter_that_does_not_go_with_the_rest(parameter):
    with pytest.raises(InputError, match=parameter) as caught:
        BAD[parameter]()
    assert caught.value.parameter == parameter
