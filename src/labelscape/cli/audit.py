"""``labelscape audit``: labels that look wrong, and other problems in a table."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from labelscape import jobs
from labelscape._core.errors import InputWarning, readable
from labelscape._core.output import write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import AUTO, RunOrder, Step

EXAMPLES = """\b
Examples:
  labelscape audit wine
  labelscape audit patients.csv --label diagnosis --id patient -o suspects.csv
  labelscape audit patients.csv --label diagnosis -o suspects.csv -o patients.html
  labelscape audit parts.csv --label kind --fail-on 'suspects>1%' --fail-on findings
"""
TABLES = (".csv", ".json")
_RULE = re.compile(r"(suspects|findings)(?:\s*>\s*(\d+(?:\.\d+)?)\s*(%?))?")


@options.takes_order
def audit_command(
    *,
    output: Annotated[
        list[Path] | None,
        options.output(
            "File to write: a table of the suspects (.csv, .json), or a page (.html) "
            f"with a map that marks them.{options.SEVERAL}"
        ),
    ] = None,
    rate: Annotated[
        float,
        typer.Option(
            help="Maximum expected share of false alarms among the suspects, between 0 "
            "and 1."
        ),
    ] = 0.1,
    batch: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column with the batch of each row (plate, day), to test whether "
            "features predict the batch, and whether batch and class are confounded.",
        ),
    ] = None,
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Rule for exit code 1. 'suspects' or 'findings': there is at least "
            "one. With a limit, such as 'suspects>20', 'suspects>1%' or 'findings>2': "
            f"there are more than this.{options.SEVERAL}",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help="Method for the map on the page: "
            f"{RunOrder.options()['method'].help} [default: {AUTO}]",
        ),
    ] = None,
    order: RunOrder,
    settings: Any,
    as_json: options.AsJson = False,
) -> None:
    """Find labels that look wrong, and other problems in a table.

    Each label is compared with predictions of models that were fitted without its row.
    Suspects are rows whose label looks wrong; --rate limits the expected share of false
    alarms among them. Findings are other problems, such as copied rows, columns of row
    numbers, and codes for missing values.
    """
    rules = [parsed_rule(text) for text in fail_on or ()]
    tables, page = _files_of(output or (), method)
    order = options.with_parameters(replace(order, method=method or AUTO), settings)
    data, how = order.table, order.reading
    with terminal.steps() as begin:
        begin(Step("reading", data))
        batches = None
        if batch is not None:
            # Read like groups: one value per row, and not a feature. Warnings about
            # columns are shown below, when the table itself is read.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                batches = files.table_from(data, replace(how, group=batch)).groups
            how = replace(how, drop=(*how.drop, batch))
        # The audit reports columns of row numbers, and its models do not use them. They
        # are dropped only to drop copies: with row numbers, no two rows are equal.
        table = files.table_from(data, how, row_numbers=how.copies)
        report = jobs.audit_table(
            table, rate=rate, seed=order.seed, begin=begin, batch=batches
        )
        for path in tables:
            _write(report, table, path)
        result = None
        if page is not None:
            table_of_map = files.table_from(data, how)  # without row numbers, as `map`
            given = order.arguments("map") | {"audit": report}
            result = jobs.map_table(table_of_map, **given, begin=begin)
            begin(Step("drawing"))
            scene = result.scene(seed=order.seed, wording=terminal.OPTIONS)
            files.write_scene(scene, page)
    broken = [text for text, holds in rules if holds(report)]
    if as_json:
        record = _record(report, table, result)
        record |= {"seed": order.seed, "failed_on": broken}
        record["page"] = None if page is None else str(page)
        typer.echo(files.json_text(record, (*tables, page)[0]))
    else:
        parts: list[Any] = [messages.table_summary(table)]
        parts.append(report.words(terminal.OPTIONS))
        if result is not None:
            parts += [messages.lights_text(result.verdict.lights)]
            parts += [result.choice_words, result.fitted_words]
        parts += [messages.FAILED_ON.format(text) for text in broken]
        typer.echo(messages.paragraphs(parts, *(output or ())))
    if broken:
        raise typer.Exit(terminal.FAILED)


def parsed_rule(text: str) -> tuple[str, Any]:
    """Return a --fail-on rule, and a function that applies it to a report."""
    match = _RULE.fullmatch(text.strip())
    if match is None:
        raise ValueError(messages.FAIL_ON.format(text))
    what, bound, percent = match.groups()
    if percent and what == "findings":
        raise ValueError(messages.FAIL_ON_PERCENT.format(text))

    def holds(report: Any) -> bool:
        n = len(getattr(report, what))
        most = float(bound or 0)
        return n > (most / 100 * len(report.ranking) if percent else most)

    return text, holds


def _files_of(
    paths: Sequence[Path], method: str | None
) -> tuple[list[Path], Path | None]:
    """Check the output files; return the tables, and the page if there is one."""
    for path in paths:
        files.check_output(path, TABLES + files.PAGES)
    pages = [path for path in paths if path.suffix.lower() in files.PAGES]
    if len(pages) > 1:
        raise ValueError(messages.ONE_PAGE)
    if method is not None and not pages:
        raise ValueError(messages.METHOD_NEEDS_PAGE)
    return [path for path in paths if path not in pages], next(iter(pages), None)


def _record(report: Any, table: Any, result: Any) -> dict[str, Any]:
    record = files.table_record(table) | jobs.audit.audit_record(report, table)
    if result is None:
        return record
    # Without the audit, which is in the record already.
    return record | {"map": replace(result, audit=None).record()}


def _write(report: Any, table: Any, path: Path) -> None:
    if path.suffix.lower() == ".csv":
        text = jobs.audit.audit_csv(report, table)
    else:
        text = files.json_text(_record(report, table, None), path)
    write_atomically(path, readable(text).encode(), make_folders=True)
