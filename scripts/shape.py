"""Print measures of the size of the code, and how many files single jobs use.

``python scripts/shape.py`` prints a table. With ``--json``, it prints JSON.
`tests/test_shape.py` compares the measures with their limits.
"""

import ast
import json
import re
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "labelscape"
# Names of classes that contain rows, or distances between rows.
ROWS = re.compile(
    r"^_?(\w*(Set|Rows|Points|Objects|Chunks|Space|Dissimilarities)|In(Memory|Chunks)"
    r"|LocatedArrays|CenterSquares)$"
)
# Functions that take the name of an attribute.
BY_NAME = {"delattr", "getattr", "hasattr", "setattr"}
# Public names of the standard library that begin with an underscore.
DOCUMENTED = {"_asdict", "_exit", "_field_defaults", "_fields", "_replace"}
# Exceptions: records with such names that contain no rows.
NOT_ROWS = {"NewRows", "PaperSet", "PlacedRows"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def trees() -> dict[Path, ast.Module]:
    """Return the syntax tree of each source file."""
    paths = sorted(SOURCES.rglob("*.py"))
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def functions(tree: ast.AST) -> Iterator[Function]:
    """Yield all functions of a file."""
    for node in ast.walk(tree):
        if isinstance(node, Function):
            yield node


def function_lines(node: Function) -> int:
    """Return the number of lines of a function's body, without its docstring."""
    has_docstring = ast.get_docstring(node, clean=False) is not None
    body = node.body[1:] if has_docstring else node.body
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def arguments(node: Function) -> int:
    """Return the number of arguments of a function, without ``self``."""
    spec = node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args, *spec.kwonlyargs)]
    return len([name for name in names if name not in ("self", "cls")])


def defined_twice(parsed: dict[Path, ast.Module]) -> list[str]:
    """Return the class names that are defined in two places or more."""
    names = Counter(
        node.name
        for tree in parsed.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    )
    return sorted(name for name, count in names.items() if count > 1)


def door_names(parsed: dict[Path, ast.Module]) -> dict[str, int]:
    """Return how many names each package exports to others only (``_internal.py``)."""
    shown = {}
    for path, tree in parsed.items():
        if path.name == "_internal.py":
            lists = [
                node.value
                for node in tree.body
                if isinstance(node, ast.Assign)
                and getattr(node.targets[0], "id", "") == "__all__"
            ]
            names = [name for one in lists for name in ast.literal_eval(one)]
            shown[path.parent.name] = len(names)
    return shown


def foreign_private_names(parsed: dict[Path, ast.Module]) -> list[str]:
    """Return the private names that are used here and defined in another package."""
    defined: set[str] = set()
    used: set[str] = set()
    for path, tree in parsed.items():
        defined.add(path.stem)
        defined.add(path.parent.name)
        for node in ast.walk(tree):
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                    defined.add(node.name)
                case ast.Name(id=name, ctx=ast.Store()):
                    defined.add(name)
                case ast.arg(arg=name) | ast.alias(asname=str(name)):
                    defined.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store()):
                    defined.add(name)
                case ast.Subscript(slice=ast.Constant(value=name), ctx=ast.Store()):
                    defined.add(name)  # vars(self)["_name"] = value
                case ast.Dict(keys=keys):  # declared in `_learned`
                    defined.update(_texts([key for key in keys if key is not None]))
                case ast.Attribute(attr=name):
                    used.add(name)
                case ast.Call(func=ast.Name(id=name)) if name in BY_NAME:
                    used.update(_texts(node.args))
                case ast.Assign(value=value):
                    used.update(_texts([value, *getattr(value, "elts", ())]))
                case ast.ImportFrom(module=str(module), names=names):
                    if not module.startswith("labelscape"):
                        used.update(module.split("."))
                        used.update(alias.name for alias in names)
    private = re.compile(r"^_[a-zA-Z]\w*$")
    foreign = used - defined - DOCUMENTED
    return sorted(name for name in foreign if private.match(name))


def _texts(nodes: list[ast.expr]) -> set[str]:
    """Return the texts among some nodes that could be names."""
    constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return {text for text in constants if isinstance(text, str) and text.isidentifier()}


def small_folders() -> list[str]:
    """Return the folders with fewer than four files and folders in them."""
    parts = {path for file in SOURCES.rglob("*.py") for path in (file, file.parent)}
    sizes = Counter(path.parent for path in parts)
    folders = [folder for folder, n in sizes.items() if n < 4 and folder != SOURCES]
    return sorted(
        str(folder.relative_to(SOURCES))
        for folder in folders
        if folder.is_relative_to(SOURCES)
    )


