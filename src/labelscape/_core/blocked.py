"""Products and Cholesky factors of large matrices, tile by tile on all cores.

The division into tiles depends only on the size of the matrix, and one BLAS thread
computes each tile. So results are identical to the last bit for any number of threads.
NumPy is used because its functions release the interpreter lock, unlike SciPy's.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape._core.threads import map_blocks, row_blocks

TILE = 512  # rows and columns of a tile: a few ms of work

Matrix = NDArray[Any]


def gram(Z: Matrix) -> Matrix:
    """Return Z^T Z (m, m)."""
    G = np.empty((Z.shape[1], Z.shape[1]), dtype=Z.dtype)

    def fill(tile: tuple[slice, slice]) -> None:
        i, j = tile
        G[i, j] = Z[:, i].T @ Z[:, j]
        G[j, i] = G[i, j].T

    map_blocks(fill, _lower(row_blocks(len(G), 1, TILE // 2)))
    return G


class Factor(NamedTuple):
    """The Cholesky factor of a matrix, in the lower tiles of L (n, n)."""

    L: Matrix
    inverses: list[Matrix]  # for the tiles on the diagonal

    @classmethod
    def of(cls, G: Matrix) -> "Factor":
        """Compute the factor L of G = L L^T in place; upper tiles do not change."""
        tiles, inverses = row_blocks(len(G), 1, TILE), []
        for k, own in enumerate(tiles):
            G[own, own] = np.linalg.cholesky(G[own, own])
            inverses.append(np.linalg.inv(G[own, own]))
            column, below = G[:, own], tiles[k + 1 :]
            map_blocks(partial(_divide, column, inverses[k]), below)
            map_blocks(partial(_subtract, G, column), _lower(below))
        return cls(G, inverses)

    def forward(self, B: Matrix, start: int = 0) -> Matrix:
        """Compute L^-1 B in place; B begins at tile ``start``, after rows of 0."""
        tiles = row_blocks(len(self.L), 1, TILE)[start:]
        first = tiles[0].start
        for tile, inverse in zip(tiles, self.inverses[start:], strict=True):
            here = slice(tile.start - first, tile.stop - first)
            B[here] -= self.L[tile, first : tile.start] @ B[: here.start]
            B[here] = inverse @ B[here]
        return B

    def solve(self, B: Matrix) -> Matrix:
        """Compute G^-1 B in place."""
        self.forward(B)
        tiles = row_blocks(len(self.L), 1, TILE)
        for tile, inverse in zip(tiles[::-1], self.inverses[::-1], strict=True):
            B[tile] -= self.L[tile.stop :, tile].T @ B[tile.stop :]
            B[tile] = inverse.T @ B[tile]
        return B


def _divide(column: Matrix, inverse: Matrix, rows: slice) -> None:
    column[rows] = column[rows] @ inverse.T


def _subtract(G: Matrix, column: Matrix, tile: tuple[slice, slice]) -> None:
    i, j = tile
    G[i, j] -= column[i] @ column[j].T


def _lower(tiles: list[slice]) -> list[tuple[slice, slice]]:
    """Return the index pairs of tiles on the diagonal and below it."""
    return [(i, j) for k, i in enumerate(tiles) for j in tiles[: k + 1]]
