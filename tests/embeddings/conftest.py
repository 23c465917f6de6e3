import csv
import os
from pathlib import Path

import numpy as np
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("LABELSCAPE_DATA", REPOSITORY.parent / "shared" / "data"))


@pytest.fixture
def paper_table():
    """Reads numeric features and labels of one of the papers' data sets, or skips."""

    def read(name):
        path = FOLDER / f"{name}.csv"
        if not path.exists():
            pytest.skip(f"{path.name} is absent: set LABELSCAPE_DATA to its folder")
        with path.open(newline="") as file:
            rows = list(csv.reader(file))[1:]
        X = np.array([row[:-1] for row in rows], dtype=float)
        return X, np.array([row[-1] for row in rows])

    return read
