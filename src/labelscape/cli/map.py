"""``labelscape map``: read a table, fit a map, and test it on held-out rows."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import labelscape
from labelscape import jobs
from labelscape._core.output import check_target, write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import RunOrder, Step

if TYPE_CHECKING:
    from labelscape.datasets import Table
    from labelscape.jobs import Begin, StepName

MB = 2**20
LARGE = RunOrder.options()["n_landmarks"].section

EXAMPLES = """\b
Examples:
  labelscape map wine
  labelscape map patients.csv --label diagnosis --id patient -o patients.html
  labelscape map digits --method lfda -o digits.svg
  labelscape map digits --dimensions 3
  labelscape map iris --method tsne --set perplexity=50 --json > iris.json
  labelscape map cells.parquet --label kind --landmarks 20000
"""


@options.takes_order
def map_command(
    *,
    output: Annotated[
        Path | None,
        options.output(
            "Page (.html) or picture (.png, .svg, .pdf) to write. [default: DATA.html]"
        ),
    ] = None,
    order: RunOrder,
    settings: Any,
    as_json: options.AsJson = False,
    model: Annotated[
        Path | None,
        typer.Option(help="File in which to save the map, for 'labelscape place'."),
    ] = None,
    positions: Annotated[
        Path | None,
        typer.Option(help="Table (.csv) to write, with the position of each row."),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            help="Table (.csv) of corrected labels, saved from a page. These labels "
            "replace the labels in DATA."
        ),
    ] = None,
    chunked: Annotated[
        bool,
        typer.Option(
            "--chunked",
            help="Read DATA in pieces and map a random sample of its rows. DATA is a "
            "Parquet or text file, or a folder of such files. --positions writes the "
            "positions of all rows.",
            rich_help_panel=LARGE,
        ),
    ] = False,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="Address of a Dask scheduler. Its workers read DATA in pieces. DATA "
            "is a folder of Parquet files that all workers can open.",
            rich_help_panel=LARGE,
        ),
    ] = None,
) -> None:
    """Draw a map of a labeled table, and test it on held-out rows.

    Writes one page that opens in any browser, offline. Features are standardized, and
    missing values are replaced by the mean of their column. The test fits the map to
    half of the rows and predicts the classes of the other half from their neighbors on
    the map. See docs/honesty.md.
    """
    order = options.with_parameters(order, settings)
    path = files.target(output, order.table, kinds=files.PAGES + files.PICTURES)
    if model is not None:
        jobs.methods.check_kept(order.method)
        check_target(model, make_folders=True)
    if positions is not None:
        files.check_output(positions, (".csv",))
    in_pieces = chunked or cluster is not None
    with terminal.steps() as begin:
        table, n_rows = _read(order, begin, in_pieces, cluster)
        corrected: dict[Any, Any] = {}
        if decisions is not None:
            corrected = jobs.read_decisions(decisions, table)
            table = jobs.relabeled(table, corrected)
        result = jobs.map_table(
            table, **order.arguments("map"), n_population=n_rows, begin=begin
        ).with_relabeling_note(len(corrected))
        begin(Step("drawing"))
        if path.suffix.lower() in files.PAGES:
            scene = result.scene(seed=order.seed, wording=terminal.OPTIONS)
            files.write_scene(scene, path)
        else:
            files.write_picture(result, path)
        if model is not None:
            model.parent.mkdir(parents=True, exist_ok=True)
            labelscape.save(jobs.kept_map(result, seed=order.seed), model)
        if positions is not None:
            table_of_places = _places(result, order, begin, in_pieces)
            write_atomically(positions, table_of_places, make_folders=True)
    files.show_result(result, _parts(result), order, path, as_json)


def _read(
    order: RunOrder, begin: "Begin", in_pieces: bool, cluster: str | None
) -> "tuple[Table, int | None]":
    """Return the table, or a random sample of its rows if it is read in pieces."""
    data = order.table
    if not in_pieces:
        return files.table_of(order, begin), None
    from labelscape.datasets._internal import Pieces

    if cluster is not None:
        begin(Step("reading", f"{data} on {cluster}"))
    reading = _by_megabytes(begin, "reading", data)
    table, n_rows = Pieces(data, order.reading).sample(
        files.name_of(data), cluster=cluster, seed=order.seed, begin=reading
    )
    if len(table.X) < n_rows:
        messages.say(messages.SAMPLE, len(table.X), n_rows)
    return table, n_rows


def _places(
    result: Any, order: RunOrder, begin: "Begin", in_pieces: bool
) -> bytes | Iterable[bytes]:
    """Return the positions of all rows as CSV; read a large table again, in pieces."""
    if not in_pieces:
        return jobs.positions_csv(result.table, result.embedding).encode()
    from labelscape.datasets._internal import Pieces
    from labelscape.jobs._internal import positions_by_pieces

    placing = _by_megabytes(begin, "placing", f"all rows of {order.table}")
    pieces = Pieces(order.table, order.reading).rows(result.table, placing)
    return positions_by_pieces(result.model, pieces, result.embedding.shape[1])


def _by_megabytes(
    begin: "Begin", name: "StepName", data: str
) -> Callable[[int], Callable[[int], None]]:
    """Return a function that begins a step and reports its progress in megabytes."""

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


def _parts(result: Any) -> list[Any]:
    """Return the printed text about a map, in paragraphs, with the answers first."""
    audit, honesty = result.audit, result.honesty
    look_first = audit and audit.look_first and not len(audit.suspects)
    if audit and honesty:  # each finding is printed only once
        known = {one.code for one in audit.findings}
        new = [one for one in honesty.warnings if one.code not in known]
        honesty = replace(honesty, warnings=new)
    return [
        messages.map_answers(result, terminal.OPTIONS),
        look_first and audit.look_first_words(),
        result.choice_words,
        result.fitted_words,
        result.relevance_words,
        result.quality,
        # The sentences of the verdict are among the answers.
        honesty and str(honesty).removeprefix(str(honesty.verdict)).strip(),
        honesty and result.honesty_note,
        result.islands,
        messages.MEASURED,
    ]
