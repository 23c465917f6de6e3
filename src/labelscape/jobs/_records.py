"""What the verbs found, as plain records for scripts."""

import json
from pathlib import Path
from typing import Any

from labelscape._core.errors import readable

HONESTY_NUMBERS = (
    "seen",
    "unseen",
    "unseen_interval",
    "gap",
    "gap_interval",
    "original",
    "chance",
    "null_seen",
    "null_unseen",
    "p_value",
    "k",
    "n_judged",
)


def table_record(table: Any) -> dict[str, Any]:
    """Return what a table holds, in numbers."""
    _check("table_record", "table", table, "feature_names", "a Table")
    return {
        "data": table.name,
        "rows": len(table.X),
        "features": len(table.feature_names),
        "classes": sorted({str(label) for label in _labels(table)}),
        "missing": table.missing,
        "group": (
            {"column": table.group_column, "groups": table.n_groups}
            if table.n_groups is not None
            else None
        ),
        "shown": [column.name for column in table.shown],
    }


def _labels(table: Any) -> Any:
    return () if table.y is None else table.y


def _check(owner: str, argument: str, value: Any, attribute: str, wanted: str) -> None:
    """Raise unless a value is what such an attribute belongs to."""
    if not hasattr(value, attribute) or isinstance(value, type):
        from labelscape._core.errors import ParameterError

        raise ParameterError(owner, argument, value, wanted)


def honesty_record(report: Any) -> dict[str, Any] | None:
    """Return the numbers of an honesty report with its verdict; None for none."""
    if report is None:
        return None
    numbers = {name: getattr(report, name) for name in HONESTY_NUMBERS}
    return numbers | {
        "whole": None if report.whole is None else report.whole._asdict(),
        "share_kept": report.kept,
        "by_class": {str(name): above for name, above in report.by_class.items()},
        "pairs": [[str(pair.a), str(pair.b), pair.share] for pair in report.pairs],
        "left_out": [str(label) for label in report.left_out],
        "warnings": [leak._asdict() for leak in report.warnings],
        "notes": report.notes,
        **verdict_record(report.verdict),
    }


def islands_record(report: Any) -> dict[str, Any] | None:
    """Return the islands of a map with their numbers; None if nobody asked."""
    if report is None:
        return None
    return {
        "finding": report.finding,
        "islands": [
            {
                "size": island.size,
                "stability": island.stability,
                "verdict": island.verdict,
                "classes": {str(name): n for name, n in island.classes.items()},
                "rows": island.members.tolist(),
            }
            for island in report
        ],
    }


def verdict_record(verdict: Any) -> dict[str, Any]:
    """Return a verdict as codes, lights and its sentence."""
    return {
        "real": verdict.real,
        "kept": verdict.kept,
        "lights": [light._asdict() for light in verdict.lights],
        "verdict": str(verdict),
    }


def map_record(result: Any) -> dict[str, Any]:
    """Return what is known about one map."""
    _check("map_record", "result", result, "honesty_note", "a MapResult")
    return {
        "method": result.method,
        "choice": None if result.choice is None else result.choice.record(),
        "fitted_rows": len(result.embedding)
        if result.fitted is None
        else len(result.fitted),
        "quality": result.quality.scores,
        "quality_original": result.quality.original,
        "quality_intervals": result.quality.intervals,
        "growth": [step._asdict() for step in result.growth],
        "honesty": honesty_record(result.honesty),
        "note": result.honesty_note or None,
        "islands": islands_record(result.islands),
        "audit": _audit_record(result),
        "seconds": result.seconds,
    }


def _audit_record(result: Any) -> dict[str, Any] | None:
    if result.audit is None:
        return None
    # Loaded when it is needed, so that --help does not wait for scikit-learn.
    from labelscape.jobs._auditing import audit_record

    return audit_record(result.audit, result.table)


def json_text(record: dict[str, Any], written: Path | None) -> str:
    """Return a record as text, with the path of the file that was written, if any."""
    _check("json_text", "record", record, "keys", "a dict")
    whole = record | {"output": None if written is None else str(written)}
    return readable(json.dumps(whole, indent=2, ensure_ascii=False))


def table_summary(table: Any) -> str:
    """Return one line about a table, with the number of imputed values.

    Dates are named: the day of a measurement may tell its class for no good reason.
    """
    _check("table_summary", "table", table, "encoder", "a Table")
    dates = [code.name for code in table.encoder.codes if code.kind == "date"]
    days = f", dates as numbers of days: {', '.join(dates)}" if dates else ""
    return f"{table.name}: {table.summary}{days}"
