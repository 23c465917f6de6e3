"""Honesty of the map that an Explorer shows, measured when somebody asks for it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline

from labelscape.quality import Verdict, honesty
from labelscape.scene import Scene, build_scene
from labelscape.scene._internal import MOST_JUDGED, shown_verdict

# Told how far it is, in words, it returns the scene with what was found.
Judge = Callable[[Callable[[str], None]], Scene]

# Fits of `honesty`: to five halves of the data, and three to shuffled labels.
FITS = 8
# For pages, which have no Python to ask.
HOW_TO_MEASURE = "Measure it with explore(..., honesty=True)."
# What costs time in a scene, and has no say in its certificate.
BARE: dict[str, Any] = {"quality": False, "regions": False, "maps": None}


def judge_of(
    thing: Any, X: Any, y: Any, scene: Scene, options: dict[str, Any]
) -> Judge | None:
    """Return what measures the honesty of a shown map, or None."""
    if y is None or options.get("honesty") or not _can_be_fitted_again(thing, scene):
        return None

    def judge(tell: Callable[[str], None]) -> Scene:
        def step(news: dict[str, Any]) -> None:
            tell(f"Measuring honesty: fit {news['fit']} of {FITS}.")

        found = honesty(
            thing,
            X,
            y,
            options.get("groups"),
            max_objects=MOST_JUDGED,
            feature_names=_names(X, scene),
            random_state=options.get("random_state"),
            callback=step,
        )
        judged = build_scene(thing, X, y, **options | BARE | {"honesty": found})
        return _with_certificate(scene, judged)

    return judge


def _names(X: Any, scene: Scene) -> list[str] | None:
    """Return what the view calls the features, if it shows all of them."""
    names = [feature.name for feature in scene.features]
    return names if len(names) == np.shape(X)[1] else None


def _can_be_fitted_again(thing: Any, scene: Scene) -> bool:
    last = thing[-1] if isinstance(thing, Pipeline) else thing
    is_map = hasattr(last, "transform") or hasattr(last, "embedding_")
    is_picture = hasattr(last, "regions_")
    first = scene.maps[0].honesty
    is_open = first is not None and first.real == "untested"
    return is_map and not is_picture and is_open


def _with_certificate(scene: Scene, judged: Scene) -> Scene:
    """Return a scene whose first map has the certificate that another one found."""
    found = judged.maps[0]
    return _changed(scene, honesty=found.honesty, judged_right=found.judged_right)


def told_how(scene: Scene) -> Scene:
    """Return a scene that says how its honesty can be measured."""
    said = scene.maps[0].honesty
    assert said is not None  # who can be judged says that nobody has
    return _changed(scene, honesty=replace(said, notes=(*said.notes, HOW_TO_MEASURE)))


def not_tested(scene: Scene, why: str) -> Scene:
    """Return a scene that says why its honesty is not known."""
    return _changed(scene, honesty=shown_verdict(Verdict("untested", None, why=why)))


def _changed(scene: Scene, **news: Any) -> Scene:
    """Return a scene with another first map."""
    first, *others = scene.maps
    return replace(scene, maps=(replace(first, **news), *others))
