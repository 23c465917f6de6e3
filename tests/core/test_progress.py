import pytest

from labelscape._core.progress import Progress


def test_a_callback_gets_the_news_of_each_iteration():
    heard = []
    with Progress("Map", 3, callback=heard.append) as bar:
        assert not bar.step(epoch=1, loss=0.5)
    assert heard == [{"epoch": 1, "loss": 0.5}]


@pytest.mark.parametrize(
    ("answer", "stops"), [(True, True), (None, False), (False, False), (1, False)]
)
def test_only_true_stops(answer, stops):
    with Progress("Map", 3, callback=lambda news: answer) as bar:
        assert bar.step(epoch=1) is stops


def test_a_bar_names_what_runs_and_shows_its_numbers(capsys):
    with Progress("NEXOM", 2, verbose=True) as bar:
        bar.step(epoch=1, loss=0.25, embedding=object())
        bar.step(epoch=2, loss=0.125)
    shown = capsys.readouterr().out
    assert "NEXOM" in shown
    assert "2/2" in shown
    assert "loss 0.125" in shown


def test_nobody_watches_a_quiet_fit():
    assert not Progress("Map", 3).watched
    assert Progress("Map", 3, callback=print).watched


def test_the_bar_ends_when_the_fit_fails(capsys):
    def failing():
        with Progress("Map", 3, verbose=True):
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        failing()
