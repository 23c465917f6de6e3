"""Settings as a paper prints them."""

import pytest

from labelscape import embeddings, geometry, prototypes
from labelscape._core.fits.papers import AsInPaper
from labelscape._core.rules import check_params

ROOMS = (prototypes, geometry, embeddings)
ALL = [
    getattr(room, name)
    for room in ROOMS
    for name in room.__all__
    if isinstance(getattr(room, name), type)
    and issubclass(getattr(room, name), AsInPaper)
]


@pytest.mark.parametrize("estimator", ALL, ids=lambda one: one.__name__)
def test_the_papers_settings_are_parameters_that_differ_from_the_defaults(estimator):
    usual, printed = estimator().get_params(False), estimator.as_in_paper()
    check_params(printed)
    assert set(estimator._in_paper) <= set(usual)
    for name, setting in estimator._in_paper.items():
        assert repr(getattr(printed, name)) == repr(setting.value) != repr(usual[name])


def test_some_settings_may_be_others():
    model = prototypes.LiRaMLVQ.as_in_paper(max_iter=7, n_components=3)
    assert (model.solver, model.max_iter, model.n_components) == ("sgd", 7, 3)


def test_a_metric_belongs_to_one_map():
    first, second = (embeddings.FisherKernelTSNE.as_in_paper() for _ in range(2))
    first.set_params(metric__n_steps=3)
    assert second.metric.n_steps == 10


def test_every_model_of_the_lvq_family_has_them():
    assert {one.__name__ for one in ALL} >= {
        "GLVQ", "GRLVQ", "GMLVQ", "LGMLVQ", "LiRaMLVQ", "LocalLiRaMLVQ",
    }  # fmt: skip
