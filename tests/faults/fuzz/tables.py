"""From a seed to a file with a table in it: written oddly, and perhaps damaged."""

import csv
import gzip
import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import openpyxl
import pandas as pd

from labelscape.cli._files import table_from
from labelscape.datasets import Reading, Table, describe_columns, read_table

WORDS = ["oak", "pine", "fir", "a,b", 'quo"te', "Äpfel", "日本", "", "NA", "1e5", " x "]
DAMAGES = [
    ("cut", lambda data, at, rng: data[:at]),
    ("a hole", lambda data, at, rng: data[:at] + data[at + rng.randint(1, 40) :]),
    (
        "a flipped byte",
        lambda data, at, rng: _put(data, at, bytes([rng.randrange(256)])),
    ),
    ("a NUL", lambda data, at, rng: data[:at] + b"\0" + data[at:]),
    ("noise", lambda data, at, rng: data[:at] + rng.randbytes(12) + data[at:]),
    ("an open quote", lambda data, at, rng: data[:at] + b'"' + data[at:]),
    ("another delimiter", lambda data, at, rng: data[:at] + b";\t|," + data[at:]),
    ("a line end", lambda data, at, rng: data[:at] + b"\r\n\n" + data[at:]),
    ("a huge cell", lambda data, at, rng: data[:at] + b"7" * 200_000 + data[at:]),
    ("twice", lambda data, at, rng: data + data),
    ("empty", lambda data, at, rng: b""),
    ("a mark of UTF-16", lambda data, at, rng: b"\xff\xfe" + data),
    ("a decimal comma", lambda data, at, rng: data.replace(b".", b",")),
    ("another encoding", lambda data, at, rng: data + "\nÄ,é,ß".encode("latin-1")),
]


@dataclass(frozen=True)
class TableCase:
    """A file, how it is read, and what it must hold if it can be read."""

    path: Path
    read: Callable[[dict[str, Any]], Any]
    words: str
    truth: np.ndarray | None
    has_all_rows: bool = False

    def __str__(self) -> str:
        return self.words

    def wrong(self, result: Any) -> str:
        """Return what is wrong with what was read; empty: nothing."""
        if not isinstance(result, Table):
            return ""
        X, y = result.X, result.y
        if X.shape[1] != len(result.feature_names) or not X.size:
            return f"X of shape {X.shape} with {len(result.feature_names)} names"
        if y is not None and (len(y) != len(X) or len(set(y.tolist())) < 2):
            return f"{len(y)} labels for {len(X)} rows"
        if self.has_all_rows and self.truth is not None and len(X) != len(self.truth):
            return f"{len(X)} rows of {len(self.truth)}"
        if (
            self.truth is not None
            and len(X) == len(self.truth)
            and "size" in result.feature_names
        ):
            read = X[:, result.feature_names.index("size")]
            if not np.array_equal(read, self.truth):
                return "other numbers than those of the file"
        return ""


def table_case(seed: int) -> TableCase:
    """Return the case of a seed: a file is written where we stand."""
    rng = Random(seed)
    frame = _frame(rng)
    write = rng.choice([_text, _text, _text, _arrow, _arrow, _numpy, *[_excel] * 3])
    name, data, options, words = write(frame, rng)
    n_damages = rng.choice([0, 0, 0, 1, 1, 2])
    for damage, change in rng.sample(DAMAGES, n_damages):
        data, words = (
            change(data, rng.randrange(len(data) + 1), rng),
            f"{words}, {damage}",
        )
    if write is _excel and not n_damages and rng.random() < 0.3:
        data, change = _reshaped(data, rng)
        n_damages, words = 1, f"{words}, {change}"
    path = Path(name)
    path.write_bytes(data)
    others = [name for name in frame if name not in ("size", "kind")]
    how, read = _reader(rng, options, others or ["absent"])
    truth = None if n_damages else frame["size"].to_numpy(dtype=float)
    is_whole = write is _excel and "unlabelled" not in how and "skip" not in how
    return TableCase(path, read, f"{how} of {name}: {words}", truth, is_whole)


def _put(data: bytes, at: int, byte: bytes) -> bytes:
    return data[:at] + byte + data[at + 1 :]


