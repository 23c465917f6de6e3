import base64
import gzip
import sys
import threading

import numpy as np
import pytest
from sklearn.datasets import load_iris

from labelscape import explore
from labelscape.embeddings import LFDA, Sammon
from labelscape.hosts import page as _static
from labelscape.hosts.notebook import live as _live_map
from labelscape.prototypes import PushAndGrow
from labelscape.scene import decode

X, Y = load_iris(return_X_y=True)
QUICK = {"quality": False, "regions": False}


@pytest.fixture
def static(monkeypatch, tmp_path):
    """A small program in place of the view."""
    for name in ("view.js", "page.js"):
        (tmp_path / name).write_text("export default {}")
    monkeypatch.setattr(_static, "STATIC", tmp_path)


@pytest.fixture
def view(static):
    ids = [f"r{i}" for i in range(150)]
    return explore(PushAndGrow().fit(X, Y), X, Y, ids=ids, **QUICK)


def sent(widget, monkeypatch):
    """Return the messages that go to the view."""
    messages = []
    monkeypatch.setattr(widget, "send", lambda message: messages.append(message))
    return messages


def test_the_selection_goes_both_ways(view):
    view.selection = [5, 2]
    chosen = np.frombuffer(view.widget.selection, dtype="<u4")
    assert chosen.tolist() == [2, 5]
    view.widget.selection = np.array([7, 9], dtype="<u4").tobytes()
    assert view.selection.tolist() == [7, 9]
    view.selection = ["r3"]
    assert np.frombuffer(view.widget.selection, dtype="<u4").tolist() == [3]
    view.selection = None
    assert view.widget.selection == b""


def test_bytes_from_the_browser_are_taken_as_they_come(view):
    view.widget.set_state({"selection": memoryview(np.array([6], dtype="<u4"))})
    assert view.selection.tolist() == [6]


def test_who_listens_is_told_of_each_choice_once(view):
    told = []
    view.on_select(lambda points: told.append(points.tolist()))
    view.selection = [1]
    view.widget.selection = np.array([4], dtype="<u4").tobytes()
    view.selection = [4]
    assert told == [[1], [4]]


def test_object_level_map_and_colour_go_both_ways(view):
    view.object, view.level, view.color_by = 12, "object", "certainty"
    widget = view.widget
    assert (widget.object, widget.level, widget.color_by) == (12, "object", "certainty")
    widget.object, widget.level = -1, "data"
    assert (view.object, view.level, view.map) == (None, "data", 0)
    view.object = None
    assert widget.object == -1


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("object", 150, "object: points have indices from 0 to 149"),
        ("level", "class", "level"),
        ("map", 1, "map"),
        ("color_by", "feature:width", "color_by must be one of"),
        ("color_by", np.arange(2), "color_by must be one of"),
    ],
)
def test_what_the_view_cannot_show_is_refused(view, name, value, words):
    with pytest.raises(ValueError, match=words):
        setattr(view, name, value)


def test_without_a_model_there_is_one_level(static):
    with pytest.raises(ValueError, match="has no 'classes' level"):
        explore(X[:, :2], X, Y, **QUICK).level = "classes"


def test_questions_are_answered_by_the_model(view, monkeypatch):
    messages = sent(view.widget, monkeypatch)
    view._receive(None, {"kind": "explain", "object": 3, "number": 8}, [])
    view._receive(None, {"kind": "explain", "object": 999, "number": 9}, [])
    assert messages[0]["kind"] == "explained"
    assert messages[0]["number"] == 8
    assert len(messages[0]["contributions"]) == 4
    assert messages[1]["kind"] == "refused"
    assert "from 0 to 149" in messages[1]["words"]


