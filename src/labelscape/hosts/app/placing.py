"""New rows on the map of a run: what comes of it, and the files."""

from collections import Counter
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import labelscape
from labelscape._core.errors import InputError
from labelscape.datasets import Table
from labelscape.hosts.app import script
from labelscape.hosts.app.progress import Telling
from labelscape.hosts.app.records import Placing
from labelscape.hosts.page import html_page
from labelscape.jobs import (
    PlacedRows,
    Step,
    place_rows,
    placement_csv,
    placement_record,
)
from labelscape.jobs._internal import kept_model, placement_scene
from labelscape.newcomers import TableMap
from labelscape.scene import Scene, decode, encode

# Numbers of a placement that a page is told; its rows are in the table.
TOLD = ("n_rows", "n_unlike", "rate", "drift_p", "has_drifted")


@dataclass(frozen=True)
class Placed:
    """New rows on a map, the map for `labelscape.load`, and what the page shows."""

    rows: PlacedRows
    kept: TableMap
    scene: Scene

    @property
    def summary(self) -> str:
        """What is known of them as a whole, in two sentences."""
        found = self.rows.placement
        return f"{found.unlike_words} {found.drift_words}"

    @property
    def record(self) -> dict[str, Any]:
        """What a page is told of them, in numbers."""
        found, said = placement_record(self.rows), self.rows.placement.predictions
        counts = Counter([] if said is None else map(str, said.tolist()))
        classes = [{"name": name, "count": n} for name, n in counts.most_common()]
        told = {name: found[name] for name in TOLD}
        return told | {"moved": _finite(found["moved"]), "classes": classes}

    def write(self, folder: Path, code: str) -> None:
        """Write the files of the run; the session brings them to their place."""
        data = encode(self.scene)
        (folder / "scene.lscn").write_bytes(data)
        page = html_page(data, title=self.scene.title)
        (folder / "page.html").write_bytes(page)
        path = folder / "placed.csv"
        path.write_text(placement_csv(self.rows), encoding="utf-8", newline="")
        labelscape.save(self.kept, folder / "model.labelscape")
        (folder / "repeat.py").write_text(code, encoding="utf-8")


def _finite(moved: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return features that moved; JSON has no number for "beyond all measure"."""
    return [
        one | {"distance": one["distance"] if isfinite(one["distance"]) else None}
        for one in moved
    ]


def placed_on(
    order: Placing, table: Table, rows: Any, labels: Any, telling: Telling
) -> Placed:
    """Place rows on the map of a finished run; ``table`` is what it was fitted to.

    ``labels`` are the classes of the new rows, as far as their table knows.
    """
    on, reading = order.on, order.settings.reading
    path = on.folder / "model.labelscape"
    if not path.exists():
        raise InputError("The run has no model that could place new rows.")
    telling.begin(Step("placing", order.source.name))
    kept = kept_model(labelscape.load(path), table, seed=on.settings.seed)
    found = place_rows(kept, rows, **roles(order), reading=reading)
    telling.begin(Step("drawing"))
    scene = placement_scene(
        decode((on.folder / "scene.lscn").read_bytes()),
        table,
        kept,
        found,
        name=order.source.name,
        labels=labels,
    )
    return Placed(found, kept, scene)


def roles(order: Placing) -> dict[str, str]:
    """Return which columns name the new rows, and say which belong together."""
    reading = order.settings.reading
    found = {"ids": reading.id, "group": reading.group or reading.id}
    return {role: str(key) for role, key in found.items() if key}


def code_of(order: Placing, reader: script.Reader, rows: script.Reader) -> str:
    """Return the code that places the rows again."""
    on = order.on.settings
    return script.placing_code(
        title=f"{order.source.name} on {order.settings.placed_on_name}",
        version=labelscape.__version__,
        reader=reader,
        rows=rows,
        method=on.method,
        parameters=on.parameters,
        seed=on.seed,
    )
