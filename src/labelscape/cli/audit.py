"""``labelscape audit``: which labels seem to be wrong, and what else is odd."""

import re
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape import jobs
from labelscape._core.errors import InputWarning, readable
from labelscape._core.output import write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.jobs import AUTO, Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape audit wine
  labelscape audit patients.csv --label diagnosis --id patient -o suspects.csv
  labelscape audit patients.csv --label diagnosis -o suspects.csv -o patients.html
  labelscape audit parts.csv --label kind --fail-on 'suspects>1%' --fail-on findings
"""
TABLES = (".csv", ".json")
_RULE = re.compile(r"(suspects|findings)(?:\s*>\s*(\d+(?:\.\d+)?)\s*(%?))?")


@options.reads_a_file
def audit_command(
    data: options.Data,
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
            metavar="RULE",
            help="End with exit code 1 if it holds: suspects, findings, "
            "'suspects>20', 'suspects>1%' or 'findings>2'. May be given several "
            "times.",
        ),
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Column with the batch of each row, such as a plate or a day: no "
            "feature, but can it be told from them, and does it go with the class?",
        ),
    ] = None,
    seed: options.Seed = 0,
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            "-o",
            help="Table of the suspects (.csv, .json) to write, or a page (.html) with "
            "a map on which they are marked. May be given several times.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            "-m",
            help=f"How the map of the page is made: {options.MAPS}. [{AUTO}]",
        ),
    ] = None,
    settings: options.Settings = None,
    as_json: options.AsJson = False,
    judge: options.Judge = True,
) -> None:
    """Find labels that seem to be wrong, and what else is odd about a table.

    Each row is judged by models that were fitted without it. The suspects are listed
    at a stated share of false alarms; findings name copies, columns that count the
    rows, values that stand for missing ones, and other traps.
    """
    rules = [parsed_rule(text) for text in fail_on or ()]
    tables, page = _files_of(output or (), method)
    parameters = options.parameters_of_one(method or AUTO, settings)
    with terminal.steps() as begin:
        begin(Step("reading", data))
        batches = None
        if batch is not None:
            # Read as groups are: one value per row, and no feature. What is to be
            # said of the columns is said when the table itself is read.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", InputWarning)
                batches = files.table_from(data, replace(how, group=batch)).groups
            how = replace(how, drop=(*how.drop, batch))
        # The audit names row numbers itself, and leaves them out of its models; but
        # with them no row is a copy of another one.
        table = files.table_from(data, how, row_numbers=how.copies)
        report = jobs.audit_table(
            table, rate=rate, seed=seed, begin=begin, batch=batches
        )
        for path in tables:
            _write(report, table, path)
        result = None
        if page is not None:
            result = jobs.map_table(
                files.table_from(data, how),  # without row numbers, as `map` reads it
                method or AUTO,
                parameters=parameters,
                seed=seed,
                judge=judge,
                audit=report,
                begin=begin,
            )
            begin(Step("drawing"))
            files.write_scene(result.scene(seed=seed, wording=terminal.OPTIONS), page)
    broken = [text for text, holds in rules if holds(report)]
    if as_json:
        record = _record(report, table, result)
        record |= {"seed": seed, "failed_on": broken}
        record["page"] = None if page is None else str(page)
        typer.echo(files.json_text(record, (*tables, page)[0]))
    else:
        parts: list[Any] = [files.table_summary(table), report.words(terminal.OPTIONS)]
        if result is not None:
            parts += [
                result.choice,
                result.fitted_words,
                terminal.lights_text(result.verdict),
            ]
        parts += [f"Failed on: {text}." for text in broken]
        typer.echo(terminal.paragraphs(parts, *(output or ())))
    if broken:
        raise typer.Exit(terminal.FAILED)


def parsed_rule(text: str) -> tuple[str, Any]:
    """Return a rule with a function from a report to whether it holds."""
    found = _RULE.fullmatch(text.strip())
    if found is None:
        raise ValueError(
            "--fail-on takes suspects or findings, alone or with a bound such as "
            f"'suspects>20' or 'suspects>1%', got {text!r}."
        )
    what, bound, percent = found.groups()
    if percent and what == "findings":
        raise ValueError(f"--fail-on: a percentage is for suspects only, got {text!r}.")

    def holds(report: Any) -> bool:
        n = len(getattr(report, what))
        most = float(bound or 0)
        return n > (most / 100 * len(report.ranking) if percent else most)

    return text, holds


def _files_of(
    paths: Sequence[Path], method: str | None
) -> tuple[list[Path], Path | None]:
    """Return tables and a page to write, if they can be written as they are asked."""
    for path in paths:
        files.check_output(path, TABLES + files.PAGES)
    pages = [path for path in paths if path.suffix.lower() in files.PAGES]
    if len(pages) > 1:
        raise ValueError("--output takes one page, got several.")
    if method is not None and not pages:
        raise ValueError(
            "--method says how the map of a page is made: ask for one with "
            "--output audit.html."
        )
    if method not in (None, AUTO):
        jobs.method_named(method)
    return [path for path in paths if path not in pages], next(iter(pages), None)


def _record(report: Any, table: Any, result: Any) -> dict[str, Any]:
    found = files.table_record(table) | jobs.audit.audit_record(report, table)
    if result is None:
        return found
    # All but the audit, which is here already.
    return found | {"map": replace(result, audit=None).record()}


def _write(report: Any, table: Any, path: Path) -> None:
    if path.suffix.lower() == ".csv":
        text = jobs.audit.audit_csv(report, table)
    else:
        text = files.json_text(_record(report, table, None), path)
    write_atomically(path, readable(text).encode(), make_folders=True)
