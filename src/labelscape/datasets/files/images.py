"""Folders of images, one per class, as columns; and small images for display."""

import math
import os
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import FileName, InputError, missing_extra
from labelscape.datasets._columns import Column, find_position, is_missing
from labelscape.datasets._options import ReadingOptions
from labelscape.datasets.files.arrays import with_vectors
from labelscape.datasets.files.embed import embedded

# The columns of a folder.
CLASS, FILE, PIXELS = "class", "file", "pixels"
SHOWN_BY_BROWSERS = (".png", ".jpg", ".jpeg", ".gif", ".webp")
_FORMATS = (*SHOWN_BY_BROWSERS, ".bmp", ".tif", ".tiff")
_SIDE = 16  # side length of the grid of pixels that are features
_LONGEST, _SHORTEST, _MOST_BYTES = 64, 16, 50_000_000  # size of images for display
# Larger images are not decoded: a file of some kilobytes can declare any size.
_MOST_PIXELS = 50_000_000
# The formats of these files. Pillow starts other programs for some formats.
_READ = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "DIB", "TIFF")
# The possible ranges of gray values whose type has no usual one start at 0.
_RANGES = (1.0, 255.0, 65535.0)


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
    for file in files:
        # Unlike `Path.resolve`, this accepts links in a circle.
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            raise InputError(
                FileName(file, whole=True),
                " is a link that leads out of the folder. Copy the picture into it.",
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


def picture_column(
    columns: Sequence[Column], reading: ReadingOptions, at: Path
) -> Column:
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
    squares = opened(known, lambda picture: np.asarray(_padded(picture, side)))
    for row, square in zip(rows, squares, strict=True):
        small[row] = square
    return {"images": None, "thumbnails": small}


def opened(
    files: Iterable[Path], use: Callable[[Any], Any] = lambda picture: picture
) -> Iterable[Any]:
    """Yield images, rotated upright, or what a function makes of each."""
    pillow, ops = _pillow()
    for file in files:
        if not file.is_file():  # a pipe would never end
            raise InputError(FileName(file), " is not a file. Remove it.")
        try:
            with warnings.catch_warnings():  # Pillow's limit is higher
                warnings.simplefilter("ignore", pillow.DecompressionBombWarning)
                picture = pillow.open(file, formats=_READ)
            with picture:
                if math.prod(picture.size) > _MOST_PIXELS:
                    raise _too_large(file, picture.size)
                seen = use(ops.exif_transpose(picture))
        except InputError:
            raise
        except Exception as error:  # each image format raises its own errors
            reason = (str(error).splitlines() or [type(error).__name__])[0][:120]
            raise InputError(
                FileName(file), f" is not a readable picture ({reason})."
            ) from error
        yield seen


def _too_large(file: Path, size: tuple[int, int]) -> InputError:
    return InputError(
        FileName(file),
        f" has {size[0]:,} × {size[1]:,} pixels, but pictures may have at most "
        f"{_MOST_PIXELS:,}. Save a smaller copy.",
    )


def _pillow() -> tuple[Any, Any]:
    try:
        from PIL import Image, ImageOps
    except ImportError:
        missing_extra("Pillow", "images", "Reading pictures")
    Image.init()
    return Image, ImageOps


def _pixels(files: Sequence[Path]) -> NDArray[np.float64]:
    """Return the pixels of images as rows from 0 to 1: gray if all are gray, or RGB."""
    seen = list(opened(files, _grid))
    # Integers with 32 bits and floats have no usual range. All such pictures of a
    # folder get the same one, so that no class differs by its type.
    free = [i for i, one in enumerate(seen) if one.top is None]
    low = min((seen[i].low for i in free), default=0.0)
    high = max((seen[i].high for i in free), default=0.0)
    top = next((one for one in _RANGES if low >= 0.0 and high <= one), None)
    if top is None:
        odd = next(
            i for i in free if not 0.0 <= seen[i].low <= seen[i].high <= _RANGES[-1]
        )
        raise InputError(
            FileName(files[odd]),
            f" has gray values from {seen[odd].low:.4g} to {seen[odd].high:.4g}. With "
            f"this type, they must be from 0 to 1, 255 or {_RANGES[-1]:.0f}. Save it "
            "with 8 or 16 bits.",
        )
    n_colors = max(one.values.shape[1] for one in seen)
    wide = [
        np.broadcast_to(one.values / (one.top or top), (_SIDE**2, n_colors))
        for one in seen
    ]
    return np.stack(wide).reshape(len(files), -1)


class _Grid(NamedTuple):
    """The means of blocks of pixels, and the range of the pixels."""

    values: NDArray[np.float64]  # (blocks, 1 or 3 colors)
    top: float | None  # the largest value of the type; None for int32 and floats
    low: float
    high: float


def _grid(picture: Any) -> _Grid:
    # Read as numbers, because Pillow would reduce 16-bit gray to 8 bits.
    is_gray = picture.mode[0] in "1LIF"
    box = _pillow()[0].Resampling.BOX
    grid = picture.convert("F" if is_gray else "RGB").resize((_SIDE, _SIDE), box)
    values = np.asarray(grid, dtype=np.float64).reshape(_SIDE**2, -1)
    if picture.mode not in ("I", "F"):
        top = 65535.0 if picture.mode.startswith("I;16") else 255.0
        return _Grid(values, top, 0.0, top)
    low, high = picture.getextrema() if np.isfinite(values).all() else (np.nan, np.nan)
    return _Grid(values, None, float(low), float(high))


def _padded(picture: Any, side: int) -> Any:
    pillow, ops = _pillow()
    if picture.mode[0] in "IF":  # with more than 8 bits
        values = np.asarray(picture, dtype=np.float64)
        span = float(np.ptp(values)) or 1.0
        picture = pillow.fromarray(np.uint8(255.0 * (values - values.min()) / span))
    return ops.pad(picture.convert("RGB"), (side, side), color="white")
