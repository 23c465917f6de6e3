"""One file or folder from a stranger, read in a process of its own with limits.

``python -m tests.faults.doors.trial cells 0-499`` tries 500 files of cells, and
``pictures 0-199`` 200 folders of pictures.
"""

import json
import os
import resource
import signal
import sys
import tempfile
import warnings
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from tests.faults.fuzz.oracle import in_words

from labelscape.datasets import Table, read_table

# Of the processor; on the clock, a busy machine may need more.
SECONDS, PATIENCE, MEMORY = 10, 90, 2 * 2**30
# No good file has such words, or so many such numbers.
CANARY = b"".join(b"LEAK%04d" % i for i in range(9000))
LINKED = 777_777.0
FINE = ("read", "refused")


@dataclass(frozen=True)
class Result:
    """What came of one case: how it ended, in how much time and memory."""

    name: str
    outcome: str
    words: str
    seconds: float
    memory: int


def tried(door: str, seed: int) -> Result:
    """Make the case of a seed and read it, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        name, path = _made(door, seed, Path(folder))
        outlet, inlet = os.pipe()
        if not (child := os.fork()):
            _read_here(path, inlet)
        os.close(inlet)
        with os.fdopen(outlet, "rb") as pipe:
            told = pipe.read()
        _, status, used = os.wait4(child, 0)
        seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
        outcome, words = json.loads(told) if told else ("crash", f"status {status}")
        if (Path(folder) / "executed").exists():
            outcome = "executed"
    if os.WIFSIGNALED(status):
        signals = {signal.SIGALRM: "too long", signal.SIGXCPU: "too long"}
        outcome = signals.get(os.WTERMSIG(status), "crash")
    elif outcome in FINE and memory > MEMORY:
        outcome = "memory"
    return Result(name, outcome, words, seconds, memory)


def warmed_up() -> None:
    """Load what readers load, so that no case is charged with it."""
    with tempfile.TemporaryDirectory() as folder:
        for door in ("cells", "pictures"):
            with suppress(ImportError):
                _outcome(_made(door, 0, Path(folder))[1])


def _made(door: str, seed: int, folder: Path) -> tuple[str, Path]:
    rng = Random(seed)
    (folder / "canary").write_bytes(CANARY)
    if door == "pictures":
        from tests.faults.doors.pictures import folder_of_pictures

        name, path = folder_of_pictures(rng, folder)
    else:
        import h5py
        from tests.faults.doors import cells

        with h5py.File(folder / "canary.h5", "w") as file:
            file["canary"] = np.full((60, 4), LINKED)
            file["group/canary"] = np.full(60, LINKED)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            name, data = (cells.crafted if seed % 2 else cells.damaged)(rng, folder)
        path = folder / "cells.h5ad"
        path.write_bytes(data)
    return name, path


def _read_here(path: Path, inlet: int) -> None:
    """Read a file, tell of it, and end this process."""
    try:
        signal.alarm(PATIENCE)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            told = _outcome(path)
        os.write(inlet, json.dumps(told).encode())
    finally:
        os._exit(0)


def _outcome(path: Path) -> tuple[str, str]:
    label = None if path.is_dir() else "t"
    words = ""
    for rep in (None,) if path.is_dir() else (None, "X"):
        try:
            table = read_table(path, label=label, rep=rep, missing="impute")
        except Exception as error:
            words = f"{type(error).__name__}: {error}"[:300]
            if isinstance(error, MemoryError):
                return "memory", words
            if not in_words(error):
                return "raw words", words
            continue
        if wrong := _wrong(table):
            return wrong, ""
    return ("refused" if words else "read"), words


def _wrong(table: Table) -> str:
    """Return what is wrong with a table that was read; empty: nothing."""
    from tests.faults.doors.pictures import OUTSIDE

    if not np.isfinite(table.X).all():
        return "silent NaN"
    seen = [table.X.ravel()]
    seen += [one.values.astype(float) for one in table.shown if one.kind == "number"]
    values = np.concatenate([one.ravel() for one in seen])
    hidden = np.concatenate(
        [np.frombuffer(CANARY[:2400], k) for k in ("u1", "i4", "f4", "f8")]
    )
    words = [one.values for one in table.shown]
    words += [
        part for part in (table.ids, table.y, table.feature_names) if part is not None
    ]
    shown = " ".join(str(value) for part in words for value in part)
    is_linked = np.isin(values, [LINKED]).any()
    is_linked |= "root:" in shown or "LEAK" in shown
    if is_linked or np.isin(values, hidden.astype(float)).sum() > 9:
        return "outside"
    if table.images is None:
        return ""
    if np.abs(table.X - OUTSIDE / 255).max(axis=1).min() < 1e-6:
        return "outside"
    a, b = (table.X[table.y == name].mean() for name in "ab")
    return "another scale" if abs(a - b) > 0.1 else ""


def table_of(results: list[Result]) -> str:
    """Return how many cases of each kind came out how."""
    counts: dict[str, Counter[str]] = {}
    for one in results:
        counts.setdefault(one.name, Counter())[one.outcome] += 1
    lines = ["| kind | cases | outcomes | most seconds | most MB |", "|" + "---|" * 5]
    for name in sorted(counts):
        those = [one for one in results if one.name == name]
        words = ", ".join(f"{n} {what}" for what, n in counts[name].most_common())
        most = max(one.seconds for one in those), max(one.memory for one in those)
        lines.append(
            f"| {name} | {len(those)} | {words} | {most[0]:.1f} | {most[1] / 1e6:.0f} |"
        )
    return "\n".join(lines)


def main(door: str, seeds: range) -> int:
    """Try the cases of some seeds; print what must not be, and a table."""
    warmed_up()
    results = []
    for seed in seeds:
        results.append(one := tried(door, seed))
        if one.outcome not in FINE:
            print(seed, one.name, one.outcome, one.words, flush=True)
    print(table_of(results))
    return sum(one.outcome not in FINE for one in results)


if __name__ == "__main__":
    first, _, last = sys.argv[2].partition("-")
    sys.exit(main(sys.argv[1], range(int(first), int(last or first) + 1)) > 0)
