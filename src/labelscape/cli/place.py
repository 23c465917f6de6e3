"""``labelscape place``: new rows on a map that was kept."""

from pathlib import Path
from typing import Annotated

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import plain_errors
from labelscape.cli._options import AsJson
from labelscape.cli._progress import steps
from labelscape.cli._stdin import file_of
from labelscape.jobs import Step

EXAMPLES = """\b
Examples:
  labelscape map patients.csv --label diagnosis --model patients.labelscape
  labelscape place patients.labelscape new.csv --id patient -o placed.csv
"""


def place_command(
    model: Annotated[
        Path,
        typer.Argument(metavar="MODEL", help="What labelscape map --model wrote."),
    ],
    new: Annotated[
        Path, typer.Argument(metavar="NEW", help="A file with new rows, or -.")
    ],
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names the rows.")
    ] = None,
    group: Annotated[
        str | None,
        typer.Option("--group", help="Column that says which rows belong together."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Table to write (.csv). [NEW-placed.csv]"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Place new rows on a map: where they belong, and whether they are like the old.

    Writes a table with the place and likely class of each row, and whether it is
    unlike anything seen. The columns are found by their names.
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

        if output is not None:
            check_output(output, (".csv",))
        with file_of(str(new)) as file, steps() as begin:
            path = output or Path(f"{Path(file).stem}-placed.csv")
            check_output(path, (".csv",))
            begin(Step("reading", str(new)))
            placed = place_rows(model, file, ids=id_column, group=group)
            text = placement_csv(placed)
            write_atomically(path, text.encode(), make_folders=True)
        if as_json:
            typer.echo(json_text(placement_record(placed), path))
        else:
            written = f"Written: {readable(str(path))}"
            typer.echo(f"{placed.placement}\n\n{written}")