def _frame(rng: Random) -> pd.DataFrame:
    """Return a table with a feature whose numbers are known, and odd columns."""
    n = rng.choice([0, 1, 2, 12, 12, 24, 40, 40])
    columns: dict[str, Any] = {
        "size": [round(rng.gauss(0, 10), 3) for _ in range(n)],
        "kind": [rng.choice("abc") for _ in range(n)],
    }
    odd: dict[str, Callable[[], Any]] = {
        "words": lambda: rng.choice(WORDS),
        "big": lambda: rng.choice([2**53 + 1, 2**62 + 1, -(2**60)]),
        "day": lambda: pd.Timestamp(2000 + rng.randrange(40), 1, 1 + rng.randrange(28)),
        "truth": lambda: rng.random() < 0.5,
        "gaps": lambda: rng.choice([1.5, None, 2.5]),
        "nothing": lambda: None,
        "far": lambda: rng.choice([1e308, -1e308, 1e-308, float("inf"), 0.0]),
        "same": lambda: 1,
        "mixed": lambda: rng.choice([1, "1,5", "x", None]),
        "": lambda: 1.0,
        "size ": lambda: 2.0,
    }
    for name in rng.sample(list(odd), rng.choice([0, 0, 1, 1, 2, 3])):
        columns[name] = [odd[name]() for _ in range(n)]
    if rng.random() < 0.03:
        columns |= {f"x{i}": [0.5 * i] * n for i in range(3000)}
    frame = pd.DataFrame(columns)
    return frame.astype({"kind": "category"}) if rng.random() < 0.2 else frame


def _text(frame: pd.DataFrame, rng: Random) -> tuple[str, bytes, dict[str, Any], str]:
    delimiter = rng.choice([",", ";", "\t", "|", " "])
    encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
    end = rng.choice(["\n", "\r\n", "\r"])
    header = rng.random() < 0.9
    file = io.StringIO(newline="")
    frame.to_csv(
        file,
        sep=delimiter,
        index=False,
        header=header,
        lineterminator=end,
        quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
        decimal=rng.choice([".", "."]) if delimiter == "," else ".",
    )
    titled = rng.choice(["", "", "", f"Report of 2024{end}{end}"])
    noted = rng.choice(["", "", "", f"{end}Source: by hand{end}"])
    data = f"{titled}{file.getvalue()}{noted}".encode(encoding, "replace")
    packed = rng.random() < 0.15
    name = f"table.{rng.choice(['csv', 'tsv', 'txt', 'data'])}{'.gz' * packed}"
    said = {} if rng.random() < 0.5 else {"delimiter": delimiter, "header": header}
    words = f"{delimiter!r} {encoding} {end!r}{'' if header else ' without names'}"
    return name, gzip.compress(data, mtime=0) if packed else data, said, words


def _excel(frame: pd.DataFrame, rng: Random) -> tuple[str, bytes, dict[str, Any], str]:
    """A workbook as people make them: titles, totals, margins, formulas, errors."""
    book = openpyxl.Workbook()
    sheet, words = book.active, [f"columns {list(frame)[:6]}"]
    sheet.title = "Data"
    rows = [list(frame), *frame.astype(object).to_numpy(dtype=object).tolist()]
    rows = [[_cell(value) for value in row] for row in rows]
    if rng.random() < 0.3:
        rows, words = [["Report of 2024"], [], *rows], [*words, "a title"]
    if rng.random() < 0.3:
        rows, words = [*rows, [], ["Total", 7.5]], [*words, "a total"]
    margin = rng.choice([0, 0, 2])
    for row in rows:
        sheet.append([*[None] * margin, *row])
    if rng.random() < 0.2:
        sheet.merge_cells(start_row=1, end_row=1, start_column=1, end_column=2)
    if rng.random() < 0.2:
        book.create_sheet("Notes").append(["Made by hand"])
    if rng.random() < 0.2:
        book.create_sheet("Cover", 0).append([rng.choice(["About", None])])
    if rng.random() < 0.3 and len(rows) > 3:
        odd = rng.choice(["=1/0", "#N/A", "#DIV/0!", "=SUM(A1:A3)", 1e400, "x" * 4000])
        column = margin + 1 + len(frame.columns)
        sheet.cell(1 + rows.index(list(map(_cell, frame))), column, "odd")
        sheet.cell(len(rows) - 2, column, str(odd) if odd == 1e400 else odd)
        words.append(f"an odd cell {str(odd)[:9]}")
    file = io.BytesIO()
    book.save(file)
    data = file.getvalue()
    name = rng.choice(["table.xlsx", "table.xlsx", "table.xlsm"])
    said: dict[str, Any] = rng.choice([{}, {}, {"sheet": "Data"}, {"sheet": 1}])
    return name, data, said, ", ".join(words)


def _cell(value: Any) -> Any:
    return None if value is None or value is pd.NaT or value != value else value


