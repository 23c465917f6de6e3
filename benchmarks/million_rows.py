"""A page of a million rows from Parquet by one command: seconds, memory, size.

The data have ten classes of three parts, curved in eight dimensions, with 50 features.
Memory is the sum of all processes of the command.

``python -m benchmarks million_rows [ROWS] [OPTION ...]``, with options of the command.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROWS, FEATURES, CLASSES = 1_000_000, 50, 10
SHARES = (0.2, 0.2, 0.15, 0.1, 0.1, 0.1, 0.08, 0.05, 0.015, 0.005)


def write(file, n):
    """Write the table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    centers = 2.2 * rng.normal(size=(CLASSES, 3, 8))
    plane, waves = rng.normal(size=(2, 8, FEATURES))
    y = rng.choice(CLASSES, n, p=SHARES)
    H = centers[y, rng.integers(0, 3, n)] + rng.normal(size=(n, 8))
    X = H @ plane + np.sin(H @ waves) + 0.8 * rng.normal(size=(n, FEATURES))
    columns = {f"f{j}": X[:, j].astype(np.float32) for j in range(FEATURES)}
    names = np.array([f"class {c}" for c in range(CLASSES)], dtype=object)
    table = pa.table(columns | {"y": names[y]})
    pq.write_table(table, file, row_group_size=100_000)


def family(pid):
    """Return a process and all its child processes."""
    found = [pid]
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            children = Path(f"/proc/{pid}/task/{thread}/children").read_text()
            for child in children.split():
                found += family(int(child))
    except OSError:  # the process has ended
        pass
    return found


def megabytes(pid):
    """Return the memory of a process; shared memory is divided among processes."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main():
    given = sys.argv[1:]
    n = int(given.pop(0)) if given and given[0].isdigit() else ROWS
    with tempfile.TemporaryDirectory() as folder:
        file, page = Path(folder, "rows.parquet"), Path(folder, "rows.html")
        write(file, n)
        command = "from labelscape.cli.main import main; main()"
        options = ["map", str(file), "--label", "y", "-o", str(page), *given]
        start, most = time.perf_counter(), 0.0
        process = subprocess.Popen([sys.executable, "-c", command, *options])
        while process.poll() is None:
            most = max(most, sum(map(megabytes, family(process.pid))))
            time.sleep(0.5)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(
            f"{n:,} rows: {time.perf_counter() - start:.0f} s, "
            f"{used.ru_utime + used.ru_stime:.0f} s of processors, {most:,.0f} MB, "
            f"page of {page.stat().st_size / 1e6:.1f} MB"
        )


if __name__ == "__main__":
    main()
