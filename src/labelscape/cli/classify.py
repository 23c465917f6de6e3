"""``labelscape classify``: a classifier, how good it is, and what it decides where."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape import jobs
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.jobs import Step, methods

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape classify wine
  labelscape classify patients.csv --label diagnosis --classifier forest
  labelscape classify patients.csv --label diagnosis --model mine.labelscape -o m.html
"""


@options.reads_a_file
def classify_command(
    data: options.Data,
    how: "Reading",
    classifier: Annotated[
        str | None,
        typer.Option(
            "--classifier",
            "-c",
            help=f"{terminal.listed(methods.classifier_names())}. [svm]",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="A classifier that labelscape.save wrote, instead of a new one."
        ),
    ] = None,
    settings: options.Settings = None,
    seed: options.Seed = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Page (.html) to write.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Train or load a classifier, and draw a picture of what it decides where.

    70 % of the rows are for training; the others tell how good the classifier is, and
    for how many of them the picture shows what it says.
    """
    if classifier is not None and model is not None:
        raise ValueError("Pass --classifier to train one, or --model, not both.")
    wanted = methods.classifier_named(classifier or "svm")
    parameters = options.parameters_of_picture(wanted, settings)
    if model is not None and methods.split(methods.PICTURE.name, parameters)[1]:
        raise ValueError(
            "--set is for a classifier to train, and --model is one. "
            "Parameters of its picture begin with picture__."
        )
    if output is not None:
        files.check_output(output, files.PAGES)
    with terminal.steps() as begin:
        begin(Step("reading", data))
        table = files.table_from(data, how)
        path = output or Path(f"{table.name}-classified.html")
        files.check_output(path, files.PAGES)
        found = jobs.classify_table(
            table,
            wanted.name,
            model=model,
            parameters=parameters,
            seed=seed,
            begin=begin,
        )
        begin(Step("drawing"))
        files.write_scene(found.scene(seed=seed), path)
    if as_json:
        record = files.table_record(table) | found.record() | {"seed": seed}
        typer.echo(files.json_text(record, path))
    else:
        parts = [files.table_summary(table), terminal.lights_text(found.verdict), found]
        typer.echo(terminal.paragraphs(parts, path))
