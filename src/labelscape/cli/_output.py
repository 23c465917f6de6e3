"""The file that a verb writes: a page to explore, or a picture."""

from pathlib import Path
from typing import Any

from labelscape._core.atomic import check_target
from labelscape._core.checks import missing_extra
from labelscape.hosts._static import built
from labelscape.hosts.page import write_page

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def check_output(path: Path, kinds: tuple[str, ...] = PAGES + PICTURES) -> None:
    """Raise unless a file of this name can be written, before anything is fitted."""
    kind = path.suffix.lower()
    if kind not in kinds:
        *others, last = [k for k in kinds if k != ".htm"]
        wanted = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"The output must end in {wanted}, got {path.name!r}.")
    check_target(path, make_folders=True)
    if kind in PAGES:
        built("page.js")
        return
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        missing_extra("matplotlib", "plot", "Writing a picture")


def write_scene(scene: Any, path: Path) -> None:
    """Write a scene as one page; folders on the way are made."""
    from labelscape.scene import encode

    write_page(path, encode(scene), title=scene.title)
