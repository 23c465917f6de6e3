"""Samples in columns: detected, refused, and transposed."""

import re
from dataclasses import replace

import numpy as np
import openpyxl
import pandas as pd
import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app
from labelscape.datasets import Reading, describe_columns, read_table

N_SAMPLES, N_FEATURES = 12, 5
# As many digits as openpyxl writes.
X = np.random.default_rng(0).normal(size=(N_SAMPLES, N_FEATURES)).round(12)
GRID = [
    ["Sample", *(f"S{i}" for i in range(N_SAMPLES))],
    ["Label", *("control" if i % 2 else "case" for i in range(N_SAMPLES))],
    *([f"met {j}", *map(float, X[:, j])] for j in range(N_FEATURES)),
]


def written(grid, delimiter=","):
    return "\n".join(delimiter.join(map(str, row)) for row in grid)


def sheet(path, grid):
    book = openpyxl.Workbook()
    for row in grid:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_samples_in_columns_become_rows(write, delimiter):
    table = read_table(write(written(GRID, delimiter)), "Label", transpose=True)
    assert table.X.tolist() == X.tolist()
    assert table.y.tolist() == GRID[1][1:]
    assert table.ids.tolist() == GRID[0][1:]
    assert table.feature_names == [f"met {j}" for j in range(N_FEATURES)]


def test_a_sheet_with_samples_in_columns_keeps_all_digits(tmp_path):
    path = sheet(tmp_path / "lab.xlsx", GRID)
    with pytest.raises(ValueError, match="samples in columns"):
        read_table(path, "Label")
    table = read_table(path, "Label", transpose=True)
    assert table.X.tolist() == X.tolist()
    assert table.ids.tolist() == GRID[0][1:]


def test_the_error_says_what_was_detected_and_what_to_pass(write):
    path = write(written(GRID))
    message = (
        "'table.csv' seems to have its samples in columns: the row 'Label' contains 2 "
        "different words in 12 columns, and the 5 rows below it contain numbers. Pass "
        "transpose=True and label='Label', or transpose=False if its rows are the "
        "samples."
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        describe_columns(path)
    with pytest.raises(ValueError, match=r"Pass transpose=True, or transpose=False"):
        read_table(path, "Label")
    names = [c.name for c in describe_columns(path, reading=Reading(transpose=False))]
    assert names == GRID[0]


def test_what_samples_in_columns_are_for_is_guessed_as_for_rows(write):
    columns = describe_columns(write(written(GRID)), reading=Reading(transpose=True))
    assert [column.role for column in columns[:3]] == ["id", "label", "feature"]


@pytest.mark.parametrize(
    "change",
    [
        lambda grid: [*grid[:1], *grid[2:]],  # no classes
        lambda grid: [row[:4] for row in grid],  # few samples
        lambda grid: [["", *map(str, range(12))], *grid[1:3]],  # few features
        lambda grid: [*grid[:2], ["unit", *"abcdefghijkl"], *grid[2:]],
        lambda grid: [grid[0], ["", *"abcdefghijkl"], *grid[2:]],  # all differ
        lambda grid: [[i, *row[1:]] for i, row in enumerate(grid)],  # no names
    ],
)
def test_a_table_that_may_be_another_one_is_not_refused(write, change):
    names = [c.name for c in describe_columns(write(written(change(GRID))))]
    assert len(names) == len(change(GRID)[0])


def test_an_empty_first_cell_gaps_and_sample_names_that_repeat(write):
    grid = [row[:] for row in GRID]
    grid[0] = ["", *["S1"] * N_SAMPLES]
    grid[3][4] = "NA"
    reading = Reading(label="Label", transpose=True, missing="impute")
    table = read_table(write(written(grid)), reading=reading)
    assert table.missing == {"met 1": 1}
    assert set(table.ids) == {"S1"}
    with pytest.raises(ValueError, match=r"missing value.*row 3"):
        read_table(write(written(grid)), reading=replace(reading, missing="error"))


def test_samples_without_names_of_features(write):
    grid = [row[1:] for row in GRID[1:]]
    table = read_table(write(written(grid)), "x1", transpose=True, header=False)
    assert table.X.tolist() == X.tolist()
    assert table.feature_names == [f"x{j + 2}" for j in range(N_FEATURES)]


def test_two_features_of_one_name_are_refused(write):
    grid = [*GRID, ["met 0", *range(N_SAMPLES)]]
    with pytest.raises(ValueError, match="2 columns named 'met 0'"):
        read_table(write(written(grid)), "Label", transpose=True)


def test_other_data_are_transposed_by_the_caller():
    with pytest.raises(ValueError, match=r"array, such as frame\.T"):
        read_table(pd.DataFrame(X), transpose=True)


def test_the_command_line_says_and_takes_the_option(write, tmp_path):
    path = str(write(written(GRID)))
    refused = CliRunner().invoke(app, ["map", path])
    assert refused.exit_code == 2
    words = " ".join(refused.stderr.split())
    assert "Pass --transpose and --label 'Label', or --read transpose=false" in words
    options = ["--transpose", "--label", "Label", "-m", "lda", "--no-honesty"]
    files = ["-o", str(tmp_path / "lab.html"), "--positions", str(tmp_path / "lab.csv")]
    result = CliRunner().invoke(app, ["map", path, *options, *files])
    assert result.exit_code == 0, result.output
    positions = pd.read_csv(tmp_path / "lab.csv")
    assert positions.iloc[:, 0].tolist() == GRID[0][1:]
