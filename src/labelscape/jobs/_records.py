"""What the verbs found, as plain records for scripts."""

import json
from pathlib import Path
from typing import Any

from labelscape._core.errors import readable

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


def table_record(table: Any) -> dict[str, Any]:
    """Return what a table holds, in numbers."""
    return {
        "data": table.name,
        "rows": len(table.X),
        "features": len(table.feature_names),
        "classes": sorted({str(label) for label in table.y}),
        "missing": table.missing,
    }


def honesty_record(report: Any) -> dict[str, Any] | None:
    """Return the numbers of an honesty report with its verdict; None for none."""
    if report is None:
        return None
    numbers = {name: getattr(report, name) for name in HONESTY_NUMBERS}
    return numbers | {
        "real": report.verdict.real,
        "kept": report.verdict.kept,
        "verdict": str(report.verdict),
    }


def map_record(result: Any) -> dict[str, Any]:
    """Return what is known about one map."""
    return {
        "method": result.method,
        "quality": result.quality.scores,
        "quality_original": result.quality.original,
        "honesty": honesty_record(result.honesty),
        "note": result.honesty_note or None,
        "seconds": result.seconds,
    }


def json_text(record: dict[str, Any], written: Path) -> str:
    """Return a record as text, with the path of the file that was written."""
    whole = record | {"output": str(written)}
    return readable(json.dumps(whole, indent=2, ensure_ascii=False))


def table_summary(table: Any) -> str:
    """Return one line about a table, with the number of imputed values.

    Dates are named: the day of a measurement may tell its class for no good reason.
    """
    dates = [code.name for code in table.encoder.codes if code.kind == "date"]
    days = f", dates as numbers of days: {', '.join(dates)}" if dates else ""
    return f"{table.name}: {table.summary}{days}"
