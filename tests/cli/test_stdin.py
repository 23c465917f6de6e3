"""Tables from standard input, and detection of the text format."""

import io
import json

import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app

TEXT = "Trees of 2024\n\nkind;height;width\n" + "".join(
    f"{'oak' if i < 12 else 'fir'};{i % 7},5;{i % 3 + 2 * (i // 12)}\n"
    for i in range(24)
)
QUICK = ("--label", "kind", "-m", "lda", "--no-honesty", "--no-audit", "--json")


@pytest.fixture
def pipe(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def command(data, *arguments):
        return CliRunner().invoke(app, [*arguments], input=data)

    return command


def test_a_table_comes_from_standard_input_as_it_is_written(pipe, tmp_path):
    done = pipe(TEXT.encode(), "map", "-", *QUICK)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["rows"], found["features"]) == (24, 2)
    assert found["output"] == "stdin.html"
    assert (tmp_path / "stdin.html").exists()
    assert "left out 1 line above the header, 'Trees of 2024'" in done.stderr
    assert "--read skip=0" in done.stderr


def test_other_formats_are_known_by_their_beginning(pipe):
    openpyxl = pytest.importorskip("openpyxl")
    book, file = openpyxl.Workbook(), io.BytesIO()
    for line in TEXT.splitlines()[2:]:
        cells = line.replace(",", ".").split(";")
        book.active.append([float(c) if c[0].isdigit() else c for c in cells])
    book.save(file)
    found = json.loads(pipe(file.getvalue(), "map", "-", *QUICK).stdout)
    assert (found["rows"], found["features"]) == (24, 2)


def test_nothing_from_standard_input_is_said(pipe):
    done = pipe(b"", "map", "-", "--label", "kind")
    assert done.exit_code == 2
    assert "Standard input is empty. Pipe a table in." in done.stderr


def test_all_bad_columns_are_told_with_options_that_help(pipe):
    rows = "".join(f"{i},p{i},,{'ab'[i % 2]}\n" for i in range(60))
    done = pipe(f"x,who,none,kind\n{rows}".encode(), "map", "-", "--label", "kind")
    assert done.exit_code == 2
    advice = "To read the others, pass --drop 'who' --drop 'none'. With --show in place"
    assert advice in done.stderr
