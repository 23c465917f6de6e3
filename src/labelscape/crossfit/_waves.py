"""Random Fourier features, and least squares on them, for RandomFeatureClassifier."""

from typing import NamedTuple

import numpy as np

from labelscape._core.threads import map_blocks, row_blocks
from labelscape._resampling.left_out import (
    best_sharpness,
    indicators,
    least_by_sharpness,
    without_own,
)

# Kernel widths to try, relative to the median distance between samples.
WIDTHS = (0.35, 0.5, 0.7, 1.0, 1.4)
# Ridge strengths to try, per sample.
RIDGES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)
FEW_COMPARED = 600  # number of samples for the comparison


class WaveChoice(NamedTuple):
    """A kernel width and a ridge strength, with the mean loss on held-out samples."""

    loss: float
    width: float
    ridge: float


def orthogonal_directions(n_features, n_waves, random_state):
    """Return random directions (d, D), long as Gaussian vectors; blocks orthogonal."""
    blocks = []
    for start in range(0, n_waves, n_features):
        count = min(n_features, n_waves - start)
        Q, _ = np.linalg.qr(random_state.normal(size=(n_features, count)))
        blocks.append(Q * np.sqrt(random_state.chisquare(n_features, size=count)))
    return np.hstack(blocks)


def waves(X, frequencies):
    """Return sines and cosines (n, 2 D), scaled so that inner products are a kernel."""
    n_waves = frequencies.shape[1]
    Z = np.empty((len(X), 2 * n_waves))

    def fill(rows):
        angles = X[rows] @ frequencies
        np.cos(angles, out=Z[rows, :n_waves])
        np.sin(angles, out=Z[rows, n_waves:])
        Z[rows] *= n_waves**-0.5

    map_blocks(fill, row_blocks(len(X), 32 * n_waves))
    return Z


def quick_waves(angles):
    """Return cosines and sines (n, 2 D) of angles; float32 unless an angle is large."""
    from labelscape.crossfit._wave_kernels import FAR, write_waves

    if not np.abs(angles).max(initial=0.0) <= FAR:
        return np.hstack([np.cos(angles), np.sin(angles)])
    values = np.empty((len(angles), 2 * angles.shape[1]), dtype=np.float32)
    write_waves(angles, values)
    return values


def best_choice(X, codes, directions, unit):
    """Return the width and ridge with the lowest leave-one-out loss."""
    Y, few = indicators(codes), slice(FEW_COMPARED)

    def best_with(width):
        Z = waves(X, directions / width)
        Z -= Z.mean(axis=0)
        values, V = np.linalg.eigh(Z.T @ Z)
        G, values = Z @ V, np.maximum(values, 0.0)
        GY = G.T @ Y
        choices = []
        for ridge in RIDGES:
            shrunk = 1.0 / (values + ridge * len(X))
            fitted = G[few] @ (shrunk[:, None] * GY)
            leverages = (G[few] ** 2) @ shrunk + 1.0 / len(X)
            _, loss = best_sharpness(without_own(Y[few], fitted, leverages), codes[few])
            choices.append(WaveChoice(loss, width, ridge))
        return min(choices)

    return min(map_blocks(best_with, unit * np.array(WIDTHS)))


def ridge_regression(gram, ZY, ridge):
    """Return coefficients and L^-1, where L L' = gram + ridge I; overwrites gram."""
    gram[np.diag_indices_from(gram)] += ridge
    inverse = np.linalg.inv(np.linalg.cholesky(gram))
    return inverse.T @ (inverse @ ZY), inverse


def left_out_values(Z, Y, B, inverse, n):
    """Return the leave-one-out predictions for some of n samples."""

    def block(rows):
        leverages = np.square(Z[rows] @ inverse.T).sum(axis=1) + 1.0 / n
        return without_own(Y[rows], Z[rows] @ B, leverages)

    blocks = row_blocks(len(Z), 16 * Z.shape[1])
    return np.concatenate(map_blocks(block, blocks))


# Sums for samples in chunks.


def regressed_on_chunks(rows, frequencies, ridge):
    """Return feature means, coefficients and sharpness, from sums over chunks."""
    from labelscape._core.rows.chunks import (
        added_up,
        computed,
        persisted,
        shipped,
        task,
        tree,
    )

    n, n_classes = len(rows), len(rows.labels)
    center = rows.added(_sum_of_waves, frequencies) / n
    model = (frequencies, center, n_classes)
    gram, ZY = rows.added(_products_of_waves, *model)
    B, inverse = ridge_regression(gram, ZY, ridge * n)
    parts = persisted(
        rows.tasks(_leads, *model, B, inverse, n), 8 * n * (n_classes + 1)
    )

    def loss(log_sharpness):
        factor = shipped(np.exp(log_sharpness))
        losses = [task(_loss, part, factor) for part in parts]
        return float(computed([tree(added_up, losses)])[0] / n)

    return center, B, least_by_sharpness(loss)[0]


def _blocks(piece, frequencies):
    """Yield slices of rows of a chunk, with their random features."""
    for rows in row_blocks(len(piece.X), 32 * frequencies.shape[1]):
        yield rows, waves(piece.X[rows].astype(np.float64), frequencies)


def _sum_of_waves(piece, frequencies):
    return sum(Z.sum(axis=0) for _, Z in _blocks(piece, frequencies))


def _products_of_waves(piece, frequencies, center, n_classes):
    """Return Z'Z and Z'Y of a chunk."""
    width = len(center)
    gram, ZY = np.zeros((width, width)), np.zeros((width, n_classes))
    for rows, Z in _blocks(piece, frequencies):
        Z -= center
        gram += Z.T @ Z
        ZY += Z.T @ indicators(piece.codes[rows], n_classes)
    return gram, ZY


def _leads(piece, frequencies, center, n_classes, B, inverse, n):
    """Return leave-one-out scores minus the largest of each row, and class indices."""
    leads = []
    for rows, Z in _blocks(piece, frequencies):
        Y = indicators(piece.codes[rows], n_classes)
        scores = left_out_values(Z - center, Y, B, inverse, n)
        leads.append(scores - scores.max(axis=1, keepdims=True))
    return np.concatenate(leads), piece.codes


def _loss(part, factor):
    """Return the summed loss of a softmax of scores times a factor."""
    leads, codes = part
    S = leads * factor
    own = S[np.arange(len(codes)), codes]
    return np.sum(np.log(np.exp(S).sum(axis=1)) - own)
