"""Colors and shapes of classes, distinct for people with any kind of color vision.

Pure: no matplotlib here. Distances between colors are taken in OKLab, where equal
steps look equally large; the tests simulate three kinds of color blindness.
"""

import json
from pathlib import Path

import numpy as np

from labelscape._core.params import arguments, whole

# The view draws in the same colors and shapes, and reads them from the same file.
_PALETTE = json.loads(Path(__file__).with_name("palette.json").read_text("utf-8"))

# Found by a search that kept every pair as far apart as possible for normal vision and
# for protanopia, deuteranopia and tritanopia at once, on white paper and on a dark
# screen. The order keeps the first few farthest apart.
COLORS = tuple(_PALETTE["classes"].values())

# Filled shapes of matplotlib that differ in outline, the plainest first.
_MARKERS = {
    "disc": "o",
    "square": "s",
    "triangle": "^",
    "diamond": "D",
    "triangle down": "v",
    "plus": "P",
    "cross": "X",
    "star": "*",
    "triangle left": "<",
    "triangle right": ">",
}
MARKERS = tuple(_MARKERS[shape] for shape in _PALETTE["shapes"])
# Prototypes of all classes, as in the view.
PROTOTYPE = _MARKERS["diamond"]

# Corners of the distortion colors: true neighbors, false ones, tears, both.
TRUE, FALSE, TEARS, BOTH = (
    _PALETTE["distortion"][name] for name in ("true", "false", "tears", "both")
)

# Words and lines, and what they stand on.
INK, QUIET, PAPER = (_PALETTE[name] for name in ("ink", "quiet", "paper"))
FRAME, PANE = "#D0D4D9", "#F4F5F7"

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


@arguments(n_classes=whole(0, 1_000_000))
def class_colors(n_classes):
    """Return a color for each class.

    Up to 12 classes the colors differ for all readers, color-blind or not. Beyond that
    they repeat, and shapes distinguish the classes of one color.

    Parameters
    ----------
    n_classes : int
        Number of classes.

    Returns
    -------
    list of str
        Colors as ``#RRGGBB``, in the order of the classes.

    Examples
    --------
    >>> from labelscape.plotting import class_colors
    >>> class_colors(3)
    ['#0A58B8', '#D19D00', '#A62314']
    """
    return [COLORS[c % len(COLORS)] for c in range(n_classes)]


def class_markers(n_classes):
    """Return a shape for each class: discs up to 12 classes, then other shapes too."""
    return [MARKERS[c // len(COLORS) % len(MARKERS)] for c in range(n_classes)]


def rgb(color):
    """Return ``#RRGGBB`` as three numbers from 0 to 1."""
    return np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])


def lightened(colors, share):
    """Return colors (n, 3) mixed with white: ``share`` 0 is white, 1 the color."""
    return 1.0 - share * (1.0 - np.array([rgb(color) for color in colors]))


def oklab(colors):
    """Return sRGB colors (n, 3) in OKLab."""
    return from_linear(linear(np.asarray(colors, dtype=np.float64)))


def from_linear(colors):
    """Return linear RGB colors (n, 3) in OKLab."""
    return np.cbrt(colors @ _TO_CONES.T) @ _TO_LAB.T


def from_oklab(lab):
    """Return OKLab colors (n, 3) in sRGB, the nearest there is."""
    cones = np.asarray(lab) @ np.linalg.inv(_TO_LAB).T
    linear = np.clip(cones**3 @ np.linalg.inv(_TO_CONES).T, 0.0, 1.0)
    return np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055
    )


def distortion_colors(false, tears):
    """Return a color for each pair of distortions, both from 0 (none) to 1 (full).

    Between the four corners colors are mixed in OKLab, where half way looks half way.
    """
    false = np.clip(np.asarray(false, dtype=np.float64), 0.0, 1.0)[..., None]
    tears = np.clip(np.asarray(tears, dtype=np.float64), 0.0, 1.0)[..., None]
    neither, only_false, only_tears, both = oklab(
        [rgb(corner) for corner in (TRUE, FALSE, TEARS, BOTH)]
    )
    return from_oklab(
        (1 - false) * (1 - tears) * neither
        + false * (1 - tears) * only_false
        + (1 - false) * tears * only_tears
        + false * tears * both
    )


def linear(srgb):
    """Return sRGB colors in linear RGB."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
