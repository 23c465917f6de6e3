"""Fig. 2: USPS by kernel t-SNE: a tenth of the digits fitted, the others placed."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, claim, row
from benchmarks.papers.p001._usps import (
    PLAIN,
    SETTINGS,
    SPLITS,
    digits,
    of_splits,
    pictured,
)
from labelscape.quality import knn_accuracy

CLEARLY = 5.0  # points that the map has less than the data


def main():
    own, placed = map(Measured.of, of_splits(PLAIN))
    there = 100 * knn_accuracy(*digits())
    rows = [
        row(
            '"kernel t-SNE ... does not contain enough information to emphasize the '
            'cluster structure when trained on 10% of the data only"',
            "classes are not clear",
            f"1-NN {own.shown()} of fitted, {placed.shown()} of placed digits; "
            f"{there:.1f} in the data",
            f"{SETTINGS[PLAIN]}, {SPLITS} splits; reached if placed digits are "
            f"at least {CLEARLY:.0f} points below the data",
            claim(Measured(there - placed.value, placed.error), CLEARLY),
        )
    ]
    record("001", "Fig. 2", rows, figure=pictured([PLAIN]))


if __name__ == "__main__":
    main()
