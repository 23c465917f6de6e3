"""The constructors of prototype models, and the rules of their parameters."""

import inspect

import pytest

from labelscape import prototypes
from labelscape._core.rules import rules_of

MODELS = [getattr(prototypes, name) for name in prototypes.__all__]
LVQ_FAMILY = [model for model in MODELS if model.__name__.endswith("LVQ")]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.__name__)
every_lvq = pytest.mark.parametrize("model", LVQ_FAMILY, ids=lambda m: m.__name__)


@every_model
def test_every_parameter_has_a_rule(model):
    known = set(inspect.signature(model).parameters)
    assert known == set(rules_of(model))


@every_model
def test_every_default_keeps_its_rule(model):
    defaults = inspect.signature(model).parameters
    for name, rule in rules_of(model).items():
        assert rule.holds(defaults[name].default), name


@every_model
def test_every_parameter_is_described(model):
    for name in inspect.signature(model).parameters:
        assert f"\n{name} : " in model.__doc__, name


@every_lvq
def test_only_the_number_of_prototypes_is_positional(model):
    first, *others = inspect.signature(model).parameters.values()
    assert first.name == "prototypes_per_class"
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}


@every_lvq
def test_details_of_online_training_have_the_defaults_of_the_paper(model):
    matrix = {} if model is prototypes.GLVQ else {"matrix_epoch": 100}
    found = model()._sgd()
    # What is None falls back to the group before it.
    told = {name: value for name, value in found.items() if value is not None}
    assert told == {"decay": 1e-4, "clip_step": False} | matrix


def test_a_model_without_matrices_has_no_epoch_for_them():
    model = prototypes.GLVQ(sgd_params={"matrix_epoch": 3})
    with pytest.raises(ValueError, match="'decay', 'clip_step'; got 'matrix_epoch'"):
        model.fit([[0.0], [1.0]], [0, 1])
