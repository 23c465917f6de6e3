"""The shape of the code: limits that a change keeps, or raises with a reason.

``python scripts/shape.py`` prints all numbers.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
shape = pytest.importorskip("shape")
PARSED = shape.trees()
WRITTEN = [node for tree in PARSED.values() for node in shape.functions(tree)]


def test_a_class_has_a_name_of_its_own():
    assert len(shape.defined_twice(PARSED)) <= 4


def test_rows_are_held_in_few_ways():
    assert len(shape.row_classes(PARSED)) <= 8


def test_rooms_show_few_names_to_other_rooms():
    doors = shape.door_names(PARSED)
    assert sum(doors.values()) <= 41
    assert max(doors.values()) <= 8


def test_functions_are_short_and_take_few_arguments():
    assert max(map(shape.function_lines, WRITTEN)) <= 60
    assert max(map(shape.arguments, WRITTEN)) <= 18


def test_private_names_of_other_packages_are_few():
    # Ten of them are attributes of scikit-learn's models that a model file is checked
    # for, because its compiled code trusts them.
    assert len(shape.foreign_private_names(PARSED)) <= 16


SAMPLE = '''"""A file
with two lines of docstring."""

import ast  # a comment beside code

# A comment.


def one():
    """Return a text of two lines."""
    return """first
second"""
'''


def test_working_lines_are_those_with_code():
    assert shape.lines_of_code(SAMPLE, shape.ast.parse(SAMPLE)) == {4, 9, 11, 12}
    lines = shape.working_lines()
    assert {"jobs", "scene", "hosts", "cli", "datasets"} < set(lines)
    assert min(lines.values()) > 0
