"""``labelscape audit``: which labels seem to be wrong, and what else is odd."""

import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from labelscape._core.errors import InputWarning, readable
from labelscape.cli._errors import OPTIONS, plain_errors
from labelscape.cli._lights import lights_text
from labelscape.cli._options import AsJson, Data, Judge, Seed, listed, reads_a_file
from labelscape.cli._progress import steps
from labelscape.cli._settings import Settings, parameters_of_one
from labelscape.jobs import AUTO, Step, methods_of

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
            help="How the map of the page is made: "
            f"{listed([AUTO, *(one.name for one in methods_of('map'))])}. [{AUTO}]",
        ),
    ] = None,
    settings: Settings = None,
    as_json: AsJson = False,
    judge: Judge = True,
) -> None:
    """Find labels that seem to be wrong, and what else is odd about a table.

    Each row is judged by models that were fitted without it. The suspects are listed
    at a stated share of false alarms; findings name copies, columns that count the
    rows, values that stand for missing ones, and other traps.
    """
    with plain_errors():
        from labelscape.cli._data import table_from
        from labelscape.jobs import audit_table, json_text, map_table, table_summary

        rules = [parsed_rule(text) for text in fail_on or ()]
        written = Written.checked(output or (), method)
        parameters = parameters_of_one(method or AUTO, settings)
        with steps() as begin:
            begin(Step("reading", data))
            batches = None
            if batch is not None:
                # Read as groups are: one value per row, and no feature. What is to be
                # said of the columns is said when the table itself is read.
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", InputWarning)
                    batches = table_from(data, replace(how, group=batch)).groups
                how = replace(how, drop=(*how.drop, batch))
            # The audit names counters itself, and leaves them out of its models; but
            # with a counter no row is a copy of another one.
            counters = "keep" if how.copies == "keep" else "drop"
            table = table_from(data, how, counters=counters)
            report = audit_table(
                table, rate=rate, seed=seed, begin=begin, batch=batches
            )
            for path in written.tables:
                _write(report, table, path)
            result = None
            if written.page is not None:
                # A map has no use for counters: these rows, read as `map` reads them.
                mapped = table_from(data, how)
                fitted = partial(
                    map_table,
                    mapped,
                    method or AUTO,
                    parameters=parameters,
                    seed=seed,
                    judge=judge,
                )
                result = _page(fitted, report, written.page, seed, begin)
        broken = [text for text, holds in rules if holds(report)]
        if as_json:
            found = _record(report, table, result)
            found |= {"seed": seed, "failed_on": broken}
            found["page"] = None if written.page is None else str(written.page)
            typer.echo(json_text(found, written.first))
        else:
            parts = [table_summary(table), report.words(OPTIONS), *_map_lines(result)]
            parts += [f"Failed on: {text}." for text in broken]
            parts += [f"Written: {readable(str(path))}" for path in output or ()]
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


class Written(NamedTuple):
    """The files that are asked for: tables of the suspects, and a page."""

    tables: list[Path]
    page: Path | None

    @property
    def first(self) -> Path | None:
        """The file that --json calls the output."""
        return next(iter([*self.tables, self.page]))

    @classmethod
    def checked(cls, paths: Sequence[Path], method: str | None) -> "Written":
        """Return them, if they can be written and a page is made as it can be."""
        from labelscape.cli._output import PAGES, check_output
        from labelscape.jobs import method_named

        for path in paths:
            check_output(path, TABLES + PAGES)
        pages = [path for path in paths if path.suffix.lower() in PAGES]
        if len(pages) > 1:
            raise ValueError("--output takes one page, got several.")
        if method is not None and not pages:
            raise ValueError(
                "--method says how the map of a page is made: ask for one with "
                "--output audit.html."
            )
        if method not in (None, AUTO):
            method_named(method)
        return cls([p for p in paths if p not in pages], next(iter(pages), None))


def _page(
    fitted: Callable[..., Any], report: Any, path: Path, seed: int, begin: Any
) -> Any:
    """Write the page of a map with the audit in it; return the map."""
    from labelscape.cli._output import write_scene
    from labelscape.jobs import map_scene

    result = fitted(audit=report, begin=begin)
    begin(Step("drawing"))
    write_scene(map_scene(result, seed=seed, wording=OPTIONS), path)
    return result


def _map_lines(result: Any) -> list[str]:
    """Return what a terminal says of the map of a page, if there is one."""
    if result is None:
        return []
    from labelscape.jobs import verdict_of

    words = "" if result.choice is None else str(result.choice)
    parts = (words, result.fitted_words, lights_text(verdict_of(result)))
    return [part for part in parts if part]


def _record(report: Any, table: Any, result: Any) -> dict[str, Any]:
    from labelscape.jobs import audit_record, map_record, table_record

    found = table_record(table) | audit_record(report, table)
    if result is None:
        return found
    # All but the audit, which is here already.
    return found | {"map": map_record(replace(result, audit=None))}


def _write(report: Any, table: Any, path: Path) -> None:
    from labelscape._core.atomic import write_atomically
    from labelscape.jobs import audit_csv, json_text

    if path.suffix.lower() == ".csv":
        text = audit_csv(report, table)
    else:
        text = json_text(_record(report, table, None), path)
    write_atomically(path, readable(text).encode(), make_folders=True)
