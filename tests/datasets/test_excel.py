"""Excel files: types of cells, and unusual files."""

import zipfile
from datetime import date, datetime, time

import numpy as np
import pytest

from labelscape._core.errors import InputWarning
from labelscape.datasets import Reading, describe_columns, read_table
from labelscape.datasets.files import excel

openpyxl = pytest.importorskip("openpyxl")

ROWS = [
    ["kind", "size", "fine", "day", "wood", "code"],
    ["oak", 1.5, True, datetime(1970, 1, 2, 12), "hard", "007"],
    ["fir", 2, False, datetime(1970, 1, 3), "soft", "012"],
    ["oak", 3, True, datetime(1970, 1, 4), "hard", "007"],
]


@pytest.fixture
def book(tmp_path):
    """Write sheets, each a list of rows, into a file and return its path."""

    def write(name="trees.xlsx", **sheets):
        made = openpyxl.Workbook()
        made.remove(made.active)
        for title, rows in sheets.items():
            sheet = made.create_sheet(title)
            for row in rows:
                sheet.append(row)
        made.save(tmp_path / name)
        return tmp_path / name

    return write


def test_cells_are_what_their_types_say(book):
    table = read_table(book(Sheet1=ROWS), "kind", show=["code"], keep=["day"])
    names = ["size", "fine", "day", "wood=soft"]
    assert table.feature_names == names
    wanted = [[1.5, 1, 1.5, 0], [2, 0, 2, 1], [3, 1, 3, 0]]
    np.testing.assert_array_equal(table.X, wanted)
    assert table.y.tolist() == ["oak", "fir", "oak"]
    assert table.shown[0].values.tolist() == ["007", "012", "007"]
    assert table.name == "trees"


def test_a_sheet_reads_like_the_text_file_of_the_same_cells(book, write):
    rows = [["x", "y", "kind"], [1, "1.5", "a"], ["2", 2.5, "b"], [None, "3", "a"]]
    rows.append([4, "NA", "b"])
    text = "x,y,kind\n1,1.5,a\n2,2.5,b\n,3,a\n4,NA,b\n"
    sheet = read_table(book(s=rows), "kind", missing="impute")
    same = read_table(write(text), "kind", missing="impute")
    np.testing.assert_array_equal(sheet.X, same.X)
    assert describe_columns(book(s=rows)) == describe_columns(write(text))


def test_errors_of_formulas_are_missing_values(book):
    rows = [["x", "kind"], ["#DIV/0!", "a"], [2, "b"], ["#N/A", "a"], [-999, "b"]]
    rows = [[*row, "z" if row[0] == "x" else 1] for row in rows]
    path = book(s=rows)
    table = read_table(
        path, "kind", missing="impute", reading=Reading(missing_values=["-999"])
    )
    assert table.missing == {"x": 3}
    assert table.X[:, 0].tolist() == [2.0] * 4


def test_whole_numbers_are_ids_and_classes(book):
    rows = [["id", "x", "kind"], [2**50, 1, 1], [7, 2, 2], [8, 3, 1]]
    table = read_table(book(s=rows), "kind", id="id")
    assert table.ids.tolist() == [2**50, 7, 8]
    assert table.y.tolist() == [1, 2, 1]


def test_the_first_sheet_with_a_table_is_read_and_others_named(book):
    path = book(Cover=[["About"]], Trees=ROWS, More=[["x", "kind"], [1, "a"], [2, "b"]])
    with pytest.warns(InputWarning, match="read sheet 'Trees'.*pass sheet='More'"):
        assert len(describe_columns(path)) == 6
    assert len(describe_columns(path, reading=Reading(sheet="More"))) == 2
    assert len(describe_columns(path, reading=Reading(sheet=3))) == 2
    assert len(describe_columns(path, reading=Reading(sheet="3"))) == 2
    with pytest.raises(
        ValueError, match=r"no sheet 'Tree'\. Choose a name .'Cover', 'Trees'"
    ):
        describe_columns(path, reading=Reading(sheet="Tree"))


def test_only_a_spreadsheet_has_sheets(write):
    with pytest.raises(ValueError, match=r"'table\.csv' has no sheets"):
        read_table(write("x\n1\n2\n"), reading=Reading(sheet=1))


def test_a_table_may_stand_anywhere_with_titles_and_totals(book):
    rows = [[], [None, "Report of 2024"], [], *([None, *row] for row in ROWS)]
    rows += [[], [None, "Total", 6.5]]
    path = book(s=rows)
    with pytest.warns(InputWarning) as told:
        table = read_table(path, "kind", keep=["day"])
    assert table.X[:, 0].tolist() == [1.5, 2, 3]
    said = [str(one.message) for one in told]
    assert "left out 1 line above the header, 'Report of 2024'" in said[0]
    assert "left out 1 line below the table, 'Total 6.5'" in said[1]
    again = read_table(
        path, "kind", keep=["day"], reading=Reading(skip=3, skip_footer=1)
    )
    np.testing.assert_array_equal(again.X, table.X)


def test_merged_cells_and_times_are_read_as_they_stand(tmp_path):
    made = openpyxl.Workbook()
    sheet = made.active
    for row in (["size", None, "kind"], ["x", "at", "what"], [1, time(9), "a"]):
        sheet.append(row)
    sheet.append([date(2020, 1, 1), time(10, 30), "b"])
    sheet.append([3, time(11), "a"])
    sheet.merge_cells("A1:B1")
    path = tmp_path / "merged.xlsx"
    made.save(path)
    with pytest.raises(ValueError, match="should contain numbers, but contains '2020"):
        read_table(path, "what", reading=Reading(skip=1))
    table = read_table(
        path, "what", nominal=["x"], show=["at"], reading=Reading(skip=1)
    )
    assert table.shown[0].values.tolist() == ["09:00:00", "10:30:00", "11:00:00"]
    assert table.feature_names == ["x=1", "x=2020-01-01", "x=3"]


