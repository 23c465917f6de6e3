"""Detection of the format of a file from its cells."""

import pytest

from labelscape.datasets import Reading, describe_columns
from labelscape.datasets._describe import has_decimal_commas


@pytest.mark.parametrize(
    ("text", "decimal"),
    [
        ("a;b\n1,5;x\n2,25;y\n3;x\n", ","),
        ('a,b\n"1,5",x\n"2,25",y\n"3,5",x\n', ","),
        ("a;b\n1,500;x\n2,250;y\n3,000;x\n", "."),  # these may be thousands
        ("a;b\n1,5;1.5\n2,25;2.5\n3,5;4.5\n", "."),  # both signs: a person must say
        ("a;b\n1,5;x\n2,z;y\n3,5;x\n", "."),
        ("a;b\n1;x\n2;y\n3;x\n", "."),
    ],
)
def test_decimal_commas_are_seen_where_they_can_be_nothing_else(
    tmp_path, text, decimal
):
    path = tmp_path / "table.csv"
    path.write_text(text)
    reading, columns = Reading().detected(path)
    assert reading.decimal == decimal
    assert (columns[0].kind == "number") == (decimal == "," or text.endswith("3;x\n"))


def test_words_of_a_file_with_types_stay_words(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    path = tmp_path / "table.parquet"
    pd.DataFrame({"a": ["1,5", "2,5"] * 4, "b": range(8)}).to_parquet(path)
    assert has_decimal_commas(describe_columns(path))
    assert Reading().detected(path)[0].decimal == "."
