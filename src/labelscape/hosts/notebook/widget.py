"""The view as a notebook widget; its traits are described in ``scene/README.md``."""

from typing import Any

import anywidget
import traitlets

from labelscape.hosts.page import built


def _synced(trait: Any) -> Any:
    return trait.tag(sync=True)


def _bytes() -> Any:
    # The browser sends a memory view, which the trait would reject.
    return _synced(traitlets.Bytes()).tag(from_json=lambda value, _: bytes(value))


class SceneWidget(anywidget.AnyWidget):
    """Shows a scene in Jupyter notebooks; created by an Explorer."""

    scene = _bytes()
    selection = _bytes()
    object = _synced(traitlets.Int(-1))
    level = _synced(traitlets.Unicode("data"))
    map = _synced(traitlets.Int(0))
    color_by = _synced(traitlets.Unicode("class"))
    theme = _synced(traitlets.Unicode("auto"))
    height = _synced(traitlets.Int(560))
    forming = _bytes()
    forming_words = _synced(traitlets.Unicode())
    can_ask = _synced(traitlets.Bool(False))
    can_measure = _synced(traitlets.Bool(False))
    measuring = _synced(traitlets.Unicode())
    decisions = _synced(traitlets.Unicode("[]"))
    can_refit = _synced(traitlets.Bool(False))

    def __init__(self, **values: Any) -> None:
        super().__init__(_esm=built("view.js"), **values)