def row_classes(parsed: dict[Path, ast.Module]) -> list[str]:
    """Return the classes that contain rows, or distances between rows."""
    return sorted(
        node.name
        for tree in parsed.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        and ROWS.match(node.name)
        and node.name not in NOT_ROWS
    )


def files_entered(work: Callable[[], object]) -> set[str]:
    """Return the source files whose functions are called by ``work``."""
    work()  # imports and compiles
    entered: set[str] = set()

    def enter(frame, event, _):
        if event == "call" and frame.f_code.co_name != "<module>":
            entered.add(frame.f_code.co_filename)

    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return {name for name in entered if name.startswith(str(SOURCES))}


def fit_of(room: str, name: str) -> Callable[[], object]:
    """Return a function that fits an estimator to iris."""
    from importlib import import_module

    from sklearn.datasets import load_iris

    X, y = load_iris(return_X_y=True)
    estimator = getattr(import_module(f"labelscape.{room}"), name)
    return lambda: estimator(random_state=0).fit(X, y)


def map_of_wine(*options: str) -> Callable[[], object]:
    """Return a function that runs ``labelscape map wine``."""
    from typer.testing import CliRunner

    from labelscape.cli.main import app

    def run() -> None:
        with tempfile.TemporaryDirectory() as folder:
            page = str(Path(folder) / "wine.html")
            result = CliRunner().invoke(app, ["map", "wine", *options, "-o", page])
            if result.exit_code:
                raise RuntimeError(result.output)

    return run


def files_loaded(statement: str) -> int:
    """Return how many of our source files an import loads."""
    count = (
        "import sys; print(len([1 for module in list(sys.modules.values()) if "
        "(getattr(module, '__file__', '') or '').startswith(sys.argv[1])]))"
    )
    call = [sys.executable, "-c", f"{statement}; {count}", str(SOURCES)]
    done = subprocess.run(call, check=True, capture_output=True, text=True)
    return int(done.stdout)


def options_of_map() -> int:
    """Return the number of arguments and options of ``labelscape map``."""
    import typer.main

    from labelscape.cli.main import app

    command = typer.main.get_command(app)
    return len(command.commands["map"].params)


def shape(*, traced: bool = True) -> dict[str, object]:
    """Return the measures; if ``traced``, also the measures that need a run."""
    parsed = trees()
    texts = [path.read_text(encoding="utf-8") for path in parsed]
    scripts = sorted((ROOT / "view" / "src").rglob("*.ts"))
    written = [node for tree in parsed.values() for node in functions(tree)]
    longest = max(written, key=function_lines)
    most = max(written, key=arguments)
    doors = door_names(parsed)
    numbers: dict[str, object] = {
        "Python lines": sum(len(text.splitlines()) for text in texts),
        "Python files": len(parsed),
        "TypeScript files": len(scripts),
        "TypeScript lines": sum(
            len(path.read_text(encoding="utf-8").splitlines()) for path in scripts
        ),
        "classes of rows": len(row_classes(parsed)),
        "class names defined twice": len(defined_twice(parsed)),
        "names in doors": sum(doors.values()),
        "most names in a door": max(doors.values()),
        "folders of fewer than four files": len(small_folders()),
        "longest function": f"{function_lines(longest)} {longest.name}",
        "most arguments": f"{arguments(most)} {most.name}",
        "private names of other packages": len(foreign_private_names(parsed)),
        "options of labelscape map": options_of_map(),
        "files loaded for Sammon": files_loaded(
            "from labelscape.embeddings import Sammon"
        ),
    }
    if traced:
        fits = [
            ("prototypes", "LiRaMLVQ"),
            ("embeddings", "Sammon"),
            ("embeddings", "FisherKernelTSNE"),
        ]
        for room, name in fits:
            numbers[f"files of {name}().fit"] = len(files_entered(fit_of(room, name)))
        plain = map_of_wine("-m", "liram", "--no-audit")
        numbers["files of map wine -m liram --no-audit"] = len(files_entered(plain))
        numbers["files of map wine"] = len(files_entered(map_of_wine()))
    return numbers


def main() -> None:
    """Print the measures as a table or as JSON."""
    numbers = shape()
    if "--json" in sys.argv:
        print(json.dumps(numbers, indent=2))
        return
    width = max(map(len, numbers))
    for name, value in numbers.items():
        print(f"{name:<{width}}  {value}")


if __name__ == "__main__":
    main()
