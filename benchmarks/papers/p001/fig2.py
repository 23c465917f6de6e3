"""Fig. 2: USPS by kernel t-SNE: a tenth of the digits fitted, the others placed."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p001._usps import PLAIN, SETTINGS, digits, pictured, told
from labelscape.quality import knn_accuracy


def main():
    own, placed = told(PLAIN)
    there = 100 * knn_accuracy(*digits())
    rows = [
        row(
            "classes are not clear",
            "a picture",
            f"1-NN {own:.1f} among fitted, {placed:.1f} of placed digits; "
            f"{there:.1f} in the data",
            SETTINGS[PLAIN],
            holds(placed < there - 5.0),
        )
    ]
    record("001", "Fig. 2", rows, figure=pictured([PLAIN]))


if __name__ == "__main__":
    main()