def test_a_page_is_written_without_a_notebook(static, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    view = explore(X[:, :2], X, Y, title="A & B", **QUICK)
    assert "<title>A &amp; B</title>" in view.to_html(tmp_path / "a.html").read_text()


def test_a_page_that_can_not_be_written_is_said_in_a_sentence(view, tmp_path):
    with pytest.raises(IsADirectoryError, match=r"is a folder\. Give the name of"):
        view.to_html(tmp_path)
    (tmp_path / "notes").touch()
    with pytest.raises(NotADirectoryError, match="notes' is a file, not a folder"):
        view.to_html(tmp_path / "notes" / "map.html")


def test_without_anywidget_the_message_names_the_extra(view, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "labelscape.hosts.notebook.widget", raising=False)
    with pytest.raises(ImportError, match=r"labelscape\[explore\]"):
        _ = view.widget
    assert "labelscape[explore]" in view._repr_mimebundle_()["text/plain"]


def test_a_picture_is_asked_for_and_written_when_it_comes(view, monkeypatch, tmp_path):
    view._repr_mimebundle_()
    messages = sent(view.widget, monkeypatch)
    path = view.to_png(tmp_path / "map.png")
    assert messages == [{"kind": "picture", "number": 0}]
    answer = {"kind": "picture", "number": 0}
    view._receive(None, answer, [memoryview(b"\x89PNG")])
    assert path.read_bytes() == b"\x89PNG"
    view._receive(None, answer, [memoryview(b"again")])
    assert path.read_bytes() == b"\x89PNG"


def test_a_picture_that_the_browser_cannot_make_is_warned_of(
    view, monkeypatch, tmp_path
):
    view._repr_mimebundle_()
    sent(view.widget, monkeypatch)
    path = view.to_png(tmp_path / "map.png")
    refusal = {"kind": "refused", "number": 0, "words": "The picture was not saved."}
    with pytest.warns(UserWarning, match=r"map\.png: The picture was not saved\."):
        view._receive(None, refusal, [])
    view._receive(None, refusal | {"number": 7}, [])
    assert not path.exists()
    view._receive(None, {"kind": "picture", "number": 0}, [b"of another view"])
    assert path.read_bytes() == b"of another view"


def test_a_picture_of_nothing_that_shows_is_refused(view, tmp_path):
    with pytest.raises(RuntimeError, match="is not displayed"):
        view.to_png(tmp_path / "map.png")


def test_a_map_is_shown_while_it_forms(static, monkeypatch):
    monkeypatch.setattr(_live_map, "SECONDS_BETWEEN", 0.0)
    own = []
    estimator = Sammon(random_state=0, callback=own.append)
    view = explore(estimator, X, Y, **QUICK)
    assert view.scene.title == "Sammon"
    seen, words = [], []
    view.widget.observe(lambda change: seen.append(change["new"]), "forming")
    view.widget.observe(lambda change: words.append(change["new"]), "forming_words")
    view.fit()
    assert len(seen) > 3
    assert all(len(positions) == 150 * 8 for positions in seen[:-1])
    assert seen[-1] == b""
    assert words[0].startswith("iteration 1, stress ")
    assert estimator.callback == own.append
    shown = decode(view.widget.scene).maps[0].positions
    np.testing.assert_allclose(shown, estimator.embedding_, rtol=1e-5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "X is missing"),
        ([["a", "b"], ["c", "d"]], "values that are not numbers"),
        (X[0], r"one row per sample, got an array of shape \(4,\)"),
        (X[:0], r"got an array of shape \(0, 4\)"),
    ],
)
def test_what_an_estimator_can_not_be_fitted_to_is_refused_at_once(data, words):
    with pytest.raises(ValueError, match=f"explore: X .*{words}|explore: {words}"):
        explore(Sammon(), data)


def test_where_a_picture_can_not_be_written_none_is_asked_for(
    view, monkeypatch, tmp_path
):
    view._repr_mimebundle_()
    messages = sent(view.widget, monkeypatch)
    with pytest.raises(IsADirectoryError, match="is a folder"):
        view.to_png(tmp_path)
    assert messages == []


def test_an_estimator_that_tells_nothing_is_fitted_all_the_same(static):
    view = explore(LFDA(), X, Y, **QUICK).fit()
    assert view.scene.maps[0].name == "LFDA"


def test_another_model_takes_the_place_of_the_first(view):
    view.level = "classes"
    view.show(LFDA().fit(X, Y))
    assert view.level == "data"
    assert view.scene.model is None
    assert not view.widget.can_ask


def test_what_is_fitted_is_not_fitted_again(view):
    with pytest.raises(ValueError, match="nothing to fit"):
        view.fit()


def test_its_text_says_what_to_do_with_it(view):
    assert repr(view).startswith("Explorer of 150 points: ")
    assert "write a page with to_html(path)" in repr(view)


