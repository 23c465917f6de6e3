"""``labelscape map``: read a table, fit a map, say how far to believe it."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import OPTIONS, plain_errors
from labelscape.cli._lights import lights_text
from labelscape.cli._options import (
    AsJson,
    Data,
    Judge,
    Seed,
    listed,
    reads_a_file,
)
from labelscape.cli._progress import steps
from labelscape.cli._settings import Settings, parameters_of_one
from labelscape.jobs import AUTO, DIMENSIONS, Step, StepName, methods_of

if TYPE_CHECKING:
    from labelscape.datasets import Reading
    from labelscape.datasets._internal import Sampled
    from labelscape.jobs import Begin

MB = 2**20

EXAMPLES = """\b
Examples:
  labelscape map wine
  labelscape map patients.csv --label diagnosis --id patient -o patients.html
  labelscape map digits --method lfda -o digits.svg
  labelscape map digits --dimensions 3
  labelscape map iris --method tsne --set perplexity=50 --json > iris.json
  labelscape map cells.parquet --label kind --landmarks auto --tolerance 0.01
"""


@reads_a_file
def map_command(
    data: Data,
    how: "Reading",
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            help=f"{listed([AUTO, *(one.name for one in methods_of('map'))])}.",
        ),
    ] = AUTO,
    dimensions: Annotated[
        int,
        typer.Option(
            "--dimensions",
            min=2,
            max=3,
            help="Of the map; one with 3 can be turned on the page.",
        ),
    ] = 2,
    settings: Settings = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Page (.html) or picture (.png, .svg, .pdf) to write. [DATA.html]",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option("--model", help="File to keep the map in, for labelscape place."),
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option("--positions", help="Table (.csv) to write the places to."),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions",
            help="Table (.csv) of decisions about labels that a page has saved: they "
            "take the place of those in DATA.",
        ),
    ] = None,
    as_json: AsJson = False,
    judge: Judge = True,
    islands: Annotated[
        bool,
        typer.Option(
            "--islands",
            help="Say which groups on the map are stable: it is fitted 10 times more.",
        ),
    ] = False,
    landmarks: Annotated[
        str | None,
        typer.Option(
            "--landmarks",
            help="Rows that the map is fitted to, or auto for as many as it takes; the "
            "others are placed. If not said, all, or 5,000 where a method takes long.",
        ),
    ] = None,
    tolerance: Annotated[
        float | None,
        typer.Option(
            "--tolerance",
            help="Within what measures of the whole shall be known. [0.02 for "
            "landmarks]",
        ),
    ] = None,
    chunked: Annotated[
        bool,
        typer.Option(
            "--chunked",
            help="Read DATA in pieces, for a map of a sample: a file of Parquet or "
            "text, or a folder of them. --positions has all rows.",
        ),
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            "--cluster",
            help="Address of a Dask scheduler whose workers read DATA in pieces: a "
            "folder of Parquet that they see.",
        ),
    ] = None,
    audit: Annotated[
        bool | None,
        typer.Option(
            "--audit/--no-audit",
            help="Whether to look for wrong labels, and for what is odd about the "
            "table. If not said, it is done for up to 5,000 rows.",
        ),
    ] = None,
) -> None:
    """Draw a map of labelled data, and say how far to believe it.

    Writes one page that opens in any browser, offline. Features are standardised and
    missing values replaced by the mean of their column.
    """
    with plain_errors():
        # Imported here, because they take longer than --help should.
        from labelscape import save
        from labelscape._core.atomic import check_target, write_atomically
        from labelscape.cli._data import table_from
        from labelscape.cli._output import check_output
        from labelscape.jobs import (
            check_kept,
            json_text,
            kept_map,
            map_record,
            map_table,
            method_named,
            noted,
            positions_csv,
            read_decisions,
            relabeled,
            table_record,
            table_summary,
        )

        if method != AUTO:
            method_named(method)
        n_landmarks = _count(landmarks)
        parameters = parameters_of_one(method, settings)
        if dimensions != 2:
            parameters[DIMENSIONS] = dimensions
        if output is not None:
            check_output(output)
        if model is not None:
            check_kept(method)
            check_target(model, make_folders=True)
        if positions is not None:
            check_output(positions, (".csv",))
        in_pieces, n_whole = chunked or cluster is not None, None
        with steps() as begin:
            if in_pieces:
                table, n_whole = _sampled(data, how, seed, cluster, begin)
            else:
                begin(Step("reading", data))
                table = table_from(data, how)
            decided: dict[Any, Any] = {}
            if decisions is not None:
                decided = read_decisions(decisions, table)
                table = relabeled(table, decided)
            path = output or Path(f"{table.name}.html")
            check_output(path)
            result = map_table(
                table,
                method,
                seed=seed,
                judge=judge,
                islands=islands,
                audit=audit,
                n_landmarks=n_landmarks,
                tolerance=tolerance,
                n_whole=n_whole,
                parameters=parameters,
                begin=begin,
            )
            result = noted(result, len(decided))
            begin(Step("drawing"))
            _write(result, path, seed)
            if model is not None:
                model.parent.mkdir(parents=True, exist_ok=True)
                save(kept_map(result, seed=seed), model)
            if positions is not None:
                places: bytes | Iterable[bytes]
                if in_pieces:
                    places = _all_places(result, data, how, begin)
                else:
                    places = positions_csv(table, result.embedding).encode()
                write_atomically(positions, places, make_folders=True)
        if as_json:
            found = table_record(table) | map_record(result)
            typer.echo(json_text(found | {"seed": seed}, path))
        else:
            typer.echo(_as_text(table_summary(table), result, path))


def _count(landmarks: str | None) -> int | str | None:
    """Return a number of landmarks, or what was written in its place."""
    is_number = landmarks is not None and landmarks.isascii() and landmarks.isdigit()
    return int(landmarks or 0) if is_number else landmarks


def _by_megabytes(
    begin: "Begin", name: StepName, data: str
) -> Callable[[int], Callable[[int], None]]:
    """Return what begins a step whose parts are megabytes that were read."""

    def reading(n_bytes: int) -> Callable[[int], None]:
        advance = begin(Step(name, f"{data}, in MB", max(n_bytes // MB, 1)))
        so_far = [0]

        def read(more: int) -> None:
            before = so_far[0] // MB
            so_far[0] += more
            for _ in range(so_far[0] // MB - before):
                advance()

        return read

    return reading


def _all_places(
    result: Any, data: str, how: "Reading", begin: "Begin"
) -> Iterator[bytes]:
    """Return the places of all rows of a table that is read in pieces, once more."""
    from labelscape.datasets._internal import rows_in_pieces
    from labelscape.jobs._internal import positions_by_pieces

    told = _by_megabytes(begin, "placing", f"all rows of {data}")
    pieces = rows_in_pieces(data, how, result.table, told)
    return positions_by_pieces(result.model, pieces, result.embedding.shape[1])


def _sampled(
    data: str, how: "Reading", seed: int, cluster: str | None, begin: "Begin"
) -> "Sampled":
    """Return some rows of a table that is read in pieces, and say how many."""
    from labelscape.datasets._internal import table_in_pieces

    if cluster is not None:
        begin(Step("reading", f"{data} on {cluster}"))
    name = Path(data).name.split(".")[0] or "table"
    reading = _by_megabytes(begin, "reading", data)
    found = table_in_pieces(
        data, how, name=name, cluster=cluster, seed=seed, begin=reading
    )
    n_rows = len(found.table.X)
    if n_rows < found.n:
        typer.echo(f"A sample of {n_rows:,} of {found.n:,} rows.", err=True)
    return found


def _write(result: Any, path: Path, seed: int) -> None:
    from labelscape.cli._output import PAGES, write_scene

    if path.suffix.lower() in PAGES:
        from labelscape.jobs import map_scene

        write_scene(map_scene(result, seed=seed, wording=OPTIONS), path)
    else:
        from labelscape.cli._output import write_picture

        write_picture(result, path)


def _as_text(summary: str, result: Any, path: Path) -> str:
    from labelscape.jobs import audit_lines, verdict_of

    audit = [] if result.audit is None else audit_lines(result.audit, OPTIONS)
    judged = "" if result.honesty is None else str(result.honesty)
    note = result.honesty_note if judged else ""
    parts = [
        summary,
        "" if result.choice is None else str(result.choice),
        result.fitted_words,
        lights_text(verdict_of(result)),
        "\n".join(audit),
        str(result.quality),
        judged,
        note,
        "" if result.islands is None else str(result.islands),
        f"Written: {readable(str(path))}",
    ]
    return "\n\n".join(part for part in parts if part)
