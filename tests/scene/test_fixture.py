import json

import pytest
from tests.scene.fixture import (
    EXPECTED,
    SCENE,
    expected,
    wine_scene,
)

from labelscape.scene import decode, encode


def assert_close(one, two, where="scene"):
    """Compare trees of plain values; numbers may differ in their last digits."""
    if isinstance(one, dict):
        assert one.keys() == two.keys(), where
        for name in one:
            assert_close(one[name], two[name], f"{where}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(two), where
        for i, (a, b) in enumerate(zip(one, two, strict=True)):
            assert_close(a, b, f"{where}[{i}]")
    elif isinstance(one, float):
        assert two == pytest.approx(one, rel=1e-4, abs=1e-5), where
    else:
        assert one == two, where


def test_the_fixture_holds_what_its_expectations_say():
    found = json.loads(json.dumps(expected(decode(SCENE.read_bytes()))))
    assert found == json.loads(EXPECTED.read_text(encoding="utf-8"))


def test_the_fixture_is_what_the_code_of_today_writes():
    today = decode(encode(wine_scene()))
    wanted = json.loads(EXPECTED.read_text(encoding="utf-8"))
    assert_close(wanted, json.loads(json.dumps(expected(today))))


def test_the_fixture_is_small():
    assert SCENE.stat().st_size < 160_000
