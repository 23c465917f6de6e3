"""How much of the separation on a map is real: the report in the scene's words."""

from typing import Any

import numpy as np

from labelscape.quality import HonestyReport, honesty
from labelscape.scene._subject import Subject
from labelscape.scene.scene import Honesty

# Honesty fits the map 25 times; this many objects are enough to judge it.
MOST_OBJECTS = 3000


def shown_honesty(report: HonestyReport) -> Honesty:
    """Return a report as it stands in a scene."""
    names = ("seen", "unseen", "gap", "original", "null", "p_value")
    numbers = {name: float(getattr(report, name)) for name in names}
    return Honesty(
        verdict=report.verdict,
        level=report.level,
        k=int(report.k),
        chance=report.chance,
        **numbers,
    )


def measured_honesty(
    thing: Any, subject: Subject, X: Any, y: Any, seed: int
) -> HonestyReport:
    """Measure a map again, with new fits to parts of the data."""
    if y is None:
        raise ValueError("build_scene: honesty=True needs labels. Pass them as y.")
    estimator = subject.estimator
    if not hasattr(estimator, "transform") and not hasattr(estimator, "embedding_"):
        what = "An array" if estimator is None else subject.name
        raise ValueError(
            f"build_scene: honesty=True fits the map again. {what} makes none; pass "
            "a HonestyReport that you have, or leave honesty out."
        )
    X, y = np.asarray(X), np.asarray(y)
    if len(X) > MOST_OBJECTS:
        rng = np.random.default_rng(seed)
        some = np.sort(rng.choice(len(X), MOST_OBJECTS, replace=False))
        X, y = X[some], y[some]
    report: HonestyReport = honesty(thing, X, y, random_state=seed)
    return report
