"""Explorer: an interactive view of a scene, in a notebook or as a page."""

import json
import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError, missing_extra
from labelscape._core.output import check_target, write_atomically
from labelscape._core.params import (
    arguments,
    check_argument,
    function,
    mapping,
    one_of,
    whole,
)
from labelscape._core.params import path as path_rule
from labelscape.hosts.notebook.given import chosen_point, chosen_points
from labelscape.hosts.notebook.live import Forming, Judge, with_remedy
from labelscape.hosts.page import write_page
from labelscape.hosts.questions import Explain
from labelscape.scene import Scene, encode

LEVELS = ("data", "classes", "object")
THEMES = ("auto", "light", "dark")
# Traits that both the user of the view and Python may change.
SHARED = ("selection", "object", "level", "map", "color_by", "decisions")


class ShownScene(NamedTuple):
    """A scene, with optional functions to explain predictions and to test the map."""

    scene: Scene
    explain: Explain | None
    judge: Judge | None = None


class Explorer:
    """A view of a model or map, for a notebook or as a page.

    Created by `labelscape.explore`. Setting its attributes changes the view.

    Parameters
    ----------
    shown : ShownScene
        The scene to show.
    height : int, default=560
        Height in a notebook, in pixels.
    theme : {"auto", "light", "dark"}, default="auto"
        Colors of the view; "auto" follows JupyterLab or the operating system.
    show : callable, default=None
        Function that returns the ShownScene of a model or map of the same data.
    waiting : callable, default=None
        Function that fits and returns the estimator; its argument is the callback.

    Attributes
    ----------
    scene : Scene
        The scene that is shown.
    selection : ndarray of int
        Sorted indices of the selected points. Set it to indices, a mask, ids, or None.
    object : int or None
        The point shown on the object level.
    level : {"data", "classes", "object"}
        The level of the model that is shown.
    map : int
        Index of the map that is shown.
    decisions : dict of int to str
        The class of each point whose label was confirmed or changed in the view.
    color_by : str
        What colors show: "class", "prediction", "certainty", "errors", "held_out",
        "judged_right", "place_errors", "false_neighbours", "tears", "feature:NAME" or
        "column:NAME".

    Examples
    --------
    >>> import numpy as np
    >>> from labelscape import explore
    >>> view = explore(np.array([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]]))
    >>> view.selection = [2, 0]
    >>> view.selection
    array([0, 2])
    """

    def __init__(
        self,
        shown: ShownScene,
        *,
        height: int = 560,
        theme: str = "auto",
        show: Callable[[Any], ShownScene] | None = None,
        waiting: Callable[[Callable[..., Any]], Any] | None = None,
    ) -> None:
        check_argument("explore", "height", height, whole(120))
        check_argument("explore", "theme", theme, one_of(*THEMES))
        self.scene, self._explain, self._judge = shown
        self._show, self._waiting = show, waiting
        self._values: dict[str, Any] = {
            "scene": encode(self.scene),
            "selection": b"",
            "object": -1,
            "level": "data",
            "map": 0,
            "color_by": "class",
            "theme": theme,
            "height": height,
            "forming": b"",
            "forming_words": "",
            "can_ask": self._explain is not None,
            "can_measure": self._judge is not None,
            "measuring": "",
            "decisions": "[]",
            "can_refit": False,
        }
        self._listeners: list[Callable[[NDArray[np.intp]], Any]] = []
        self._pictures: dict[int, Path] = {}
        self._numbers = count()
        self._is_showing = False

    @property
    def selection(self) -> NDArray[np.intp]:
        """Sorted indices of selected points; set it to indices, a mask, ids or None."""
        chosen = np.frombuffer(self._values["selection"], dtype="<u4")
        return chosen.astype(np.intp)

    @selection.setter
    def selection(self, choice: Any) -> None:
        chosen = chosen_points(choice, self.scene)
        self._set("selection", chosen.astype("<u4").tobytes())

    @property
    def object(self) -> int | None:
        """The point shown on the object level; None if no point is shown."""
        chosen: int = self._values["object"]
        return None if chosen < 0 else chosen

    @object.setter  # noqa: A003 - the view's own word
    def object(self, point: int | None) -> None:
        if point is None:
            self._set("object", -1)
        else:
            self._set("object", chosen_point(point, self.scene))

    @property
    def level(self) -> str:
        """The level of the model that is shown: "data", "classes" or "object"."""
        return str(self._values["level"])

    @level.setter
    def level(self, level: str) -> None:
        check_argument("Explorer", "level", level, one_of(*LEVELS))
        model = self.scene.model
        has_level = {
            "data": True,
            "classes": model is not None and len(model.class_levels) > 0,
            "object": model is not None and model.class_distances is not None,
        }
        if not has_level[level]:
            raise ValueError(
                f"This map has no {level!r} level, which needs a prototype model. "
                "Call explore() with one, such as a fitted LiRaMLVQ or PushAndGrow."
            )
        self._set("level", level)

    @property
    def map(self) -> int:
        """Index of the map that is shown, from 0."""
        return int(self._values["map"])

    @map.setter  # noqa: A003 - the view's own word
    def map(self, index: int) -> None:
        last = len(self.scene.maps) - 1
        check_argument("Explorer", "map", index, whole(0, last))
        self._set("map", int(index))

    @property
    def color_by(self) -> str:
        """What the colors of the points show."""
        return str(self._values["color_by"])

    @color_by.setter
    def color_by(self, what: str) -> None:
        features = [f"feature:{feature.name}" for feature in self.scene.features]
        known = ["class", "prediction", "certainty", "errors"]
        known += ["held_out", "judged_right", "place_errors"]
        known += ["false_neighbours", "tears"]
        columns = [f"column:{one.name}" for one in self.scene.columns if not one.texts]
        if str(what) not in known + features + columns:
            more = ", 'column:' and the name of a column" if columns else ""
            raise InputError(
                f"color_by must be one of {', '.join(known)}{more}, or 'feature:' and "
                f"the name of a shown feature; got {what!r}.",
                parameter="color_by",
            )
        self._set("color_by", what)

    @property
    def decisions(self) -> dict[int, str]:
        """The class of each point whose label was confirmed or changed in the view.

        Classes are strings, as the view shows them.
        """
        return dict(json.loads(self._values["decisions"]))

    @arguments(function=function())
    def on_select(self, function: Callable[[NDArray[np.intp]], Any]) -> None:
        """Call a function each time the selected points change.

        Parameters
        ----------
        function : callable
            Called with the indices of the selected points.

        Examples
        --------
        >>> from labelscape import explore
        >>> view = explore([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
        >>> view.on_select(lambda points: print(points.tolist()))
        >>> view.selection = [2, 0]
        [0, 2]
        """
        self._listeners.append(function)

    @arguments(path=path_rule())
    def to_html(self, path: str | os.PathLike[str]) -> Path:
        """Write one HTML file that shows the scene in any browser, offline.

        Parameters
        ----------
        path : path
            File to write. Missing folders are created.

        Returns
        -------
        Path
            The same path.

        Examples
        --------
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> from labelscape import explore
        >>> view = explore([[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]])
        >>> with TemporaryDirectory() as folder:
        ...     view.to_html(Path(folder, "three.html")).exists()
        True
        """
        if self._waiting is not None:
            raise ValueError(
                "The estimator is not fitted yet, so there is nothing to write. Call "
                "fit() of this Explorer first."
            )
        scene = self.scene if self._judge is None else with_remedy(self.scene)
        return write_page(path, encode(scene), scene.title)

    @arguments(path=path_rule())
    def to_png(self, path: str | os.PathLike[str]) -> Path:
        """Save the current view as a picture.

        The browser draws the picture after the cell has ended, so the file appears
        later.

        Parameters
        ----------
        path : path
            File to write; its folder must exist.

        Returns
        -------
        Path
            The same path.
        """
        path = Path(path)
        if not self._is_showing:
            raise RuntimeError(
                "to_png saves what a browser shows, but this map is not displayed. "
                "Display it in a notebook first, or draw a figure with "
                "labelscape.plotting.plot_map."
            )
        check_target(path)
        number = next(self._numbers)
        self._pictures[number] = path
        self.widget.send({"kind": "picture", "number": number})
        return path

    def fit(self) -> Self:
        """Fit the estimator, and show the map during the fit.

        Returns
        -------
        Explorer
            This explorer, with the fitted estimator.
        """
        if self._waiting is None:
            raise ValueError(
                "There is nothing to fit. Call explore() with an estimator that is "
                "not fitted yet, such as Sammon()."
            )
        try:
            fitted = self._waiting(self.callback)
        finally:
            self._show_forming(b"", "")
        self._waiting = None
        return self.show(fitted)

    def show(self, model_or_map: Any) -> Self:
        """Show another model or map of the same data.

        Parameters
        ----------
        model_or_map : estimator, Pipeline or array-like of shape (n_samples, 2 or 3)
            As for `labelscape.explore`.

        Returns
        -------
        Explorer
            This explorer, with the new model or map.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from labelscape import explore
        >>> from labelscape.embeddings import LFDA
        >>> X, y = load_iris(return_X_y=True)
        >>> view = explore(X[:, :2], X, y)
        >>> view.show(LFDA().fit(X, y)).scene.maps[0].name
        'LFDA'
        """
        if self._show is None:
            raise ValueError("Another model needs its own Explorer: call explore().")
        self.scene, self._explain, self._judge = self._show(model_or_map)
        self._set("can_ask", self._explain is not None)
        self._set("can_measure", self._judge is not None)
        self._set("measuring", "")
        self._set("level", "data")
        self._set("map", 0)
        self._set("scene", encode(self.scene))
        return self

    def measure(self) -> str:
        """Test whether the separation on the map is real, and show the result.

        The button in the view runs this test in the background. The test takes 8 fits
        and uses at most 3,000 samples.

        Returns
        -------
        str
            The verdict, in a sentence.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from labelscape import explore
        >>> from labelscape.embeddings import LFDA
        >>> X, y = load_iris(return_X_y=True)
        >>> view = explore(LFDA().fit(X, y), X, y, random_state=0)
        >>> view.scene.maps[0].honesty.verdict
        'Not tested: the test was not requested.'
        >>> view.measure() == view.scene.maps[0].honesty.verdict
        True
        >>> view.scene.maps[0].honesty.real
        'yes'
        """
        judge = self._judge
        if judge is None:
            raise ValueError(
                "There is nothing to test. The test runs once, for a fitted map with "
                "labels: call explore(map, X, y) to test a map."
            )
        self._set("can_measure", False)
        show = partial(self._set, "measuring")
        show("Testing on held-out rows.")
        try:
            scene = judge(show)
        except BaseException as error:
            if self._judge is judge:
                show(f"The test failed: {error}")
                self._set("can_measure", True)
            raise
        if self._judge is judge:  # no other map has been shown in the meantime
            self._judge, self.scene = None, scene
            show("")
            self._set("scene", encode(scene))
        honesty = scene.maps[0].honesty
        return "" if honesty is None else honesty.verdict

    def _measure_in_background(self) -> None:
        def measure() -> None:
            with suppress(Exception):  # the view shows the error
                self.measure()

        if self._values["can_measure"]:
            self._set("can_measure", False)
            Thread(target=measure, name="labelscape honesty", daemon=True).start()

    @arguments(news=mapping())
    def callback(self, news: dict[str, Any]) -> None:
        """Show a map while it is fitted, as ``callback`` of an estimator.

        Parameters
        ----------
        news : dict
            Report of an iteration; ``embedding`` is the current map.
        """
        self._forming(news)

    @cached_property
    def widget(self) -> Any:
        """The widget of the view, which can be combined with other widgets."""
        try:
            from labelscape.hosts.notebook.widget import SceneWidget
        except ImportError:
            missing_extra("anywidget", "explore", "Showing a map in a notebook")
        widget = SceneWidget(**self._values)
        widget.observe(self._take, list(SHARED))
        widget.on_msg(self._receive)
        return widget

    def __repr__(self) -> str:
        maps = ", ".join(one.name for one in self.scene.maps)
        return (
            f"Explorer of {self.scene.n_points} points: {maps}. Display it in a "
            "notebook, or write a page with to_html(path)."
        )

    def _repr_mimebundle_(self, **options: Any) -> Any:
        try:
            bundle = self.widget._repr_mimebundle_(**options)
        except (ImportError, FileNotFoundError) as error:
            return {"text/plain": f"{self!r}\n{error}"}
        self._is_showing = True
        return bundle

    @cached_property
    def _forming(self) -> Forming:
        return Forming(self._show_forming, self.scene.n_points)

    def _show_forming(self, positions: bytes, words: str) -> None:
        self._set("forming_words", words)
        self._set("forming", positions)

    def _set(self, name: str, value: Any) -> None:
        if self._values[name] == value:
            return
        self._values[name] = value
        if "widget" in vars(self):
            setattr(self.widget, name, value)
        if name == "selection":
            self._notify()

    def _take(self, change: Any) -> None:
        """Store a change that the user made in the view."""
        if self._values[change["name"]] == change["new"]:
            return  # the view returned a value that was set here
        self._values[change["name"]] = change["new"]
        if change["name"] == "selection":
            self._notify()

    def _notify(self) -> None:
        for listener in self._listeners:
            listener(self.selection)

    def _receive(self, _: Any, message: Any, buffers: Any) -> None:
        """Handle a message from the view: a question, or a picture for `to_png`."""
        kind, number = message.get("kind"), message.get("number")
        if kind == "explain":
            self.widget.send({"number": number} | self._answer(message.get("object")))
        elif kind == "measure":
            self._measure_in_background()
        elif kind == "picture" and number in self._pictures and buffers:
            write_atomically(self._pictures.pop(number), bytes(buffers[0]))
        elif kind == "refused" and number in self._pictures:
            # Not removed, because another view of the same map may still send it.
            name = self._pictures[number].name
            warnings.warn(f"{name}: {message.get('words')}", stacklevel=2)

    def _answer(self, point: Any) -> dict[str, Any]:
        if self._explain is None:
            return {
                "kind": "refused",
                "words": "This view has no model that explains predictions.",
            }
        try:
            index = chosen_point(point, self.scene)
            return {"kind": "explained"} | asdict(self._explain(index))
        except (ValueError, TypeError) as error:
            return {"kind": "refused", "words": str(error)}
