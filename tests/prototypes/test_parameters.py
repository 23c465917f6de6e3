"""The constructors of prototype models, and the rules of their parameters."""

import inspect

import pytest
from sklearn.base import clone

import labelscape
from labelscape import prototypes
from labelscape._core.params import rules_of
from labelscape.prototypes import (
    GLVQ,
    LBFGS,
    SGD,
    LiRaMLVQ,
    Localization,
    LocalLiRaMLVQ,
)

PUBLIC = [getattr(prototypes, name) for name in prototypes.__all__]
MODELS = [one for one in PUBLIC if hasattr(one, "fit")]
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


@every_lvq
def test_only_the_number_of_prototypes_is_positional(model):
    first, *others = inspect.signature(model).parameters.values()
    assert first.name == "prototypes_per_class"
    assert {other.kind for other in others} == {inspect.Parameter.KEYWORD_ONLY}


def test_details_of_online_training_have_the_defaults_of_the_paper():
    # What is None falls back to the group before it.
    given = {name: value for name, value in vars(SGD()).items() if value is not None}
    assert given == {
        "slope": 0.0,
        "decay": 1e-4,
        "clip_step": False,
        "matrix_epoch": 100,
    }


@pytest.mark.parametrize(
    ("settings", "parameters", "message"),
    [
        (SGD, {"decay": -1}, r"SGD: decay must be a number of at least 0, got -1"),
        (SGD, {"clip_step": "yes"}, r"clip_step must be True or False, got 'yes'"),
        (SGD, {"matrix_epoch": 0}, r"matrix_epoch must be .* at least 1, got 0"),
        (SGD, {"matrix_decay": -1}, r"matrix_decay must be .* 0, or None, got -1"),
        (SGD, {"slope": -2.0}, r"slope must be .* at least 0, got -2"),
        (LBFGS, {"slope": -2.0}, r"slope must be .* at least 0, got -2"),
        (LBFGS, {"jitter": float("nan")}, r"jitter must be .* got nan"),
        (LBFGS, {"jitter": 1e160}, r"jitter must be .* got 1e\+160"),
        (LBFGS, {"n_init": 0}, r"n_init must be .* at least 1, got 0"),
        (Localization, {"by": "row"}, r"by must be 'class' or 'prototype', got 'row'"),
        (Localization, {"init": "zero"}, r"init must be 'identity' or 'random'"),
    ],
)
def test_settings_are_checked_when_they_are_made(settings, parameters, message):
    with pytest.raises(ValueError, match=message):
        settings(**parameters)


def test_settings_are_compared_cloned_and_printed_by_their_values():
    model = LiRaMLVQ(solver=SGD(decay=0.1))
    assert clone(model).solver == SGD(decay=0.1) != SGD()
    assert "decay=0.1" in repr(model)


@pytest.mark.parametrize("solver", ["lbfgs", "sgd"])
def test_a_solver_by_name_has_the_default_settings(solver):
    X, y = [[0.0, 1.0], [1.0, 0.5], [0.2, 0.8], [1.5, 0.0]], [0, 1, 0, 1]
    record = {"lbfgs": LBFGS(), "sgd": SGD()}[solver]
    named, given = (
        GLVQ(solver=s, max_iter=5, random_state=0).fit(X, y) for s in (solver, record)
    )
    assert named.prototypes_.tobytes() == given.prototypes_.tobytes()


def test_a_model_file_holds_settings(tmp_path):
    X, y = [[0.0, 1.0], [1.0, 0.5], [0.2, 0.8], [1.5, 0.0]], [0, 1, 0, 1]
    model = LocalLiRaMLVQ(
        solver=SGD(decay=0.1),
        localization=Localization(normalize=False),
        max_iter=2,
        n_components=1,
    ).fit(X, y)
    labelscape.save(model, tmp_path / "model.lsm")
    loaded = labelscape.load(tmp_path / "model.lsm")
    assert loaded.solver == SGD(decay=0.1)
    assert loaded.localization == Localization(normalize=False)
