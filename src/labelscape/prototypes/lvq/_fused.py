"""Sums of the LVQ cost on a GPU, in one pass over the samples (a Triton kernel).

Each program adds up some tiles of samples, and the sums of all programs are added in
order, so every run gives the same bits. First, one thread per sample compares its
distances to all prototypes. Then one thread per prototype adds up the gradients,
because a sample affects only two prototypes.
"""

# ruff: noqa: RUF005 (Triton has no stars in tuples)
# mypy: disable-error-code=assignment
import numpy as np
import torch
import triton
import triton.language as tl

# Samples in a tile, tiles in a program, and prototypes that are added up together.
ROWS, TILES, CHUNK, WARPS = 32, 16, 8, 1
SINGLE_REGISTERS = 128  # samples per thread in float32, so that more threads are active


def fused_sums(rows, P, layout, variables, terms):
    """Return the sums of `_device._block` over all samples of `DeviceRows`."""
    Omega = variables.Omega
    passes = vars(rows).setdefault("_passes", {})  # each device has its own tables
    key = Omega.shape, len(P), terms.slope != 0.0
    if key not in passes:
        passes[key] = _Pass(rows, *key)
    parts = [layout.classes, Omega, Omega @ rows.center, P]
    return passes[key].sums(terms, np.concatenate([np.ravel(part) for part in parts]))


class _Pass:
    """Passes over the samples, with a recorded GPU graph that makes launches fast.

    A model is copied to the device, sums are computed and copied back, in tables at
    fixed addresses.
    """

    def __init__(self, rows, shape, count, is_logistic):
        X, codes, shares = (A.contiguous() for A in (rows.X, rows.codes, rows.shares))
        n, (M, N) = len(rows), shape
        programs, chunks = triton.cdiv(n, ROWS * TILES), triton.cdiv(count, CHUNK)
        self.graph, self.is_cuda, self.device = None, X.is_cuda, X.device
        double = {"dtype": torch.float64, "device": X.device}
        size = 24 + X.element_size() * (count + M * (N + 1 + count))  # 24: the terms
        self.given = torch.empty(size, dtype=torch.uint8, pin_memory=self.is_cuda)
        self.there = torch.empty(size, dtype=torch.uint8, device=X.device)
        self.table = torch.empty((3 + count * (M + 1) + M * N, programs), **double)
        self.total = torch.empty(len(self.table), **double)
        self.found = torch.empty(
            len(self.table), dtype=torch.float64, pin_memory=self.is_cuda
        )
        self.head = self.given.numpy()[:24].view(np.float64)
        self.model = self.given.numpy()[24:].view(rows.dtype)
        given = self.there[:24].view(torch.float64), self.there[24:].view(X.dtype)
        wide = triton.next_power_of_2(N)
        self.launched = (X, codes, shares, *given, self.table, n, count, programs, N, M)
        self.launched += (wide, ROWS, TILES, CHUNK, chunks, is_logistic)
        self.registers = SINGLE_REGISTERS if X.dtype == torch.float32 else None

    def sums(self, terms, model):
        """Return the sums over all samples for a model."""
        self.head[:], self.model[:] = terms, model
        if not self.is_cuda:  # in Triton's interpreter
            self._run()
            return self.found.numpy().copy()
        with torch.cuda.device(self.device):
            if self.graph is None:
                self._run()  # compiles the kernel
                self.graph = self._recorded()
            self.graph.replay()
            torch.cuda.current_stream().synchronize()
        return self.found.numpy().copy()

    def _recorded(self):
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(torch.cuda.Stream()):
            graph.capture_begin(capture_error_mode="thread_local")
            self._run()
            graph.capture_end()
        return graph

    def _run(self):
        self.there.copy_(self.given, non_blocking=True)
        programs = self.table.shape[1]
        _add_up[(programs,)](*self.launched, num_warps=WARPS, maxnreg=self.registers)
        torch.sum(self.table, dim=1, out=self.total)
        self.found.copy_(self.total, non_blocking=True)


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
    out += tl.program_id(0)  # a column of a table, whose rows are added later
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
    """Return the winners J and K of projected samples, and their distances."""
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
    """Return cost, correctness and blur of each sample, and g_J and g_K."""
    # The same as `relative_difference` and `squashed` in the compiled loops.
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
