"""Dates in all formats are displayed, and are features only on request."""

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from labelscape._core.errors import InputWarning
from labelscape.datasets import TableEncoder, read_table


def table_of(write, *days, **how):
    rows = [f'"{day}",{i * i},{"ab"[i % 2]}' for i, day in enumerate(days)]
    return read_table(write("\n".join(["day,x,class", *rows, ""])), "class", **how)


def days_of(write, *days):
    with pytest.warns(InputWarning, match=r"Shown only: 'day' \(dates\)"):
        table = table_of(write, *days)
    assert table.feature_names == ["x"]
    (shown,) = table.shown
    assert shown.kind == "date"
    return shown.values.tolist()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1970-01-02", "1970-02-13"),
        ("02.01.1970", "13.02.1970"),
        ("2.1.1970", "13.2.1970"),
        ("02.01.70", "13.02.70"),
        ("1/2/1970", "2/13/1970"),
        ("2/1/1970", "13/2/1970"),
        ("02-01-1970", "13-02-1970"),
        ("1970/01/02", "1970/2/13"),
    ],
)
def test_dates_are_shown_and_no_features(write, first, second):
    assert days_of(write, first, second, first) == [1.0, 43.0, 1.0]


def test_dates_may_have_times(write):
    days = days_of(write, "02.01.1970 06:00", "02.01.1970 18:00:00", "02.01.1970")
    assert days == [1.25, 1.75, 1.0]
    days = days_of(write, "1/2/1970 6:00 AM", "1/2/1970 12:30 pm", "1/2/1970 12:00 AM")
    np.testing.assert_allclose(days, [1.25, 1.0 + 12.5 / 24, 1.0], atol=1e-12)


def test_where_no_day_is_above_12_a_slash_follows_the_month_and_a_point_the_day(write):
    assert days_of(write, "1/2/1970", "1/3/1970") == [1.0, 2.0]
    assert days_of(write, "2.1.1970", "3.1.1970") == [1.0, 2.0]


def test_what_is_no_date_is_named_with_its_line(write):
    with pytest.raises(
        ValueError, match=r"contain dates, but contains '31\.02\.2020' in line 3"
    ):
        table_of(write, "01.02.2020", "31.02.2020", "05.02.2020")


def test_versions_are_no_dates(write):
    table = table_of(write, "1.2.3", "1.2.4", "1.2.3")
    assert table.feature_names == ["day=1.2.4", "x"]


def test_dates_can_be_kept_and_new_rows_are_read_as_the_old_ones_were(write):
    table = table_of(write, "2/1/1970", "13/2/1970", keep=["day"])
    assert table.X[:, 0].tolist() == [1.0, 43.0]
    new = write("day,x\n2/1/1970,1\n3/1/1970,2\n", "new.csv")  # may be months, too
    again = TableEncoder.from_json(table.encoder.to_json())
    assert again.transform(new)[:, 0].tolist() == [1.0, 2.0]


def test_dates_that_a_frame_holds_as_words_are_dates(tmp_path):
    words = [f"{1 + i:02d}.06.2020" for i in range(12)]
    frame = pd.DataFrame({"day": words, "x": np.arange(12) ** 2, "k": list("ab") * 6})
    frame.to_parquet(tmp_path / "t.parquet")
    for source in (frame, pl.from_pandas(frame), tmp_path / "t.parquet"):
        with pytest.warns(InputWarning, match=r"'day' \(dates\)"):
            table = read_table(source, "k")
        assert table.shown[0].values[1] - table.shown[0].values[0] == 1.0
    assert read_table(frame, "k", id="day").ids.tolist() == words


def test_a_table_of_dates_alone_keeps_them(write):
    table = read_table(write("day,class\n2020-01-01,a\n2020-01-02,b\n"), "class")
    assert table.feature_names == ["day"]


NANOSECONDS = pd.DataFrame(
    {
        "a": np.arange(12) ** 2,
        "k": list("xy") * 6,
        "t": pd.date_range("2020", periods=12, freq="ns"),
    }
)


def nanosecond_sources(folder):
    yield NANOSECONDS
    yield pl.from_pandas(NANOSECONDS)
    arrow = pa.Table.from_pandas(NANOSECONDS)
    yield arrow
    pa.parquet.write_table(arrow, folder / "t.parquet")
    yield folder / "t.parquet"
    pa.feather.write_feather(arrow, folder / "t.feather")
    yield folder / "t.feather"
    yield (
        NANOSECONDS.to_records(index=False)
        .astype([("a", int), ("k", "U1"), ("t", "datetime64[ns]")])
        .view(np.ndarray)
    )


def test_nanoseconds_are_ids_of_their_own(tmp_path):
    for source in nanosecond_sources(tmp_path):
        ids = read_table(source, label="k", id="t").ids
        assert len(set(ids)) == 12, type(source)
        assert ids[1] == "2020-01-01T00:00:00.000000001"


def test_nanoseconds_are_shown_as_dates():
    with pytest.warns(InputWarning, match=r"\(dates\)"):
        (shown,) = read_table(NANOSECONDS, "k").shown
    assert shown.kind == "date"


def test_dates_beyond_the_range_of_nanoseconds_are_read():
    days = [dt.datetime(1000, 1, 1), dt.datetime(2500, 1, 1)]
    frame = pl.DataFrame({"day": days, "x": [1, 2]})
    assert read_table(frame, id="day").ids.tolist() == ["1000-01-01", "2500-01-01"]
