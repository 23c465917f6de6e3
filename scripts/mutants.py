"""Change one operator or number at a time, and count the changes that tests notice.

    python scripts/mutants.py FOLDER [--tests PATH ...] [--count 100] [--seed 0]

A change that no test notices (a survivor) is printed with its line: either a test is
missing, or the line does not matter. The package is changed in a copy. Tests of one
file are run first, and the run ends at the first test that fails.
"""

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SECONDS = 400  # a change that makes tests endless is noticed
PAIRS: dict[Any, Any] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}


def changeable(tree: ast.AST) -> list[Any]:
    """Return the operators and numbers of a file."""
    return [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, int | float))
        or (isinstance(node, ast.Compare) and type(node.ops[0]) in PAIRS)
        or (isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in PAIRS)
    ]


def changed(text: str, place: int) -> tuple[str, int]:
    """Return the code with one change, and the line of the change."""
    tree = ast.parse(text)
    node = changeable(tree)[place]
    if isinstance(node, ast.Constant):
        value = node.value
        node.value = not value if isinstance(value, bool) else value + 1
    elif isinstance(node, ast.Compare):
        node.ops[0] = PAIRS[type(node.ops[0])]()
    else:
        node.op = PAIRS[type(node.op)]()
    return ast.unparse(tree), node.lineno


def is_noticed(source: Path, tests: list[Path]) -> bool:
    """Return whether tests of a changed package fail."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    settings = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    env = os.environ | dict.fromkeys(settings, "1") | {"PYTHONPATH": str(source)}
    try:
        done = subprocess.run(
            [*command, *map(str, tests)],
            cwd=ROOT,
            env=env,
            capture_output=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return True
    return done.returncode != 0


def ordered(tests: list[Path], file: Path) -> list[Path]:
    """Return the test files, those about the changed file first."""
    files = sorted(one for path in tests for one in path.rglob("test_*.py"))
    return sorted(files, key=lambda one: file.stem.strip("_") not in one.stem)


def main() -> None:
    """Print the changes that no test notices, and the count of the others."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tests", nargs="+", type=Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    files = sorted(args.folder.rglob("*.py"))
    every = [
        (file, place)
        for file in files
        for place in range(len(changeable(ast.parse(file.read_text(encoding="utf-8")))))
    ]
    chosen = random.Random(args.seed).sample(every, min(args.count, len(every)))
    noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy)
        for file, place in chosen:
            text = file.read_text(encoding="utf-8")
            code, line = changed(text, place)
            target = copy / file.resolve().relative_to(ROOT / "src")
            target.write_text(code, encoding="utf-8")
            is_dead = is_noticed(copy, ordered(args.tests, file))
            target.write_text(text, encoding="utf-8")
            noticed += is_dead
            if not is_dead:
                words = text.splitlines()[line - 1].strip()
                print(f"{file}:{line}: {words}", flush=True)
    print(f"{noticed} of {len(chosen)} changes are noticed ({len(every)} possible).")


if __name__ == "__main__":
    main()
