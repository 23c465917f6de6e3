"""Where a map begins: straight view, random places, or the user's own."""

import numpy as np

from labelscape._core.checks import check_finite
from labelscape._core.errors import InputError
from labelscape._core.points.spaces import Points
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks

# Columns and coincident points of a start are moved by this part of its size.
JITTER = 1e-3


def initial_map(init, space, n_components, random_state, *, owner):
    """Return a map (n, n_components) to begin with.

    Shapes: init (n, n_components).
    """
    shape = (space.n, n_components)
    if isinstance(init, str):
        if init == "random":
            return random_state.normal(size=shape)
        return parted(straight_map(space, n_components))
    given = np.array(init, dtype=np.float64)
    if given.shape != shape:
        raise InputError(
            "init must hold one row per object and one column per component: "
            f"shape {shape}, got shape {given.shape}.",
            owner=owner,
            parameter="init",
        )
    check_finite(given, owner=owner, name="init")
    return given


def parted(Z):
    """Return the map with no two points in one place and no flat direction.

    Points in one place have no direction to part in, and a flat direction is never left
    again: so both are moved a little, always in the same way.
    """
    noise = (
        JITTER * np.sqrt(np.mean(Z**2)) * np.random.default_rng(0).normal(size=Z.shape)
    )
    flat = np.ptp(Z, axis=0) == 0.0
    Z = Z + flat * noise
    return Z if len(np.unique(Z, axis=0)) == len(Z) else Z + noise


# Maps by eigenvectors, where others begin: PCA scores and classical MDS.


def straight_map(space, n_components):
    """Return the best straight view (n, n_components) of a space."""
    if isinstance(space, Points):
        return pca_scores(space.X, n_components)
    return classical_mds(space.squared_rows, space.n, n_components)


# Up to this many objects all eigenvectors are cheap.
SMALL = 200


def pca_scores(X, n_components):
    """Return the principal component scores (n, n_components) of data X (n, d).

    Columns beyond the rank of the data are zero.
    """
    X = X - X.mean(axis=0)
    with one_blas_thread():
        if X.shape[1] <= X.shape[0]:
            axes = np.linalg.eigh(X.T @ X)[1][:, ::-1][:, :n_components]
            scores = X @ axes
        else:
            squares, vectors = np.linalg.eigh(X @ X.T)
            scores = _scores(squares, vectors, n_components)
    return _finished(scores, n_components)


def classical_mds(squared_rows, n, n_components):
    """Return the classical MDS map (n, n_components) of n objects.

    The leading eigenvectors of B = -1/2 J D^2 J, J = I - 11^T/n, each times the root of
    its eigenvalue; by block Lanczos, so that only products with D^2 are needed.
    """
    blocks = row_blocks(n, 2 * 8 * n)

    def centered_product(Q):
        Q = Q - Q.mean(axis=0)
        product = np.concatenate(map_blocks(lambda r: squared_rows(r) @ Q, blocks))
        return -0.5 * (product - product.mean(axis=0))

    if n <= SMALL:
        B = centered_product(np.eye(n))
        squares, vectors = np.linalg.eigh((B + B.T) / 2.0)
    else:
        squares, vectors = _block_lanczos(centered_product, n, n_components)
    return _finished(_scores(squares, vectors, n_components), n_components)


def _block_lanczos(product, n, n_components, max_blocks=30, tol=1e-12):
    """Return the Ritz pairs of a symmetric operator, the largest at the end.

    A block is two vectors wider than the map, so equal eigenvalues are found too; each
    new block is made orthogonal to all earlier ones. The start is fixed, so that the
    same matrix always gives the same map.
    """
    start = np.random.default_rng(0).normal(size=(n, n_components + 2))
    with one_blas_thread():
        block = np.linalg.qr(start - start.mean(axis=0))[0]
        basis, image = block, product(block)
        before = -np.inf
        for _ in range(max_blocks):
            squares, vectors = np.linalg.eigh(basis.T @ image)
            leading = squares[-n_components:].sum()
            size = np.abs(squares).max()
            rest = image[:, -block.shape[1] :]
            for _ in range(2):  # once leaves rounding errors that grow
                rest = rest - basis @ (basis.T @ rest)
            if leading - before <= tol * size or np.abs(rest).max() <= tol * size:
                break
            before = leading
            block = np.linalg.qr(rest)[0]
            block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
            basis = np.hstack([basis, block])
            image = np.hstack([image, product(block)])
        return squares, basis @ vectors


def _scores(squares, vectors, n_components):
    """Return the leading eigenvectors times the root of their eigenvalue."""
    leading = np.arange(len(squares))[::-1][:n_components]
    return vectors[:, leading] * np.sqrt(np.maximum(squares[leading], 0.0))


def _finished(scores, n_components):
    """Return the scores with fixed signs and as many columns as were asked for."""
    missing = n_components - scores.shape[1]
    return np.pad(with_positive_peaks(scores.T).T, ((0, 0), (0, missing)))


# One orientation for every picture, so that the same data look the same again.

# Entries this close to the largest count as tied with it: in a symmetric picture two
# entries differ by rounding alone, and rounding must not choose the sign.
TIE = 1e-9


def with_positive_peaks(rows):
    """Return the rows, each with its entry of largest magnitude positive (eq. 8).

    Of tied entries the one with the lowest index decides.
    """
    size = np.abs(rows)
    peaks = np.argmax(size >= (1.0 - TIE) * size.max(axis=1, keepdims=True), axis=1)
    peak_values = rows[np.arange(len(rows)), peaks]
    return np.where(peak_values < 0, -1.0, 1.0)[:, None] * rows


def on_principal_axes(Z):
    """Return the map Z (n, q) centred and turned: its widest direction comes first.

    Distances on the map stay as they are. For methods whose cost does not see rotation.
    """
    Z = Z - Z.mean(axis=0)
    with one_blas_thread():
        axes = np.linalg.svd(Z.T @ Z)[2]
        turned = Z @ axes.T
    return with_positive_peaks(turned.T).T
