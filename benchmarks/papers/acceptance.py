"""What the specifications ask for, row by row, and what shows it.

The rows stand in ``acceptance.csv``. A proof is a test, by its path and name, or a row
of a table or figure: paper, item and what. The verdict follows from it: a test that is
there has passed, as no change is accepted otherwise, and a row has its own verdict. A
test that asks for less than the specification, because it is to be quick, shows it "in
part". What a benchmark of its own takes long to print was judged when it was run: the
note says where its table is.
"""

import csv
from pathlib import Path
from typing import NamedTuple

from benchmarks.papers._record import ROOT, latest
from benchmarks.papers._verdict import REACHED

FILE = Path(__file__).with_name("acceptance.csv")
NOT_RUN, NOT_SHOWN, IN_PART = "not run", "not shown", "in part"


class Row(NamedTuple):
    """What a specification asks for, and the test or the result that shows it.

    ``note`` says what a test asks for, where that is less, or where a table is;
    ``verdict`` is that of a benchmark that was run.
    """

    spec: str
    what: str
    wanted: str
    proof: str
    note: str = ""
    verdict: str = ""


def rows():
    """Return all rows."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return [Row(*line) for line in list(csv.reader(file))[1:]]


def verdict_of(row):
    """Return the verdict that follows from the proof of a row."""
    if row.verdict:
        return row.verdict
    if row.proof.startswith("tests/"):
        shown = IN_PART if row.note else REACHED
        return shown if is_there(row.proof) else NOT_SHOWN
    paper, item, what = row.proof.split("; ")
    result = latest().get((paper, item))
    found = [one for one in (result or {"rows": []})["rows"] if one.get("what") == what]
    return found[0]["verdict"] if found else NOT_RUN


def is_there(proof):
    """Return whether a test is there."""
    path, name = proof.split("::")
    file = ROOT / path
    return file.exists() and f"def {name}(" in file.read_text(encoding="utf-8")
