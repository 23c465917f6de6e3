"""A generated satellite image: millions of pixels, unbalanced classes, tied bands."""

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.rules import check_argument, whole
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.datasets._generated import Random, Sample

# Ground cover and number of pixels: Table 2 of Bunte et al. 2012. The brightness in the
# six bands is our own: forests are alike, water and bare ground stand apart.
LAND_COVER = {
    "Scotch pine": (581_424, (62, 26, 25, 48, 42, 20)),
    "Douglas fir": (355_145, (58, 23, 21, 43, 33, 15)),
    "Pine/fir": (181_036, (60, 25, 23, 52, 38, 17)),
    "Mixed pine forest": (272_282, (65, 28, 28, 53, 51, 25)),
    "Supple/prickle pine": (144_334, (67, 29, 30, 44, 53, 29)),
    "Aspen/mixed pine forest": (208_152, (64, 28, 26, 66, 55, 24)),
    "Without vegetation": (170_196, (110, 55, 72, 73, 118, 71)),
    "Aspen": (277_778, (65, 29, 25, 86, 65, 25)),
    "Water": (16_667, (63, 23, 18, 11, 7, 4)),
    "Moist meadow": (97_502, (71, 33, 31, 92, 76, 31)),
    "Bush land": (127_464, (74, 34, 38, 60, 80, 40)),
    "Grass/pastureland": (267_495, (80, 38, 44, 69, 92, 47)),
    "Dry meadow": (675_048, (86, 41, 51, 63, 102, 56)),
    "Alpine vegetation": (27_556, (93, 46, 57, 71, 88, 43)),
}


def make_satellite(n: int = 100_000, random_state: Random = None) -> Sample:
    """Pixels of a generated satellite image: 14 land covers seen in 6 bands.

    It has the shape of the Colorado image in Bunte et al., "Limited Rank Matrix
    Learning": the same classes with the same, very different shares, and six bands that
    go up and down together with the light on a slope and with the haze above it.

    Parameters
    ----------
    n : int, default=100_000
        Number of pixels. The image of the paper has 3.4 million.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, 6)
        Brightness in each band.
    y : ndarray of shape (n,)
        The land cover, 0 to 13.

    Examples
    --------
    >>> X, y = make_satellite(10_000, random_state=0)
    >>> X.shape
    (10000, 6)
    >>> np.bincount(y)[[0, 8, 12]]
    array([1720,   51, 1984])
    """
    check_argument("make_satellite", "n", n, whole(1))
    seed = check_random_state(random_state).randint(2**31)
    pixels = np.array([count for count, _ in LAND_COVER.values()], dtype=np.float64)
    spectra = np.array([bands for _, bands in LAND_COVER.values()], dtype=np.float64)
    X, y = np.empty((n, spectra.shape[1])), np.empty(n, dtype=np.int64)

    def fill(rows: slice) -> None:
        # A generator per block: the pixels do not depend on the number of threads.
        rng = np.random.default_rng([seed, rows.start])
        size = rows.stop - rows.start
        y[rows] = rng.choice(len(pixels), size=size, p=pixels / pixels.sum())
        light = 1.0 + 0.12 * rng.standard_normal((size, 1))
        haze = 2.0 * rng.standard_normal((size, 1))
        noise = 2.5 * rng.standard_normal((size, spectra.shape[1]))
        X[rows] = light * spectra[y[rows]] + haze + noise

    map_blocks(fill, row_blocks(n, row_bytes=X.itemsize * X.shape[1]))
    return X, y
