"""Small generated data sets, each of which tests one ability of a method."""

import numpy as np
from numpy.typing import NDArray

from labelscape._core.errors import InputError
from labelscape._core.params import check_argument, number, whole
from labelscape._core.threads import map_blocks, row_blocks

# More values than this need 8 GB, and are probably a typing error.
MOST_VALUES, MOST_CLASSES = 10**9, 10_000

Random = int | np.random.RandomState | None
Sample = tuple[NDArray[np.float64], NDArray[np.int64]]

# Two modes per class. The second modes of classes 0 and 1 overlap.
_MODES = np.array(
    [[[-4.0, 3.0], [0.6, 0.0]], [[4.0, 3.0], [-0.6, 0.0]], [[-3.0, -4.0], [3.0, -4.0]]]
)


def make_modes(n: int = 600, *, random_state: Random = None) -> Sample:
    """Three classes with two modes each; one mode of class 0 overlaps one of class 1.

    The data are like those in Fig. 1 of Hammer, Gisbrecht and Schulz (2013). A
    supervised map should separate all modes, except for the two that overlap.

    Parameters
    ----------
    n : int, default=600
        Number of points.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points.
    y : ndarray of shape (n,)
        Class of each point, 0 to 2.

    Examples
    --------
    >>> X, y = make_modes(12, random_state=0)
    >>> X.shape, y
    ((12, 2), array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]))
    """
    check_argument("make_modes", "n", n, whole(1, limit=MOST_VALUES // 2))
    rng = _random(random_state)
    i = np.arange(n)
    X = _MODES[i % 3, i // 3 % 2] + 0.7 * rng.standard_normal((n, 2))
    return X, i % 3


def make_gaussians(
    n: int = 600,
    n_features: int = 10,
    n_classes: int = 3,
    separation: float = 2.0,
    *,
    random_state: Random = None,
) -> Sample:
    """Spherical Gaussian classes whose centers are all equally far from each other.

    Parameters
    ----------
    n : int, default=600
        Number of points.
    n_features : int, default=10
        Number of features, at least ``n_classes - 1``. The classes differ in
        ``n_classes - 1`` random directions; all other directions are noise.
    n_classes : int, default=3
        Number of classes; their sizes differ by at most 1.
    separation : float, default=2.0
        Distance between two centers, in standard deviations. With two classes and the
        distance 2, even the best possible classifier has an error of 16%.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, n_features)
        The points.
    y : ndarray of shape (n,)
        Classes of the samples, from 0.

    Examples
    --------
    >>> X, y = make_gaussians(300, n_features=5, separation=100.0, random_state=0)
    >>> centers = [X[y == c].mean(axis=0) for c in range(3)]
    >>> round(float(np.linalg.norm(centers[0] - centers[1])))
    100
    """
    from scipy.linalg import helmert

    owner = "make_gaussians"
    check_argument(owner, "n", n, whole(1, limit=MOST_VALUES // 2))
    check_argument(owner, "n_classes", n_classes, whole(1, limit=MOST_CLASSES))
    most = MOST_VALUES // max(n, n_classes)
    least = max(1, n_classes - 1)
    check_argument(owner, "n_features", n_features, whole(least, limit=most))
    check_argument(owner, "separation", separation, number(0))
    rng = _random(random_state)
    directions = np.linalg.qr(rng.standard_normal((n_features, max(1, n_classes - 1))))
    # The columns of Helmert's matrix are corners of a simplex with edges of sqrt(2).
    corners = helmert(n_classes).T if n_classes > 1 else np.zeros((1, 1))
    centers = separation / np.sqrt(2.0) * corners @ directions.Q.T
    y = np.arange(n) % n_classes
    return centers[y] + rng.standard_normal((n, n_features)), y


def make_noise(
    n: int = 600,
    n_features: int = 50,
    n_classes: int = 2,
    *,
    random_state: Random = None,
) -> Sample:
    """Gaussian noise with random labels: any separation on a map is an artifact.

    Parameters
    ----------
    n : int, default=600
        Number of points.
    n_features : int, default=50
        Number of features.
    n_classes : int, default=2
        Number of classes; their sizes differ by at most 1.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, n_features)
        The points.
    y : ndarray of shape (n,)
        Classes of the samples, from 0.

    Examples
    --------
    >>> X, y = make_noise(100, random_state=0)
    >>> X.shape, np.bincount(y)
    ((100, 50), array([50, 50]))
    """
    owner = "make_noise"
    check_argument(owner, "n", n, whole(1, limit=MOST_VALUES))
    check_argument(owner, "n_features", n_features, whole(1, limit=MOST_VALUES // n))
    check_argument(owner, "n_classes", n_classes, whole(1, limit=MOST_CLASSES))
    rng = _random(random_state)
    y = rng.permutation(np.arange(n) % n_classes)
    return rng.standard_normal((n, n_features)), y


def make_xor(n: int = 400, *, random_state: Random = None) -> Sample:
    """Two classes in opposite quadrants, with exactly the same center and spread.

    No linear method can separate them: means are exactly 0, variances exactly equal.

    Parameters
    ----------
    n : int, default=400
        Number of points, a multiple of 4.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points, between -1 and 1.
    y : ndarray of shape (n,)
        Class of each point: 0 where the features have the same sign, else 1.

    Examples
    --------
    >>> X, y = make_xor(400, random_state=0)
    >>> X[y == 0].sum(axis=0), X[y == 1].sum(axis=0)
    (array([0., 0.]), array([0., 0.]))
    """
    check_argument("make_xor", "n", n, whole(4, limit=MOST_VALUES // 2))
    if n % 4:
        raise InputError(
            f"n must be a multiple of 4, got {n}.", owner="make_xor", parameter="n"
        )
    rng = _random(random_state)
    # Multiples of 2^-20, so that sums are exact in any order.
    corner = rng.randint(1, 2**20, size=(n // 4, 2)) / 2**20
    X = np.vstack([corner * signs for signs in ([1, 1], [-1, -1], [1, -1], [-1, 1])])
    order = rng.permutation(n)
    return X[order], (np.arange(n) >= n // 2).astype(np.int64)[order]


def make_checkerboard(
    n: int = 1000, n_tiles: int = 4, *, random_state: Random = None
) -> Sample:
    """Points on a checkerboard: tiles have side length 1, and their color is the class.

    Parameters
    ----------
    n : int, default=1000
        Number of points.
    n_tiles : int, default=4
        Number of tiles along each side.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers.

    Returns
    -------
    X : ndarray of shape (n, 2)
        The points, from 0 to ``n_tiles``.
    y : ndarray of shape (n,)
        Color of the tile of each point, 0 or 1.

    Examples
    --------
    >>> X, y = make_checkerboard(1000, random_state=0)
    >>> bool(np.all(np.floor(X).sum(axis=1) % 2 == y))
    True
    """
    check_argument("make_checkerboard", "n", n, whole(1, limit=MOST_VALUES // 2))
    check_argument(
        "make_checkerboard", "n_tiles", n_tiles, whole(1, limit=MOST_CLASSES)
    )
    rng = _random(random_state)
    X = n_tiles * rng.uniform(size=(n, 2))
    return X, np.floor(X).sum(axis=1).astype(np.int64) % 2


# A generated satellite image: millions of pixels, unbalanced classes, repeated values.

# Land cover and number of pixels: Table 2 of Bunte et al. 2012. The brightness in the
# six bands is invented: forests are similar, water and bare ground differ.
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
    """Pixels of a generated satellite image: 14 classes of land cover, 6 bands.

    The data imitate the Colorado image of Bunte et al. (2012): the classes have the
    same shares of the pixels, and the six bands are correlated because light and haze
    change all of them.

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
    check_argument("make_satellite", "n", n, whole(1, limit=MOST_VALUES // 50))
    seed = _random(random_state).randint(2**31)
    pixels = np.array([count for count, _ in LAND_COVER.values()], dtype=np.float64)
    spectra = np.array([bands for _, bands in LAND_COVER.values()], dtype=np.float64)
    X, y = np.empty((n, spectra.shape[1])), np.empty(n, dtype=np.int64)

    def fill(rows: slice) -> None:
        # One generator per block, so that pixels do not depend on the number of
        # threads.
        rng = np.random.default_rng([seed, rows.start])
        size = rows.stop - rows.start
        y[rows] = rng.choice(len(pixels), size=size, p=pixels / pixels.sum())
        light = 1.0 + 0.12 * rng.standard_normal((size, 1))
        haze = 2.0 * rng.standard_normal((size, 1))
        noise = 2.5 * rng.standard_normal((size, spectra.shape[1]))
        X[rows] = light * spectra[y[rows]] + haze + noise

    map_blocks(fill, row_blocks(n, row_bytes=X.itemsize * X.shape[1]))
    return X, y


def _random(random_state: Random) -> np.random.RandomState:
    # Imported here, so that names of data sets are available without scikit-learn.
    from sklearn.utils import check_random_state

    rng: np.random.RandomState = check_random_state(random_state)
    return rng
