"""Processes that end with their parent."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import multiprocessing, sys, time
from labelscape.hosts._ending import run_within

if __name__ == "__main__":
    child = multiprocessing.get_context(sys.argv[1]).Process(
        target=run_within, args=("time", "sleep", 3600)
    )
    child.start()
    print(child.pid, flush=True)
    time.sleep(3600)
"""


def is_there(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("start", ["spawn", "forkserver"])
def test_a_process_ends_with_its_parent_even_if_that_is_killed(tmp_path, start):
    (tmp_path / "parent.py").write_text(PARENT)
    command = [sys.executable, tmp_path / "parent.py", start]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        child = int(parent.stdout.readline())
        assert is_there(child)
        parent.kill()
    end = time.monotonic() + 600
    while is_there(child) and time.monotonic() < end:
        time.sleep(0.02)
    assert not is_there(child)


def test_nothing_is_imported_before_a_process_is_tied_to_its_parent():
    code = "import labelscape.hosts._ending, sys; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"
