"""Table 2: the classes of the satellite image, and how many pixels each has."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import NOT_JUDGED, row
from benchmarks.papers.p000._satellite import pines, satimage


def counted(y):
    """Return classes and how many samples they have, in words."""
    names, counts = np.unique(y, return_counts=True)
    listed = (f"{pair[0]}: {pair[1]}" for pair in zip(names, counts, strict=True))
    return f"{len(names)} classes: {', '.join(listed)}"


def main():
    y = np.concatenate([satimage()[1], satimage()[3]])
    printed = "14 classes, 16667 (water) to 675048 (dry meadow) pixels, 9 unclassified"
    rows = [
        row(name, printed, counted(of), why, NOT_JUDGED)
        for name, of, why in (
            ("satimage", y, "UCI Statlog, also Landsat: 36 features, 6 classes"),
            ("Indian Pines", pines()[1], "AVIRIS: 200 bands, 16 classes, an image"),
        )
    ]
    record("000", "Table 2", rows)


if __name__ == "__main__":
    main()
