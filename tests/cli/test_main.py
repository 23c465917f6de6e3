import subprocess
import sys

import pytest

from labelscape import __version__, cli

VERBS = ("map", "compare", "classify", "datasets")


def test_the_version_is_printed(run):
    done = run("--version")
    assert done.exit_code == 0
    assert done.stdout == f"labelscape {__version__}\n"


def test_help_lists_the_verbs(run):
    done = run("--help")
    assert done.exit_code == 0
    for verb in VERBS:
        assert f"  {verb} " in done.stdout


def test_every_verb_has_examples_in_its_help(run):
    for verb in VERBS:
        assert f"  labelscape {verb}" in run(verb, "--help").stdout


def test_an_unknown_verb_ends_with_code_two(run):
    done = run("paint")
    assert done.exit_code == 2
    assert "paint" in done.stderr


def test_help_needs_neither_numba_nor_matplotlib():
    code = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from labelscape.cli.main import app\n"
        "assert CliRunner().invoke(app, ['map', '--help']).exit_code == 0\n"
        "assert not {'numba', 'matplotlib', 'sklearn'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_ctrl_c_while_the_command_loads_prints_no_traceback(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr("labelscape.cli.main.main", interrupted)
    with pytest.raises(SystemExit) as ended:
        cli.run()
    assert ended.value.code == 130


def test_the_installed_command_ends_without_a_traceback(tmp_path):
    code = "from labelscape.cli import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "map", "nothing.csv", "--label", "kind"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("labelscape: There is no file 'nothing.csv'.")
    assert done.stderr.count("\n") == 1
