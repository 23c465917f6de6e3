"""What strangers send is read or refused, within limits, and nothing else happens.

A small sample; `tests.faults.doors.trial` tries as many as wanted.
"""

import importlib.util
import sys

import pytest

if sys.platform != "linux":
    pytest.skip("the limits of a process are those of Linux", allow_module_level=True)
pytest.importorskip("PIL", reason="Pillow is not installed")

from tests.faults.doors import trial

FEW = 20
HAS_CELLS = importlib.util.find_spec("anndata") is not None


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("door", ["cells", "pictures"])
def test_nothing_from_a_stranger_does_harm(door):
    if door == "cells" and not HAS_CELLS:
        pytest.skip("anndata is not installed: it wants an older pandas than the tests")
    trial.warmed_up()
    tries = [trial.tried(door, seed) for seed in range(20, 20 + FEW)]
    assert [one for one in tries if one.outcome not in trial.FINE] == []
    assert {one.outcome for one in tries} == set(trial.FINE)
