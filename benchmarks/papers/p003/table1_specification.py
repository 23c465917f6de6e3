"""What our specification asks of paper 003's data: floors of the defaults."""

import numpy as np

from benchmarks.pag_tables import (
    FLOORS,
    METHODS,
    cross_validated,
    read,
    scalers_of,
)
from benchmarks.papers._kept import kept
from benchmarks.papers._record import record, seeds
from benchmarks.papers._verdict import Measured, at_least, holds, row
from benchmarks.papers.p003._sets import SCALED, scaled
from benchmarks.papers.p003._tables import SHUFFLES, judged, names
from benchmarks.papers.p003.fig10 import drawn, layouts
from labelscape.prototypes import PushAndGrow

DEFAULT, FOLDS = "PAG, default", f"10 folds, {SHUFFLES} shuffles"
# Points by which the default beats one centroid per class.
GAINS = {"balance-scale": 8.0, "ionosphere": 8.0, "sonar": 5.0}
# ICF as the specification measured it: ours must be within 2 points.
ICF = {
    "balance-scale": 81.6,
    "breast-w": 95.3,
    "colic": 78.8,
    "credit-g": 68.3,
    "diabetes": 73.8,
    "hepatitis": 81.3,
    "ionosphere": 81.2,
    "iris": 94.7,
    "labor": 77.2,
    "sonar": 76.9,
    "soybean": 88.6,
}
WEIGHTED, DRAWS = PushAndGrow(alpha=8, tol=0.001), 20
EXACTLY = 1e-9  # nothing is near: a floor is kept, or not


@kept
def on_one_scale(name, method):
    """Return what a method has with features from 0 to 1, as the defaults have."""
    scalers = scalers_of(DEFAULT)
    return cross_validated(METHODS[method], *read(name), seeds(SHUFFLES), scalers)


def accuracies():
    """Return the rows of accuracies, in ten folds."""
    rows = []
    for name in names():
        ours, floor = judged(name, DEFAULT)[0].mean(), FLOORS[name]
        verdict = at_least(f"{floor:.1f}", Measured(ours), EXACTLY)
        rows.append(row(name, f">= {floor}", f"{ours:.1f}", FOLDS, verdict))
    for name, gain in GAINS.items():
        ours = (judged(name, DEFAULT)[0] - on_one_scale(name, "centroid")[0]).mean()
        verdict = at_least(f"{gain:.1f}", Measured(ours), EXACTLY)
        what = f"{name}, points above the centroid"
        rows.append(row(what, f">= {gain:g}", f"{ours:.1f}", FOLDS, verdict))
    found = {name: on_one_scale(name, "ICF")[0].mean() for name in ICF}
    off = {name: abs(found[name] - wanted) for name, wanted in ICF.items()}
    worst = max(off, key=off.get)
    rows.append(
        row(
            "ICF, largest difference from the specification",
            "within 2 points",
            f"{off[worst]:.1f} ({worst})",
            f"{FOLDS}, {SCALED}",
            # Other folds move it by two points more.
            at_least("-2.0", Measured(-off[worst])),
        )
    )
    return rows


def sizes():
    """Return the row of prototypes per class."""
    each = {
        n: judged(n, DEFAULT)[1].mean() / len(np.unique(read(n)[1])) for n in names()
    }
    most = max(each, key=each.get)
    words = f"{each[most]:.1f} ({most})"
    what, verdict = "largest number of prototypes per class", holds(each[most] <= 3.0)
    return row(what, "<= 3", words, FOLDS, verdict)


def weights():
    """Return the row of weights in the picture of prototypes."""
    X, y = scaled("balance-scale")
    model = WEIGHTED.fit(X, y)
    found = [layouts(model, X, y, drawn(model, X, y, seed)) for seed in seeds(DRAWS)]
    plain, weighted = np.mean([[one.agreement for one in pair] for pair in found], 0)
    count = len(model.prototypes_)
    return row(
        "weights: share of samples on the right side",
        ">= 0.03 more",
        f"{weighted:.3f}, without weights {plain:.3f}",
        f"balance-scale, {count} prototypes, {DRAWS} draws, {SCALED}",
        holds(weighted >= plain + 0.03),
    )


def main():
    record("003", "Specification", [*accuracies(), sizes(), weights()])


if __name__ == "__main__":
    main()
