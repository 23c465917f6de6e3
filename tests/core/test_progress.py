import pytest

from labelscape._core.fits.progress import Progress


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
