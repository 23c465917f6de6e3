"""The types of the view agree with Python; ``npm run types`` updates them."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(ROOT / "scripts/wire_types.py"))


def test_the_view_knows_what_python_sends(script):
    for name, make in script["WRITTEN"].items():
        assert (script["VIEW"] / name).read_text(encoding="utf-8") == make(), name


def test_scene_types_are_those_that_the_view_decodes(script):
    types = script["scene_types"]()
    assert "readonly values: Float32Array;" in types  # a feature has no shape
    assert "readonly certainty: Tensor<Float32Array> | null;" in types  # also if scaled
    assert "readonly labels: Tensor<Uint8Array | Uint16Array> | null;" in types
    assert "readonly ids: Strings | null;" in types
    assert "readonly classes: readonly string[];" in types
    assert "readonly stretch: readonly [number, number];" in types
    assert 'readonly kind: "date" | "truth" | null;' in types
