"""The script that runs commands as on other processors."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FAILS_WITH_NUMBA = "import os, sys; sys.exit('NUMBA_CPU_NAME' in os.environ)"


@pytest.fixture
def processors(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    monkeypatch.delenv("NUMBA_CPU_NAME", raising=False)
    return import_module("processors")


def run(processors, monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["processors.py", *options])
    processors.main()


def test_the_settings_with_which_a_command_fails_are_named(processors, monkeypatch):
    settings = "numba-generic", "numpy-baseline"
    command = "--", sys.executable, "-c", FAILS_WITH_NUMBA
    with pytest.raises(SystemExit, match=r"Failed with: numba-generic\.$"):
        run(processors, monkeypatch, *settings, *command)
    run(processors, monkeypatch, "numpy-baseline", *command)


def test_a_setting_that_the_libraries_cannot_use_is_skipped(
    processors, monkeypatch, capfd
):
    monkeypatch.setattr(processors, "PROBE", "print('another core')")
    run(processors, monkeypatch, "Nehalem", "--", "false")
    assert "Nehalem: skipped" in capfd.readouterr().out


def test_an_unknown_setting_is_told_with_the_known_ones(processors, monkeypatch):
    with pytest.raises(SystemExit, match=r"Unknown: Zen9\. Settings: SkylakeX, "):
        run(processors, monkeypatch, "Zen9")


def test_the_workflow_runs_all_settings(processors):
    workflow = (ROOT / ".github/workflows/processors.yml").read_text(encoding="utf-8")
    assert f"setting: [{', '.join(processors.SETTINGS)}]" in workflow


def test_the_numerical_tests_are_those_of_the_parts_and_their_examples(processors):
    command = processors.tests()
    assert {"tests/core", "src/labelscape/_core", "tests/scene"} <= set(command)
    for room in processors.NUMERICAL.split():
        assert f"tests/{room}" in command
        assert any(part.endswith((f"/{room}", f"/_{room}")) for part in command)
