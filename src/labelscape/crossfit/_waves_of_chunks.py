"""Least squares on random waves of chunked objects: sums over chunks."""

import numpy as np

from labelscape._core.chunks.sums import (
    added_up,
    computed,
    kept,
    shipped,
    task,
    tree,
)
from labelscape._core.threads import row_blocks
from labelscape.crossfit._waves import (
    indicators,
    least_by_sharpness,
    left_out_values,
    solved,
    waves,
)


def regressed_on_chunks(chunks, frequencies, ridge):
    """Return means of the waves, coefficients, and the sharpness of the answer."""
    n, n_classes = len(chunks), len(chunks.classes)
    center = chunks.added(_sum_of_waves, frequencies) / n
    model = (frequencies, center, n_classes)
    gram, ZY = chunks.added(_products_of_waves, *model)
    B, L = solved(gram, ZY, ridge * n)
    left_out = chunks.tasks(_leads, *model, B, L, n)
    parts = kept(left_out, 8 * n * (n_classes + 1))

    def loss(log_sharpness):
        factor = shipped(np.exp(log_sharpness))
        losses = [task(_loss, part, factor) for part in parts]
        return float(computed([tree(added_up, losses)])[0] / n)

    return center, B, least_by_sharpness(loss)[0]


def _blocks(piece, frequencies):
    """Yield rows and waves of a chunk, a block at a time."""
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
        ZY += Z.T @ indicators(piece.classes[rows], n_classes)
    return gram, ZY


def _leads(piece, frequencies, center, n_classes, B, L, n):
    """Return what objects are given when they are left out, less the most; classes."""
    found = []
    for rows, Z in _blocks(piece, frequencies):
        Y = indicators(piece.classes[rows], n_classes)
        scores = left_out_values(Z - center, Y, B, L, n)
        found.append(scores - scores.max(axis=1, keepdims=True))
    return np.concatenate(found), piece.classes


def _loss(part, factor):
    """Return the summed loss of a softmax of scores times a factor."""
    leads, codes = part
    S = leads * factor
    own = S[np.arange(len(codes)), codes]
    return np.sum(np.log(np.exp(S).sum(axis=1)) - own)
