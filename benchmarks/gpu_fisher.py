"""Fisher distances and kernel maps: seconds on a GPU, with the floor beside them.

    python -m benchmarks gpu_fisher           # on a GPU, by PyTorch
    python -m benchmarks gpu_fisher --cpu     # the compiled loops, for comparison

All pairs and the 90 nearest neighbors of USPS (11,000 × 256, 1,100 Parzen points, 10
steps), from usps.npz in the folder LABELSCAPE_DATA; where it is not, data of that size
are drawn. Then 70,000 × 50 new objects on a kernel map of 5,000.

The floor is what the device needs to multiply, and to write and read the class weights
once, at the rates that it is sold with. "compiled" has the steps from class weights to
lengths as one kernel of torch.compile.
"""

import os
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks._gpu import BYTES_PER_SECOND, FLOPS, Machine, parser_of
from labelscape.embeddings import KernelMap
from labelscape.geometry import FisherMetric
from labelscape.geometry.arrays import lines

TURNS, STEPS, POINTS, NEIGHBORS = 4, 10, 1100, 90
NEW, FEATURES, CENTERS = 70_000, 50, 5000


class Listed:
    """A map that is known beforehand."""

    def fit_transform(self, X, y=None):
        """Return the first two features."""
        return np.asarray(X)[:, :2].copy()


def digits():
    """Return USPS, or data of its size in ten groups."""
    path = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data")) / "usps.npz"
    if path.exists():
        with np.load(path) as file:
            return file["X"].astype(np.float64), file["y"]
    print(f"{path} is not there: drawn data of the same size")
    rng = np.random.default_rng(0)
    y = np.arange(11_000) % 10
    return rng.normal(size=(10, 256))[y] + 2.0 * rng.normal(size=(11_000, 256)), y


def floor(pairs, itemsize, n_classes=10):
    """Return the least seconds of lengths: products, and class weights moved twice."""
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
        torch, plain = machine.torch, lines.arcs_along
        fused = torch.compile(partial(plain, torch), dynamic=True)
        lines.arcs_along = lambda xp, *tables: fused(*tables)
        found = machine.timed(lambda turn: metric.pairwise(), TURNS)
        lines.arcs_along = plain
        line(f"{name}: all pairs, compiled", found, floor(unique, itemsize))


def kernel_map(machine, precision):
    rng = np.random.default_rng(0)
    centers = 3.0 * rng.normal(size=(10, FEATURES))
    X = centers[rng.integers(10, size=CENTERS + NEW)]
    X = (X + rng.normal(size=X.shape)).astype(precision)
    model = KernelMap(Listed(), bandwidth="global", n_centers=CENTERS, random_state=0)
    name = np.dtype(precision).name
    fitted, new = machine.arrays(X[:CENTERS], X[CENTERS:])
    line(f"{name}: kernel map, fit", machine.timed(lambda turn: model.fit(fitted), 2))
    found = machine.timed(lambda turn: model.transform(new), TURNS)
    pairs = NEW * CENTERS
    least = 2.0 * FEATURES * pairs / FLOPS + 2.0 * 8 * pairs / BYTES_PER_SECOND
    line(f"{name}: kernel map, {NEW:,} new objects", found, least)


def main():
    options = parser_of(__doc__).parse_args()
    machine = Machine(options.cpu)
    for precision in (np.float32, np.float64):
        fisher(machine, precision)
        kernel_map(machine, precision)


if __name__ == "__main__":
    main()
