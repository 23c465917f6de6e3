"""``labelscape datasets``: what can be asked for by name."""

import json
from dataclasses import asdict
from typing import Annotated

import typer

from labelscape._core.output import text_table
from labelscape.cli._terminal import plain_errors

EXAMPLES = """\b
Examples:
  labelscape datasets
  labelscape datasets --json
"""


def datasets_command(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
) -> None:
    """List the data sets that have a name.

    Those of the papers are read from the folder that LABELSCAPE_DATA names, or fetched.
    """
    with plain_errors():
        from labelscape.datasets import available

        found = available()
        if as_json:
            records = {"datasets": [asdict(info) for info in found]}
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
            for info in found
        ]
        typer.echo(text_table(header, rows, left=(0, 1, 5)))
