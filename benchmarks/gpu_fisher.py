"""Fisher distances: seconds on a GPU, compared with the lower bound.

    python -m benchmarks gpu_fisher           # on a GPU, by PyTorch
    python -m benchmarks gpu_fisher --cpu     # the compiled loops, for comparison

All pairs and the 90 nearest neighbors of USPS (11,000 × 256, 1,100 Parzen points, 10
steps), from usps.npz in the folder LABELSCAPE_DATA. Without this file, random data of
the same size are used.

The floor is a lower bound: the time of the products, and of writing and reading class
weights once, at the specified rates of the device. "compiled" computes the steps from
class weights to lengths as one kernel of torch.compile.
"""

import os
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks._gpu import BYTES_PER_SECOND, FLOPS, Machine, parser_of
from labelscape.geometry import FisherMetric, _device

TURNS, STEPS, POINTS, NEIGHBORS = 4, 10, 1100, 90


def digits():
    """Return USPS, or random data of the same size in ten groups."""
    path = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data")) / "usps.npz"
    if path.exists():
        with np.load(path) as file:
            return file["X"].astype(np.float64), file["y"]
    print(f"{path} does not exist: random data of the same size")
    rng = np.random.default_rng(0)
    y = np.arange(11_000) % 10
    return rng.normal(size=(10, 256))[y] + 2.0 * rng.normal(size=(11_000, 256)), y


def floor(pairs, itemsize, n_classes=10):
    """Return the lower bound of seconds: products, and moving class weights twice."""
    inner = STEPS - 1
    flops = 2.0 * inner * POINTS * pairs
    moved = 2.0 * inner * n_classes * itemsize * pairs
    return flops / FLOPS + moved / BYTES_PER_SECOND


def line(name, found, least=None):
    seconds = ", ".join(f"{one:.3f}" for one, _ in found)
    beside = "" if least is None else f"; floor {least:.3f} s"
    print(f"{name:44} {seconds} s{beside}", flush=True)


def fisher(machine, precision):
    X, y = digits()
    X = X.astype(precision)
    n, itemsize = len(X), X.itemsize
    objects, labels = machine.arrays(X, y.astype(np.int64))
    metric = FisherMetric(parzen_points=POINTS, n_steps=STEPS, random_state=0)
    name = np.dtype(precision).name
    fits = machine.timed(lambda turn: metric.fit(objects, labels), 2)
    line(f"{name}: fit", fits)
    unique = n * (n - 1) / 2
    turns = 1 if machine.torch is None else TURNS
    found = machine.timed(lambda turn: metric.pairwise(), turns)
    line(f"{name}: all pairs", found, floor(unique, itemsize))
    D = found[-1][1]
    print(f"{'':44} mean distance {float(D.mean()):.10f}")
    del found, D
    found = machine.timed(lambda turn: metric.kneighbors(None, NEIGHBORS), turns)
    line(f"{name}: {NEIGHBORS} neighbors of all", found, floor(n * n, itemsize))
    if machine.torch is not None:
        torch, plain = machine.torch, _device.arcs_along
        fused = torch.compile(partial(plain, torch), dynamic=True)
        _device.arcs_along = lambda xp, *tables: fused(*tables)
        found = machine.timed(lambda turn: metric.pairwise(), TURNS)
        _device.arcs_along = plain
        line(f"{name}: all pairs, compiled", found, floor(unique, itemsize))


def main():
    options = parser_of(__doc__).parse_args()
    machine = Machine(options.cpu)
    for precision in (np.float32, np.float64):
        fisher(machine, precision)


if __name__ == "__main__":
    main()
