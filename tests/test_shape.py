"""The size of the code: limits that a change keeps, or raises with a reason.

``python scripts/shape.py`` prints all numbers. A limit is the number of today, so that
each only falls; a feature that needs more says why in its commit.
"""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))
shape = pytest.importorskip("shape")
PARSED = shape.trees()
WRITTEN = [node for tree in PARSED.values() for node in shape.functions(tree)]


def test_the_source_does_not_grow():
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in PARSED)
    assert lines <= 68_600
    assert len(PARSED) <= 437


def test_a_class_has_a_name_of_its_own():
    assert len(shape.defined_twice(PARSED)) <= 32


def test_rooms_show_few_names_to_other_rooms():
    assert sum(shape.door_names(PARSED).values()) <= 125


def test_functions_are_short_and_take_few_arguments():
    assert max(map(shape.function_lines, WRITTEN)) <= 100
    assert max(map(shape.arguments, WRITTEN)) <= 27


def test_private_names_of_other_packages_are_few():
    assert len(shape.foreign_private_names(PARSED)) <= 15
