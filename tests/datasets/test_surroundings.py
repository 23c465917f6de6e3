"""Titles above and notes below a table, detected or given."""

import pytest

from labelscape._core.errors import InputWarning
from labelscape.datasets import Reading, describe_columns, read_table

TABLE = "name;size;kind\na;1.5;oak\nb;2;fir\nc;3;oak\n"
TITLES = [
    "Report of 2024\n",
    "Report, of 2024\n\n",
    "Report of 2024;;\n;;\n",
    "Trees\nmeasured by hand; in May\n\n\n",
    ";Group A\n",
]
NOTES = [
    "\nmeasured in May\n",
    "Total;6.5\n",
    "Total;6.5;\n",
    ";;\nSource: us;;\n",
    "\nTotal;6.5;all\n",
]


def read(path, **given):
    return read_table(path, "kind", id="name", reading=Reading(**given))


@pytest.mark.parametrize("title", TITLES)
def test_titles_above_the_header_are_left_out_and_said(write, title):
    with pytest.warns(InputWarning, match=r"left out \d lines? above.*pass skip=0"):
        table = read(write(title + TABLE))
    assert table.X[:, 0].tolist() == [1.5, 2, 3]
    assert table.ids.tolist() == ["a", "b", "c"]


@pytest.mark.parametrize("note", NOTES)
def test_notes_below_the_table_are_left_out_and_said(write, note):
    with pytest.warns(InputWarning, match=r"below the table.*pass skip_footer=0"):
        table = read(write(TABLE + note))
    assert table.y.tolist() == ["oak", "fir", "oak"]


@pytest.mark.parametrize("title", TITLES)
def test_lines_are_skipped_without_a_word_when_said(write, title):
    path = write(f"{title}{TABLE}Total\nand more\n")
    n = title.count("\n")
    table = read(path, skip=n, skip_footer=2)
    assert table.X[:, 0].tolist() == [1.5, 2, 3]
    names = [
        c.name for c in describe_columns(path, reading=Reading(skip=n, skip_footer=2))
    ]
    assert names == ["name", "size", "kind"]


def test_nothing_is_left_out_when_said(write):
    with pytest.raises(ValueError, match=r"Line 2 .* has 3 fields"):
        read(write("Report\n" + TABLE), skip=0, delimiter=";")
    with pytest.raises(ValueError, match=r"Line 5 .* has 1 field,"):
        read(write(TABLE + "Total\n"), skip_footer=0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TABLE + "d;4\n", 5),  # cut, perhaps
        (TABLE + "Total\nd;4;oak\n", 5),  # not the end
        ("a\n1;2\n3;4\n", 2),  # numbers are no names
        ("a\nx;y\nz;w\n", 2),  # which of the lines has the names?
    ],
)
def test_what_is_not_clear_is_asked(write, text, line):
    with pytest.raises(ValueError, match=f"Line {line} .* fields?, but the header"):
        read_table(write(text), reading=Reading(delimiter=";"))


def test_lines_are_counted_from_the_beginning_of_the_file(write):
    text = "Report of 2024\n\n" + TABLE + "d;4\ne;5;fir\n"
    with pytest.raises(ValueError, match="Line 7 of"):
        read(write(text))
    with pytest.raises(ValueError, match="Line 7 of"):
        read(write(text), skip=2)


@pytest.mark.parametrize(
    "text",
    [
        ",x,kind\nr1,1,a\nr2,2,b\n",  # row numbers without a name
        "x,kind\n1,a\n\n2,b\n",  # an empty line inside
        "name,x,kind\nTotal,1,a\nn,2,b\n",  # not the last
        "name,x,kind\nn,1,a\nTotal,2,b\n",  # a whole row
    ],
)
def test_an_odd_table_is_not_taken_for_a_title_or_a_note(write, text):
    n_rows = 2
    assert describe_columns(write(text))[0].n_rows == n_rows


@pytest.mark.parametrize("given", [{"skip": -1}, {"skip_footer": 1.5}, {"sheet": 0}])
def test_what_can_not_be_is_refused(write, given):
    (name,) = given
    with pytest.raises(ValueError, match=f"read_table: {name} must be"):
        read(write(TABLE), **given)


def test_a_comment_at_the_end_is_left_out(write):
    path = write("# made by a machine\n\nx,y,class\n1,2,a\n3,4,b\n# the end\n")
    with pytest.warns(UserWarning, match="left out 1 line") as said:
        table = read_table(path, "class")
    assert table.X.tolist() == [[1, 2], [3, 4]]
    assert ["'# made" in str(said[0].message), "'# the" in str(said[1].message)]


def test_a_short_line_may_stand_below_the_table(write):
    path = write("x,y,class\n1,2,a\n3,4,b\nthe end\n")
    with pytest.raises(ValueError, match=r"has 1 field, .*skip_footer=1") as told:
        read_table(path, "class")
    given = {one.parameter: one.value for one in told.value.advice[:1]}
    assert len(read_table(path, "class", reading=Reading(**given)).X) == 2


def test_names_that_stand_further_down_can_be_asked_for(write):
    path = write("size,,kind\nheight,width,class\n1,2,a\n3,4,b\n")
    with pytest.raises(ValueError, match=r"no column 'class'.*pass skip=1"):
        read_table(path, "class")
    assert read_table(path, "class", reading=Reading(skip=1)).feature_names == [
        "height",
        "width",
    ]


def test_a_number_twice_in_the_first_line_is_a_row_without_names(write):
    with pytest.raises(ValueError, match=r"contains numbers where .*header=False"):
        read_table(write("1,a,1\n2,b,2\n"), "a")
