"""A sample of the attacks by model files: ``python -m tests.faults.attacks.models``.

``LABELSCAPE_LONG=1`` tries 500 files.
"""

import os
import re
import subprocess
import sys
from collections import Counter

import pytest

LONG = bool(os.environ.get("LABELSCAPE_LONG"))
N_FILES = 500 if LONG else 30


@pytest.mark.timeout(0)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="each file is read in a fork")
def test_no_file_runs_code_reads_others_crashes_or_swells():
    command = [sys.executable, "-m", "tests.faults.attacks.models", str(N_FILES)]
    # Threads of OpenMP do not survive a fork.
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    heads, *_, total = re.findall(r"^\|.*\|$", done.stdout, re.MULTILINE)
    table = Counter(
        dict(zip(heads.split(" | ")[1:], total.split(" | ")[1:], strict=True))
    )
    assert int(table["files"]) == N_FILES
    assert int(table["refused"]) > N_FILES / 3
    assert int(table["used"]) > 0
