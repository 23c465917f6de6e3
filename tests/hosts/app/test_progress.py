"""Progress messages to the page during a run."""

from types import SimpleNamespace

import numpy as np
import pytest

from labelscape.hosts.app import results
from labelscape.hosts.app.records import News, RunProgress
from labelscape.hosts.app.results import Reporter
from labelscape.jobs import Step
from labelscape.scene import decode

TABLE = SimpleNamespace(
    name="trees", X=np.zeros((3, 1)), y=np.array(["oak", "fir", "oak"])
)


@pytest.fixture
def told(monkeypatch):
    """What is told of the records that it is called with."""
    monkeypatch.setattr(results, "SECONDS_BETWEEN", 0.0)

    def told(*records):
        news = []
        tell = Reporter(news.append, TABLE)
        for record in records:
            tell(record)
        return news

    return told


@pytest.mark.parametrize("q", [1, 2, 3])
def test_a_map_is_shown_in_the_plane_whatever_its_dimension(told, q):
    Z = np.arange(3.0 * q).reshape(3, q)
    records = [{"iteration": i, "embedding": Z} for i in (1, 2)]
    first, second = told(*records)
    places = np.frombuffer(first.positions, np.float32).reshape(3, 2)
    np.testing.assert_array_equal(places[:, : min(q, 2)], Z[:, :2])
    np.testing.assert_array_equal(places[:, 1], 0.0 if q == 1 else Z[:, 1])
    assert decode(first.scene).classes == ("fir", "oak")
    assert second.iteration == 2
    assert not second.scene  # once is enough


def test_a_map_of_some_rows_only_is_not_shown(told):
    record = {"iteration": 1, "embedding": np.zeros((2, 2)), "loss": 0.5, "stress": 0.5}
    assert told(record) == [News(iteration=1, loss=0.5)]


def test_a_loss_that_is_no_number_is_left_out(told):
    assert told({"iteration": 1, "loss": np.nan}) == [News(iteration=1)]


def test_not_every_iteration_is_told():
    news = []
    tell = Reporter(news.append, TABLE)
    for i in range(5):
        tell({"iteration": i})
    assert [record.iteration for record in news] == [0]


def test_a_step_is_told_by_its_name_and_counted():
    news = []
    advance = Reporter(news.append, TABLE).begin(Step("judging", "LFDA", 2))
    advance()
    assert news == [News(step="judging", total=2), News(done=1)]


def test_progress_adds_up_the_news():
    stood = RunProgress(begun=3.0)
    for news in (
        News(iteration=7, loss=0.5, positions=b"places", scene=b"scene"),
        News(iteration=9, loss=0.25),
    ):
        stood = stood.after(news)
    assert stood.model_dump() == {
        "step": "reading",
        "begun": 3.0,
        "past": [],
        "done": None,
        "total": None,
        "iteration": 9,
        "loss": [0.5, 0.25],
        "version": 2,
        "has_positions": True,
    }


def test_a_new_step_begins_to_count_anew_and_keeps_the_map():
    stood = RunProgress(
        step="judging", done=3, total=3, iteration=8, has_positions=True
    )
    stood = stood.after(News(step="drawing"))
    assert (stood.done, stood.total, stood.iteration) == (None, None, 0)
    assert stood.has_positions


def test_steps_that_are_done_are_listed_with_the_time_that_each_took(monkeypatch):
    clock = iter([10.0, 14.5, 20.0])
    monkeypatch.setattr("time.time", lambda: next(clock))
    stood = RunProgress(begun=9.0)
    for step in ("reading", "fitting", "drawing"):
        stood = stood.after(News(step=step)).after(News(done=1))
    assert (stood.step, stood.begun) == ("drawing", 20.0)
    assert stood.past == [
        ("reading", 4.5),
        ("fitting", 5.5),
    ]


def test_a_page_is_told_the_latest_losses_only():
    stood = RunProgress(loss=[*map(float, range(1500))]).after(News(loss=1500.0))
    assert (len(stood.loss), stood.loss[-1]) == (1000, 1500.0)
