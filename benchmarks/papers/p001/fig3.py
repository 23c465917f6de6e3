"""Fig. 3: USPS by Fisher kernel t-SNE: a tenth fitted, the others placed."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p001._usps import (
    FISHER,
    OURS,
    PLAIN,
    SETTINGS,
    pictured,
    told,
)

MORE = "more Parzen points and some plain distance: rows of our metric, below"


def main():
    plain = told(PLAIN)
    rows = []
    for name in (FISHER, OURS):
        own, placed = told(name)
        rows += [
            row(
                f"{name}: clearer than kernel t-SNE, fitted digits",
                "yes",
                f"1-NN {own:.1f} against {plain[0]:.1f}",
                SETTINGS[name],
                holds(own > plain[0]),
                MORE,
            ),
            row(
                f"{name}: clearer, placed digits",
                "yes",
                f"1-NN {placed:.1f} against {plain[1]:.1f}",
                SETTINGS[name],
                holds(placed > plain[1]),
                MORE,
            ),
        ]
    record("001", "Fig. 3", rows, figure=pictured([FISHER, OURS]))


if __name__ == "__main__":
    main()
