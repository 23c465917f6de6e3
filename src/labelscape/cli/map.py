"""``labelscape map``: read a table, fit a map, say how far to believe it."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from labelscape.cli._errors import plain_errors
from labelscape.cli._progress import steps

EXAMPLES = """\b
Examples:
  labelscape map wine
  labelscape map patients.csv --label diagnosis --id patient -o patients.svg
  labelscape map digits --method lfda --json > digits.json
"""


def map_command(
    data: Annotated[
        str, typer.Argument(metavar="DATA", help="A file, or the name of a data set.")
    ],
    label: Annotated[
        str | None, typer.Option("--label", "-l", help="Column with the classes.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names the rows.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            "-m",
            help="liram, local-liram, lfda, lda, nca, pca or wmds.",
        ),
    ] = "liram",
    seed: Annotated[int, typer.Option(help="Same seed, same map.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Picture to write (.png, .svg, .pdf). [DATA.png]"
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
    judge: Annotated[
        bool,
        typer.Option(
            "--honesty/--no-honesty", help="Whether to measure honesty (25 fits)."
        ),
    ] = True,
) -> None:
    """Draw a map of labelled data, and say how far to believe it.

    Features are standardised and missing values replaced by the mean of their column.
    """
    with plain_errors():
        # Imported here, because they take longer than --help should.
        from labelscape.cli._data import table_from
        from labelscape.cli._mapping import map_table
        from labelscape.cli._methods import method_named
        from labelscape.cli._picture import check_picture, write_picture

        method_named(method)
        if output is not None:
            check_picture(output)
        with steps() as begin:
            begin(f"Reading {data}", None)
            table = table_from(data, label, id_column)
            path = output or Path(f"{table.name}.png")
            check_picture(path)
            result = map_table(table, method, seed=seed, judge=judge, begin=begin)
            begin("Drawing", None)
            write_picture(result, path)
        if as_json:
            typer.echo(json.dumps(_as_record(result, path, seed), indent=2))
        else:
            typer.echo(_as_text(result, path))


def _as_text(result: Any, path: Path) -> str:
    judged = str(result.honesty) if result.honesty else ""
    parts = [_summary(result.table), str(result.quality), judged, result.honesty_note]
    return "\n\n".join([part for part in parts if part] + [f"Picture: {path}"])


def _summary(table: Any) -> str:
    """Return one line about the table, with the number of imputed values."""
    return f"{table.name}: {repr(table).partition(': ')[2]}"


def _as_record(result: Any, path: Path, seed: int) -> dict[str, Any]:
    """Return all numbers as one record for scripts."""
    table, honest = result.table, result.honesty
    return {
        "data": table.name,
        "rows": len(table.X),
        "features": len(table.feature_names),
        "classes": sorted({str(label) for label in table.y}),
        "missing": table.missing,
        "method": result.method,
        "seed": seed,
        "quality": result.quality.scores,
        "quality_original": result.quality.original,
        "honesty": honest and {name: getattr(honest, name) for name in HONESTY_NUMBERS},
        "verdict": honest.verdict if honest else None,
        "note": result.honesty_note or None,
        "picture": str(path),
        "seconds": result.seconds,
    }


HONESTY_NUMBERS = (
    "seen",
    "unseen",
    "gap",
    "original",
    "null",
    "null_seen",
    "null_unseen",
    "p_value",
    "k",
)
