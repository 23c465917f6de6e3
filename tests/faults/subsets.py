"""Small subsets of all tables: each is mapped and audited, or refused in words.

``python -m tests.faults.subsets FIRST LAST FILE`` runs some cases and adds a line for
each to a file; those that it has already are not run again.
"""

import faulthandler
import json
import sys
import traceback
import warnings
from functools import cache
from pathlib import Path

import numpy as np
from tests.faults.changed_models import in_words

from labelscape.datasets import available, load
from labelscape.jobs import audit_table, map_table

FEWEST, MOST = 4, 60
# Rows that are kept of a table.
KEPT = 2000


@cache
def tables():
    """Return all tables that are here, of large ones some rows."""
    found = (_loaded(info.name) for info in available())
    return [table for table in found if table is not None]


def _loaded(name):
    try:
        table = load(name)
    except (OSError, ValueError):  # one of the papers that is not on this machine
        return None
    return table.take(np.arange(0, len(table.X), -(-len(table.X) // KEPT)))


def subset(number):
    """Return the table of a case: some rows of one of the tables, which take turns."""
    table = tables()[number % len(tables())]
    rng = np.random.default_rng(number)
    size = min(int(rng.integers(FEWEST, MOST + 1)), len(table.X))
    return table.take(rng.choice(len(table.X), size, replace=False))


def run(number):
    """Return what a case came to, by job: "right", "refused", or the error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = subset(number)
        results = {
            "map": _outcome(lambda: map_table(table, seed=0, judge=True)),
            "audit": _outcome(lambda: audit_table(table, seed=0)),
        }
    return {"case": number, "table": table.name, "rows": len(table.X)} | results


def _outcome(job):
    try:
        job()
    except Exception as error:
        if in_words(error):
            return f"refused: {error}"
        return "".join(traceback.format_exception(error)[-3:])
    return "right"


def wrong(found):
    """Return the jobs of a case that ended in an error which is not in our words."""
    return {
        job: found[job]
        for job in ("map", "audit")
        if found[job] != "right" and not found[job].startswith("refused: ")
    }


def main(first, last, path):
    """Run cases that a file does not have yet, and add them to it."""
    file = Path(path)
    lines = file.read_text().splitlines() if file.exists() else []
    done = {json.loads(line)["case"] for line in lines}
    for number in range(int(first), int(last)):
        if number in done:
            continue
        found = run(number)
        with file.open("a") as out:
            out.write(json.dumps(found) + "\n")
        if wrong(found):
            print(found["case"], found["table"], found["rows"], wrong(found))


if __name__ == "__main__":
    faulthandler.enable()
    main(*sys.argv[1:])
