"""Look at one reported fault in a process of its own, with limits: ``child NAME``."""

import json
import resource
import sys
import tempfile
import warnings
from pathlib import Path

from tests.faults.reported.cases import REPORTED

MEMORY = 8 * 2**30


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    case = REPORTED[sys.argv[1]]
    with tempfile.TemporaryDirectory() as folder:
        try:
            is_gone, seen = case.look(Path(folder))
        except Exception as error:
            is_gone, seen = False, f"{type(error).__name__}: {error}"
    print(json.dumps([bool(is_gone), " ".join(str(seen).split())]))


if __name__ == "__main__":
    main()
