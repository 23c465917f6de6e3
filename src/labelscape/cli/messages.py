"""The sentences that commands print, except the help of the options.

Sentences about a map, a comparison or an audit come from the results themselves, so
that page, notebook and terminal have the same text.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from labelscape._core.errors import Wording, readable

# Prefixes of lines.
ERROR, NOTE = "labelscape: {}", "Note: {}"
STOPPED = "stopped."
WRITTEN, FAILED_ON = "Written: {}", "Failed on: {}."

# DATA and output files.
NO_FILE = "There is no file {!r}. 'labelscape datasets' lists the example data sets."
STDIN_IS_TERMINAL = (
    "- reads a table from standard input, but nothing is piped in. Try: "
    "cat table.csv | labelscape map - --label COLUMN."
)
STDIN_IS_EMPTY = "Standard input is empty. Pipe a table in."
WRONG_ENDING = "The output must end in {}, got {!r}."
SAMPLE = "A random sample of {:,} of {:,} rows was read."

# Options.
NOT_A_PAIR = "Write NAME=VALUE{}; got {!r}."
COLUMN_OR_SWITCH = "Pass {} with a column, or {}, not both."
NOT_TOML = "{} is not a valid TOML file: {}."
NOT_A_TABLE = "{}: [set] must be a table of parameters, got {!r:.60}."
UNKNOWN_KEY = (
    "{} has the key {!r}, which is not an option of this command.{} Available: {}."
)
WRONG_VALUE = "{}: {} must be {}, got {!r:.60}."
SET_ELSEWHERE = "--set {}: use {} instead."
SET_UNKNOWN = "--set: {} has no parameter {!r}.{} Available: {}."
SET_UNKNOWN_TO_ALL = (
    "--set: none of these methods has a parameter {!r}.{} Write METHOD.PARAMETER=VALUE "
    "for one of: {}."
)
SET_NEEDS_METHOD = "--set requires a method: choose one with --method."
SET_WITH_MODEL = (
    "--set changes the training of a classifier, but --model loads a trained one. Only "
    "parameters whose names begin with picture__ can be set."
)
CLASSIFIER_OR_MODEL = (
    "Pass --classifier to train a model or --model to load one, not both."
)
METHOD_NEEDS_PAGE = (
    "--method sets the method for the map on a page. Add --output audit.html, too."
)
ONE_PAGE = "--output takes at most one page, got several."
NO_METHOD = "--methods must contain at least one method, got {!r}."
FAIL_ON = (
    "--fail-on must be suspects or findings, alone or with a limit such as "
    "'suspects>20' or 'suspects>1%', got {!r}."
)
FAIL_ON_PERCENT = "--fail-on: only suspects can have a limit in percent, got {!r}."
FAIL_ON_CERTIFY = "--fail-on must be 'no', 'partly' or 'little', got {!r}."
FAIL_ON_DRIFT = "--fail-on must be drift, got {!r}."
ONE_STDOUT = "-o - and --json both write to standard output. Pass only one of them."

# Results.
TABLE, NOTHING_FOUND = "{} Table: {}", "no problems found."
NO_MAP = "No method could map these data. {}"
MEASURED = "How is this measured? See docs/honesty.md, or run 'labelscape map --help'."

# The app.
REMOTE = (
    "Anyone who can connect to {host} and has the link can use this app, see its "
    "tables, and run fits on this machine. The connection is not encrypted."
)
REFUSED_HOST = (
    "--host {host} gives other machines access. Add --allow-remote to permit this. "
    + REMOTE
)
RUNNING = "Labelscape is running. Open this link:\n\n  {}\n\nPress Ctrl+C to stop it."

# A shape for each state, as in the view, so that colors are not needed.
MARKS = {"good": "●", "fair": "◆", "bad": "▲", "none": "○"}


class Styled(str):
    """Text with styles of the terminal; its names are readable."""


def lights_text(lights: Iterable[Any]) -> Styled:
    """Return a line for each answer of a verdict, with its numbers below."""
    lines = []
    for light in lights:
        lines.append(f"{MARKS[light.state]} {light}")
        if light.detail:
            detail = readable(light.detail[0].upper() + light.detail[1:])
            lines.append(typer.style(f"  {detail}.", dim=True))
    return Styled("\n".join(lines))


def map_answers(result: Any, wording: Wording) -> Styled:
    """Return the answers about a map and its table, in the order of the page."""
    from labelscape.quality.audit import NOT_CHECKED

    audit = result.audit
    others = (replace(NOT_CHECKED, detail=result.audit_note),)
    lines: list[str] = [
        lights_text([*result.verdict.lights, *(audit.lights if audit else others)])
    ]
    if audit:
        findings = [finding.words(wording) for finding in audit.findings]
        mark = MARKS["fair" if findings else "good"]
        findings = [readable(one) for one in findings or [NOTHING_FOUND]]
        lines += [TABLE.format(mark, one) for one in findings]
    return Styled("\n".join(lines))


def table_summary(table: Any) -> str:
    """Describe a table in one line; name date features, which may reveal classes."""
    dates = [code.name for code in table.encoder.codes if code.kind == "date"]
    days = f", dates as numbers of days: {', '.join(dates)}" if dates else ""
    return f"{table.name}: {table.summary}{days}"


def paragraphs(parts: Iterable[Any], *written: Path) -> str:
    """Return the parts of a result and the names of written files as paragraphs."""
    files = [WRITTEN.format(path) for path in written]
    texts = map(_text_of, (*parts, *files))
    return "\n\n".join(text for text in texts if text)


def _text_of(part: Any) -> str:
    return part if isinstance(part, Styled) else readable(str(part or ""))


def listed(names: Iterable[str]) -> str:
    """Return names as a list in a sentence."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def near(name: str, names: Iterable[str]) -> str:
    """Return a question that suggests a similar name, if there is one."""
    from difflib import get_close_matches

    matches = get_close_matches(name, [*names], n=1, cutoff=0.5)
    return f" Did you mean {matches[0]!r}?" if matches else ""


def seconds_text(seconds: float) -> str:
    """Return a duration in a readable unit."""
    if seconds < 0.95:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def say(text: str, *values: Any, **more: Any) -> None:
    """Print a sentence on stderr, so that results can be piped."""
    typer.echo(readable(text.format(*values, **more)), err=True)
