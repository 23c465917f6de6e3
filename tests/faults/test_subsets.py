"""Tables of few rows end in a map and an audit, or in words: see `subsets`.

``LABELSCAPE_LONG=1`` runs 500.
"""

import os

import pytest
from tests.faults.subsets import run, tables, wrong

LONG = os.environ.get("LABELSCAPE_LONG") == "1"


@pytest.mark.timeout(0)
@pytest.mark.parametrize("number", range(500 if LONG else 8))
def test_a_table_of_few_rows_is_mapped_and_audited_or_refused_in_words(number):
    found = run(number)
    assert not wrong(found), found


def test_many_tables_are_tried():
    assert len(tables()) >= 5
