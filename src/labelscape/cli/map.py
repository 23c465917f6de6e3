"""``labelscape map``: read a table, fit a map, say how far to believe it."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import labelscape
from labelscape import jobs
from labelscape._core.output import check_target, write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.jobs import AUTO, Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading, Table
    from labelscape.jobs import Begin, StepName

MB = 2**20

EXAMPLES = """\b
Examples:
  labelscape map wine
  labelscape map patients.csv --label diagnosis --id patient -o patients.html
  labelscape map digits --method lfda -o digits.svg
  labelscape map digits --dimensions 3
  labelscape map iris --method tsne --set perplexity=50 --json > iris.json
  labelscape map cells.parquet --label kind --landmarks 20000
"""


@options.reads_a_file
def map_command(
    data: options.Data,
    how: "Reading",
    method: Annotated[
        str, typer.Option("--method", "-m", help=f"{options.MAPS}.")
    ] = AUTO,
    dimensions: Annotated[
        int,
        typer.Option(
            min=2, max=3, help="Of the map; one with 3 can be turned on the page."
        ),
    ] = 2,
    settings: options.Settings = None,
    seed: options.Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Page (.html) or picture (.png, .svg, .pdf) to write. [DATA.html]",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="File to keep the map in, for labelscape place.")
    ] = None,
    positions: Annotated[
        Path | None, typer.Option(help="Table (.csv) to write the places to.")
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            help="Table (.csv) of decisions about labels that a page has saved: they "
            "take the place of those in DATA."
        ),
    ] = None,
    as_json: options.AsJson = False,
    judge: options.Judge = True,
    islands: Annotated[
        bool,
        typer.Option(
            "--islands",
            help="Say which groups on the map are stable: it is fitted 10 times more.",
        ),
    ] = False,
    landmarks: Annotated[
        int | None,
        typer.Option(
            help="Number of rows that the map is fitted to; the others are placed. "
            "[all, or 5,000 where a method takes long]"
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
            help="Address of a Dask scheduler whose workers read DATA in pieces: a "
            "folder of Parquet that they see."
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

    Writes one page that opens in any browser, offline. Features are standardized and
    missing values replaced by the mean of their column.
    """
    if method != AUTO:
        jobs.method_named(method)
    parameters = options.parameters_of_one(method, settings)
    if dimensions != 2:
        parameters[jobs.methods.DIMENSIONS] = dimensions
    if output is not None:
        files.check_output(output)
    if model is not None:
        jobs.methods.check_kept(method)
        check_target(model, make_folders=True)
    if positions is not None:
        files.check_output(positions, (".csv",))
    in_pieces = chunked or cluster is not None
    with terminal.steps() as begin:
        table, n_rows = _read(data, how, begin, in_pieces, seed, cluster)
        decided: dict[Any, Any] = {}
        if decisions is not None:
            decided = jobs.read_decisions(decisions, table)
            table = jobs.relabeled(table, decided)
        path = output or Path(f"{table.name}.html")
        files.check_output(path)
        result = jobs.map_table(
            table,
            method,
            seed=seed,
            judge=judge,
            islands=islands,
            audit=audit,
            n_landmarks=landmarks,
            n_population=n_rows,
            parameters=parameters,
            begin=begin,
        ).with_relabeling_note(len(decided))
        begin(Step("drawing"))
        if path.suffix.lower() in files.PAGES:
            files.write_scene(result.scene(seed=seed, wording=terminal.OPTIONS), path)
        else:
            files.write_picture(result, path)
        if model is not None:
            model.parent.mkdir(parents=True, exist_ok=True)
            labelscape.save(jobs.kept_map(result, seed=seed), model)
        if positions is not None:
            places = _places(result, data, how, begin, in_pieces)
            write_atomically(positions, places, make_folders=True)
    if as_json:
        record = files.table_record(table) | result.record() | {"seed": seed}
        typer.echo(files.json_text(record, path))
    else:
        typer.echo(terminal.paragraphs(_said(result), path))


def _read(
    data: str,
    how: "Reading",
    begin: "Begin",
    in_pieces: bool,
    seed: int,
    cluster: str | None,
) -> "tuple[Table, int | None]":
    """Return a table; one that is read in pieces is a sample of so many rows."""
    if not in_pieces:
        begin(Step("reading", data))
        return files.table_from(data, how), None
    from labelscape.datasets._internal import Pieces

    if cluster is not None:
        begin(Step("reading", f"{data} on {cluster}"))
    name = Path(data).name.split(".")[0] or "table"
    reading = _by_megabytes(begin, "reading", data)
    table, n_rows = Pieces(data, how).sample(
        name, cluster=cluster, seed=seed, begin=reading
    )
    if len(table.X) < n_rows:
        typer.echo(f"A sample of {len(table.X):,} of {n_rows:,} rows.", err=True)
    return table, n_rows


def _places(
    result: Any, data: str, how: "Reading", begin: "Begin", in_pieces: bool
) -> bytes | Iterable[bytes]:
    """Return the places of all rows; a table in pieces is read once more."""
    if not in_pieces:
        return jobs.positions_csv(result.table, result.embedding).encode()
    from labelscape.datasets._internal import Pieces
    from labelscape.jobs._internal import positions_by_pieces

    told = _by_megabytes(begin, "placing", f"all rows of {data}")
    pieces = Pieces(data, how).rows(result.table, told)
    return positions_by_pieces(result.model, pieces, result.embedding.shape[1])


def _by_megabytes(
    begin: "Begin", name: "StepName", data: str
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


def _said(result: Any) -> list[Any]:
    """Return what the terminal says of a map, in paragraphs."""
    audit = result.audit and jobs.audit.audit_lines(result.audit, terminal.OPTIONS)
    return [
        files.table_summary(result.table),
        result.choice,
        result.fitted_words,
        terminal.lights_text(result.verdict),
        "\n".join(audit or ()),
        result.quality,
        result.honesty,
        result.honesty and result.honesty_note,
        result.islands,
    ]