def lights(view):
    return [light.state for light in decode(view.widget.scene).maps[0].honesty.lights]


@pytest.fixture
def unjudged(static):
    return explore(LFDA().fit(X, Y), X, Y, random_state=0, **QUICK)


def test_honesty_is_measured_when_it_is_asked_for(unjudged):
    assert unjudged.widget.can_measure
    assert lights(unjudged) == ["none", "none"]
    told = []
    unjudged.widget.observe(lambda change: told.append(change["new"]), "measuring")
    assert unjudged.measure() == unjudged.scene.maps[0].honesty.verdict
    assert lights(unjudged) == ["good", "good", "fair"]
    assert unjudged.scene.maps[0].judged_right.shape == (150,)
    assert told[-2:] == ["Testing on held-out rows: fit 8 of 8.", ""]
    assert not unjudged.widget.can_measure
    with pytest.raises(ValueError, match="There is nothing to test"):
        unjudged.measure()


def test_a_click_measures_in_the_background(unjudged):
    unjudged._receive(None, {"kind": "measure"}, [])
    unjudged._receive(None, {"kind": "measure"}, [])  # an impatient second one
    for thread in threading.enumerate():
        if thread.name == "labelscape honesty":
            thread.join(60)
    assert lights(unjudged) == ["good", "good", "fair"]


def test_the_groups_and_the_other_maps_stay(static):
    Z = X[:, :2]
    view = explore(
        LFDA().fit(X, Y), X, Y, groups=np.arange(150) // 3, maps={"plain": Z}, **QUICK
    )
    view.measure()
    first, second = view.scene.maps
    assert "49 groups among 150 rows" in " ".join(first.honesty.notes)
    assert (second.name, second.honesty.real) == ("plain", "untested")


def test_a_warning_calls_features_what_the_view_calls_them(unjudged):
    unjudged.measure()
    (leak,) = [
        n for n in unjudged.scene.maps[0].honesty.notes if "Possible leakage" in n
    ]
    names = [feature.name for feature in unjudged.scene.features]
    assert f"'{names[3]}'" in leak  # the width of petals


def test_what_cannot_be_measured_says_why_and_can_be_tried_again(static):
    y = ["a"] * 75 + [None] * 75
    view = explore(LFDA().fit(X, Y), X, y, **QUICK)
    with pytest.raises(ValueError, match="y contains NaN or None"):
        view.measure()
    assert view.widget.measuring.startswith("The test failed: ")
    assert view.widget.can_measure


def test_a_map_that_came_meanwhile_keeps_its_own_lights(unjudged):
    other = LFDA().fit(X, Y)
    judge = unjudged._judge

    def slow(tell):
        scene = judge(tell)
        unjudged.show(other)
        return scene

    unjudged._judge = slow
    unjudged.measure()
    assert lights(unjudged) == ["none", "none"]
    assert unjudged.widget.can_measure


@pytest.mark.parametrize("thing", [X[:, :2], PushAndGrow().fit(X, Y)])
def test_only_maps_that_can_be_fitted_again_are_measured(static, thing):
    assert not explore(thing, X, Y, **QUICK).widget.can_measure


def test_a_map_without_labels_or_with_a_report_is_not_measured(static):
    model = LFDA().fit(X, Y)
    assert not explore(model, X, **QUICK).widget.can_measure
    assert not explore(model, X, Y, honesty=True, **QUICK).widget.can_measure


def test_a_page_says_how_to_measure_what_nobody_measured(unjudged, tmp_path):
    def notes():
        page = unjudged.to_html(tmp_path / "page.html").read_text(encoding="utf-8")
        packed = page.split('type="application/gzip">')[1].split("<")[0]
        scene = decode(gzip.decompress(base64.b64decode(packed)))
        return scene.maps[0].honesty.notes

    assert notes() == ("Test it with explore(..., honesty=True).",)
    unjudged.measure()
    assert "explore(" not in " ".join(notes())


def test_before_the_fit_the_lights_say_that_nothing_is_fitted(static):
    view = explore(Sammon(random_state=0), X, Y, honesty=True, **QUICK)
    assert "not fitted yet" in view.scene.maps[0].honesty.verdict
    assert not view.widget.can_measure
