"""Time from a file of 100,000 cells of 20 donors to the page of their map.

``python -m benchmarks cells`` needs anndata. The first run compiles; run it twice.
"""

import resource
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from labelscape.cli.main import app

N, WIDTH, N_TYPES, N_DONORS = 100_000, 50, 12, 20


def cells():
    """Return cells of 12 types, with principal components that differ by donor."""
    import anndata
    import pandas as pd

    rng = np.random.default_rng(0)
    kind = rng.choice(N_TYPES, N, p=rng.dirichlet(np.full(N_TYPES, 3.0)))
    donor = rng.integers(0, N_DONORS, N)
    spread = np.sqrt(30 / np.arange(1, WIDTH + 1))
    X = 0.8 * rng.normal(size=(N, WIDTH))
    X += 1.2 * rng.normal(size=(N_TYPES, WIDTH))[kind]
    X += 0.25 * rng.normal(size=(N_DONORS, WIDTH))[donor]
    X += 0.1 * rng.normal(size=(N_TYPES, N_DONORS, WIDTH))[kind, donor]
    columns = {
        "cell_type": pd.Categorical([f"type {i}" for i in kind]),
        "donor_id": pd.Categorical([f"D{i:02}" for i in donor]),
        "n_counts": rng.poisson(4000, N).astype(float),
    }
    obs = pd.DataFrame(columns, index=[f"cell{i}" for i in range(N)])
    return anndata.AnnData(obs=obs, obsm={"X_pca": (X * spread).astype(np.float32)})


def main() -> None:
    """Print the time of ``labelscape map cells.h5ad``, and its memory."""
    with TemporaryDirectory() as folder:
        file, page = Path(folder, "cells.h5ad"), Path(folder, "cells.html")
        cells().write_h5ad(file)
        before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        roles = ["--label", "cell_type", "--rep", "X_pca", "--group", "donor_id"]
        app(["map", str(file), *roles, "-o", str(page)], standalone_mode=False)
        seconds = time.perf_counter() - start
        after = resource.getrusage(resource.RUSAGE_SELF)
        size = page.stat().st_size
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{N:,} x {WIDTH}: {seconds:.0f} s, {processor:.0f} s of processor")
    print(f"{after.ru_maxrss / 2**20:.2f} GB of memory, page of {size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
