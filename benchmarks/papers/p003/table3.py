"""Table 3: training objects per prototype, and prototypes per class."""

import numpy as np

from benchmarks.pag_tables import COMPRESSION, COMPRESSION_COLUMNS, read
from benchmarks.papers._record import record
from benchmarks.papers._verdict import at_least, holds, row
from benchmarks.papers.p003._tables import SETTINGS, judged, names


def ratio(name, method):
    """Return training objects per prototype, and prototypes per class."""
    _, y = read(name)
    count = judged(name, method)[1]
    return 0.9 * len(y) / count, count / len(np.unique(y))


def main():
    rows, best = [], 0
    for name in names():
        found = {method: ratio(name, method) for method in COMPRESSION_COLUMNS}
        best += max(found, key=lambda m: found[m][0]) == "PAG"
        words = {m: f"{times:.1f} ({each:.1f})" for m, (times, each) in found.items()}
        others = ", ".join(f"{m} {words[m]}" for m in COMPRESSION_COLUMNS[1:])
        times, each = COMPRESSION[name][0]
        rows.append(
            row(
                f"{name}, PAG",
                f"{times} ({each})",
                words["PAG"],
                f"{SETTINGS}. Others: {others}",
                at_least(times, found["PAG"][0]),
            )
        )
    rows.append(
        row(
            "PAG compresses most",
            "on all sets",
            f"on {best} of {len(names())}",
            SETTINGS,
            holds(best == len(names())),
        )
    )
    record("003", "Table 3", rows)


if __name__ == "__main__":
    main()
