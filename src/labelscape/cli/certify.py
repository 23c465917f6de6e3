"""``labelscape certify``: whether the separation on a given map is real."""

from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape._core.output import text_table, write_atomically
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.jobs import RunOrder

EXAMPLES = """\b
Examples:
  labelscape certify cells.csv umap.npy --label kind
  labelscape certify cells.parquet umap_1,umap_2 --label kind --group donor
  labelscape certify cells.csv umap.csv tsne.csv --label kind --fail-on partly
  labelscape certify cells.csv umap.csv --label kind --json --badge real.svg
"""
# Type and version of the JSON record. Incompatible changes increase the version.
SCHEMA, VERSION = "labelscape.certificate", 1
# Answers that meet a rule of --fail-on. A map that was not tested is not certified.
RULES = {
    "no": lambda verdict: verdict.real in ("no", "untested"),
    "partly": lambda verdict: verdict.real != "yes",
    "little": lambda verdict: verdict.kept == "little",
}


@options.takes_order
def certify_command(
    *,
    maps: Annotated[
        list[str],
        typer.Argument(
            metavar="MAP...",
            help="Positions of the rows of DATA, in the same order: a table (.csv, "
            ".parquet), an array (.npy), or columns of DATA such as umap_1,umap_2. A "
            "table with the column of --id may be in any order.",
        ),
    ],
    fail_on: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Rule for exit code 1. 'no': the separation on a map is not real or "
            "not tested. 'partly': also if it is only partly real. 'little': the map "
            f"shows little of the separation in the data.{options.SEVERAL}",
        ),
    ] = None,
    badge: Annotated[
        Path | None, typer.Option(help="Badge (.svg) to write, for the first map.")
    ] = None,
    order: "RunOrder",
    as_json: options.AsJson = False,
) -> None:
    """Test whether the separation on maps from other programs is real.

    The maps are not fitted again: the positions of held-out rows are predicted from
    DATA. See docs/certify.md.
    """
    for rule in fail_on or ():
        if rule not in RULES:
            raise ValueError(messages.FAIL_ON_CERTIFY.format(rule))
    if badge is not None:
        files.check_output(badge, (".svg",))
    from labelscape.jobs import certify_table, positions

    named = tuple(
        dict.fromkeys(name for one in maps for name in positions.named_columns(one))
    )
    data, how = order.table, order.reading
    how = replace(how, show=(*how.show, *named))
    with terminal.steps() as begin:
        table = files.table_of(replace(order, reading=how), begin)
        labeled = positions.labeled_rows(data, how) if Path(data).exists() else None
        places = {one: positions.read_positions(one, table, labeled) for one in maps}
        given = {}
        for one, Z in places.items():
            begin(Step("judging", one))
            given[one] = certify_table(table, Z, seed=order.seed)
    reports = {one: tested.honesty for one, tested in given.items()}
    broken = [
        f"{one}: {rule}"
        for rule in fail_on or ()
        for one, report in reports.items()
        if RULES[rule](report.verdict)
    ]
    if badge is not None:
        verdict = next(iter(reports.values())).verdict
        write_atomically(badge, _badge(verdict).encode(), make_folders=True)
    if as_json:
        typer.echo(files.json_text(_record(table, given, order.seed, broken), badge))
    else:
        parts = [messages.table_summary(table), *_parts(reports)]
        parts += [messages.FAILED_ON.format(text) for text in broken]
        typer.echo(messages.paragraphs(parts, *([badge] if badge else [])))
    if broken:
        raise typer.Exit(terminal.FAILED)


def _parts(reports: dict[str, Any]) -> list[Any]:
    """Return the printed result: answers for one map, or a table for several maps."""
    if len(reports) == 1:
        (report,) = reports.values()
        verdict = report.verdict
        rest = str(report).removeprefix(str(verdict)).strip()
        return [messages.lights_text(verdict.lights), rest]
    header = ["map", "as drawn", "held-out", "data", "p", "real", "kept"]
    rows = []
    for one, report in reports.items():
        scores = (report.seen, report.unseen, report.original)
        cells = ["–" if score is None else f"{score:.2f}" for score in scores]
        p_value = "–" if report.p_value is None else f"{report.p_value:.2g}"
        verdict = report.verdict
        rows.append([one, *cells, p_value, verdict.real, verdict.kept or "–"])
    lights = next(iter(reports.values())).verdict.lights
    return [text_table(header, rows), messages.lights_text(lights[2:])]


def _record(
    table: Any, given: dict[str, Any], seed: int, broken: list[str]
) -> dict[str, Any]:
    """Return the result as plain values, for JSON."""
    maps = [{"map": one} | tested.record() for one, tested in given.items()]
    own = {"seed": seed, "failed_on": broken, "maps": maps}
    return {"schema": SCHEMA, "version": VERSION} | files.table_record(table) | own


def _badge(verdict: Any) -> str:
    """Return an SVG badge with the numbers as text."""
    parts = [f"real: {verdict.real}"]
    if verdict.unseen is not None:
        parts += [f"{verdict.unseen:.0%} held out", f"p = {verdict.p_value:.2g}"]
    parts += [f"gap: {verdict.gap}"]
    left, right = "labelscape", ", ".join(parts)
    widths = [round(6.6 * len(text)) + 14 for text in (left, right)]
    color = files.COLORS[verdict.lights[0].state]
    style = 'y="14" fill="#fff" font-family="Verdana,sans-serif" font-size="11"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{sum(widths)}" height="20" '
        f'role="img" aria-label="{left}: {escape(right)}">'
        f"<title>{escape(str(verdict))}</title>"
        f'<rect width="{widths[0]}" height="20" fill="#444"/>'
        f'<rect x="{widths[0]}" width="{widths[1]}" height="20" fill="{color}"/>'
        f'<text x="7" {style}>{left}</text>'
        f'<text x="{widths[0] + 7}" {style}>{escape(right)}</text></svg>\n'
    )
