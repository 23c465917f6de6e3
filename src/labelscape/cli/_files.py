"""Files of a command: the input DATA, and the pages, images and JSON it writes."""

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import typer

# Packages are loaded on first use, so that --help is fast.
from labelscape import datasets, hosts, plotting
from labelscape._core.errors import CONTROLS, InputError, Setting, readable
from labelscape._core.output import check_target, write_atomically
from labelscape.cli import messages
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading, Table
    from labelscape.jobs import Begin, MapResult, RunOrder

# First bytes of files that are not plain text. All other files are text.
_BEGINNINGS = {
    b"PK": ".xlsx",
    b"PAR1": ".parquet",
    b"ARROW1": ".arrow",
    b"\x93NUMPY": ".npy",
    b"\x1f\x8b": ".csv.gz",
}


@contextmanager
def file_of(data: str) -> Iterator[str]:
    """Yield the path DATA; for ``-``, the path of a copy of standard input."""
    if data != "-":
        yield data
        return
    if sys.stdin.isatty():
        raise ValueError(messages.STDIN_IS_TERMINAL)
    with TemporaryDirectory(prefix="labelscape-") as folder:
        path = Path(folder, "stdin")
        with path.open("wb+") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
            file.seek(0)
            start = file.read(8)
        if not start:
            raise ValueError(messages.STDIN_IS_EMPTY)
        endings = (e for b, e in _BEGINNINGS.items() if start.startswith(b))
        yield str(path.rename(path.with_suffix(next(endings, ".csv"))))


def name_of(data: str) -> str:
    """Return the name of the table in DATA."""
    if not _is_path(data):
        return datasets.DatasetInfo.named(data).name
    return readable(Path(data).name.removesuffix(".gz").split(".")[0] or "table")


def table_from(
    data: str, reading: "Reading", *, row_numbers: Literal["keep", "drop"] = "drop"
) -> "Table":
    """Return the labeled table in a file, or the data set with this name."""
    # ``./wine`` is a file. Data sets have a fixed label, and accept no file options.
    if not _is_path(data):
        # The decimal sign is detected by default.
        for parameter in replace(reading, decimal=reading.decimal or ".").to_json():
            raise InputError(
                f"The data set {data!r} has its own classes and columns: leave out ",
                Setting(parameter),
                f". To read a file of this name, write ./{data}.",
                parameter=parameter,
            )
        return datasets.load(data)
    path = Path(data)
    if not path.exists():
        raise FileNotFoundError(messages.NO_FILE.format(data))
    if reading.label is None and not path.is_dir():
        columns = sorted(reading.describe(path), key=lambda one: one.role != "label")
        names = [column.name for column in columns if column.name]  # likely ones first
        raise InputError(
            f"{path.name} needs a column with the classes. Pass ",
            Setting("label"),
            f" with one of: {', '.join(names[:8])}{', …' * (len(names) > 8)}.",
            parameter="label",
        )
    reading = replace(reading, row_numbers=row_numbers, missing="impute")
    table = reading.read(path, name_of(data))
    table.check_size()
    return table


def table_of(order: "RunOrder", begin: "Begin") -> "Table":
    """Read the table of a run, as a step."""
    begin(Step("reading", order.table))
    return table_from(order.table, order.reading)


def _is_path(data: str) -> bool:
    names = {info.name for info in datasets.available()}
    if data.lower() in names and not Path(data).is_file():
        kinds = (guess_type(one.name)[0] for one in Path(data).glob("*/*"))
        return any(str(kind).startswith("image/") for kind in kinds)
    return os.sep in data or "." in data or Path(data).exists()


# Output files.

PAGES = (".html", ".htm")
PICTURES = (".png", ".svg", ".pdf")


def target(
    output: Path | None,
    data: str,
    ending: str = ".html",
    kinds: tuple[str, ...] = PAGES,
) -> Path:
    """Check and return the path of the output; it is named after DATA by default."""
    path = output or Path(f"{name_of(data)}{ending}")
    check_output(path, kinds)
    return path


