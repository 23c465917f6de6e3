"""The size of the code: limits that a change keeps, or raises with a reason.

``python scripts/shape.py`` prints all numbers. A feature that needs a higher limit says
why in its commit.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
shape = pytest.importorskip("shape")
PARSED = shape.trees()
WRITTEN = [node for tree in PARSED.values() for node in shape.functions(tree)]
VIEW = shape.ROOT / "view" / "src"


def lines_of(paths):
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def test_the_source_does_not_grow():
    assert lines_of(PARSED) <= 64_045
    assert len(PARSED) <= 286


def test_the_view_does_not_grow():
    paths = [*VIEW.rglob("*.ts")]
    assert lines_of(paths) <= 22_132
    assert len(paths) <= 122


def test_a_folder_has_at_least_four_files():
    assert shape.small_folders() == []


def test_a_class_has_a_name_of_its_own():
    assert len(shape.defined_twice(PARSED)) <= 4


def test_rows_are_held_in_few_ways():
    assert len(shape.row_classes(PARSED)) <= 8


def test_rooms_show_few_names_to_other_rooms():
    doors = shape.door_names(PARSED)
    assert sum(doors.values()) <= 40
    assert max(doors.values()) <= 8


def test_functions_are_short_and_take_few_arguments():
    assert max(map(shape.function_lines, WRITTEN)) <= 60
    assert max(map(shape.arguments, WRITTEN)) <= 18


def test_private_names_of_other_packages_are_few():
    assert len(shape.foreign_private_names(PARSED)) <= 6


def test_the_command_map_has_few_options():
    assert shape.options_of_map() <= 34


def test_loading_one_map_loads_few_files():
    assert shape.files_loaded("from labelscape.embeddings import Sammon") <= 26


@pytest.mark.parametrize(
    ("room", "name", "limit"),
    [
        ("prototypes", "LiRaMLVQ", 16),
        ("embeddings", "Sammon", 13),
        ("embeddings", "FisherKernelTSNE", 27),
    ],
)
def test_a_fit_passes_through_few_files(room, name, limit):
    assert len(shape.files_entered(shape.fit_of(room, name))) <= limit


def test_a_map_on_the_command_line_passes_through_few_files():
    work = shape.map_of_wine("-m", "liram", "--no-audit")
    assert len(shape.files_entered(work)) <= 85
