"""How long does a map take? The constants behind the command line's estimate.

``python -m benchmarks run_times`` fits each method to tables of three sizes, and prints
what `labelscape.cli._estimate` holds: seconds for 1,000 rows of 20 features, and the
powers of rows and features with which they grow; then how far such a guess is off for
tables of other sizes.
"""

import sys
import warnings
from functools import partial
from math import log
from time import process_time  # a busy machine does not count

import numpy as np
from sklearn.datasets import make_classification

from labelscape import audit
from labelscape.cli._estimate import AUDIT, fit_seconds
from labelscape.jobs import methods_of

SIZES = ((400, 10), (1600, 10), (1600, 60))
OTHERS = ((1000, 30), (3000, 15))


def table(n, d):
    """Return n rows of d features in four classes, standardised."""
    X, y = make_classification(
        n, d, n_informative=min(d, 8), n_redundant=0, n_classes=4, random_state=0
    )
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def fit_seconds_of(method, n, d):
    """Return how long a fit keeps processors busy."""
    X, y = table(n, d)
    estimator = method.make(2, n, 4, seed=0)
    start = process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        estimator.fit_transform(X, y)
    return process_time() - start


def audit_seconds(n, d):
    """Return how long an audit keeps processors busy."""
    X, y = table(n, d)
    start = process_time()
    audit(X, y, random_state=0)
    return process_time() - start


def constants(measure):
    """Return seconds at 1,000 rows of 20 features, and the powers of both."""
    few, many, wide = (measure(n, d) for n, d in SIZES)
    # Few rows take no time worth measuring; many count by a power of 1 at least.
    by_rows = float(np.clip(log(many / few) / log(4), 1.0, 2.2))
    by_features = float(np.clip(log(wide / many) / log(6), 0.0, 2.0))
    return many * (1000 / 1600) ** by_rows * 2**by_features, by_rows, by_features


def main(names):
    """Print the constants, and how far off those in use are."""
    measured = {one.name: partial(fit_seconds_of, one) for one in methods_of("map")}
    measured["audit"] = audit_seconds
    for name, measure in measured.items():
        if names and name not in names:
            continue
        measure(80, 10)  # compiled loops are loaded
        base, by_rows, by_features = constants(measure)
        print(f'"{name}": Cost({base:.2g}, {by_rows:.1f}, {by_features:.1f}),')
        for n, d in OTHERS:
            guess = AUDIT.of(n, d) if name == "audit" else fit_seconds(name, n, d)
            seconds = measure(n, d)
            print(
                f"  {n} x {d}: {seconds:.2f} s, {seconds / guess:.2f} times the guess"
            )
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
