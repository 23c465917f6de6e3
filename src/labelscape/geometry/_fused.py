"""Fisher lengths of tiles of pairs on a GPU, with one pass over class weights.

Matrix products compute the class weights of all steps. A Triton kernel then adds up the
steps of each line, with the square roots of posteriors in registers.
"""

import torch
import triton
import triton.language as tl
from torch.utils.weak import WeakTensorKeyDictionary
from triton.language.extra.libdevice import asin

# Columns of a tile in one program, for float32; half as many for float64, which needs
# twice the registers.
COLUMNS, WARPS = 64, 1
_LEFT = WeakTensorKeyDictionary()  # powers of rows, for all tiles of these rows


def fused_lengths(rows, columns, classes, n_steps):
    """Return the lengths (b, m) of lines between two sets of `ArrayWeights`."""
    k, n_classes, like = n_steps - 1, len(classes), rows.floored
    t = torch.arange(1, n_steps, dtype=torch.float64, device=like.device) / n_steps
    kept = _LEFT.setdefault(like, {})
    if n_steps not in kept:
        kept[n_steps] = _powers(like, 1.0 - t)
    left, right = kept[n_steps], _powers(columns.floored, t)
    b, m = left.shape[2], right.shape[2]
    sums = like.new_empty((n_classes, k, b, m))
    for c, table in zip(classes, sums, strict=True):
        torch.bmm(left[:, c].transpose(1, 2), right[:, c], out=table)
    few = COLUMNS * 4 // like.element_size()
    lengths, U, V = like.new_empty((b, m)), rows.U.contiguous(), columns.U.contiguous()
    with torch.cuda.device_of(like):
        _walk[(b, triton.cdiv(m, few))](
            *(sums, U, V, lengths, b, m, k, n_classes),
            *(triton.next_power_of_2(n_classes), few),
            num_warps=WARPS,
        )
    return lengths


def _powers(a, t):
    """Return ``exp(t a)`` (k, P, n), in a memory layout for fast products."""
    return (t.to(a.dtype)[:, None, None] * a.T.contiguous()).exp_()


@triton.jit
def _walk(
    sums,
    U,
    V,
    lengths,
    b,
    m,
    n_steps: tl.constexpr,
    n_classes: tl.constexpr,
    WIDE: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    i = tl.program_id(0).to(tl.int64)
    j = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    c = tl.arange(0, WIDE)[:, None]
    is_pair = j < m
    here = (c < n_classes) & is_pair[None, :]
    step = m * b.to(tl.int64)
    at = sums + c * (n_steps * step) + (i * m + j[None, :])
    before = tl.load(U + i * n_classes + c + 0 * j[None, :], mask=here, other=0.0)
    length = tl.zeros([COLUMNS], sums.dtype.element_ty)
    for _ in range(n_steps):
        weights = tl.load(at, mask=here, other=0.0)
        total = tl.where(is_pair, tl.sum(weights, axis=0), 1.0)
        roots = tl.sqrt(weights) * (1.0 / tl.sqrt(total))[None, :]
        length += _arcs(roots - before)
        before = roots
        at += step
    end = tl.load(V + j[None, :] * n_classes + c, mask=here, other=0.0)
    tl.store(lengths + i * m + j, length + _arcs(end - before), mask=is_pair)


@triton.jit
def _arcs(gaps):
    """Return ``4 asin(|gap| / 2)`` of each column, as `_device.arcs` does."""
    h = tl.sum(gaps * gaps, axis=0) / 4.0
    return 4.0 * asin(tl.sqrt(tl.minimum(h, 0.5)))
