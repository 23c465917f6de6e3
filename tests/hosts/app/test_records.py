"""The app's records: through JSON and back."""

import pytest
from pydantic import ValidationError

from labelscape.datasets import Reading
from labelscape.hosts.app.records import Order, Settings

TABLE = "0123456789ab"


def test_settings_survive_json_as_they_are():
    reading = Reading(
        label="kind",
        id="name",
        group=False,
        drop=("age",),
        show=("z",),
        unlabelled="drop",
        decimal=",",
        delimiter="\t",
        missing_values=("-",),
        skip=2,
        sheet="A",
    )
    settings = Settings(
        table=TABLE,
        method="lfda",
        reading=reading,
        parameters={"k": 3, "rate": 1.0, "fast": True, "how": None},
        seed=4,
        honesty=False,
        model=TABLE,
        model_name="mine",
        decisions={7: "oak", 2: "fir"},
    )
    again = Settings.model_validate_json(settings.model_dump_json())
    assert again == settings
    assert [type(value) for value in again.parameters.values()] == [
        *(int, float, bool, type(None)),
    ]
    assert [*again.decisions] == [7, 2]


def test_an_order_takes_no_names_that_it_does_not_know():
    for odd in ({"more": 1}, {"reading": {"colour": 1}}):
        with pytest.raises(ValidationError, match=r"Extra inputs|Unexpected keyword"):
            Order(table=TABLE, method="lda", **odd)
