"""Methods of the league: their headers, their environments, and how they are called."""

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
# With one thread, figures can be repeated and seconds can be compared.
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
    """What a method's file says about itself."""

    name: str
    path: Path
    title: str
    dependencies: tuple[str, ...]
    uses_labels: bool = True
    transductive: bool = False

    @property
    def code(self):
        """The hash of the file: results of another version are not these."""
        return short_hash(self.path.read_bytes())


class NotRunError(Exception):
    """An environment could not be made, or the method never answered."""


def short_hash(*parts):
    """Return sixteen digits that stand for some bytes."""
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def all_methods(folder=FOLDER):
    """Return the methods of all files, by name."""
    paths = sorted(folder.glob("*.py"))
    return {path.stem: read_method(path) for path in paths}


def read_method(path):
    """Return what a file's header says."""
    match = HEADER.search(path.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{path.name} has no header '# /// script' … '# ///'.")
    lines = [line[2:] for line in match["content"].splitlines()]
    header = tomllib.loads("\n".join(lines))
    about = header.get("tool", {}).get("league", {})
    return Method(path.stem, path, dependencies=tuple(header["dependencies"]), **about)


def interpreter(method):
    """Return the Python of a method; equal lists of packages share an environment."""
    key = short_hash("\n".join(sorted(method.dependencies)).encode())
    folder = ENVIRONMENTS / key
    python, finished = folder / "bin" / "python", folder / "installed.txt"
    if not finished.exists():
        venv.create(folder, clear=True, with_pip=True)
        # Labelscape is this checkout.
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
    """Return the versions of Python and of the packages that the header names."""
    python = sys.executable if here else interpreter(method)
    names = [re.split(r"[^\w.-]", one)[0] for one in method.dependencies]
    command = [python, "-c", VERSIONS, *names]
    found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    if "labelscape" in found:  # a version says too little of a checkout
        found["labelscape"] += f" ({commit()})"
    return found


def commit():
    """Return the last commit that changed the package; "+": it was changed since."""
    git = ["git", "-C", str(ROOT)]
    asked = [[*git, "log", "-1", "--format=%h"], [*git, "status", "--short"]]
    ways = {"capture_output": True, "text": True, "check": False}
    last, changes = (
        subprocess.run([*command, "--", "src"], **ways).stdout.strip()
        for command in asked
    )
    return last + "+" * bool(changes)


def maps(method, splits, *, here=False, limit=600):
    """Yield for each split (X, y, X_new) the maps and seconds, or why there are none.

    All splits are mapped by one process, which compiles its code once; with ``here``
    it is this interpreter's. It gets ``limit`` seconds per split, all taken together.
    """
    python = sys.executable if here else interpreter(method)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for i, (X, y, X_new) in enumerate(splits):
            np.savez(folder / f"{i:03}.in.npz", X=X, y=y, X_new=X_new)
        # Without -P, our other benchmarks would hide packages of their names.
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
            # The child says which splits are done; other lines are the method's.
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
    """Return what the child left of a split."""
    error = folder / f"{split}.error.txt"
    if error.exists():
        return error.read_text(encoding="utf-8")
    with np.load(folder / f"{split}.out.npz") as arrays:
        Z, Z_new = arrays["Z"].astype(float), arrays["Z_new"].astype(float)
        return Z, Z_new, float(arrays["seconds"])
