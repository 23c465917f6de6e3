"""What the workers do: every card's method fits, and its code repeats it."""

import csv
import json
import warnings

import numpy as np
import pytest
from tests.hosts.app.serving import table

from labelscape.hosts.app import tasks
from labelscape.hosts.app.cards import method_cards
from labelscape.hosts.app.limits import Limits
from labelscape.scene import decode

FILE = 'trees "of" {mine}.csv'
NAMES = [card.name for card in method_cards()]
SETTINGS = {
    "label": "kind",
    "id_column": "name",
    "drop": [],
    "parameters": {},
    "seed": 3,
    "honesty": False,
}


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / FILE
    path.write_text(table())
    return path


@pytest.fixture(scope="module")
def model(source, tmp_path_factory):
    """A saved model for the method that wants one."""
    folder = tmp_path_factory.mktemp("model")
    fitted(source, folder, "gmlvq")
    return folder / "model.labelscape"


def fitted(source, folder, method, model=None, **more):
    told = []
    settings = SETTINGS | {"method": method} | more
    result = tasks.fit(str(source), FILE, settings, str(folder), model, told.append)
    return result, told


def places_in(path, columns):
    with path.open() as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(row[j]) for j in columns] for row in rows])


@pytest.mark.parametrize("method", NAMES)
def test_every_method_fits_and_its_code_gives_the_same_places(
    source, model, tmp_path, monkeypatch, method
):
    given = str(model) if method == "model" else None
    run = tmp_path / "run"
    run.mkdir()
    result, told = fitted(source, run, method, given)
    assert result["summary"]
    assert json.dumps(result)  # the catalogue takes it
    assert told[-1] == {"words": "Writing the files."}
    assert len(decode((run / "scene.lscn").read_bytes()).maps[0].positions) == 60

    monkeypatch.chdir(tmp_path)  # where a user would put table, model and code
    (tmp_path / FILE).write_text(source.read_text())
    (tmp_path / "model.labelscape").write_bytes(model.read_bytes())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        exec(compile((run / "repeat.py").read_text(), "repeat.py", "exec"), {})
    np.testing.assert_array_equal(
        places_in(tmp_path / "positions.csv", (0, 1)),
        places_in(run / "positions.csv", (2, 3)),
    )


def test_a_card_with_all_its_defaults_written_out_is_the_same_fit(source, tmp_path):
    card = next(card for card in method_cards() if card.name == "sammon")
    written = {p.name: p.default for p in card.parameters}
    places = []
    for name, parameters in (("short", {}), ("long", written)):
        (tmp_path / name).mkdir()
        fitted(source, tmp_path / name, "sammon", parameters=parameters)
        places.append(places_in(tmp_path / name / "positions.csv", (2, 3)))
    np.testing.assert_array_equal(*places)


def test_a_table_that_calls_itself_embedded_is_only_a_table(tmp_path):
    path = tmp_path / "source.json"
    path.write_text('{"embedded": "iris"}')
    with pytest.raises(ValueError, match="extension"):
        tasks.describe(str(path), vars(Limits()), print)


def test_what_can_not_predict_is_no_model(source, tmp_path):
    fitted(source, tmp_path, "sammon")
    with pytest.raises(ValueError, match="no classifier"):
        tasks.describe_model(str(tmp_path / "model.labelscape"), print)
