"""LiRaM LVQ on a local Dask cluster: time, memory, and loss of a worker.

Pixels of `make_satellite` are read from Parquet by two workers of 1 GB, each on one
core. The benchmark prints seconds for several numbers of rows with the exponent of
their growth, the speedup by a second worker, the peak memory of the client, and whether
the result has the same bits if a worker is killed during the fit.

``python -m benchmarks dask_lvq [ROWS]`` uses 3,400,000 rows by default.
"""

import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

ROWS, SMALLEST, ROWS_PER_FILE, STEPS = 3_400_000, 100_000, 200_000, 15
BANDS = [f"band {j}" for j in range(6)]


def write(folder, n):
    """Write pixels as Parquet files in another process, to save client memory."""
    import pandas as pd

    from labelscape.datasets import make_satellite

    X, y = make_satellite(n, random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    for k, start in enumerate(range(0, n, ROWS_PER_FILE)):
        rows = slice(start, start + ROWS_PER_FILE)
        frame = pd.DataFrame(X[rows], columns=BANDS).assign(cover=y[rows])
        frame.to_parquet(Path(folder) / f"part-{k:03d}.parquet")


def written(folder, n):
    from benchmarks import dask_lvq  # the name for other processes

    target = Path(folder) / str(n)
    target.mkdir()
    process = multiprocessing.get_context("spawn").Process(
        target=dask_lvq.write, args=(target, n)
    )
    process.start()
    process.join()
    return target


@contextmanager
def cluster(n_workers):
    from distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            memory_limit="1GB",
            dashboard_address=None,
            silence_logs=50,
        ) as local,
        Client(local) as client,
    ):
        yield client


def fitted(folder, callback=None):
    """Return a model fitted to the files of a folder, and the seconds of the fit."""
    import dask.dataframe as dd

    from labelscape.prototypes import LiRaMLVQ

    table = dd.read_parquet(folder)
    model = LiRaMLVQ(3, max_iter=STEPS, tol=0.0, random_state=0, callback=callback)
    start = time.perf_counter()
    model.fit(table[BANDS], table["cover"])
    return model, time.perf_counter() - start


def killer(client):
    """Return a callback that kills one worker after five iterations."""

    def kill(news):
        if news["iteration"] == 5:
            os.kill(min(client.run(os.getpid).values()), signal.SIGKILL)

    return kill


@contextmanager
def watched_memory():
    """Store the peak memory of this process, in bytes, in a list of one number."""
    most, done = [0], threading.Event()

    def watch():
        while not done.wait(0.05):
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            most[0] = max(most[0], pages * os.sysconf("SC_PAGE_SIZE"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()


def main(rows=ROWS):
    sizes = sorted({n for n in (SMALLEST, 600_000, rows) if n <= rows})
    with tempfile.TemporaryDirectory() as folder:
        folders = {n: written(folder, n) for n in sizes}
        with watched_memory() as most, cluster(2) as client:
            fitted(folders[sizes[0]])  # so that workers load compiled loops
            seconds = {n: fitted(folders[n])[1] for n in sizes}
            whole = fitted(folders[rows])[0]
            survived, with_death = fitted(folders[rows], killer(client))
        with cluster(1):
            fitted(folders[sizes[0]])
            alone = fitted(folders[rows])[1]
    for n, took in seconds.items():
        print(f"{n:>9,} rows, 2 workers: {took:7.1f} s")
    if len(sizes) > 1:
        slope = np.polyfit(np.log(sizes), np.log([seconds[n] for n in sizes]), 1)[0]
        print(f"exponent {slope:.2f} (wanted: at most 1.1)")
    print(f"2 workers over 1: {alone / seconds[rows]:.2f}x (wanted: 1.6x)")
    print(f"client: {most[0] / 1e6:.0f} MB at most (wanted: under 500 MB)")
    same = whole.prototypes_.tobytes() == survived.prototypes_.tobytes()
    print(
        f"a worker killed: {with_death:.1f} s, {'the same' if same else 'OTHER'} bits"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ROWS)
