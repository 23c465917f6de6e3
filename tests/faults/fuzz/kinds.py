"""The kinds of cases: public names, tables, and model files where they are there.

Each kind imports what it needs: public names load the whole library, for which a
process of examples would wait. Public names with a seed below 0 are called with right
arguments.
"""

import os
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from tests.faults.fuzz.oracle import Finding, judged

from labelscape._core.checks import matrix_argument

# Takes a seed; returns what was tried, in words, and what came of it.
Trial = Callable[[int], tuple[str, Callable[[], Finding]]]


def _public(seed: int) -> tuple[str, Callable[[], Finding]]:
    from tests.faults.fuzz.cases import public_case
    from tests.faults.fuzz.targets import targets

    if seed < 0:
        return _right(-1 - seed)
    _warm(seed % len(targets()))
    case = public_case(seed)
    return str(case), lambda: judged(
        case.name, case.call, case.arguments, must_be_refused=case.must_be_refused
    )


WARM: set[int] = set()  # the targets whose loops are compiled


def _warm(number: int) -> None:
    """Call a target once as it should be, so that its loops are compiled."""
    from tests.faults.fuzz.cases import right_arguments
    from tests.faults.fuzz.targets import targets

    if number in WARM:
        return
    WARM.add(number)
    target = targets()[number]
    with suppress(Exception), warnings.catch_warnings(action="ignore"):
        target.call(right_arguments(target))


def _table(seed: int) -> tuple[str, Callable[[], Finding]]:
    from tests.faults.fuzz.tables import table_case

    case = table_case(seed)
    return str(case), lambda: judged(
        "read_table", case.read, {"path": str(case.path)}, check=case.wrong
    )


def _model(seed: int) -> tuple[str, Callable[[], Finding]]:
    """A model whose innards were changed, asked all that one can ask it."""
    changed = import_module("tests.faults.changed_models")
    kind, _ = changed.case(seed)
    changed.fitted(kind)  # compiles what is needed, before the time is taken

    def attempt() -> Finding:
        found = changed.run(seed)
        wrong = "; ".join(
            f"{name}: {what}" for name, what in found.get("wrong", {}).items()
        )
        outcome = "silent NaN" if "silent NaN" in wrong else "raw words"
        fine = found["result"] if found["result"] == "refused" else "right"
        return Finding(outcome if wrong else fine, wrong)

    return " ".join(map(str, changed.case(seed))), attempt


def _right(seed: int) -> tuple[str, Callable[[], Finding]]:
    """Call a target with right arguments only."""
    from tests.faults.fuzz.cases import right_arguments
    from tests.faults.fuzz.targets import targets

    WARM.add(seed)
    target = targets()[seed]
    arguments = right_arguments(target)
    return target.name, lambda: judged(target.name, target.call, arguments)


def _example(seed: int) -> tuple[str, Callable[[], Finding]]:
    """One of each thing that may come of a case, to try the fuzzer itself."""
    ends: dict[str, Callable[[Any], Any]] = {
        "right": lambda given: given["numbers"].sum(),
        "refused": lambda given: matrix_argument("example", "numbers", given),
        "raw words": lambda given: given["numbers"][99],
        "silent NaN": lambda given: given["numbers"] * np.nan,
        "changed input": lambda given: given["numbers"].sort(),
        "crash": lambda given: os.abort(),
        "hang": lambda given: time.sleep(600),
    }
    name, call = list(ends.items())[seed % len(ends)]
    return name, lambda: judged(name, call, {"numbers": np.array([2.0, 1.0])})


KINDS: dict[str, Trial] = {"public": _public, "table": _table}
if find_spec("tests.faults.changed_models") is not None:
    KINDS["model"] = _model
EXAMPLE = "example"  # one more, to try the fuzzer itself
TRIALS = KINDS | {EXAMPLE: _example}
