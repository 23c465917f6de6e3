from labelscape._core.tables import html_table, text_table


def test_names_stand_left_and_numbers_right():
    text = text_table(["class", "d"], [["oak", "1.5"], ["willow", "12"]])
    assert text.splitlines() == ["class     d", "oak     1.5", "willow   12"]


def test_lines_have_no_trailing_space():
    text = text_table(["a", "note"], [["1", ""], ["2", "long note"]], left=(0, 1))
    assert all(line == line.rstrip() for line in text.splitlines())


def test_html_shows_markup_as_text():
    html = html_table(["<b>"], [["a & b"]])
    assert "<th>&lt;b&gt;</th>" in html
    assert "<td>a &amp; b</td>" in html
