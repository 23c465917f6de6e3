"""A model with changed innards never crashes, and its file is refused in words.

``LABELSCAPE_LONG=1`` runs 3000 cases, with loops that look at their indices.
"""

import os
from collections import Counter

import numpy as np
import pytest
from tests.faults.changed_models import case, findings, is_finite, questions, run
from tests.faults.kinds import KINDS, fitted

LONG = bool(os.environ.get("LABELSCAPE_LONG"))
# Some two hundred in the suite: four changes of each kind.
CASES = 3000 if LONG else 4 * len(KINDS)


@pytest.mark.timeout(0)
def test_changed_models_do_not_crash_and_their_files_are_refused_in_words(tmp_path):
    # Compiled with other options, which the usual cache does not tell apart.
    bounds = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    reports = findings(0, CASES, bounds if LONG else None)
    table = Counter(report["result"] for report in reports)
    print(dict(table))
    assert len(reports) == CASES
    assert [
        r for r in reports if r["result"] not in ("right", "refused", "no case")
    ] == []
    assert table["refused"] > table["right"] > 0
    assert table["no case"] < CASES / 20


@pytest.mark.parametrize("kind", KINDS)
def test_models_that_nobody_changed_have_questions_to_answer(kind):
    assert len(dict(questions(fitted(kind)))) >= 3


def test_cases_are_always_the_same():
    assert case(len(KINDS)) == (next(iter(KINDS)), 1)
    assert run(4)["what"] == run(4)["what"]


def test_a_silent_nan_is_found():
    assert is_finite([1.0, {"a": np.ones(2)}])
    assert not is_finite((1.0, {"a": np.array([1.0, np.nan])}))
