"""``labelscape audit``: which labels seem to be wrong, and what else is odd."""

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import OPTIONS, plain_errors
from labelscape.cli._options import AsJson, Data, Seed, reads_a_file
from labelscape.cli._progress import steps
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape audit wine
  labelscape audit patients.csv --label diagnosis --id patient -o suspects.csv
  labelscape audit parts.csv --label kind --fail-on 'suspects>1%' --fail-on findings
"""
TABLES = (".csv", ".json")
# The exit code where a rule says that the table is not good enough.
FAILED = 1
_RULE = re.compile(r"(suspects|findings)(?:\s*>\s*(\d+(?:\.\d+)?)\s*(%?))?")


@reads_a_file
def audit_command(
    data: Data,
    how: "Reading",
    rate: Annotated[
        float,
        typer.Option(
            help="Share of false alarms that is allowed among the suspects, between 0 "
            "and 1."
        ),
    ] = 0.1,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            "--fail-on",
            metavar="RULE",
            help="End with exit code 1 if it holds: suspects, findings, "
            "'suspects>20', 'suspects>1%' or 'findings>2'. May be given several "
            "times.",
        ),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            "--batch",
            metavar="COLUMN",
            help="Column with the batch of each row, such as a plate or a day: no "
            "feature, but can it be told from them, and does it go with the class?",
        ),
    ] = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Table of the suspects (.csv, .json) to write."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Find labels that seem to be wrong, and what else is odd about a table.

    Each row is judged by models that were fitted without it. The suspects are listed
    at a stated share of false alarms; findings name copies, columns that count the
    rows, values that stand for missing ones, and other traps.
    """
    with plain_errors():
        from labelscape.cli._data import table_from
        from labelscape.cli._output import check_output
        from labelscape.jobs import (
            audit_record,
            audit_table,
            json_text,
            table_record,
            table_summary,
        )

        rules = [parsed_rule(text) for text in fail_on or ()]
        if output is not None:
            check_output(output, TABLES)
        with steps() as begin:
            begin(Step("reading", data))
            batches = None
            if batch is not None:
                # Read as groups are: one value per row, and no feature.
                batches = table_from(data, replace(how, group=batch)).groups
                how = replace(how, drop=(*how.drop, batch))
            # The audit names counters itself, and leaves them out of its models.
            table = table_from(data, how, counters="keep")
            report = audit_table(
                table, rate=rate, seed=seed, begin=begin, batch=batches
            )
            if output is not None:
                _write(report, table, output)
        broken = [text for text, holds in rules if holds(report)]
        if as_json:
            found = table_record(table) | audit_record(report, table)
            found |= {"seed": seed, "failed_on": broken}
            typer.echo(json_text(found, output))
        else:
            parts = [table_summary(table), report.words(OPTIONS)]
            parts += [f"Failed on: {text}." for text in broken]
            if output is not None:
                parts.append(f"Written: {readable(str(output))}")
            typer.echo("\n\n".join(parts))
    if broken:
        raise typer.Exit(FAILED)


def parsed_rule(text: str) -> tuple[str, Any]:
    """Return a rule with a function that tells whether it holds for a report."""
    found = _RULE.fullmatch(text.strip())
    if found is None:
        raise ValueError(
            "--fail-on takes suspects or findings, alone or with a bound such as "
            f"'suspects>20' or 'suspects>1%', got {text!r}."
        )
    what, bound, percent = found.groups()
    if percent and what == "findings":
        raise ValueError(f"--fail-on: findings are counted, not shared, got {text!r}.")

    def holds(report: Any) -> bool:
        n = len(getattr(report, what))
        most = float(bound or 0)
        return n > (most / 100 * len(report.ranking) if percent else most)

    return text, holds


def _write(report: Any, table: Any, path: Path) -> None:
    from labelscape._core.atomic import write_atomically
    from labelscape.jobs import audit_csv, audit_record, json_text, table_record

    if path.suffix.lower() == ".csv":
        text = audit_csv(report, table)
    else:
        text = json_text(table_record(table) | audit_record(report, table), path)
    write_atomically(path, readable(text).encode(), make_folders=True)
