"""Weighted MDS: seconds on a GPU, with the floor beside them, and on the cores here.

    python -m benchmarks gpu_mds           # on a GPU, by PyTorch
    python -m benchmarks gpu_mds --cpu     # the compiled loops, a few iterations

The floor of an iteration is the time to read targets and factors of all pairs once, in
both orders. An iteration of L-BFGS may try several steps, and reads them for each. The
first compiled fit in each precision takes the seconds of the compiler, too.
"""

from time import perf_counter

import numpy as np

from benchmarks._gpu import BYTES_PER_SECOND, Machine, parser_of
from labelscape.embeddings import WeightedMDS
from labelscape.embeddings.weighted_mds import _array_pairs

PROTOTYPES = 70


def classes(n, d, seed=0):
    """Return objects of seven classes, and their classes; the first are prototypes."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 7
    return 3.0 * rng.normal(size=(7, d))[y] + rng.normal(size=(n, d)), y


def fitted(machine, X, y, iterations, **options):
    """Return the seconds of a fit, those of an iteration in the middle, and stress."""
    ends = []
    mds = WeightedMDS(
        n_init=1,
        max_iter=iterations,
        tol=0.0,
        random_state=0,
        callback=lambda told: ends.append(perf_counter()),
        **options,
    )
    mask = np.arange(len(y)) < PROTOTYPES
    ((seconds, _),) = machine.timed(lambda _: mds.fit(X, y, is_prototype=mask), 1)
    return seconds, np.median(np.diff(ends)), mds.stress_


def floor(n, bytes_of_a_number):
    """Return the least seconds of an iteration."""
    return 2 * n * n * bytes_of_a_number / BYTES_PER_SECOND


def line(words, seconds, iteration, stress):
    print(
        f"{words:44}{seconds:8.2f} s {1e3 * iteration:10.2f} ms an iteration; "
        f"stress {stress:.9f}"
    )


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--n", type=int, default=20_000)
    options = parser.parse_args()
    machine = Machine(options.cpu)
    X, y = classes(options.n, 50)
    print(f"weighted MDS of {options.n:,} × 50")
    if options.cpu:
        for weights in ("uniform", "prototype"):
            line(f"{weights}, lbfgs", *fitted(machine, X, y, 4, weights=weights))
        return
    as_set = _array_pairs.COMPILED_FROM
    for precision in (np.float64, np.float32):
        name = np.dtype(precision).name
        (A,) = machine.arrays(X.astype(precision))
        seconds = floor(options.n, A.element_size())
        print(f"{name}: floor {1e3 * seconds:.2f} ms an iteration")
        for kind, first_size in (("plain", options.n + 1), ("compiled", 0)):
            _array_pairs.COMPILED_FROM = first_size
            for solver in ("lbfgs", "smacof"):
                for weights in ("uniform", "prototype"):
                    found = fitted(machine, A, y, 30, weights=weights, solver=solver)
                    line(f"{name}, {kind}, {solver}, {weights}", *found)
        _array_pairs.COMPILED_FROM = as_set


if __name__ == "__main__":
    main()
