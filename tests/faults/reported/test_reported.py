"""No fault that was reported from outside comes back."""

import pytest
from tests.faults.reported.__main__ import seen
from tests.faults.reported.cases import REPORTED


@pytest.mark.parametrize(
    "name", [n for n, case in REPORTED.items() if not case.is_slow]
)
def test_a_reported_fault_is_gone(name):
    is_gone, figure = seen(name)
    assert is_gone, f"{REPORTED[name].must}: {figure}"
