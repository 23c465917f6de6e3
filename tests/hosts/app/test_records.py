"""The app's records: through JSON and back, also from what an older version wrote."""

import sqlite3
from contextlib import closing
from pathlib import Path

from labelscape.datasets import Reading
from labelscape.hosts.app.catalog import Catalog
from labelscape.hosts.app.records import (
    ModelAbout,
    RunResult,
    Settings,
    TableAbout,
)
from labelscape.hosts.app.session import Session

# The catalogue of a workspace of version 0.1.0 before its records had types: a table
# with decimal commas, an embedded set, a model, and runs of all three.
OLD = Path(__file__).with_name("old_catalogue.sql")


def restored(folder):
    with closing(sqlite3.connect(folder / "catalogue.sqlite")) as database:
        database.executescript(OLD.read_text())
    return folder


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


def test_a_catalogue_of_the_version_before_still_opens(tmp_path):
    catalog = Catalog(restored(tmp_path) / "catalogue.sqlite")
    embedded, trees = catalog.tables()
    assert (embedded.name, embedded.about.embedded) == ("iris", "iris")
    assert (trees.about.n_rows, trees.about.n_columns) == (30, 6)
    about = catalog.table(trees.id).about
    assert isinstance(about, TableAbout)
    assert about.reading == Reading(decimal=",")
    assert [column.role for column in about.columns][-1] == "label"

    (model,) = catalog.models()
    assert model.about == ModelAbout("GMLVQ", 4, ("ash", "fir", "oak"))

    runs = {run.settings.method: run for run in catalog.runs() if run.result.summary}
    assert runs["lfda"].settings.reading == Reading(
        label="kind", id="name", drop=("age",), unlabelled="drop", decimal=","
    )
    assert runs["lfda"].settings.parameters == {"n_neighbors": 3}
    assert runs["lfda"].result.verdict
    assert runs["lfda"].result.level in ("real", "mixed", "made")
    assert runs["model"].settings.model == model.id
    assert runs["model"].settings.model_name == "mine.labelscape"
    assert not runs["pca"].settings.honesty
    (failed,) = (run for run in catalog.runs() if run.state == "failed")
    assert "nothing" in failed.words
    assert failed.result == RunResult()
    catalog.close()


def test_a_workspace_of_the_version_before_is_listed_in_full(tmp_path):
    from labelscape.hosts.app.api import _model, _run, _table

    session = Session(restored(tmp_path), workers=1)
    assert len([_table(session.table(entry.id)) for entry in session.tables()]) == 2
    assert len([_model(entry) for entry in session.models()]) == 1
    assert len([_run(run) for run in session.runs()]) == 4
    session.close()
