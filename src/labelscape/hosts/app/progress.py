"""What a fit in a worker tells the page: its step, and the map while it forms."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from labelscape.datasets import Table
from labelscape.hosts._live_map import Pace, pairs
from labelscape.hosts.app.records import News
from labelscape.jobs import Step

Tell = Callable[[News], None]

# Often enough to look alive, seldom enough not to hold up the fit.
SECONDS_BETWEEN = 0.25
# Why nobody has tested it.
UNMADE = "the map is still being made"


class Telling:
    """Passes on what a fit says, a few times per second."""

    def __init__(self, tell: Tell, table: Table) -> None:
        self._tell, self._table = tell, table
        self._pace = Pace(SECONDS_BETWEEN)
        self._has_scene = False

    def begin(self, step: Step) -> Callable[..., Any]:
        """Say that a step begins; see `labelscape.jobs`."""
        self._tell(News(step=step.name, total=step.total))
        done = 0

        def advance(*_: object) -> None:
            nonlocal done
            done += 1
            self._tell(News(done=done))

        return advance

    def __call__(self, record: Mapping[str, Any]) -> None:
        """Take what a fit tells of one iteration."""
        if not self._pace.is_due():
            return
        loss = record.get("loss")
        Z = record.get("embedding")
        # Some learn from a part of the rows, and place the others when they are done.
        is_whole = Z is not None and len(Z) == len(self._table.X)
        self._tell(
            News(
                iteration=int(record["iteration"]),
                loss=float(loss) if loss is not None and np.isfinite(loss) else None,
                positions=pairs(Z) if is_whole else b"",
                scene=self._first_scene(Z) if is_whole else b"",
            )
        )

    def _first_scene(self, Z: Any) -> bytes:
        """Return a scene with nothing but places and classes, once."""
        from labelscape.scene import build_scene, encode
        from labelscape.scene._internal import untested

        if self._has_scene:
            return b""
        self._has_scene = True
        scene = build_scene(
            np.asarray(Z),
            y=self._table.y,
            title=self._table.name,
            quality=False,
        )
        maps = tuple(replace(one, honesty=untested(UNMADE)) for one in scene.maps)
        return encode(replace(scene, maps=maps))
