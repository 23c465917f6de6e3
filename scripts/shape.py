"""Print measures of the shape of the code, and its working lines by package.

Working lines have code: no docstrings, comments and blank lines. ``python
scripts/shape.py`` prints a table. With ``--json``, it prints JSON. Limits of some
measures are in `tests/test_shape.py`; the number of lines has no limit.
"""

import ast
import io
import json
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
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
# Tokens that are no code.
NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
# Packages that carry results to people.
CARRYING = ("jobs", "scene", "hosts", "cli", "datasets")
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


def working_lines() -> dict[str, int]:
    """Return the lines of each package without docstrings, comments and blank lines."""
    rooms = Counter[str]()
    for path, tree in trees().items():
        room = path.relative_to(SOURCES).parts[0].removesuffix(".py")
        rooms[room] += len(lines_of_code(path.read_text(encoding="utf-8"), tree))
    return dict(rooms.most_common())


def lines_of_code(text: str, tree: ast.Module) -> set[int]:
    """Return the numbers of the working lines of a file."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    code = {
        line
        for token in tokens
        if token.type not in NO_CODE
        for line in range(token.start[0], token.end[0] + 1)
    }
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    texts = [
        node.body[0]
        for node in ast.walk(tree)
        if isinstance(node, documented) and ast.get_docstring(node, clean=False)
    ]
    return code.difference(
        *(range(one.lineno, (one.end_lineno or 0) + 1) for one in texts)
    )


def shape() -> dict[str, object]:
    """Return all measures."""
    parsed = trees()
    scripts = sorted((ROOT / "view" / "src").rglob("*.ts"))
    written = [node for tree in parsed.values() for node in functions(tree)]
    longest = max(written, key=function_lines)
    most = max(written, key=arguments)
    doors = door_names(parsed)
    rooms = working_lines()
    return {
        "Python files": len(parsed),
        "TypeScript files": len(scripts),
        "TypeScript lines": sum(
            len(path.read_text(encoding="utf-8").splitlines()) for path in scripts
        ),
        "classes of rows": len(row_classes(parsed)),
        "class names defined twice": len(defined_twice(parsed)),
        "names in doors": sum(doors.values()),
        "most names in a door": max(doors.values()),
        "longest function": f"{function_lines(longest)} {longest.name}",
        "most arguments": f"{arguments(most)} {most.name}",
        "private names of other packages": len(foreign_private_names(parsed)),
        "working lines": sum(rooms.values()),
        "of them carry results": sum(rooms[room] for room in CARRYING),
        **{f"  {room}": lines for room, lines in rooms.items()},
    }


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
