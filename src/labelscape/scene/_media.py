"""What is behind the points: texts, small pictures, picture files."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from labelscape._core.arguments import path as path_rule
from labelscape._core.checks import is_label, numbers_in
from labelscape._core.errors import InputError
from labelscape._core.rules import check_argument
from labelscape.scene.scene import Images, Texts, Thumbnails

# All picture files together; the scene is held in memory several times.
MOST_IMAGE_BYTES = 500_000_000
MOST_PIXEL_BYTES = 500_000_000


def check_length(name: str, given: Any, n_points: int) -> None:
    """Raise unless there is one entry per point."""
    if len(given) != n_points:
        raise InputError(
            f"{name} must have one entry for each of the {n_points} "
            f"points, got {len(given)}.",
            owner="build_scene",
        )


def shown_texts(name: str, given: Iterable[Any] | None, n_points: int) -> Texts | None:
    """Return texts, one per point; None and NaN are empty."""
    if given is None:
        return None
    texts = [str(text) if is_label(text) else "" for text in given]
    check_length(name, texts, n_points)
    return Texts.of(texts)


def shown_thumbnails(given: Any, n_points: int) -> Thumbnails | None:
    """Return small pictures as bytes; other numbers are spread from 0 to 255."""
    if given is None:
        return None
    with numbers_in(given, owner="build_scene", name="thumbnails"):
        pixels = np.asarray(given)
    if pixels.ndim == 3:
        pixels = pixels[..., None]
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3) or 0 in pixels.shape[1:]:
        raise InputError(
            "thumbnails must be an array of shape (n, height, width) or "
            f"(n, height, width, 3), got {np.shape(given)}.",
            owner="build_scene",
            parameter="thumbnails",
        )
    check_length("thumbnails", pixels, n_points)
    if pixels.size > MOST_PIXEL_BYTES:
        raise InputError(
            f"thumbnails take {pixels.size / 1e6:.0f} MB, and a scene holds "
            f"{MOST_PIXEL_BYTES / 1e6:.0f} MB of them at most. Make them smaller.",
            owner="build_scene",
        )
    if pixels.dtype != np.uint8:
        with numbers_in(given, owner="build_scene", name="thumbnails"):
            pixels = _spread(pixels)
    return Thumbnails(np.ascontiguousarray(pixels))


def shown_images(
    given: Sequence[str | os.PathLike[str] | None] | None, n_points: int
) -> Images | None:
    """Return picture files, read from their paths; None is no picture."""
    if given is None:
        return None
    if isinstance(given, np.ndarray) and given.dtype.kind in "biuf":
        raise InputError(
            f"images are files, by their paths, got an array of shape {given.shape}. "
            "Pass pixels as thumbnails=…, an array of shape (n, height, width) or "
            "(n, height, width, 3).",
            owner="build_scene",
            parameter="images",
        )
    check_length("images", given, n_points)
    parts, size = [], 0
    for row, path in enumerate(given):
        parts.append(b"" if path is None else _picture(path, row))
        size += len(parts[-1])
        if size > MOST_IMAGE_BYTES:
            raise InputError(
                f"the images take more than {MOST_IMAGE_BYTES / 1e6:.0f} "
                f"MB, at row {row} of {n_points}. Use smaller ones, or thumbnails.",
                owner="build_scene",
            )
    offsets = np.cumsum([0, *map(len, parts)]).astype(np.uint32)
    return Images(offsets, np.frombuffer(b"".join(parts), dtype=np.uint8))


def _picture(path: str | os.PathLike[str], row: int) -> bytes:
    check_argument("build_scene", f"the image of row {row}", path, path_rule())
    path = Path(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"the image of row {row} cannot be read: {path} ({error.strerror}).",
            owner="build_scene",
        ) from None
    if not _is_picture(data):
        raise InputError(
            f"the image of row {row}, {path}, is no PNG, JPEG, GIF or WebP file.",
            owner="build_scene",
        )
    return data


def _is_picture(data: bytes) -> bool:
    begins = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
    return data.startswith(begins) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")


def _spread(pixels: Any) -> Any:
    values = pixels.astype(np.float32)
    if not np.isfinite(values).all():
        raise InputError("thumbnails hold NaN or infinity.", owner="build_scene")
    low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    width = (high - low) or 1.0
    return np.rint((values - low) / width * 255.0).astype(np.uint8)
