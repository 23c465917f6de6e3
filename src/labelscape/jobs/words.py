"""What jobs returned, as plain records for scripts."""

from dataclasses import asdict
from typing import Any

from labelscape.jobs.audit import audit_record
from labelscape.jobs.map import MapResult

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


def honesty_record(report: Any) -> dict[str, Any] | None:
    """Return the numbers of an honesty report with its verdict; None for none."""
    if report is None:
        return None
    numbers = {name: getattr(report, name) for name in HONESTY_NUMBERS}
    return numbers | {
        "placed": None if report.placed is None else report.placed._asdict(),
        "share_kept": report.kept,
        "by_class": {str(name): above for name, above in report.by_class.items()},
        "pairs": [[str(pair.a), str(pair.b), pair.share] for pair in report.pairs],
        "left_out": [str(label) for label in report.left_out],
        "warnings": [leak.record() for leak in report.warnings],
        "notes": report.notes,
        **verdict_record(report.verdict),
    }


def islands_record(report: Any) -> dict[str, Any] | None:
    """Return the islands of a map with their numbers; None for none."""
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
        "lights": [asdict(light) for light in verdict.lights],
        "verdict": str(verdict),
    }


def map_record(result: MapResult) -> dict[str, Any]:
    """Return what is known about one map."""
    return {
        "method": result.method,
        "choice": None if result.choice is None else result.choice.record(),
        "fitted_rows": len(result.embedding)
        if result.fitted is None
        else len(result.fitted),
        "quality": result.quality.scores,
        "quality_original": result.quality.original,
        "quality_intervals": result.quality.intervals,
        "honesty": honesty_record(result.honesty),
        "note": result.honesty_note or None,
        "islands": islands_record(result.islands),
        "audit": audit_record(result.audit, result.table) if result.audit else None,
        "seconds": result.seconds,
    }


def counted(n: int, word: str) -> str:
    """Return a number of things."""
    return f"{n:,} {word}" if n == 1 else f"{n:,} {word}s"
