"""``labelscape place``: new rows on a map that was kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape import jobs
from labelscape._core.output import write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
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
        Path, typer.Argument(metavar="MODEL", help="What labelscape map --model wrote.")
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="A file with new rows, or -.")
    ],
    how: "Reading | None",
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names the rows.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="Column that says which rows belong together.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Table to write (.csv), - for standard output. [NEW-placed.csv]",
        ),
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="drift",
            help="'drift': end with exit code 1 if the rows have drifted as a whole.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Place new rows on a map: where they belong, and whether they are like the old.

    Writes a table with the place, likely class and class probabilities of each row,
    and whether it is unlike anything seen. The columns are found by their names. Cells
    without a value are filled with what is usual, and counted.
    """
    if fail_on not in (None, "drift"):
        raise ValueError(f"--fail-on takes drift, got {fail_on!r}.")
    to_stdout = output == STANDARD_OUTPUT
    if to_stdout and as_json:
        raise ValueError("-o - and --json both write to standard output: pass one.")
    if output is not None and not to_stdout:
        files.check_output(output, (".csv",))
    with files.file_of(str(new)) as file, terminal.steps() as begin:
        path = output or Path(f"{Path(file).stem}-placed.csv")
        if not to_stdout:
            files.check_output(path, (".csv",))
        begin(Step("reading", str(new)))
        placed = jobs.place_rows(model, file, ids=id_column, group=group, reading=how)
        text = placed.csv()
        if not to_stdout:
            write_atomically(path, text.encode(), make_folders=True)
    has_failed = fail_on is not None and placed.placement.has_drifted
    words = [placed.words, "Failed on: drift." if has_failed else ""]
    if to_stdout:
        typer.echo(text, nl=False)
        typer.echo(terminal.paragraphs(words), err=True)
    elif as_json:
        typer.echo(files.json_text(placed.record(), path))
    else:
        typer.echo(terminal.paragraphs(words, path))
    if has_failed:
        raise typer.Exit(terminal.FAILED)
