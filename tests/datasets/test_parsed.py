"""A parsed text file gives the same table as the file itself."""

import polars as pl
import pytest

from labelscape.datasets import Reading, describe_columns, read_table
from labelscape.datasets.files import text as module
from labelscape.datasets.files.text import ParsedText

TEXTS = {
    "plain": "name,height,kind\na,1.5,oak\nb,2,fir\nc,,oak\nd,4e-3,fir\n",
    "whole classes": "height,kind\n1.5,1\n2.5,2\n0.25,1\n3,2\n",
    "spelled classes": "height,kind\n1.5,007\n2.5,01\n0.25,007\n3,01\n",
    "classes with points": "height,kind\n1.5,1.0\n2.5,2.0\n0.25,1.0\n3,2.0\n",
    "signed and long": "height,kind\n1.5,+1\n2.5,12345678901234567\n0,+1\n3,+1\n",
    "blanks": "height, kind\n 1.5 , 1\n2.5 ,2 \n NA, 1\n?,2\n",
    "odd numbers": "height,kind\ninf,a\n-0.0,b\n1_000,a\nnan,b\n",
    "decimal commas": "height;leaf;kind\n1,5;3;x\n2,25;4;y\n-;5;x\nNA;6;y\n",
    "numbers from afar": "height,kind\n१,१\n2,२\n3,१\n4,२\n",
    "a gap in the classes": "height,kind\n1.5,1\n2.5,\n0.25,1\n3,2\n4,2\n",
}
OPTIONS = {
    "usual": {},
    "commas": {"decimal": ","},
    "dashes": {"missing_values": ("-",)},
    "both": {"decimal": ",", "missing_values": ("-", "n,a")},
}


def told(source, **reading):
    """Return all bits of a table, or the error message."""
    try:
        table = read_table(source, missing="impute", reading=Reading(**reading))
    except ValueError as error:
        return str(error)
    arrays = (table.X, table.y, table.ids)
    kept = [None if a is None else (a.dtype.str, a.tobytes()) for a in arrays]
    return kept, table.feature_names, table.missing


def sources(path, options, folder):
    """Return a parsed file, and the same file after saving and loading."""
    parsed = ParsedText.of(path, options)
    parsed.write(folder / "columns.parquet")
    return parsed, ParsedText.load(folder / "columns.parquet", path, options)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.filterwarnings("ignore:Left out")
def test_columns_stand_for_their_file(tmp_path, text, options):
    path = tmp_path / "trees.csv"
    path.write_text(text)
    columns = text.partition("\n")[0].replace(" ", "").replace(";", ",").split(",")
    for parsed in sources(path, Reading(**options), tmp_path):
        for way in OPTIONS.values():  # also in another way than it was parsed for
            assert Reading(**way).describe(parsed) == Reading(**way).describe(path)
            for label in columns:
                for more in ({}, {"id": columns[0]}, {"unlabelled": "drop"}):
                    reading = {"label": label} | more | way
                    assert told(parsed, **reading) == told(path, **reading), reading


@pytest.fixture
def counted(monkeypatch):
    """Count how often a text is parsed."""
    calls = []
    real = module._cells
    monkeypatch.setattr(
        module, "_cells", lambda *given: calls.append(given) or real(*given)
    )
    return calls


@pytest.mark.parametrize("name", ["plain", "whole classes", "decimal commas"])
def test_a_text_is_parsed_once(tmp_path, counted, name):
    path = tmp_path / "trees.csv"
    path.write_text(TEXTS[name])
    parsed = ParsedText.of(path, Reading())
    for decimal in ".,":
        describe_columns(parsed, reading=Reading(decimal=decimal))
        told(parsed, label="kind", decimal=decimal)
    assert len(counted) == 1


def test_numbers_that_are_to_stay_words_are_known_by_their_spelling(tmp_path, counted):
    path = tmp_path / "trees.csv"
    path.write_text(TEXTS["spelled classes"])
    parsed = ParsedText.of(path, Reading())
    assert read_table(parsed, label="kind").y.tolist() == ["007", "01", "007", "01"]
    assert len(counted) == 1


def test_what_was_kept_for_another_reading_or_is_damaged_is_not_loaded(
    tmp_path, monkeypatch
):
    path, kept = tmp_path / "trees.csv", tmp_path / "columns.parquet"
    path.write_text(TEXTS["plain"])
    assert ParsedText.load(kept, path, Reading()) is None
    ParsedText.of(path, Reading()).write(kept)
    whole = kept.read_bytes()
    assert ParsedText.load(kept, path, Reading(delimiter=";")) is None
    for damaged in (b"", whole[:-30], whole[:40], b"PAR1" + whole):
        kept.write_bytes(damaged)
        assert ParsedText.load(kept, path, Reading()) is None
    kept.write_bytes(whole)
    assert ParsedText.load(kept, path, Reading()) is not None
    monkeypatch.setattr("labelscape.__version__", "99.0")
    assert ParsedText.load(kept, path, Reading()) is None


def test_an_interrupted_writing_leaves_what_was_there(tmp_path, monkeypatch):
    path, kept = tmp_path / "trees.csv", tmp_path / "columns.parquet"
    path.write_text(TEXTS["plain"])
    parsed = ParsedText.of(path, Reading())
    parsed.write(kept)
    before = kept.read_bytes()

    def full(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr(pl.DataFrame, "write_parquet", full)
    with pytest.raises(OSError, match="No space"):
        parsed.write(kept)
    assert kept.read_bytes() == before
    assert {entry.name for entry in tmp_path.iterdir()} == {
        "trees.csv",
        "columns.parquet",
    }
