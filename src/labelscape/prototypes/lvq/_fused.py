"""Sums of the LVQ cost on a GPU in one pass over the samples, as a Triton kernel.

Each program adds up some tiles of samples, and the sums of all programs are added in
order: the same bits in each run. A sample moves two prototypes only. Its distances to
all are compared one prototype at a time, by a thread of its own; what it adds to the
slopes is then added up by threads that each have a prototype.
"""

# ruff: noqa: RUF005 (Triton knows no stars in tuples)
# mypy: disable-error-code=assignment
import numpy as np
import torch
import triton
import triton.language as tl

# Samples of a tile, tiles of a program, and prototypes that are added up together.
ROWS, TILES, CHUNK, WARPS = 32, 32, 16, 1


def fused_sums(rows, P, layout, variables, terms):
    """Return the sums that `_device._block` returns, of all samples of `DeviceRows`."""
    Omega = variables.Omega
    X, codes, shares = (A.contiguous() for A in (rows.X, rows.codes, rows.shares))
    n, (M, N), count = len(rows), Omega.shape, len(P)
    parts = [layout.classes, Omega, Omega @ rows.center, P]
    model = np.concatenate([np.ravel(part) for part in parts]).astype(rows.dtype)
    head = np.array(terms)  # in double precision
    both = np.concatenate([head.view(np.uint8), model.view(np.uint8)])
    both = torch.from_numpy(both).to(X.device)
    head, model = both[: head.nbytes], both[head.nbytes :]
    programs, chunks = triton.cdiv(n, ROWS * TILES), triton.cdiv(count, CHUNK)
    size = 3 + count * (M + 1) + M * N
    out = torch.empty((size, programs), dtype=torch.float64, device=X.device)
    with torch.cuda.device_of(X):
        _add_up[(programs,)](
            *(X, codes, shares, head.view(torch.float64), model.view(X.dtype)),
            *(out, n, count, programs, N, M, triton.next_power_of_2(N)),
            *(ROWS, TILES, CHUNK, chunks, terms.slope != 0.0),
            num_warps=WARPS,
        )
    return out.sum(dim=1).cpu().numpy()


@triton.jit
def _add_up(
    X,
    codes,
    shares,
    head,
    model,
    out,
    n,
    n_prototypes: tl.constexpr,
    programs,
    N: tl.constexpr,
    M: tl.constexpr,
    N_WIDE: tl.constexpr,
    ROWS: tl.constexpr,
    TILES: tl.constexpr,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
    IS_LOGISTIC: tl.constexpr,
):
    number = X.dtype.element_ty
    Omega = model + n_prototypes
    shift = Omega + M * N
    P = shift + M
    few, feature = tl.arange(0, CHUNK), tl.arange(0, N_WIDE)
    cost = tl.zeros([ROWS], tl.float64)
    correct, blurred = cost, cost
    R, AX = _zeros(CHUNKS * (M + 1), CHUNK), _zeros(M, N_WIDE)
    first = tl.program_id(0).to(tl.int64) * (ROWS * TILES)
    for tile in range(TILES):
        row = first + tile * ROWS + tl.arange(0, ROWS)
        here = row < n
        code = tl.load(codes + row, mask=here, other=0).to(number)
        share = tl.load(shares + row, mask=here, other=0.0)
        y = ()
        for m in tl.static_range(M):
            along = tl.zeros([ROWS], number) - tl.load(shift + m)
            for j in tl.static_range(N):
                x = tl.load(X + row * N + j, mask=here, other=0.0)
                along += tl.load(Omega + m * N + j) * x
            y = y + (along,)
        J, K, d_J, d_K = _winners(y, code, model, P, n_prototypes, M)
        terms = _terms(d_J, d_K, J < K, share, head, IS_LOGISTIC)
        cost += terms[0]
        correct += terms[1]
        blurred += terms[2]
        g_J, g_K = terms[3].to(number), terms[4].to(number)
        sums = ()
        for c in tl.static_range(CHUNKS):
            at = (c * CHUNK + few)[None, :]
            G = tl.where(J[:, None] == at, g_J[:, None], 0.0)
            G = tl.where(K[:, None] == at, g_K[:, None], G)
            for m in tl.static_range(M + 1):
                weighted = G * y[m][:, None] if m < M else G
                of_m = tl.sum(weighted, axis=0).to(tl.float64)
                sums = sums + (R[c * (M + 1) + m] + of_m,)
        R = sums
        at = row[:, None] * N + feature[None, :]
        x = tl.load(X + at, mask=here[:, None] & (feature < N)[None, :], other=0.0)
        sums = ()
        for m in tl.static_range(M):
            a = g_J * (y[m] - tl.load(P + J * M + m))
            a += g_K * (y[m] - tl.load(P + K * M + m))
            of_x = tl.sum(a[:, None] * x, axis=0).to(tl.float64)
            sums = sums + (AX[m] + of_x,)
        AX = sums
    out += tl.program_id(0)  # a column of a table, whose rows are added up later
    tl.store(out, tl.sum(cost))
    tl.store(out + programs, tl.sum(correct))
    tl.store(out + 2 * programs, tl.sum(blurred))
    for c in tl.static_range(CHUNKS):
        prototype = c * CHUNK + few
        for m in tl.static_range(M + 1):
            to_R = out + (3 + prototype * (M + 1) + m) * programs
            tl.store(to_R, R[c * (M + 1) + m], mask=prototype < n_prototypes)
    for m in tl.static_range(M):
        to_A = out + (3 + n_prototypes * (M + 1) + m * N + feature) * programs
        tl.store(to_A, AX[m], mask=feature < N)


