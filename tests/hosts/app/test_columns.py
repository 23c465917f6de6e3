"""Displayed columns, spreadsheets and text formats in the app."""

import io
import warnings

import pytest

from labelscape.datasets import Reading
from labelscape.hosts.app import tasks
from labelscape.hosts.app.records import Source, StoredTable
from labelscape.hosts.app.uploads import Limits

TEXT = "x;photo;note;kind\n1,5;a.png;first;a\n2,5;;second;b\n3,5;a.png;third;a\n"


def described(path, reading=None, beside=None):
    source = Source(path, "mine.csv", beside)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a page is told of them, and nobody else
        return tasks.describe(source, Limits(), print, reading)


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "source.csv"
    file.write_text(TEXT)
    return file


def test_what_was_left_out_of_a_file_is_told_in_the_words_of_the_page(tmp_path):
    path = tmp_path / "source.csv"
    path.write_text("Trees of 2024\n\n" + TEXT + "Total;;;\n")
    about = described(path)
    assert about.n_rows == 3
    first, second = about.notes
    assert first.startswith("'mine.csv': left out 1 line above the header")
    assert first.endswith("choose “Lines above the table”: 0.")
    assert "below the table, 'Total'" in second
    again = described(path, Reading(decimal=",", skip=2, skip_footer=1))
    assert (again.n_rows, again.notes) == (3, [])


def test_pictures_are_opened_only_beside_a_file_of_this_machine(path, tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "a.png").write_bytes(b"\x89PNG")
    reading = Reading(
        label="kind", decimal=",", image="photo", text="note", unlabelled="drop"
    )
    local = tasks._table(Source(path, "mine.csv", folder), reading)
    assert local.images.tolist() == [folder / "a.png", None, folder / "a.png"]
    assert local.texts.tolist() == ["first", "second", "third"]
    by_web = tasks._table(Source(path, "mine.csv"), reading)
    assert by_web.images is None
    assert [(c.name, c.values[0]) for c in by_web.shown] == [("photo", "a.png")]


def test_an_excel_file_is_described_by_its_sheet(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for title in ("One", "Two"):
        sheet = book.create_sheet(title)
        for row in (["x", "kind"], [1.5, "a"], [float(len(title)), "b"], [2.5, "a"]):
            sheet.append(row)
    book.save(tmp_path / "source.xlsx")
    about = described(tmp_path / "source.xlsx")
    assert [column.name for column in about.columns] == ["x", "kind"]
    assert about.notes[0].endswith(
        "read sheet 'One'. For another sheet, choose “Sheet”: Two."
    )
    assert described(tmp_path / "source.xlsx", Reading(sheet="2")).notes == []


def test_a_spreadsheet_that_unpacks_to_too_much_is_refused(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    path = tmp_path / "source.xlsx"
    path.write_bytes(file.getvalue())
    with pytest.raises(ValueError, match="This is the limit of the app"):
        tasks.describe(Source(path, "a.xlsx"), Limits(unpacked=100), print)
    path.write_bytes(file.getvalue()[:-30])
    with pytest.raises(ValueError, match="not a complete Excel file"):
        tasks.describe(Source(path, "a.xlsx"), Limits(), print)


def test_infinite_numbers_are_told_when_a_file_comes(tmp_path):
    path = tmp_path / "source.csv"
    path.write_text("x,y,kind\n1,2,a\ninf,3,b\n3,4,a\n")
    x = described(path).columns[0]
    assert x.problem.startswith("Column 'x' contains inf in line 3")
    assert x.role == "drop"


def test_a_likely_subject_is_proposed_and_dates_are_shown(tmp_path):
    path = tmp_path / "source.csv"
    rows = [
        f"P{i // 4},{i % 28 + 1:02d}.06.2020,{i * i},{'ab'[i // 4 % 2]}"
        for i in range(48)
    ]
    path.write_text("\n".join(["patient,day,size,kind", *rows]))
    about = described(path)
    roles = {column.name: column.role for column in about.columns}
    assert roles == {
        "patient": "group",
        "day": "show",
        "size": "feature",
        "kind": "label",
    }
    assert about.columns[0].remark == "likely a subject"
    assert StoredTable.model_validate_json(about.model_dump_json()) == about


def test_a_class_in_too_few_rows_is_refused_before_a_fit(tmp_path):
    path = tmp_path / "source.csv"
    rows = [
        f"{i * i},{i % 5},{'abc'[i // 20] if i % 20 == 0 else ''}" for i in range(60)
    ]
    path.write_text("\n".join(["x,z,kind", *rows]))
    reading = Reading(label="kind", unlabelled="drop")
    with pytest.raises(
        ValueError, match=r"a class in 3 of 60 rows.*fill the column down"
    ):
        tasks._table(Source(path, "mine.csv"), reading)
    path.write_text(
        "\n".join(["x,z,kind", *(f"{i},{i * i},{'ab'[i % 2]}" for i in range(6))])
    )
    with pytest.raises(
        ValueError, match="6 rows with a class, but at least 10 are needed"
    ):
        tasks._table(Source(path, "mine.csv"), reading)
