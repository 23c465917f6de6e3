"""Works through the seeds in a folder: ``python -m tests.faults.fuzz.child``."""

import faulthandler
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl

# A case that asks for more memory than this is told that there is none.
MEMORY = 8 * 2**30


def main(kind: str, outlet: int, folder: Path) -> None:
    """Try the cases of all seeds, and tell of each before and after."""
    from tests.faults.fuzz.kinds import TRIALS

    os.chdir(folder)
    os.set_inheritable(outlet, False)  # else its own children would keep it open
    seeds = [int(word) for word in Path("seeds").read_text().split()]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with os.fdopen(outlet, "w", buffering=1) as pipe:
        for seed in seeds:
            case, attempt = TRIALS[kind](seed)
            _tell(pipe, seed=seed, case=case)
            finding = attempt()
            _tell(pipe, seed=seed, outcome=finding.outcome, words=finding.words)
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")


def _tell(pipe: Any, **news: Any) -> None:
    pipe.write(json.dumps(news) + "\n")


if __name__ == "__main__":
    faulthandler.enable()
    mpl.use("agg")
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