# Promises and parts of a workbook that are not as they should be.
XML = [
    (b'ref="A1', b'ref="A1:XFD1048576" x="'),
    (b"<sheetData>", b'<sheetData><row r="99999999999"></row>'),
    (b"<sheetData>", b"<sheetData><row><c><v>1</v>"),
    (b't="n"', b't="b"'),
    (b't="s"', b't="n"'),
    (b"<v>0</v>", b"<v>99999999</v>"),
    (b"<v>", b"<v>1e999"),
    (b"<?xml", b'<!DOCTYPE a [<!ENTITY b "c">]><?xml'),
    (b"<sheets>", b"<sheets><sheet name='x'/>"),
    (b"<cellXfs", b"<cellXfs_"),
]


def _reshaped(data: bytes, rng: Random) -> tuple[bytes, str]:
    """Return a workbook with one of its parts changed, or without it."""
    old, new = rng.choice(XML)
    left_out = rng.choice(["", "", "", "styles", "workbook.xml", "sharedStrings"])
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as whole,
        zipfile.ZipFile(file, "w") as changed,
    ):
        for name in whole.namelist():
            if not left_out or left_out not in name:
                part = whole.read(name)
                part = part if left_out else part.replace(old, new, 1)
                changed.writestr(name, part)
    return file.getvalue(), f"without {left_out}" if left_out else f"{new[:20]!r}"


def _arrow(frame: pd.DataFrame, rng: Random) -> tuple[str, bytes, dict[str, Any], str]:
    file, name = io.BytesIO(), rng.choice(["parquet", "feather", "arrow"])
    if "mixed" in frame:
        frame = frame.astype({"mixed": str})
    if rng.random() < 0.4:
        lengths = rng.choice([[3], [3], [3], [2, 3], [0, 3], [0]])
        odd = rng.choice([[], [], [], [None], [float("nan")], [float("inf")]])
        rows = [
            rng.choices([0.5, 1.5, *odd], k=rng.choice(lengths)) for _ in frame.index
        ]
        gaps = rng.choice([[], [], [None]])
        rows = [rng.choice([row, row, *gaps]) for row in rows]
        frame = frame.assign(vector=pd.Series(rows, dtype=object))
    if name == "parquet":
        frame.to_parquet(file, compression=rng.choice(["snappy", "gzip", None]))
    else:
        frame.to_feather(file, compression=rng.choice(["lz4", "uncompressed"]))
    return f"table.{name}", file.getvalue(), {}, f"columns {list(frame)[:6]}"


def _numpy(frame: pd.DataFrame, rng: Random) -> tuple[str, bytes, dict[str, Any], str]:
    file = io.BytesIO()
    X = np.column_stack([frame["size"], np.arange(len(frame)) % 3.0])
    X = X.astype(rng.choice(["f8", ">f8", "f4", "f2", "i8", "c16", "U9", "O", "M8[s]"]))
    if rng.random() < 0.5:
        np.save(file, X)
        return "table.npy", file.getvalue(), {"label": 1}, f"{X.dtype} {X.shape}"
    y = frame["kind"].astype(str).to_numpy(dtype=rng.choice(["U3", "O", "S1"]))
    save = rng.choice([np.savez, np.savez_compressed])
    label = rng.choice(["y", "kind"])
    save(file, **{"X": X, label: y})
    return "table.npz", file.getvalue(), {"label": label}, f"{X.dtype} {X.shape}"


def _reader(
    rng: Random, options: dict[str, Any], others: list[str]
) -> tuple[str, Callable[[Any], Any]]:
    """Return a way to read the file: as programs do, or the terminal."""
    label = options.pop("label", "kind")
    if rng.random() < 0.2:
        label = rng.choice([None, 1, -1, "size", "absent", "words"])
    more = options | rng.choice(
        [
            {},
            *[{"missing": "impute"}] * 8,
            {"missing": "impute", "unlabelled": "drop"},
            {"missing": "impute", "drop": ["size"]},
            {"missing": "impute", "nominal": ["size"]},
            {"missing": "impute", "id": "words"},
            {"missing": "impute", "decimal": ","},
            {"missing": "impute", "encoding": "utf-8"},
            {"missing": "impute", "decimal": None},
            {"missing": "impute", "show": others},
            {"missing": "impute", "show": others[:1]},
            {"missing": "impute", "text": others[0]},
            {"missing": "impute", "skip": 1, "skip_footer": 1},
        ]
    )
    said = ", ".join(f"{k}={v!r}" for k, v in ({"label": label} | more).items())
    if rng.random() < 0.15:
        written = Reading(**options)
        return "description", lambda given: describe_columns(
            given["path"], reading=written
        )
    reading = Reading(label=label, **more)
    if rng.random() < 0.3:
        return f"terminal ({said})", lambda given: table_from(given["path"], reading)
    return f"table ({said})", lambda given: read_table(given["path"], reading=reading)
