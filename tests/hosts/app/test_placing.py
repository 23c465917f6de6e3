"""New rows on the map of a run: answers and files of the app."""

import csv
import io

import numpy as np
import pytest
from tests.hosts.app.serving import table

from labelscape.scene import decode

HEADER = "name,height,leaf,bark,age,kind"


@pytest.fixture(scope="module")
def trees_map(client, trees):
    """A finished map of the small table."""
    run = client.started(trees, "lfda", name="the map", seed=3)
    assert client.ended(run)["state"] == "finished"
    return run


@pytest.fixture(scope="module")
def place(client, trees_map):
    """Place a table given as text, and return the finished run."""

    def placed(content, name="new.csv", on=trees_map):
        new = client.added(content, name)
        answer = client.http.post(f"/api/runs/{on}/place", json={"table": new})
        assert answer.status_code == 201, answer.text
        return client.ended(answer.json()["id"])

    return placed


@pytest.fixture(scope="module")
def file_of(client):
    def content(run, file):
        answer = client.http.get(f"/api/runs/{run['id']}/files/{file}")
        assert answer.status_code == 200, answer.text
        return answer.content

    return content


def shifted(content, by=6.0):
    """Return a table in which heights have grown."""
    header, *lines = content.splitlines()
    cells = [line.split(",") for line in lines]
    for row in cells:
        row[1] = str(float(row[1]) + by)
    return "\n".join([header, *(",".join(row) for row in cells)])


@pytest.fixture(scope="module")
def drifted(place):
    """A finished run of rows that have grown."""
    return place(shifted(table(30, seed=1)))


def test_new_rows_are_a_run_that_says_what_is_known_of_them(drifted, trees_map):
    assert drifted["state"] == "finished", drifted["words"]
    assert drifted["name"] == "new.csv on the map"
    assert drifted["settings"]["method"] == "place"
    assert drifted["settings"]["placed_on"] == trees_map
    assert drifted["settings"]["reading"]["id"] == "name"
    found = drifted["result"]["placement"]
    assert (found["n_rows"], found["has_drifted"]) == (30, True)
    assert found["moved"][0]["feature"] == "height"
    assert sum(one["count"] for one in found["classes"]) == 30
    assert "differ from the training data overall" in drifted["result"]["summary"]


def test_the_page_shows_them_on_the_map_of_before(drifted, trees_map, file_of):
    scene = decode(file_of(drifted, "scene"))
    before = decode(file_of({"id": trees_map}, "scene"))
    assert scene.n_points == 90
    assert scene.held_out.tolist() == [0] * 60 + [1] * 30
    old, new = before.maps[0], scene.maps[0]
    np.testing.assert_array_equal(new.positions[:60], old.positions)
    assert (old.regions is None, new.regions) == (False, None)  # of another model
    assert scene.classes == before.classes
    assert scene.ids[60] == "t0"
    lines = scene.new_rows.lines
    assert "look unlike the training data" in lines[0].words
    assert set(lines[1].rows.tolist()) == set(range(60, 90))
    assert lines[2].feature == "height"
    assert sum(len(line.rows) for line in lines if "predicted as " in line.words) >= 30


def test_its_code_repeats_the_table_to_the_last_bit(
    drifted, file_of, tmp_path, monkeypatch
):
    (tmp_path / "trees.csv").write_text(table())
    (tmp_path / "new.csv").write_text(shifted(table(30, seed=1)))
    monkeypatch.chdir(tmp_path)
    exec(compile(file_of(drifted, "code"), "repeat.py", "exec"), {})
    again = (tmp_path / "placed-repeated.csv").read_bytes()
    assert again == file_of(drifted, "placed")
    rows = list(csv.DictReader(io.StringIO(again.decode())))
    assert [row["id"] for row in rows[:2]] == ["t0", "t1"]


def test_the_model_is_one_that_the_command_line_takes(
    drifted, file_of, tmp_path, monkeypatch
):
    from typer.testing import CliRunner

    from labelscape.cli.main import app

    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept.labelscape").write_bytes(file_of(drifted, "model"))
    (tmp_path / "new.csv").write_text(shifted(table(30, seed=1)))
    wish = ["place", "kept.labelscape", "new.csv", "--id", "name", "-o", "p.csv"]
    done = CliRunner().invoke(app, wish)
    assert done.exit_code == 0, done.output
    assert (tmp_path / "p.csv").read_bytes() == file_of(drifted, "placed")


def test_a_file_with_commas_is_read_as_it_is_written(
    place, file_of, tmp_path, monkeypatch
):
    content = table(12, seed=2).replace(",", ";").replace(".", ",")
    run = place(content, "commas.csv")
    assert run["state"] == "finished", run["words"]
    assert run["settings"]["reading"]["decimal"] == ","
    code = file_of(run, "code").decode()
    assert "reading=Reading(" in code
    assert "decimal=','" in code
    (tmp_path / "trees.csv").write_text(table())
    (tmp_path / "commas.csv").write_text(content)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "repeat.py", "exec"), {})
    assert (tmp_path / "placed-repeated.csv").read_bytes() == file_of(run, "placed")


def test_other_classes_are_named_and_shown(place, file_of):
    run = place(f"{HEADER}\nq,1,2,1,1,elm\nr,4,0,0,0,oak\ns,1,1,1,1,\n")
    assert run["state"] == "finished", run["words"]
    scene = decode(file_of(run, "scene"))
    assert scene.classes == ("ash", "fir", "oak", "elm")
    last = scene.new_rows.lines[-1]
    assert last.words == "1 row with a class that is not on the map: elm."
    assert last.rows.tolist() == [60]
    assert scene.labels[60:].tolist() == [3, 2, 255]


