"""Rules of imports: packages import lower packages only, without cycles."""

import ast
from contextlib import suppress
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

SOURCES = Path(__file__).parents[1] / "src" / "labelscape"
FLOORS = [
    {"_core"},
    {"_resampling"},
    {"datasets", "prototypes", "_model_file"},
    {"crossfit"},
    {"geometry", "quality"},
    {"embeddings", "testing"},
    {"boundary"},
    {"scene", "plotting"},
    {"jobs"},
    {"hosts"},
    {"cli"},
]
# Rooms without a door, because no user sees them: all their files are public to rooms.
BY_PATH = {"_core", "_resampling"}
# Where a room is entered: its names, its door, and its public parts.
DOORS = ([], ["_internal"], ["audit"], ["drift"])
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
# Inside functions, with the reason on the spot: figures are drawn when asked for, and
# a map without transform is judged with the one of KernelMap.
UPWARDS = {("boundary", "plotting"), ("_resampling", "embeddings")}


def imports(path):
    """Yield the modules of ours that a file imports, and whether on loading it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            shown = ()
            with suppress(ModuleNotFoundError):  # what only newer versions have
                shown = getattr(import_module(node.module), "__all__", ())
            names = [alias.name for alias in node.names if alias.name not in shown]
            modules = [node.module, *(f"{node.module}.{name}" for name in names)]
        else:
            continue
        for module in modules:
            at = SOURCES.joinpath(*module.split(".")[1:])
            is_ours = module.startswith("labelscape.")
            if is_ours and (at.is_dir() or at.with_suffix(".py").exists()):
                yield module, id(node) not in inside


GRAPH = {
    ".".join(["labelscape", *path.relative_to(SOURCES).with_suffix("").parts]): [
        *imports(path)
    ]
    for path in SOURCES.rglob("*.py")
}


def between_rooms():
    for name, modules in GRAPH.items():
        for module, on_loading in modules:
            here, there = name.split(".")[1], module.split(".")[1]
            if here in LEVEL and there in LEVEL and here != there:
                yield name, module, here, there, on_loading


def test_rooms_import_from_floors_below():
    upwards = [
        (name, module)
        for name, module, here, there, on_loading in between_rooms()
        if LEVEL[there] >= LEVEL[here] and (on_loading or (here, there) not in UPWARDS)
    ]
    assert upwards == []


def test_rooms_are_entered_by_their_doors():
    private = [
        (name, module)
        for name, module, _, there, _ in between_rooms()
        if there not in ("_core", "_resampling") and module.split(".")[2:] not in DOORS
    ]
    assert private == []


def test_no_files_import_each_other_in_a_circle():
    # Inside a room, an import in a function does not hide a circle, either.
    graph = {
        # A room's name stands for its __init__, which each file of the room needs.
        name.removesuffix(".__init__"): {
            module
            for module, on_loading in modules
            if (on_loading or module.split(".")[1] == name.split(".")[1])
            and not name.startswith(f"{module}.")
        }
        for name, modules in GRAPH.items()
    }
    TopologicalSorter(graph).prepare()
