"""``labelscape place``: new rows on a map that was kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import plain_errors
from labelscape.cli._options import AsJson, reads_new_rows
from labelscape.cli._progress import steps
from labelscape.cli._stdin import file_of
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading

# The exit code if what --fail-on asks for holds.
FAILED = 1
STANDARD_OUTPUT = Path("-")

EXAMPLES = """\b
Examples:
  labelscape map patients.csv --label diagnosis --model patients.labelscape
  labelscape place patients.labelscape new.csv --id patient -o placed.csv
  labelscape place patients.labelscape - --fail-on drift -o - < new.csv
"""


@reads_new_rows
def place_command(
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="What labelscape map --model wrote."),
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="A file with new rows, or -.")
    ],
    how: "Reading | None",
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names the rows.")
    ] = None,
    group: Annotated[
        str | None,
        typer.Option("--group", help="Column that says which rows belong together."),
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
            "--fail-on",
            metavar="drift",
            help="'drift': end with exit code 1 if the rows have drifted as a whole.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Place new rows on a map: where they belong, and whether they are like the old.

    Writes a table with the place, likely class and class probabilities of each row,
    and whether it is unlike anything seen. The columns are found by their names. Cells
    without a value are filled with what is usual, and counted.
    """
    with plain_errors():
        # Imported here, because they take longer than --help should.
        from labelscape._core.atomic import write_atomically
        from labelscape.cli._output import check_output
        from labelscape.jobs import (
            json_text,
            place_rows,
            placement_csv,
            placement_record,
        )

        if fail_on not in (None, "drift"):
            raise ValueError(f"--fail-on takes drift, got {fail_on!r}.")
        to_stdout = output == STANDARD_OUTPUT
        if to_stdout and as_json:
            raise ValueError("-o - and --json both write to standard output: pass one.")
        if output is not None and not to_stdout:
            check_output(output, (".csv",))
        with file_of(str(new)) as file, steps() as begin:
            path = output or Path(f"{Path(file).stem}-placed.csv")
            if not to_stdout:
                check_output(path, (".csv",))
            begin(Step("reading", str(new)))
            placed = place_rows(model, file, ids=id_column, group=group, reading=how)
            text = placement_csv(placed)
            if not to_stdout:
                write_atomically(path, text.encode(), make_folders=True)
        has_failed = fail_on is not None and placed.placement.has_drifted
        words = f"{placed.words}\n\nFailed on: drift." if has_failed else placed.words
        if to_stdout:
            typer.echo(text, nl=False)
            typer.echo(words, err=True)
        elif as_json:
            typer.echo(json_text(placement_record(placed), path))
        else:
            typer.echo(f"{words}\n\nWritten: {readable(str(path))}")
    if has_failed:
        raise typer.Exit(FAILED)
