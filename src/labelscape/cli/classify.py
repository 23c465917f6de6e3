"""``labelscape classify``: a classifier, how good it is, and what it decides where."""

from pathlib import Path
from typing import Annotated

import typer

from labelscape.cli._errors import plain_errors
from labelscape.cli._options import (
    AsJson,
    Data,
    Decimal,
    Delimiter,
    Drop,
    DropUnlabelled,
    Encoding,
    Header,
    IdColumn,
    Label,
    MissingValue,
    Nominal,
    Seed,
    listed,
)
from labelscape.cli._progress import steps
from labelscape.jobs import classifier_names

EXAMPLES = """\b
Examples:
  labelscape classify wine
  labelscape classify patients.csv --label diagnosis --classifier forest
  labelscape classify patients.csv --label diagnosis --model mine.labelscape -o m.html
"""


def classify_command(
    data: Data,
    label: Label = None,
    id_column: IdColumn = None,
    drop: Drop = None,
    nominal: Nominal = None,
    decimal: Decimal = ".",
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    header: Header = None,
    missing_value: MissingValue = None,
    drop_unlabelled: DropUnlabelled = False,
    classifier: Annotated[
        str | None,
        typer.Option(
            "--classifier",
            "-c",
            help=f"{listed(classifier_names())}. [svm]",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="A classifier that labelscape.save wrote, instead of a new one."
        ),
    ] = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Page (.html) to write."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train or load a classifier, and draw a picture of what it decides where.

    70 % of the rows are for training; the others tell how good the classifier is, and
    for how many of them the picture shows what it says.
    """
    with plain_errors():
        from labelscape.cli._data import table_from
        from labelscape.cli._output import PAGES, check_output, write_scene
        from labelscape.jobs import (
            classifier_scene,
            classify_table,
            json_text,
            table_record,
            table_summary,
        )

        if classifier is not None and model is not None:
            raise ValueError("Pass --classifier to train one, or --model, not both.")
        if output is not None:
            check_output(output, PAGES)
        with steps() as begin:
            begin(f"Reading {data}", None)
            table = table_from(
                data,
                label,
                id_column,
                drop=drop,
                nominal=nominal,
                decimal=decimal,
                delimiter=delimiter,
                encoding=encoding,
                header=header,
                missing_values=missing_value,
                unlabelled="drop" if drop_unlabelled else None,
            )
            path = output or Path(f"{table.name}-classified.html")
            check_output(path, PAGES)
            found = classify_table(
                table, classifier or "svm", model=model, seed=seed, begin=begin
            )
            begin("Drawing", None)
            write_scene(classifier_scene(found, seed=seed), path)
        if as_json:
            record = table_record(table) | found.record() | {"seed": seed}
            typer.echo(json_text(record, path))
        else:
            parts = [table_summary(table), str(found), f"Written: {path}"]
            typer.echo("\n\n".join(parts))
