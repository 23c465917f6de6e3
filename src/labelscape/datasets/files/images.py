"""Folders of images, one per class, as columns; and small images for display."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelscape._core.checks import missing_extra
from labelscape._core.errors import FileName, InputError
from labelscape.datasets._columns import Column, find_position, is_missing
from labelscape.datasets._reading import Reading
from labelscape.datasets.files.arrays import with_vectors
from labelscape.datasets.files.embed import embedded

# The columns of a folder.
CLASS, FILE, PIXELS = "class", "file", "pixels"
SHOWN_BY_BROWSERS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_FORMATS = (*SHOWN_BY_BROWSERS, ".bmp", ".tif", ".tiff")
_SIDE = 16  # side length of the grid of pixels that are features
_LONGEST, _SHORTEST, _MOST_BYTES = 64, 16, 50_000_000  # size of images for display


def pictures_in(folder: Path) -> list[Path]:
    """Return the images in the subfolders of a folder, with classes interleaved."""
    # If images were in the order of classes, the row number would reveal the class.
    found = sorted(folder.glob("*/*"))
    files = [file for file in found if file.suffix.lower() in _FORMATS]
    classes = np.array([file.parent.name for file in files])
    at = np.empty(len(files))
    for name in np.unique(classes):
        own = classes == name
        at[own] = np.arange(0.5, own.sum()) / own.sum()
    return [files[i] for i in np.argsort(at, kind="stable")]


def folder_columns(folder: Path, model: str | None) -> list[Column]:
    """Return class, file and features (pixels, or vectors from a model) of images."""
    files = pictures_in(folder)
    if not files:
        raise InputError(
            FileName(folder, whole=True),
            " is a folder. Give the name of a file to read, or of a folder with images "
            "in one subfolder per class.",
        )
    classes = np.array([file.parent.name for file in files], dtype=object)
    names = np.array([f"{f.parent.name}/{f.name}" for f in files], dtype=object)
    if model is None:
        name, rows = PIXELS, _pixels(files)
    else:
        name, rows = model, embedded(model, opened(files))
    return [
        Column(CLASS, "nominal", classes),
        Column(FILE, "nominal", names),
        with_vectors(name, rows, np.ones(len(files), dtype=bool)),
    ]


def picture_column(columns: Sequence[Column], reading: Reading, at: Path) -> Column:
    """Return the vectors that a model computes from the images in a column."""
    names, model = [one.name for one in columns], str(reading.embed)
    column = columns[find_position(names, reading.image, role="image")]  # type: ignore[arg-type]
    present = ~is_missing(column)
    files = [at / str(name) for name in column.values[present]]
    rows = embedded(model, opened(files)) if files else np.empty((0, 0))
    return with_vectors(f"{column.name} ({model})", rows, present)


def pictures_to_show(files: Sequence[Path | None]) -> dict[str, Any]:
    """Return image files for a page, reduced in size if they are large."""
    known = [file for file in files if file is not None]
    others = [one for one in known if one.suffix.lower() not in SHOWN_BY_BROWSERS]
    if not others and sum(map(os.path.getsize, known)) <= _MOST_BYTES:
        return {"images": files, "thumbnails": None}
    side = int(np.clip((_MOST_BYTES / 3 / len(files)) ** 0.5, _SHORTEST, _LONGEST))
    small = np.full((len(files), side, side, 3), 255, dtype=np.uint8)
    rows = [row for row, file in enumerate(files) if file is not None]
    for row, picture in zip(rows, opened(known), strict=True):
        small[row] = np.asarray(_padded(picture, side))
    return {"images": None, "thumbnails": small}


def opened(files: Iterable[Path]) -> Iterable[Any]:
    """Yield images, rotated upright."""
    pillow, ops = _pillow()
    for file in files:
        try:
            with pillow.open(file) as picture:
                yield ops.exif_transpose(picture)
        except Exception as error:  # each image format raises its own errors
            reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
            raise InputError(
                FileName(file), f" is not a readable picture ({reason})."
            ) from error


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        missing_extra("Pillow", "images", "Reading pictures")
    return Image, ImageOps


def _pixels(files: Sequence[Path]) -> NDArray[np.float64]:
    """Return the pixels of images as rows: gray if all are gray, otherwise RGB."""
    grids, box = [], _pillow()[0].Resampling.BOX
    for picture in opened(files):
        # Read as numbers, because Pillow would reduce 16-bit gray to 8 bits.
        is_gray = picture.mode[0] in "1LIF"
        grid = picture.convert("F" if is_gray else "RGB").resize((_SIDE, _SIDE), box)
        grids.append(np.asarray(grid, dtype=np.float64).reshape(_SIDE**2, -1))
    n_colors = max(grid.shape[1] for grid in grids)
    wide = [np.broadcast_to(grid, (_SIDE**2, n_colors)) for grid in grids]
    return np.stack(wide).reshape(len(files), -1) / 255.0


def _padded(picture: Any, side: int) -> Any:
    pillow, ops = _pillow()
    if picture.mode[0] in "IF":  # with more than 8 bits
        values = np.asarray(picture, dtype=np.float64)
        span = float(np.ptp(values)) or 1.0
        picture = pillow.fromarray(np.uint8(255.0 * (values - values.min()) / span))
    return ops.pad(picture.convert("RGB"), (side, side), color="white")
