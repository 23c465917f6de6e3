"""``labelscape datasets``: the built-in example data sets."""

import json

import typer

from labelscape._core.output import text_table
from labelscape._core.plain import plain
from labelscape.cli import _options as options
from labelscape.cli._terminal import plain_errors
from labelscape.datasets import available

EXAMPLES = """\b
Examples:
  labelscape datasets
  labelscape datasets --json
"""


def datasets_command(as_json: options.AsJson = False) -> None:
    """List the built-in example data sets.

    Data sets with the origin "papers" are read from the folder in the environment
    variable LABELSCAPE_DATA, or downloaded from OpenML.
    """
    with plain_errors():
        if as_json:
            records = {"datasets": plain(available())}
            typer.echo(json.dumps(records, indent=2, ensure_ascii=False))
            return
        header = ["name", "origin", "rows", "features", "classes", "about"]
        rows = [
            [
                info.name,
                info.origin,
                *(f"{n:,}" for n in (info.n_rows, info.n_features, info.n_classes)),
                info.description,
            ]
            for info in available()
        ]
        typer.echo(text_table(header, rows, left=(0, 1, 5)))
