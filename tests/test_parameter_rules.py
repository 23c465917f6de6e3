"""Estimators: what their parameters may be, and what their docstrings describe."""

import inspect
import re

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB

from labelscape import boundary, datasets, embeddings, geometry, prototypes
from labelscape._core.errors import InputError
from labelscape._core.params import rules_of
from labelscape.boundary import ClassifierMap
from labelscape.crossfit import CrossFit, RandomFeatureClassifier
from labelscape.embeddings import (
    NEXOM,
    XOM,
    FisherKernelTSNE,
    KernelTSNE,
    Sammon,
    WeightedMDS,
)
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GLVQ, LiRaMLVQ
from labelscape.quality.drift import TableMap

ESTIMATORS = [
    member
    for room in (boundary, embeddings, geometry, prototypes)
    for member in (getattr(room, name) for name in room.__all__)
    if isinstance(member, type) and issubclass(member, BaseEstimator)
]


DOCUMENTED = [*ESTIMATORS, CrossFit, RandomFeatureClassifier, TableMap]


def test_no_estimator_is_forgotten():
    assert {"Sammon", "FisherMetric", "ClassifierMap"} <= {
        cls.__name__ for cls in ESTIMATORS
    }


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_has_a_rule(estimator):
    parameters = inspect.signature(estimator).parameters.keys()
    assert parameters <= rules_of(estimator).keys()


def documented(estimator, section):
    """Return the names that a section of a docstring describes, in order."""
    text = inspect.cleandoc(estimator.__doc__).split(f"\n{section}\n")[1]
    entries = re.findall(r"^(\S[^:\n]*) :", text.split("\n\n")[0], re.MULTILINE)
    return [name for entry in entries for name in entry.split(", ")]


@pytest.mark.parametrize("estimator", DOCUMENTED)
def test_parameters_are_described_in_the_order_of_the_signature(estimator):
    parameters = [*inspect.signature(estimator).parameters]
    assert documented(estimator, "Parameters") == parameters


@pytest.mark.parametrize("estimator", DOCUMENTED)
def test_what_an_estimator_learns_is_described(estimator):
    known = {
        name for cls in estimator.__mro__ for name in vars(cls).get("_learned", ())
    }
    learned = {name for name in known if not name.startswith("_")}
    if "metric" not in inspect.signature(estimator).parameters:
        learned.discard("metric_")  # a copy of this parameter
    described = documented(estimator, "Attributes")
    assert {*learned, "n_features_in_", "feature_names_in_"} <= {*described}


# Beyond all that is reasonable, and wrong for a parameter of any kind.
ABSURD = [10**30, -(10**30), 1e300, -1e300, np.nan, np.inf, b"", np.ones(3), object()]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_what_all_estimators_have_is_checked_alike(estimator):
    rules = rules_of(estimator)
    for name in {"random_state", "verbose", "callback", "n_jobs"} & rules.keys():
        wrong = [value for value in ABSURD if rules[name].holds(value)]
        assert wrong == ([10**30, -(10**30)] if name == "n_jobs" else []) or (
            name == "verbose" and wrong == [10**30]
        )


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
    kinds = {parameter.kind for parameter in parameters.values()}
    assert not kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    values = {name: object() for name in parameters}
    assert vars(estimator(**values)) == values


Y = np.arange(20) % 2
X = np.random.RandomState(0).normal(size=(20, 3)) + 3.0 * Y[:, None]
BAD = {
    "missing": lambda: LiRaMLVQ(missing="ignore", solver="sgd").fit(X, Y),
    "prototypes_per_class": lambda: LiRaMLVQ(prototypes_per_class={7: 1}).fit(X, Y),
    "matrix_init": lambda: LiRaMLVQ(matrix_init=np.ones((9, 9))).fit(X, Y),
    "train_size": lambda: FisherKernelTSNE(train_size=21).fit(X, Y),
    "n_sites": lambda: XOM(structure="gaussians").fit(X),
    "weights": lambda: WeightedMDS(weights="object").fit(X),
    "bandwidth": lambda: FisherMetric(bandwidth=1e-300).fit(X, Y),
    "rule": lambda: FisherMetric(rule="midpoint", estimator=GaussianNB()).fit(X, Y),
    "n": lambda: datasets.make_xor(6),
    "class_weight": lambda: LiRaMLVQ(class_weight={7: 1}).fit(X, Y),
}


@pytest.mark.parametrize("parameter", BAD)
def test_an_error_names_the_parameter_that_does_not_go_with_the_rest(parameter):
    with pytest.raises(InputError, match=parameter) as caught:
        BAD[parameter]()
    assert caught.value.parameter == parameter


HUGE = {
    "prototypes_per_class": LiRaMLVQ(10**9),
    "of one class": LiRaMLVQ({0: 10**30}),
    "n_components": Sammon(10**9),
    "n_pivots": Sammon(n_pivots=10**9),
    "n_steps": FisherMetric(n_steps=10**9),
    "resolution": ClassifierMap(GaussianNB().fit(X, Y), resolution=10**9),
    "n_sites": XOM(structure="lattice", n_sites=10**9),
    "sigma_end": XOM(sigma_end=1e-155),
    "noise": NEXOM(noise=1e160),
    "regularization": LiRaMLVQ(regularization=1e160),
    "n_jobs": KernelTSNE(perplexity=5, n_jobs=0),
    "verbose": Sammon(verbose=np.ones(3)),
    "callback": GLVQ(callback=3),
    "random_state": GLVQ(random_state="chance"),
}


@pytest.mark.parametrize("parameter", HUGE)
def test_extreme_parameters_are_refused_before_any_memory_is_taken(parameter):
    with pytest.raises(InputError) as caught:
        HUGE[parameter].fit(X, Y)
    assert caught.value.parameter in (parameter, "prototypes_per_class")


@pytest.mark.parametrize(
    "make", [datasets.make_noise, datasets.make_gaussians, datasets.make_satellite]
)
def test_makers_refuse_more_objects_than_memory_holds(make):
    with pytest.raises(InputError, match=r"n must be .* at most \d+, got 10{12}"):
        make(10**12)


@pytest.mark.parametrize("n_jobs", [None, -1, -(10**9), 10**9])
def test_any_number_of_jobs_is_cut_to_the_cores(n_jobs):
    model = KernelTSNE(perplexity=5, max_iter=5, n_jobs=n_jobs, random_state=0)
    assert np.isfinite(model.fit(X).embedding_).all()