def test_without_names_columns_are_numbered(book):
    path = book(s=[[1, 2.5], [2, 3.5], [3, 4.5]])
    with pytest.raises(ValueError, match=r"contains numbers .*header=False"):
        read_table(path)
    assert read_table(path, reading=Reading(header=False)).feature_names == ["x1", "x2"]


def bomb(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 2**28)


def entities(path):
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    xml = f'<!DOCTYPE w [<!ENTITY l0 "lol">{laughs}]><w>&l9;</w>'
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", xml)
        archive.writestr("xl/workbook.xml", xml)


BROKEN = {
    "text": (lambda p: p.write_text("a,b\n1,2\n"), "not a readable Excel file"),
    "nothing": (lambda p: p.write_bytes(b""), "not a readable Excel file"),
    "old or encrypted": (
        lambda p: p.write_bytes(b"\xd0\xcf\x11\xe0" + b"\0" * 600),
        r"old \(\.xls\) or an encrypted Excel file.*save it as .xlsx",
    ),
    "a bomb": (bomb, "unlike any real table"),
    "entities": (entities, "damaged Excel file"),
    "another archive": (
        lambda p: zipfile.ZipFile(p, "w").writestr("a.txt", "a"),
        "damaged Excel file",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_no_workbook_is_said_in_words(tmp_path, what):
    make, words = BROKEN[what]
    path = tmp_path / "book.xlsx"
    make(path)
    with pytest.raises(ValueError, match=words):
        read_table(path)


def test_a_sheet_that_promises_too_much_costs_nothing(book, tmp_path):
    path, odd = book(s=ROWS), tmp_path / "odd.xlsx"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(odd, "w") as changed:
        for name in whole.namelist():
            data = whole.read(name)
            if name.endswith("sheet1.xml"):
                data = data.replace(b'ref="A1:F4"', b'ref="A1:XFD1048576"')
                data = data.replace(b'<row r="4"', b'<row r="400000000"')
            changed.writestr(name, data)
    with pytest.raises(ValueError, match="more than 1,048,576 rows"):
        read_table(odd, "kind")


def merged_book(tmp_path, merge=True):
    """Twelve rows below a title, with one class cell for four rows each."""
    made = openpyxl.Workbook()
    sheet = made.active
    sheet.append([None, "Trees of 2024"])
    sheet.append([])
    sheet.append([None, "kind", "size", "width"])
    for i in range(12):
        kind = ("oak", "fir", "ash")[i // 4] if i % 4 == 0 else None
        sheet.append([None, kind, i * i, i % 5])
    sheet.merge_cells("B1:D1")
    if merge:
        for top in (4, 8, 12):
            sheet.merge_cells(f"B{top}:B{top + 3}")
    path = tmp_path / "merged.xlsx"
    made.save(path)
    return path


@pytest.mark.filterwarnings("ignore:.*left out 1 line above the header")
def test_classes_in_merged_cells_belong_to_all_their_rows(tmp_path):
    table = read_table(merged_book(tmp_path), "kind")
    assert table.y.tolist() == ["oak"] * 4 + ["fir"] * 4 + ["ash"] * 4
    assert table.X[:, 0].tolist() == [float(i * i) for i in range(12)]


@pytest.mark.filterwarnings("ignore:.*left out 1 line above the header")
def test_classes_that_are_written_once_per_block_are_refused_with_a_remedy(tmp_path):
    path = merged_book(tmp_path, merge=False)
    words = "once per block of rows.*unmerge the cells and fill the column down"
    with pytest.raises(ValueError, match=rf"the first in cell B5\. .*{words}"):
        read_table(path, "kind")
    with pytest.raises(ValueError, match=f"a class in 3 of 12 rows.*{words}"):
        read_table(path, "kind", reading=Reading(unlabelled="drop"))


def test_cells_are_named_as_a_spreadsheet_does(book):
    rows = [
        [],
        [None, "x", "", "kind"],
        *([None, i * i, i, "ab"[i % 2]] for i in range(30)),
    ]
    rows[7][1] = "n.d."
    with pytest.raises(ValueError, match=r"contains 'n\.d\.' in cell B8"):
        read_table(book(s=rows), "kind", drop=["column C"])
    rows[7][1] = 25
    with pytest.raises(ValueError, match="no name, so it is called 'column C'"):
        read_table(book(s=rows), "kind")


def with_far_cell(path, row, letters):
    """Add a cell far from the table to a sheet."""
    far = f'<row r="{row}"><c r="{letters}{row}"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            if name.endswith("sheet1.xml"):
                content = content.replace(b"</sheetData>", far.encode())
            archive.writestr(name, content)
    return path


def test_a_cell_in_the_last_corner_takes_no_memory(book):
    rows = [["x", "kind"], *([i * i, "ab"[i % 2]] for i in range(30))]
    path = with_far_cell(book(s=rows), 2**20, "XFD")
    # A sheet is held as a grid, which would be 2^34 cells.
    with pytest.raises(ValueError, match="reaches to row 1,048,576 and column XFD"):
        read_table(path, "kind")


def test_a_far_cell_beside_many_rows_is_refused_with_its_place(book, monkeypatch):
    monkeypatch.setattr(excel, "_MOST_CELLS", 10_000)
    rows = [["x", "kind"], *([i * i, "ab"[i % 2]] for i in range(30))]
    path = with_far_cell(book(s=rows), 40, "XFD")
    with pytest.raises(
        ValueError, match=r"reaches to row 40 and column XFD.*delete its row"
    ):
        read_table(path, "kind")
