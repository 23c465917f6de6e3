import pytest

from labelscape import embeddings, geometry, prototypes
from labelscape._core.estimator import AsInPaper, Progress
from labelscape._core.params import check_params

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


def test_a_callback_gets_the_news_of_each_iteration():
    heard = []
    with Progress("Map", 3, callback=heard.append) as bar:
        assert not bar.step(1, 0.5)
        assert not bar.step(2, 0.25, named="stress", epoch=2)
        assert not bar.step(3)
    assert heard == [
        {"iteration": 1, "loss": 0.5},
        {"iteration": 2, "loss": 0.25, "stress": 0.25, "epoch": 2},
        {"iteration": 3},
    ]


@pytest.mark.parametrize(
    ("answer", "stops"), [(True, True), (None, False), (False, False), (1, False)]
)
def test_only_true_stops(answer, stops):
    with Progress("Map", 3, callback=lambda news: answer) as bar:
        assert bar.step(1) is stops


def test_a_bar_names_what_runs_and_shows_its_numbers(capsys):
    with Progress("NEXOM", 2, verbose=True) as bar:
        bar.step(1, 0.25, named="stress", embedding=object())
        bar.step(2, 0.125, named="stress")
    shown = capsys.readouterr().out
    assert "NEXOM" in shown
    assert "2/2" in shown
    assert "stress 0.125" in shown


def test_nobody_watches_a_quiet_fit():
    assert not Progress("Map", 3).watched
    assert Progress("Map", 3, callback=print).watched


def test_the_bar_ends_when_the_fit_fails(capsys):
    def failing():
        with Progress("Map", 3, verbose=True):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        failing()