@triton.jit
def _zeros(count: tl.constexpr, width: tl.constexpr):
    zeros = ()
    for _ in tl.static_range(count):
        zeros = zeros + (tl.zeros([width], tl.float64),)
    return zeros


@triton.jit
def _winners(y, code, model, P, n_prototypes: tl.constexpr, M: tl.constexpr):
    """Return J and K, and the distances to them, of samples by their projections."""
    J, K = (code * 0).to(tl.int32), (code * 0).to(tl.int32)
    d_J, d_K = code * 0 + float("inf"), code * 0 + float("inf")
    for p in range(n_prototypes):
        d = code * 0
        for m in tl.static_range(M):
            gap = y[m] - tl.load(P + p * M + m)
            d += gap * gap
        own = tl.load(model + p) == code
        nearer, rival = own & (d < d_J), (own == 0) & (d < d_K)
        d_J, J = tl.where(nearer, d, d_J), tl.where(nearer, p, J)
        d_K, K = tl.where(rival, d, d_K), tl.where(rival, p, K)
    return J, K, d_J, d_K


@triton.jit
def _terms(d_J, d_K, is_first, share, head, IS_LOGISTIC: tl.constexpr):
    """Return cost, correct and blur of each sample, and g_J and g_K."""
    # As `relative_difference` and `squashed` of the compiled loops.
    slope, blur, tiny = tl.load(head), tl.load(head + 1), tl.load(head + 2)
    d_J, d_K = d_J.to(tl.float64), d_K.to(tl.float64)
    total = d_J + d_K + blur
    there = total > tiny
    inverse = tl.where(there, 1.0 / tl.where(there, total, 1.0), 0.0)
    mu = (d_J - d_K) * inverse
    phi, weight = mu, share
    if IS_LOGISTIC:
        phi = 1.0 / (1.0 + tl.exp(-slope * mu))
        weight = share * (slope * phi * (1.0 - phi))
    g = weight * inverse
    is_right = (d_J < d_K) | ((d_J == d_K) & is_first)
    right = tl.where(is_right, share, 0.0)
    return share * phi, right, -g * mu, g * (1.0 - mu), -g * (1.0 + mu)
