"""The files of a verb: DATA that it reads, and a page, picture or record to write."""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

# Rooms are loaded on first use, for which --help does not wait.
from labelscape import datasets, hosts, plotting
from labelscape._core.errors import InputError, Setting, readable
from labelscape._core.output import check_target, write_atomically
from labelscape.cli._terminal import listed

if TYPE_CHECKING:
    from labelscape.datasets import Reading, Table
    from labelscape.jobs import MapResult

# What files of other formats begin with; all others are text.
_BEGINNINGS = {
    b"PK": ".xlsx",
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\x93NUMPY": ".npy",
    b"\x1f\x8b": ".csv.gz",
}


@contextmanager
def file_of(data: str) -> Iterator[str]:
    """Return the file of DATA; for ``-`` one that holds what came, for a while."""
    if data != "-":
        yield data
        return
    if sys.stdin.isatty():
        raise ValueError(
            "- reads a table from standard input, which is a terminal here. Pipe one "
            "in: cat table.csv | labelscape map - --label COLUMN."
        )
    with TemporaryDirectory(prefix="labelscape-") as folder:
        path = Path(folder, "stdin")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield str(path.rename(path.with_name(f"stdin{_ending(path)}")))


def _ending(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(8)
    if not start:
        raise ValueError("Nothing came from standard input. Pipe a table in.")
    return next((e for b, e in _BEGINNINGS.items() if start.startswith(b)), ".csv")


RowNumbers = Literal["keep", "drop"]


def table_from(
    data: str, reading: "Reading", *, row_numbers: RowNumbers = "drop"
) -> "Table":
    """Return a labelled table from a file or by the name of a data set.

    A file comes first: ``./wine`` is a file even without an extension. Files need a
    label; data sets by name have their own, and take no options of files. Missing
    values are filled in; nothing is scaled. ``row_numbers`` says whether columns that
    are just row numbers are features.
    """
    if not _looks_like_file(data):
        # The decimal sign is detected by default.
        _refuse(data, replace(reading, decimal=reading.decimal or "."))
        return datasets.load(data)
    path = Path(data)
    if not path.exists():
        raise FileNotFoundError(
            f"There is no file {data!r}. 'labelscape datasets' lists the data sets "
            "that have a name."
        )
    if reading.label is None:
        columns = sorted(reading.describe(path), key=lambda one: one.role != "label")
        names = [column.name for column in columns if column.name]  # likely ones first
        raise InputError(
            f"{path.name} needs a column with the classes. Pass ",
            Setting("label"),
            f" with one of: {_some(names)}.",
            parameter="label",
        )
    name = path.name.removesuffix(".gz").split(".")[0] or "table"
    table = replace(reading, row_numbers=row_numbers, missing="impute").read(
        path, readable(name)
    )
    table.check_size()
    return table


def _looks_like_file(data: str) -> bool:
    names = {info.name for info in datasets.available()}
    if data.lower() in names and not Path(data).is_file():
        return False
    return os.sep in data or "." in data or Path(data).exists()


def _refuse(data: str, reading: "Reading") -> None:
    """Refuse options of files for a data set that has a name."""
    for parameter in reading.to_json():
        raise InputError(
            f"The data set {data!r} has its own classes and columns: leave out ",
            Setting(parameter),
            f". To read a file of this name, write ./{data}.",
            parameter=parameter,
        )


def _some(names: list[str], at_most: int = 8) -> str:
    shown = ", ".join(names[:at_most])
    return f"{shown}, …" if len(names) > at_most else shown


# What is written.

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def check_output(path: Path, kinds: tuple[str, ...] = PAGES + PICTURES) -> None:
    """Raise unless a file of this name can be written, before anything is fitted."""
    kind = path.suffix.lower()
    if kind not in kinds:
        wanted = listed(k for k in kinds if k != ".htm")
        raise ValueError(f"The output must end in {wanted}, got {path.name!r}.")
    check_target(path, make_folders=True)
    if kind in PAGES:
        from labelscape.hosts._internal import built

        built("page.js")
    if kind not in PICTURES:
        return
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        from labelscape._core.checks import missing_extra

        missing_extra("matplotlib", "plot", "Writing a picture")


def write_scene(scene: Any, path: Path) -> None:
    """Write a scene as one page; folders on the way are made."""
    from labelscape.scene import encode

    hosts.write_page(path, encode(scene), title=scene.title)


# The picture of a map as a file.

DOTS_PER_INCH = 150


def write_picture(result: "MapResult", path: Path) -> None:
    """Draw a map with its lights and write it; folders on the way are made."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # A figure of its own, unknown to pyplot: nothing to close, and no window.
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    is_solid = result.embedding.shape[1] == 3
    ax = _draw(result, figure.add_subplot(projection="3d" if is_solid else None))
    notes = result.honesty.notes if result.honesty else []
    draw_lights(ax, result.verdict, notes)
    drawn = BytesIO()
    # Text of an SVG stays text: it can be searched, edited and read aloud.
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(drawn, format=path.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    write_atomically(path, drawn.getvalue(), make_folders=True)


def _draw(result: "MapResult", ax: Any) -> Any:
    table, estimator = result.table, result.model[-1]
    title = f"{table.name}: {type(estimator).__name__}, {len(table.X)} rows"
    if hasattr(estimator, "omega_"):
        X = result.model[:-1].transform(table.X)
        return plotting.plot_discriminative_map(
            estimator, X, table.y, title=title, ax=ax
        )
    return plotting.plot_map(result.embedding, table.y, title=title, ax=ax)


# On a picture: shapes and colours of the view, see `tokens.css` there.
SHAPES = {"good": "o", "fair": "D", "bad": "^", "none": "o"}
COLORS = {"good": "#00866f", "fair": "#b88900", "bad": "#a62314", "none": "#7d848d"}
# Letters on a line below a map, and the size of a mark beside them, in points.
LINE, MARK = 84, 9
SMALL = {"size": 7.5, "color": "#5b626b"}


def draw_lights(ax: Any, verdict: Any, notes: Sequence[str] = ()) -> None:
    """Draw the lights of a verdict below a map, and what to know of it below them."""
    from matplotlib.offsetbox import AnchoredOffsetbox, TextArea, VPacker

    rows = [_light(light) for light in verdict.lights]
    rows += [TextArea(fill(note, LINE + 26), textprops=SMALL) for note in notes]
    ax.add_artist(
        AnchoredOffsetbox(
            "upper left",
            child=VPacker(children=rows, align="left", pad=0, sep=4),
            frameon=False,
            bbox_to_anchor=(0, -0.02),
            bbox_transform=ax.transAxes,
            pad=0,
            borderpad=0,
        )
    )


def _light(light: Any) -> Any:
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import DrawingArea, HPacker, TextArea

    color, is_ring = COLORS[light.state], light.state == "none"
    mark = Line2D(
        [MARK / 2],
        [MARK / 2],
        marker=SHAPES[light.state],
        markersize=MARK * (0.75 if light.state == "fair" else 0.9),
        markerfacecolor="none" if is_ring else color,
        markeredgecolor=color if is_ring else "none",
        markeredgewidth=1.6,
    )
    place = DrawingArea(MARK, MARK)
    place.add_artist(mark)
    said = TextArea(
        f"{light.question} {light.answer}", textprops={"size": 9, "weight": "bold"}
    )
    figure = TextArea(fill(light.figure, LINE), textprops=SMALL | {"size": 8})
    return HPacker(children=[place, said, figure], align="center", pad=0, sep=6)


# Records for scripts.


def table_record(table: Any) -> dict[str, Any]:
    """Return what a table holds, in numbers."""
    return {
        "data": table.name,
        "rows": len(table.X),
        "features": len(table.feature_names),
        "classes": [] if table.y is None else sorted({*map(str, table.y)}),
        "missing": table.missing,
        "group": (
            {"column": table.group_column, "groups": table.n_groups}
            if table.n_groups is not None
            else None
        ),
        "shown": [column.name for column in table.shown],
    }


def json_text(record: dict[str, Any], written: Path | None) -> str:
    """Return a record as text, with the path of the file that was written, if any."""
    whole = record | {"output": None if written is None else str(written)}
    return readable(json.dumps(whole, indent=2, ensure_ascii=False))


def table_summary(table: Any) -> str:
    """Return one line about a table, with the number of imputed values.

    Dates are named: the day of a measurement may tell its class for no good reason.
    """
    dates = [code.name for code in table.encoder.codes if code.kind == "date"]
    days = f", dates as numbers of days: {', '.join(dates)}" if dates else ""
    return f"{table.name}: {table.summary}{days}"
