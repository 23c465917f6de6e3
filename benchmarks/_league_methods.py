"""Methods of the league: headers, environments, and calls."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import numpy as np

ROOT = Path(__file__).parents[1]
FOLDER = Path(__file__).parent / "league_methods"
ENVIRONMENTS = ROOT / ".league"
CHILD = Path(__file__).with_name("_league_child.py")
# With one thread, results are reproducible and times comparable.
LIBRARIES = ("OMP", "OPENBLAS", "MKL", "NUMBA")
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in LIBRARIES}
# Inline script metadata (PEP 723).
HEADER = re.compile(r"(?m)^# /// script$\n(?P<content>(?:^#(?:| .*)$\n)+)^# ///$")
VERSIONS = """
import importlib.metadata as m, json, platform, sys
packages = {name: m.version(name) for name in sys.argv[1:]}
print(json.dumps({"python": platform.python_version()} | packages))
"""


@dataclass(frozen=True)
class Method:
    """A method, as described in the header of its file."""

    name: str
    path: Path
    title: str
    dependencies: tuple[str, ...]
    uses_labels: bool = True
    transductive: bool = False

    @property
    def code(self):
        """The hash of the file, to detect results of other versions."""
        return short_hash(self.path.read_bytes())


class NotRunError(Exception):
    """The environment could not be created, or the method returned no result."""


def short_hash(*parts):
    """Return a hash of sixteen digits."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def all_methods(folder=FOLDER):
    """Return the methods of all files, by name."""
    paths = sorted(folder.glob("*.py"))
    return {path.stem: read_method(path) for path in paths}


def read_method(path):
    """Return the method that the header of a file describes."""
    match = HEADER.search(path.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{path.name} has no header '# /// script' … '# ///'.")
    lines = [line[2:] for line in match["content"].splitlines()]
    header = tomllib.loads("\n".join(lines))
    about = header.get("tool", {}).get("league", {})
    return Method(path.stem, path, dependencies=tuple(header["dependencies"]), **about)


def interpreter(method):
    """Return the Python of a method; equal requirements share an environment."""
    key = short_hash("\n".join(sorted(method.dependencies)).encode())
    folder = ENVIRONMENTS / key
    python, finished = folder / "bin" / "python", folder / "installed.txt"
    if not finished.exists():
        venv.create(folder, clear=True, with_pip=True)
        # Labelscape is installed from this checkout.
        wanted = [
            part
            for name in method.dependencies
            for part in (["-e", str(ROOT)] if name == "labelscape" else [name])
        ]
        command = [python, "-m", "pip", "install", "--quiet", "--no-compile", *wanted]
        if subprocess.run(command, check=False).returncode:
            raise NotRunError("its packages could not be installed")
        finished.write_text("\n".join(method.dependencies), encoding="utf-8")
    return python


def versions(method, *, here=False):
    """Return the versions of Python and of the packages in the header."""
    python = sys.executable if here else interpreter(method)
    names = [re.split(r"[^\w.-]", one)[0] for one in method.dependencies]
    command = [python, "-c", VERSIONS, *names]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    if "labelscape" in found:  # the version of a checkout is not unique
        found["labelscape"] += f" ({commit()})"
    return found


def commit():
    """Return the last commit of the package, with "+" if there are later changes."""
    git = ["git", "-C", str(ROOT)]
    asked = [[*git, "log", "-1", "--format=%h"], [*git, "status", "--short"]]
    ways = {"capture_output": True, "text": True, "check": False}
    last, changes = (
        subprocess.run([*command, "--", "src"], **ways).stdout.strip()
        for command in asked
    )
    return last + "+" * bool(changes)


def maps(method, splits, *, here=False, limit=600):
    """Yield maps and seconds for each split (X, y, X_new), or the reason of a failure.

    All splits are mapped by one process, which compiles its code once. With ``here``,
    the process uses this environment. The total time limit is ``limit`` s per split.
    """
    python = sys.executable if here else interpreter(method)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for i, (X, y, X_new) in enumerate(splits):
            np.savez(folder / f"{i:03}.in.npz", X=X, y=y, X_new=X_new)
        # Without -P, our benchmarks would hide packages with the same names.
        command = [python, "-P", CHILD, method.path, folder]
        log = folder / "errors.txt"
        with (
            log.open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                env=os.environ | ONE_THREAD,
            ) as process,
        ):
            timer = Timer(limit * len(splits), process.kill)
            timer.start()
            # The child prints a line for each finished split; others are the method's.
            done = (line for line in process.stdout if line.startswith("done "))
            answered = 0
            for _ in done:
                yield _answer(folder, f"{answered:03}")
                answered += 1
            is_late = not timer.is_alive()
            timer.cancel()
        said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        reason = f"it took more than {limit} s per split" if is_late else "no answer"
        for _ in range(answered, len(splits)):
            yield reason if is_late or not said else said[-1]


def _answer(folder, split):
    """Return the result that the child wrote for a split."""
    error = folder / f"{split}.error.txt"
    if error.exists():
        return error.read_text(encoding="utf-8")
    with np.load(folder / f"{split}.out.npz") as arrays:
        Z, Z_new = arrays["Z"].astype(float), arrays["Z_new"].astype(float)
        return Z, Z_new, float(arrays["seconds"])
