"""``labelscape classify``: a classifier, its accuracy, and its decision regions."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape import jobs
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import Step, methods

if TYPE_CHECKING:
    from labelscape.jobs import RunOrder

EXAMPLES = """\b
Examples:
  labelscape classify wine
  labelscape classify patients.csv --label diagnosis --classifier forest
  labelscape classify patients.csv --label diagnosis --model mine.labelscape -o m.html
"""


@options.takes_order
def classify_command(
    *,
    classifier: Annotated[
        str | None,
        typer.Option(
            "--classifier",
            "-c",
            help=f"{messages.listed(methods.classifier_names())}. [default: svm]",
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(help="File of a trained classifier, written by labelscape.save."),
    ] = None,
    output: Annotated[
        Path | None,
        options.output("Page (.html) to write. [default: DATA-classified.html]"),
    ] = None,
    order: "RunOrder",
    settings: Any,
    as_json: options.AsJson = False,
) -> None:
    """Draw the decision regions of a classifier, and test it.

    The classifier is trained on 70% of the rows. The other rows are used to measure
    its accuracy, and how often the drawn regions match its predictions.
    """
    if classifier is not None and model is not None:
        raise ValueError(messages.CLASSIFIER_OR_MODEL)
    wanted = methods.classifier_named(classifier or "svm")
    projection = dict(settings).get(methods.PICTURE.outside("projection"))
    more = methods.picture_rules(projection)
    parameters = options.parameters_set(wanted, settings, more)
    if model is not None and methods.split(methods.PICTURE.name, parameters)[1]:
        raise ValueError(messages.SET_WITH_MODEL)
    order = replace(order, parameters=parameters)
    path = files.target(output, order.table, "-classified.html")
    with terminal.steps() as begin:
        result = jobs.classify_table(
            files.table_of(order, begin),
            wanted.name,
            model=model,
            **order.arguments("classify"),
            begin=begin,
        )
        begin(Step("drawing"))
        files.write_scene(result.scene(seed=order.seed), path)
    others = str(result).replace(f"{result.verdict}\n", "")
    parts = [messages.lights_text(result.verdict.lights), others]
    files.show_result(result, parts, order, path, as_json)
