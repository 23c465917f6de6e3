"""Table 2: the classes of the satellite image, and how many pixels each has."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import STAND_IN, row
from benchmarks.papers.p000._satellite import pines, satimage


def counted(y):
    """Return classes and how many samples they have, in words."""
    pairs = zip(*np.unique(y, return_counts=True), strict=True)
    return ", ".join(f"{name} {count}" for name, count in pairs)


def main():
    y = np.concatenate([satimage()[1], satimage()[3]])
    printed = "14 classes, 16667 (water) to 675048 (dry meadow) pixels, 9 unclassified"
    rows = [
        row(
            name, printed, f"{len(np.unique(of))} classes: {counted(of)}", why, STAND_IN
        )
        for name, of, why in (
            ("satimage", y, "UCI Statlog, Landsat too: 36 features, 6 classes"),
            ("Indian Pines", pines()[1], "AVIRIS: 200 bands, 16 classes, an image"),
        )
    ]
    record("000", "Table 2", rows)


if __name__ == "__main__":
    main()
