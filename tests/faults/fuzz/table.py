"""The fuzzer's table: how many cases came out how."""

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from tests.faults.fuzz.oracle import Outcome
from tests.faults.fuzz.runner import Result

from labelscape._core.output import text_table


def counted(results: Iterable[Result]) -> str:
    """Return how many cases of each kind came out how."""
    counts: dict[str, Counter[str]] = {}
    for result in results:
        counts.setdefault(result.kind, Counter())[result.finding.outcome] += 1
    outcomes = get_args(Outcome)
    rows = [
        [kind, str(found.total()), *(str(found[outcome]) for outcome in outcomes)]
        for kind, found in counts.items()
    ]
    return text_table(["kind", "cases", *outcomes], rows)
