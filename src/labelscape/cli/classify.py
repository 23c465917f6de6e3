"""``labelscape classify``: a classifier, how good it is, and what it decides where."""

from pathlib import Path
from typing import Annotated

import typer

from labelscape.cli._errors import plain_errors
from labelscape.cli._options import (
    AsJson,
    Data,
    Decimal,
    Drop,
    IdColumn,
    Label,
    Nominal,
    Seed,
)
from labelscape.cli._progress import steps

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
    classifier: Annotated[
        str | None,
        typer.Option(
            "--classifier",
            "-c",
            help="svm, forest, logistic, gmlvq or pag (Push and Grow). [svm]",
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
        from labelscape.jobs import _records
        from labelscape.jobs._classifying import classify_table
        from labelscape.jobs._scenes import classifier_scene

        if classifier is not None and model is not None:
            raise ValueError("Pass --classifier to train one, or --model, not both.")
        if output is not None:
            check_output(output, PAGES)
        with steps() as begin:
            begin(f"Reading {data}", None)
            table = table_from(
                data, label, id_column, drop=drop, nominal=nominal, decimal=decimal
            )
            path = output or Path(f"{table.name}-classified.html")
            check_output(path, PAGES)
            found = classify_table(
                table, classifier or "svm", model=model, seed=seed, begin=begin
            )
            begin("Drawing", None)
            write_scene(classifier_scene(found, seed=seed), path)
        if as_json:
            record = _records.table_record(table) | found.record() | {"seed": seed}
            typer.echo(_records.as_json(record, path))
        else:
            parts = [_records.summary(table), str(found), f"Written: {path}"]
            typer.echo("\n\n".join(parts))
