"""Updates of a view: a map during its fit, and the test of a map."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from labelscape._core.errors import InputError
from labelscape.quality import honesty
from labelscape.scene import Scene
from labelscape.scene import scene as records
from labelscape.scene._internal import scene_of

# Updates look smooth at this interval, and do not slow down the fit.
SECONDS_BETWEEN = 0.1


class Forming:
    """Sends positions and progress to a view during a fit."""

    def __init__(self, show: Callable[[bytes, str], None], n_points: int) -> None:
        self._show, self._n_points = show, n_points
        self._pace = Pace(SECONDS_BETWEEN)

    def __call__(self, news: Mapping[str, Any]) -> None:
        """Handle the report of one iteration of a fit."""
        Z = news.get("embedding")
        if Z is None or not self._pace.is_due():
            return
        if np.ndim(Z) != 2 or len(Z) != self._n_points:
            raise InputError(
                f"the map that is being fitted has shape {np.shape(Z)}, but "
                f"{self._n_points} points are shown. Fit the map to the same data.",
                owner="callback",
            )
        self._show(pairs(Z), words(news))


class Pace:
    """Limits the rate of updates."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last = -np.inf

    def is_due(self) -> bool:
        """Return whether an update is due; if it is, start the next interval."""
        now = monotonic()
        if now - self._last < self._seconds:
            return False
        self._last = now
        return True


def pairs(Z: Any) -> bytes:
    """Return the bytes of a map as float32 with two columns."""
    return records.two_columns(np.asarray(Z)).tobytes()


def words(news: Mapping[str, Any]) -> str:
    """Return the numbers of a report as text, without repeated numbers."""
    numbers = {
        name: value for name, value in news.items() if isinstance(value, int | float)
    }
    # The method's own names for iteration and loss are included, too.
    if "iteration" in numbers:
        numbers.pop("epoch", None)
    loss = numbers.pop("loss", None)
    if loss is not None and loss not in numbers.values():
        numbers["loss"] = loss
    return ", ".join(
        f"{name.replace('_', ' ')} {value:.4g}"
        if isinstance(value, float)
        else f"{name} {value}"
        for name, value in numbers.items()
    )


# Called with a function that shows its progress; returns the scene with its
# certificate.
Judge = Callable[[Callable[[str], None]], Scene]

FITS = 8  # fits of `honesty`: to five halves of the data, and three to shuffled labels
MOST_TESTED = 3000  # maximum number of samples used to test a map
# Advice on pages, which cannot run Python.
HOW_TO_MEASURE = "Test it with explore(..., honesty=True)."
# Options of a scene that take time and do not affect its certificate.
BARE: dict[str, Any] = {"quality": False, "regions": False, "maps": None}


def judge_of(
    thing: Any, X: Any, y: Any, scene: Scene, options: dict[str, Any]
) -> Judge | None:
    """Return a function that tests the shown map; None if it cannot be tested."""
    if y is None or options.get("honesty") or not _can_be_fitted_again(thing, scene):
        return None

    def judge(show: Callable[[str], None]) -> Scene:
        def step(news: dict[str, Any]) -> None:
            show(f"Testing on held-out rows: fit {news['fit']} of {FITS}.")

        report = honesty(
            thing,
            X,
            y,
            options.get("groups"),
            max_samples=MOST_TESTED,
            feature_names=_names(X, scene),
            random_state=options.get("random_state"),
            callback=step,
        )
        tested = scene_of(thing, X, y, **options | BARE | {"honesty": report}).maps[0]
        return _changed(scene, honesty=tested.honesty, judged_right=tested.judged_right)

    return judge


def _names(X: Any, scene: Scene) -> list[str] | None:
    """Return the names of the features in the view, if it shows all of them."""
    names = [feature.name for feature in scene.features]
    return names if len(names) == np.shape(X)[1] else None


def _can_be_fitted_again(thing: Any, scene: Scene) -> bool:
    last = thing[-1] if isinstance(thing, Pipeline) else thing
    is_map = hasattr(last, "transform") or hasattr(last, "embedding_")
    is_picture = hasattr(last, "regions_")
    first = scene.maps[0].honesty
    is_open = first is not None and first.real == "untested"
    return is_map and not is_picture and is_open


def with_remedy(scene: Scene) -> Scene:
    """Return the scene with a note that explains how to test the map."""
    untested = scene.maps[0].honesty
    assert untested is not None  # `_can_be_fitted_again` has checked it
    notes = (*untested.notes, HOW_TO_MEASURE)
    return _changed(scene, honesty=replace(untested, notes=notes))


def _changed(scene: Scene, **changes: Any) -> Scene:
    """Return the scene with changes to its first map."""
    first, *others = scene.maps
    return replace(scene, maps=(replace(first, **changes), *others))
