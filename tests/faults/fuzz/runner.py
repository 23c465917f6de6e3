"""Cases in a process of their own: what kills it is a finding, and not the end."""

import json
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.faults.fuzz.oracle import Finding

# Seconds after which a case is tried again: it may have been compiling, or have waited
# for others on a busy machine. The second time it may take what only a case that never
# ends takes, and so may a process to start.
PATIENCE, ENDLESS = 20.0, 1800.0
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Result:
    """What came of one case."""

    kind: str
    seed: int
    case: str
    finding: Finding

    def __str__(self) -> str:
        words = f": {self.finding.words}" if self.finding.words else ""
        where = f"{self.kind}:{self.seed}"
        return f"{self.finding.outcome:13} {where:14} {self.case}{words}"


def run(
    kind: str,
    seeds: Iterable[int],
    patience: float = PATIENCE,
    endless: float = ENDLESS,
) -> Iterator[Result]:
    """Try the cases of some seeds, and go on behind one that ends the process."""
    left = deque(seeds)
    late = None
    while left:
        with TemporaryDirectory() as folder, _Child(kind, left, Path(folder)) as child:
            for result in child.results(endless if left[0] == late else patience):
                left.popleft()
                yield result
            if not left:
                return
            seed = left[0]
            if child.is_late and seed != late:
                late = seed
                continue
            outcome = "hang" if child.is_late else "crash"
            yield Result(kind, seed, child.case, Finding(outcome, child.last_words()))
            left.popleft()


class _Child:
    """A process that works through seeds and tells of each through a pipe."""

    def __init__(self, kind: str, seeds: Iterable[int], folder: Path) -> None:
        self.kind, self.folder = kind, folder
        self.case, self.is_late = "", False
        self.inlet, outlet = os.pipe()
        (folder / "seeds").write_text("\n".join(map(str, seeds)))
        command = [sys.executable, "-m", "tests.faults.fuzz.child", kind, str(outlet)]
        with (folder / "words").open("wb") as words:
            self.process = subprocess.Popen(
                [*command, str(folder)],
                cwd=ROOT,
                pass_fds=[outlet],
                stdout=subprocess.DEVNULL,
                stderr=words,
            )
        os.close(outlet)

    def __enter__(self) -> "_Child":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.inlet)

    def results(self, patience: float) -> Iterator[Result]:
        """Return what the process tells, until it ends or says nothing for too long."""
        self.patience = ENDLESS
        for line in self._lines():
            news = json.loads(line)
            self.case = news.get("case", self.case)
            # The next case is prepared, or this one has begun.
            self.patience = ENDLESS if "outcome" in news else patience
            if "outcome" in news:
                finding = Finding(news["outcome"], news["words"])
                yield Result(self.kind, news["seed"], self.case, finding)

    def _lines(self) -> Iterator[bytes]:
        rest = b""
        while select.select([self.inlet], [], [], self.patience)[0]:
            news = os.read(self.inlet, 65536)
            if not news:
                return
            *lines, rest = (rest + news).split(b"\n")
            yield from lines
        self.is_late = True

    def last_words(self) -> str:
        """Return how the process ended."""
        if self.is_late:
            return "too long"
        words = (self.folder / "words").read_text("utf-8", "replace")
        return f"exit {self.process.wait()}: {' '.join(words.split())[-300:]}"
