"""Reports as plain records for scripts, and numbers of things in words."""

from dataclasses import asdict
from typing import Any

HONESTY_NUMBERS = (
    *("seen", "unseen", "unseen_interval", "gap", "gap_interval", "original"),
    *("chance", "null_seen", "null_unseen", "p_value", "k", "n_judged"),
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
        "has_gap": report.verdict.gap,
        "gaps": [
            asdict(gap) | {"classes": [str(label) for label in gap.classes]}
            for gap in report.gaps
        ],
        "misplaced": report.misplaced.tolist(),
        "left_out": [str(label) for label in report.left_out],
        "warnings": [leak.record() for leak in report.warnings],
        "notes": report.notes,
        **verdict_record(report.verdict),
    }


def islands_record(report: Any) -> dict[str, Any]:
    """Return the islands of a map with their numbers."""
    return {
        "finding": report.finding,
        "islands": [
            {
                "size": island.size,
                "stability": island.stability,
                "verdict": island.verdict,
                "is_cut": island.is_cut,
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


def counted(n: int, noun: str) -> str:
    """Return a number of things."""
    return f"{n:,} {noun}{'s' * (n != 1)}"
