"""The fuzzer by hand: ``python -m tests.faults.fuzz [KIND:SEED | KIND COUNT ...]``.

With ``KIND:SEED`` it repeats one case in this process, with what was said in full.
"""

import faulthandler
import os
import sys
import tempfile
import traceback

import matplotlib as mpl
from tests.faults.fuzz import oracle
from tests.faults.fuzz.kinds import TRIALS
from tests.faults.fuzz.runner import run
from tests.faults.fuzz.table import counted


def repeat(kind: str, seed: int) -> None:
    """Try one case, and print all that there is to know."""
    told = oracle._of_error

    def tell(error: Exception) -> oracle.Finding:
        traceback.print_exception(error)
        return told(error)

    oracle._of_error = tell
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        case, attempt = TRIALS[kind](seed)
        print(case, flush=True)
        print(attempt())


def main(words: list[str]) -> None:
    """Repeat a case, or run so many of each kind that is named."""
    if len(words) == 1 and ":" in words[0]:
        kind, seed = words[0].split(":")
        repeat(kind, int(seed))
        return
    results = []
    for kind, count in zip(words[::2], words[1::2], strict=True):
        first, _, last = count.rpartition("-")
        for result in run(kind, range(int(first or 0), int(last))):
            results.append(result)
            if not result.finding.is_fine:
                print(result, flush=True)
    print(counted(results))


if __name__ == "__main__":
    faulthandler.enable()
    mpl.use("agg")
    main(sys.argv[1:])
