"""The app's records: through JSON and back."""

from labelscape.datasets import Reading
from labelscape.hosts.app.records import RunResult, Settings


def test_settings_survive_json_as_they_are():
    reading = Reading(
        label="kind",
        id="name",
        drop=("age",),
        unlabelled="drop",
        decimal=",",
        missing_values=("-",),
    )
    settings = Settings(
        table="a",
        method="lfda",
        reading=reading,
        parameters={"k": 3},
        seed=4,
        honesty=False,
        model="b",
        model_name="mine",
    )
    assert Settings.from_json(settings.to_json()) == settings
    assert Settings.from_json({"table": "a", "method": "lda"}) == Settings("a", "lda")


def test_what_nobody_knows_any_more_is_passed_over():
    assert RunResult.from_json({"summary": "Good.", "gone": 1}) == RunResult("Good.")