def check_output(path: Path, kinds: tuple[str, ...] = PAGES + PICTURES) -> None:
    """Raise an error if this file cannot be written; called before any fit."""
    kind = path.suffix.lower()
    if kind not in kinds:
        endings = messages.listed(k for k in kinds if k != ".htm")
        raise ValueError(messages.WRONG_ENDING.format(endings, path.name))
    check_target(path, make_folders=True)
    if kind in PAGES:
        from labelscape.hosts._internal import built

        built("page.js")
    if kind in PICTURES:
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            from labelscape._core.errors import missing_extra

            missing_extra("matplotlib", "plot", "Writing a picture")


def write_scene(scene: Any, path: Path) -> None:
    """Write a scene as one page; missing folders are created."""
    from labelscape.scene import encode

    hosts.write_page(path, encode(scene), title=scene.title)


# The picture of a map as a file.

DOTS_PER_INCH = 150


def write_picture(result: "MapResult", path: Path) -> None:
    """Draw a map with its verdict, and write it; missing folders are created."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # Not a pyplot figure, so there is no window and nothing to close.
    figure = Figure(figsize=(7.2, 5.6), layout="constrained")
    table, estimator = result.table, result.model[-1]
    is_solid = result.embedding.shape[1] == 3
    ax = figure.add_subplot(projection="3d" if is_solid else None)
    title = f"{table.name}: {type(estimator).__name__}, {len(table.X)} rows"
    if hasattr(estimator, "omega_"):
        X = result.model[:-1].transform(table.X)
        plotting.plot_discriminative_map(estimator, X, table.y, title=title, ax=ax)
    else:
        plotting.plot_map(result.embedding, table.y, title=title, ax=ax)
    notes = result.honesty.notes if result.honesty else []
    draw_lights(ax, result.verdict, notes)
    content = BytesIO()
    # Text of an SVG remains text, which can be searched, edited and read aloud.
    with rc_context({"svg.fonttype": "none"}):
        figure.savefig(content, format=path.suffix[1:].lower(), dpi=DOTS_PER_INCH)
    write_atomically(path, content.getvalue(), make_folders=True)


# Shapes and colors of the view, see `tokens.css` there.
SHAPES = {"good": "o", "fair": "D", "bad": "^", "none": "o"}
COLORS = {"good": "#00866f", "fair": "#b88900", "bad": "#a62314", "none": "#7d848d"}
# Letters per line below a map, and the size of a mark next to them, in points.
LINE, MARK = 108, 9
SMALL = {"size": 7.5, "color": "#5b626b"}


def draw_lights(ax: Any, verdict: Any, notes: Sequence[str] = ()) -> None:
    """Draw the answers of a verdict, with colored marks, and notes below a map."""
    from matplotlib.offsetbox import AnchoredOffsetbox, TextArea, VPacker

    rows = [_light(light) for light in verdict.lights]
    rows += [TextArea(fill(note, LINE), textprops=SMALL) for note in notes]
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
    text = f"{light.question} {light.answer}"
    answer = TextArea(text, textprops={"size": 9, "weight": "bold"})
    words = fill(light.figure, LINE - len(text))
    figure = TextArea(words, textprops=SMALL | {"size": 8})
    return HPacker(children=[place, answer, figure], align="center", pad=0, sep=6)


# Results for people and for scripts.


def show_result(
    result: Any, parts: Iterable[Any], order: "RunOrder", path: Path, as_json: bool
) -> None:
    """Print a result in paragraphs, or as one JSON object."""
    table = result.table
    if as_json:
        record = table_record(table) | result.record() | {"seed": order.seed}
        typer.echo(json_text(record, path))
    else:
        summary = messages.table_summary(table)
        typer.echo(messages.paragraphs([summary, *parts], path))


def table_record(table: "Table") -> dict[str, Any]:
    """Return the size, classes, groups and other properties of a table."""
    group = {"column": table.group_column, "groups": table.n_groups}
    return {
        "data": table.name,
        "rows": len(table.X),
        "features": len(table.feature_names),
        "classes": [] if table.y is None else sorted({*map(str, table.y)}),
        "missing": table.missing,
        "group": None if table.n_groups is None else group,
        "shown": [column.name for column in table.shown],
    }


def json_text(record: dict[str, Any], written: Path | None) -> str:
    """Return a record as JSON, with the path of the written file, if any."""
    output = None if written is None else str(written)
    text = json.dumps(record | {"output": output}, indent=2, ensure_ascii=False)
    # Escaped as JSON does it, so that a program reads the name as it is.
    return readable(CONTROLS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text))
