"""Print a table of the reported faults: ``python -m tests.faults.reported [NAME …]``.

Each fault is looked at in a process of its own. With PYTHONPATH set to the ``src`` of
another version, the table is about that version.
"""

import json
import subprocess
import sys
from fnmatch import fnmatch

from tests.faults.reported.cases import REPORTED

SECONDS = 400


def seen(name, seconds=SECONDS):
    """Whether the fault is gone, and what was seen, or how the process ended."""
    command = [sys.executable, "-m", "tests.faults.reported.child", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return False, f"not ended after {seconds} s"
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        return False, f"exit code {done.returncode}: {' '.join(last)}"
    return tuple(json.loads(done.stdout.splitlines()[-1]))


def main(patterns):
    names = [n for n in REPORTED if any(fnmatch(n, one) for one in patterns)]
    print("| fault | must be | gone | seen |\n|---|---|---|---|")
    left = 0
    for name in names:
        is_gone, figure = seen(name)
        left += not is_gone
        word = "yes" if is_gone else "**no**"
        print(f"| {name} | {REPORTED[name].must} | {word} | {figure} |", flush=True)
    print(f"\n{len(names) - left} of {len(names)} gone")
    return left > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["*"]))