def with_shown(content, cells, header="batch,found,word"):
    """Return a table with three columns more, for each row the next cells."""
    first, *lines = content.splitlines()
    lines = [f"{line},{cells[i % len(cells)]}" for i, line in enumerate(lines)]
    return "\n".join([f"{first},{header}", *lines])


def test_new_rows_have_what_is_shown_of_the_others(client, place, file_of):
    old = client.added(with_shown(table(), ["p,1.5,good wood", "q,,"]), "old.csv")
    how = {"show": ["batch", "found"], "text": "word"}
    on = client.started(old, "lfda", reading=how)
    assert client.ended(on)["state"] == "finished"
    scenes = [
        decode(file_of(place(content, on=on), "scene"))
        for content in (
            with_shown(table(6, seed=1), ["r,late,bad wood"]),
            table(6, seed=1),
        )
    ]
    batch, found = scenes[0].columns
    assert [batch.words[code] for code in batch.codes[[0, 1, 60]]] == ["p", "q", "r"]
    assert [found.texts[i] for i in (0, 1, 60)] == ["1.5", "", "late"]
    assert [scenes[0].texts[i] for i in (0, 60)] == ["good wood", "bad wood"]
    batch, found = scenes[1].columns
    assert batch.words == ("p", "q")
    np.testing.assert_array_equal(found.numbers.values[[0, 60]], [1.5, np.nan])


def test_one_row_without_name_or_class_is_placed(place, file_of):
    run = place("age,bark,leaf,height\n1,2,3,4\n")
    assert run["state"] == "finished", run["words"]
    assert run["result"]["placement"]["n_rows"] == 1
    assert decode(file_of(run, "scene")).ids[60] == "new 0"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("name,height,kind\na,1,oak\nb,2,fir\n", "lack 3 of 4 columns: 'leaf'"),
        (f"{HEADER}\nq,tall,2,1,1,oak\nr,3,2,1,1,fir\n", "'height'"),
        (f"{HEADER}\n,1,2,1,1,oak\nr,3,2,1,1,fir\n", "Id column 'name'"),
    ],
)
def test_what_can_not_be_placed_says_why_and_the_map_stays(
    place, client, trees_map, content, words
):
    run = place(content)
    assert run["state"] == "failed"
    assert words in run["words"]
    assert client.get(f"/runs/{trees_map}")["state"] == "finished"


def test_a_map_that_can_not_place_rows_says_so(client, trees):
    other = client.started(trees, "sammon")
    run = client.ended(other)
    assert "cannot place new rows" in run["placing_note"]
    answer = client.http.post(f"/api/runs/{other}/place", json={"table": trees})
    assert answer.status_code == 422
    assert answer.json() == {"detail": run["placing_note"], "parameter": "method"}


def test_there_must_be_a_map_and_a_table(client, trees, trees_map, drifted):
    def asked(run, table):
        return client.http.post(f"/api/runs/{run}/place", json={"table": table})

    assert asked("0" * 12, trees).status_code == 404
    assert asked(trees_map, "0" * 12).status_code == 404
    assert asked(drifted["id"], trees).status_code == 422
    assert client.order(trees, "place").status_code == 422


def test_a_feature_that_was_constant_has_moved_beyond_measure(client, place):
    def with_one(content, value):
        header, *lines = content.splitlines()
        return "\n".join([f"{header},one", *(f"{line},{value}" for line in lines)])

    old = client.added(with_one(table(), 1), "old.csv")
    on = client.started(old, "lfda")
    assert client.ended(on)["state"] == "finished"
    run = place(with_one(table(12, seed=2), 2), on=on)
    assert run["state"] == "finished", run["words"]
    first = run["result"]["placement"]["moved"][0]
    assert first == {"feature": "one", "usual": 1.0, "now": 2.0, "distance": None}


def test_an_embedded_data_set_is_placed_on_its_own_map(client, file_of):
    wine = client.http.post("/api/datasets", json={"name": "wine"}).json()["id"]
    on = client.started(wine, "liram", reading={"label": None, "id": None})
    assert client.ended(on)["state"] == "finished"
    answer = client.http.post(f"/api/runs/{on}/place", json={"table": wine})
    run = client.ended(answer.json()["id"])
    assert run["state"] == "finished", run["words"]
    assert not run["result"]["placement"]["has_drifted"]
    scene = decode(file_of(run, "scene"))
    np.testing.assert_allclose(
        scene.maps[0].positions[178:], scene.maps[0].positions[:178], rtol=1e-5
    )
    assert scene.maps[0].regions is not None  # of the model that tells the classes
    assert "load('wine')" in file_of(run, "code").decode()


def test_a_map_stays_while_rows_wait_for_it_and_they_stay_without_it(
    client, trees, drifted, trees_map
):
    blocking = client.slow(trees)
    wish = {"table": trees, "name": "waiting"}
    waiting = client.http.post(f"/api/runs/{trees_map}/place", json=wish).json()
    assert (waiting["state"], waiting["name"]) == ("queued", "waiting")
    refused = client.http.delete(f"/api/runs/{trees_map}")
    assert refused.status_code == 409
    assert "Another run needs this run" in refused.json()["detail"]
    for run in (waiting["id"], blocking):
        client.http.post(f"/api/runs/{run}/cancel")
        assert client.ended(run)["state"] == "cancelled"
    assert client.http.delete(f"/api/runs/{trees_map}").status_code == 204
    placed = f"/api/runs/{drifted['id']}"
    assert client.http.patch(placed, json={"name": "other"}).json()["name"] == "other"
    assert client.http.get(f"{placed}/files/page").status_code == 200
    assert client.http.delete(placed).status_code == 204
