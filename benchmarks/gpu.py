"""Seconds on a GPU, with the floor beside them, and on the cores of this machine.

    python -m benchmarks gpu           # on a GPU, by PyTorch
    python -m benchmarks gpu --cpu     # the compiled loops, for comparison

The floor is what the device needs to move or multiply the numbers that must be moved
or multiplied, at the rates that it is sold with.
"""

import argparse
from time import perf_counter

import numpy as np

from labelscape.quality import trustworthiness

# Bytes and double-precision operations a second of an H200.
BYTES_PER_SECOND, FLOPS = 4.8e12, 67e12
TURNS = 3


def clusters(n, d, seed=0):
    """Return objects in ten groups, and the first two features as their map."""
    rng = np.random.default_rng(seed)
    centers = 3.0 * rng.normal(size=(10, d))
    X = centers[rng.integers(10, size=n)] + rng.normal(size=(n, d))
    return X, X[:, :2].copy()


def ranks(n, d, k, arrays, wait):
    """Return the seconds of a pass over all neighborhoods, and the score."""
    X, Z = (arrays(A) for A in clusters(n, d))
    wait()
    start = perf_counter()
    # A k of its own for each turn: the last pass is remembered.
    score = trustworthiness(X, Z, n_neighbors=k)
    wait()
    return perf_counter() - start, score


def ranks_floor(n, d, k):
    """Return the least seconds: two tables of distances, read for each neighbor."""
    return 2 * n * n * (2 * d / FLOPS + 8 * k / BYTES_PER_SECOND)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--n", type=int, default=70_000)
    options = parser.parse_args()

    def arrays(A):
        return A

    def wait():
        return None

    if not options.cpu:
        import torch

        print(torch.cuda.get_device_name())
        wait = torch.cuda.synchronize

        def arrays(A):
            return torch.asarray(A, device="cuda")

    sizes = options.n, 50
    found = [ranks(*sizes, 12 + turn, arrays, wait) for turn in range(TURNS)]
    seconds = ", ".join(f"{one:.2f} s" for one, _ in found)
    print(f"ranks of {sizes[0]:,} × {sizes[1]}: {seconds}; score {found[0][1]:.12f}")
    if not options.cpu:
        print(f"floor {ranks_floor(*sizes, 12):.2f} s")


if __name__ == "__main__":
    main()
