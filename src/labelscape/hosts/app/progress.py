"""What a fit in a worker tells the page: words, loss, and the map while it forms."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from labelscape.datasets import Table
from labelscape.hosts._live_map import Pace, pairs
from labelscape.jobs import Step

News = Callable[[dict[str, Any]], None]

# Often enough to look alive, seldom enough not to hold up the fit.
SECONDS_BETWEEN = 0.25
# What estimators call the number that falls, or rises, while they learn.
LOSSES = ("loss", "cost", "stress", "kl_divergence", "error", "quality")


class Telling:
    """Passes on what a fit says, a few times per second."""

    def __init__(self, news: News, table: Table) -> None:
        self._news, self._table = news, table
        self._pace = Pace(SECONDS_BETWEEN)
        self._has_scene = False

    def begin(self, begun: Step) -> Callable[..., Any]:
        """Say that a step begins; see `labelscape.jobs`."""
        self._news({"words": f"{begun}."})
        done = 0

        def step(*_: object) -> None:
            nonlocal done
            done += 1
            self._news({"words": f"{begun}: {done} of {begun.total}."})

        return step

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Take what a fit tells of one iteration."""
        if not self._pace.is_due():
            return
        iteration = record.get("iteration", record.get("epoch", 0))
        news: dict[str, Any] = {"iteration": int(iteration)}
        loss = next((record[k] for k in LOSSES if k in record), None)
        if loss is not None and np.isfinite(loss):
            news["loss"] = float(loss)
            news["words"] = f"Iteration {news['iteration']}, loss {loss:.4g}."
        Z = record.get("embedding")
        # Some learn from a part of the rows, and place the others when they are done.
        if Z is not None and len(Z) == len(self._table.X):
            news["positions"] = pairs(Z)
            if not self._has_scene:
                news["scene"] = self._first_scene(Z)
                self._has_scene = True
        self._news(news)

    def _first_scene(self, Z: Any) -> bytes:
        """Return a scene with nothing but places and classes, until there is more."""
        from labelscape.scene import build_scene, encode

        scene = build_scene(
            np.asarray(Z),
            y=self._table.y,
            title=self._table.name,
            quality=False,
        )
        return encode(scene)
