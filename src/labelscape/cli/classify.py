"""``labelscape classify``: a classifier, how good it is, and what it decides where."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import plain_errors
from labelscape.cli._lights import lights_text
from labelscape.cli._options import (
    AsJson,
    Data,
    Seed,
    listed,
    reads_a_file,
)
from labelscape.cli._progress import steps
from labelscape.cli._settings import Settings, parameters_of_picture
from labelscape.jobs import Step, classifier_names

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape classify wine
  labelscape classify patients.csv --label diagnosis --classifier forest
  labelscape classify patients.csv --label diagnosis --model mine.labelscape -o m.html
"""


@reads_a_file
def classify_command(
    data: Data,
    how: "Reading",
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
    settings: Settings = None,
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
            PICTURE,
            classifier_named,
            classifier_scene,
            classify_table,
            json_text,
            table_record,
            table_summary,
        )
        from labelscape.jobs._internal import split

        if classifier is not None and model is not None:
            raise ValueError("Pass --classifier to train one, or --model, not both.")
        wanted = classifier_named(classifier or "svm")
        parameters = parameters_of_picture(wanted, settings)
        if model is not None and split(PICTURE.name, parameters)[1]:
            raise ValueError(
                "--set is for a classifier to train, and --model is one. "
                "Parameters of its picture begin with picture__."
            )
        if output is not None:
            check_output(output, PAGES)
        with steps() as begin:
            begin(Step("reading", data))
            table = table_from(data, how)
            path = output or Path(f"{table.name}-classified.html")
            check_output(path, PAGES)
            found = classify_table(
                table,
                classifier or "svm",
                model=model,
                parameters=parameters,
                seed=seed,
                begin=begin,
            )
            begin(Step("drawing"))
            write_scene(classifier_scene(found, seed=seed), path)
        if as_json:
            record = table_record(table) | found.record() | {"seed": seed}
            typer.echo(json_text(record, path))
        else:
            parts = [
                table_summary(table),
                lights_text(found.verdict),
                str(found),
                f"Written: {readable(str(path))}",
            ]
            typer.echo("\n\n".join(parts))
