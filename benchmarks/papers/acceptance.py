"""What the specifications ask for, row by row, and what shows it.

The rows stand in ``acceptance.csv``. A proof is a test, by its path and name, or a row
of a table or figure: paper, item and the beginning of what. The verdict follows from
it: a row has its own; a test is "tested", as no change is accepted unless it passes, or
"tested in part" where it asks for less than the specification, because it is to be
quick. What a benchmark of its own prints is not judged here: "see there".
"""

import csv
from pathlib import Path
from typing import NamedTuple

from benchmarks.papers._record import ROOT, latest

FILE = Path(__file__).with_name("acceptance.csv")
NOT_RUN, NOT_SHOWN = "not run", "not shown"
TESTED, IN_PART, ELSEWHERE = "tested", "tested in part", "see there"


class Row(NamedTuple):
    """What a specification asks for, and the test or the result that shows it.

    ``note`` says what a test asks for, where that is less, or where a table is.
    """

    spec: str
    what: str
    wanted: str
    proof: str
    note: str = ""


def rows():
    """Return all rows."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [Row(*line) for line in list(csv.reader(file))[1:]]


def verdict_of(row):
    """Return the verdict that follows from the proof of a row."""
    if row.proof.startswith("python"):
        return ELSEWHERE
    if row.proof.startswith("tests/"):
        shown = IN_PART if row.note else TESTED
        return shown if is_there(row.proof) else NOT_SHOWN
    paper, item, what = row.proof.split("; ")
    result = latest().get((paper, item))
    rows = (result or {"rows": []})["rows"]
    # A claim follows the name of its row after a colon.
    found = [one for one in rows if one["what"] == what] or [
        one for one in rows if one["what"].startswith(f"{what}:")
    ]
    return found[0]["verdict"] if found else NOT_RUN


def is_there(proof):
    """Return whether a test is there."""
    path, name = proof.split("::")
    file = ROOT / path
    return file.exists() and f"def {name}(" in file.read_text(encoding="utf-8")
