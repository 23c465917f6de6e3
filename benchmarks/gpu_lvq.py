"""LiRaM LVQ by L-BFGS: seconds on a GPU, compared with the lower bound.

    python -m benchmarks gpu_lvq           # on a GPU, by PyTorch
    python -m benchmarks gpu_lvq --cpu     # the compiled loops, for comparison

Pixels of `make_satellite`: 6 bands, 14 land covers with 3 prototypes each, 42 in all.
The floor of an iteration is a lower bound: the time to read the samples once, or to
compute the products, whichever is longer. An iteration may try several steps, and reads
the samples for each step. The printed costs must be equal on all devices.
"""

from time import perf_counter

import numpy as np

from benchmarks._gpu import BYTES_PER_SECOND, FLOPS, Machine, parser_of
from labelscape._core.threads import n_threads
from labelscape.datasets import make_satellite
from labelscape.prototypes import LiRaMLVQ

STEPS, PER_CLASS, TURNS = 30, 3, 3


def pixels(n):
    """Return standardized pixels, and their land cover classes."""
    X, y = make_satellite(n, random_state=0)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def fitted(X, y):
    """Return a model, and the seconds of a single iteration."""
    ends = []
    model = LiRaMLVQ(
        PER_CLASS,
        max_iter=STEPS,
        tol=0.0,
        random_state=0,
        callback=lambda told: ends.append(perf_counter()),
    )
    return model.fit(X, y), np.median(np.diff(ends))


def floor(n, n_features, model, bytes_of_a_number):
    """Return the lower bound of an iteration in seconds: one gradient.

    Classes and weights, 8 bytes each, are read with the samples. Products are computed
    for the projection, the distances and the gradient of the matrix.
    """
    M, n_prototypes = len(model.omega_), len(model.prototypes_)
    moved = n * (n_features * bytes_of_a_number + 16) / BYTES_PER_SECOND
    return max(moved, n * 2 * M * (2 * n_features + n_prototypes) / FLOPS)


def report(machine, words, X, y):
    """Print the seconds of several fits to the same samples; return the last model."""
    found = machine.timed(lambda turn: fitted(X, y), TURNS)
    seconds = ", ".join(f"{whole:.2f} s" for whole, _ in found)
    model, step = found[-1][1]
    print(f"{words}: {seconds}; {1e3 * step:.2f} ms an iteration")
    print(f"  cost {model.loss_curve_[-1]:.12f} after {model.n_iter_} iterations")
    return model


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--n", type=int, default=3_400_000)
    options = parser.parse_args()
    machine = Machine(options.cpu)
    X, y = pixels(options.n)
    print(f"LiRaM LVQ of {options.n:,} × {X.shape[1]}, {STEPS} iterations")
    if options.cpu:
        fitted(X[:5000], y[:5000])  # compile
        report(machine, f"{n_threads()} threads, float64", X, y)
        return
    for precision in (np.float64, np.float32):
        A, labels = machine.arrays(X.astype(precision), y)
        model = report(machine, np.dtype(precision).name, A, labels)
        least = floor(*X.shape, model, A.element_size())
        print(f"  floor {1e3 * least:.3f} ms an iteration")


if __name__ == "__main__":
    main()
