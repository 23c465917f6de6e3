"""Ranks of quality measures: seconds on a GPU, compared with the lower bound.

    python -m benchmarks gpu_ranks           # on a GPU, by PyTorch
    python -m benchmarks gpu_ranks --cpu     # the compiled loops, for comparison

The floor is a lower bound: the time to move or multiply all numbers, at the specified
rates of the device.
"""

import numpy as np

from benchmarks._gpu import BYTES_PER_SECOND, FLOPS, Machine, parser_of
from labelscape.quality import trustworthiness

TURNS = 3


def clusters(n, d, seed=0):
    """Return samples in ten groups, and the first two features as their map."""
    rng = np.random.default_rng(seed)
    centers = 3.0 * rng.normal(size=(10, d))
    X = centers[rng.integers(10, size=n)] + rng.normal(size=(n, d))
    return X, X[:, :2].copy()


def ranks_floor(n, d, k):
    """Return the lower bound in seconds: reading two distance tables per neighbor."""
    return 2 * n * n * (2 * d / FLOPS + 8 * k / BYTES_PER_SECOND)


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--n", type=int, default=70_000)
    options = parser.parse_args()
    machine = Machine(options.cpu)

    sizes = options.n, 50
    X, Z = machine.arrays(*clusters(*sizes))
    # Each run has another k, because the last result is cached.
    found = machine.timed(
        lambda turn: trustworthiness(X, Z, n_neighbors=12 + turn), TURNS
    )
    seconds = ", ".join(f"{one:.2f} s" for one, _ in found)
    print(f"ranks of {sizes[0]:,} × {sizes[1]}: {seconds}; score {found[0][1]:.12f}")
    if not options.cpu:
        print(f"floor {ranks_floor(*sizes, 12):.2f} s")


if __name__ == "__main__":
    main()
