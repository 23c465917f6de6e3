"""``labelscape place``: new rows on a saved map."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape import jobs
from labelscape._core.output import write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading

STANDARD_OUTPUT = Path("-")

EXAMPLES = """\b
Examples:
  labelscape map patients.csv --label diagnosis --model patients.labelscape
  labelscape place patients.labelscape new.csv --id patient -o placed.csv
  labelscape place patients.labelscape - --fail-on drift -o - < new.csv
"""


@options.reads_new_rows
def place_command(
    model: Annotated[
        Path,
        typer.Argument(
            metavar="MODEL", help="Map file written by 'labelscape map --model'."
        ),
    ],
    new: Annotated[
        Path,
        typer.Argument(
            metavar="NEW", help="A file with new rows, or - for standard input."
        ),
    ],
    how: "Reading | None",
    id_column: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="COLUMN", help="Column with the names of the rows."
        ),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Column of groups, such as patient or plate."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        options.output(
            "Table (.csv) to write, or - for standard output. [default: NEW-placed.csv]"
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="drift",
            help="Exit with code 1 if drift is detected.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Place new rows on a map, and predict their classes.

    Writes a table with the position, likely class and class probabilities of each row.
    Rows that look unlike the training data are marked. Columns are matched by name.
    Missing values are imputed and counted, and drift is reported.
    """
    if fail_on not in (None, "drift"):
        raise ValueError(messages.FAIL_ON_DRIFT.format(fail_on))
    to_stdout = output == STANDARD_OUTPUT
    if to_stdout and as_json:
        raise ValueError(messages.ONE_STDOUT)
    with files.file_of(str(new)) as file, terminal.steps() as begin:
        path = STANDARD_OUTPUT
        if not to_stdout:
            path = files.target(output, file, "-placed.csv", (".csv",))
        begin(Step("reading", str(new)))
        placed = jobs.place_rows(model, file, ids=id_column, group=group, reading=how)
        text = placed.csv()
        if not to_stdout:
            write_atomically(path, text.encode(), make_folders=True)
    has_failed = fail_on is not None and placed.placement.has_drifted
    words = [placed.words, messages.FAILED_ON.format("drift") * has_failed]
    if to_stdout:
        typer.echo(text, nl=False)
        typer.echo(messages.paragraphs(words), err=True)
    elif as_json:
        typer.echo(files.json_text(placed.record(), path))
    else:
        typer.echo(messages.paragraphs(words, path))
    if has_failed:
        raise typer.Exit(terminal.FAILED)
