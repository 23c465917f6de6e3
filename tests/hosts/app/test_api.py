"""Requests of the page to the app, and the answers."""

import csv
import json

import numpy as np
import pytest
from tests.hosts.app.serving import table

from labelscape import save
from labelscape.prototypes import GMLVQ
from labelscape.scene import decode


@pytest.fixture(scope="module")
def run(client, trees):
    """The id of a finished run."""
    id = client.started(trees, "liram", name="first")
    assert client.ended(id)["state"] == "finished"
    return id


def test_the_status_says_what_the_app_takes(client):
    status = client.get("/status")
    assert status["upload_limit"] == 4 * 2**20
    assert "/" not in status["workspace"]


def test_an_uploaded_table_is_described(client, trees):
    found = client.get(f"/tables/{trees}")
    assert (found["name"], found["n_rows"], found["n_columns"]) == ("trees.csv", 60, 6)
    roles = {column["name"]: column["role"] for column in found["columns"]}
    assert roles["kind"] == "label"
    assert roles["name"] == "id"
    listed = client.get("/tables")
    assert trees in [entry["id"] for entry in listed]
    assert all(entry["columns"] == [] for entry in listed)
    assert next(e["n_columns"] for e in listed if e["id"] == trees) == 6


def test_an_embedded_set_is_taken_in_once(client, http):
    ids = {
        http.post("/api/datasets", json={"name": "iris"}).json()["id"] for _ in range(2)
    }
    assert len(ids) == 1
    assert "iris" in [entry["name"] for entry in client.get("/datasets")]


def test_sets_that_come_from_elsewhere_are_not_fetched(http):
    answer = http.post("/api/datasets", json={"name": "letter"})
    assert answer.status_code == 422
    assert "There is no data set 'letter'" in answer.json()["detail"]


def test_a_table_is_deleted_unless_a_run_needs_it(client, http, trees, run, session):
    spare = client.added(name="spare.csv")
    assert http.delete(f"/api/tables/{spare}").status_code == 204
    assert http.get(f"/api/tables/{spare}").status_code == 404
    assert not (session.workspace.folder / "tables" / spare).exists()
    answer = http.delete(f"/api/tables/{trees}")
    assert answer.status_code == 409
    assert answer.json()["detail"] == "Runs use this table. Delete them first."


def test_every_card_says_what_can_be_set(client):
    cards = client.get("/methods")
    assert len({card["name"] for card in cards}) == len(cards) == 35
    assert {card["group"] for card in cards} == {"map", "prototypes", "classifier"}
    for parameter in (p for card in cards for p in card["parameters"]):
        assert parameter["words"], parameter
        assert parameter["type"], parameter
        assert bool(parameter["choices"]) or parameter["kind"] != "choice"


def test_a_finished_run_has_all_its_files(client, http, run):
    found = client.get(f"/runs/{run}")
    assert (found["name"], found["table_name"]) == ("first", "trees.csv")
    assert found["result"]["has_model"]
    assert "Trustworthiness" in found["result"]["summary"]

    files = {
        name: http.get(f"/api/runs/{run}/files/{name}")
        for name in ("scene", "page", "positions", "model", "code")
    }
    for answer in files.values():
        assert answer.status_code == 200
        assert answer.headers["content-disposition"].startswith("attachment")
    scene = decode(files["scene"].content)
    rows = list(csv.reader(files["positions"].text.splitlines()))
    assert rows[0] == ["id", "class", "x", "y"]
    places = np.array([[float(value) for value in row[2:]] for row in rows[1:]])
    np.testing.assert_allclose(scene.maps[0].positions, places, rtol=1e-6)
    assert "read_table('trees.csv', label='kind'" in files["code"].text


def test_a_run_without_a_model_says_so(client, http, trees):
    id = client.started(trees, "pca")
    assert not client.ended(id)["result"]["has_model"]
    assert http.get(f"/api/runs/{id}/files/model").status_code == 404


def test_a_run_can_have_three_dimensions_and_so_has_all_that_it_writes(
    client, http, trees
):
    id = client.started(trees, "lfda", parameters={"n_components": 3})
    assert client.ended(id)["state"] == "finished"
    files = {
        name: http.get(f"/api/runs/{id}/files/{name}")
        for name in ("scene", "positions", "code")
    }
    assert decode(files["scene"].content).maps[0].depth is not None
    assert files["positions"].text.startswith("id,class,x,y,z")
    assert "'n_components': 3" in files["code"].text


def test_a_run_is_renamed_and_deleted(client, http, trees, session):
    id = client.started(trees)
    client.ended(id)
    renamed = http.patch(f"/api/runs/{id}", json={"name": "<b>mine</b>"})
    assert renamed.json()["name"] == "<b>mine</b>"
    for blank in ("", "   "):
        answer = http.patch(f"/api/runs/{id}", json={"name": blank})
        assert answer.status_code == 422
    assert http.delete(f"/api/runs/{id}").status_code == 204
    assert http.get(f"/api/runs/{id}").status_code == 404
    assert not (session.workspace.folder / "runs" / id).exists()


def test_a_decision_is_explained(client, http, run):
    answer = http.post(f"/api/runs/{run}/explain", json={"object": 3})
    assert answer.status_code == 200
    assert len(answer.json()["contributions"]) == 4
    beyond = http.post(f"/api/runs/{run}/explain", json={"object": 60})
    assert beyond.status_code == 422
    assert beyond.json()["detail"] == "There is no row 60; the table has 60 rows."


def test_a_decision_that_nothing_changes_is_explained(http, session, run, monkeypatch):
    answer = {"contributions": [1.0], "change": [0.0], "change_class": 255}
    answer |= {"change_distance": None}
    monkeypatch.setattr(session, "explain", lambda *_: answer)
    answered = http.post(f"/api/runs/{run}/explain", json={"object": 3})
    assert (answered.status_code, answered.json()) == (200, answer)


def saved_as(http, id, file):
    """Return the name under which a browser saves a file of a run."""
    header = http.get(f"/api/runs/{id}/files/{file}").headers["content-disposition"]
    return header.partition('filename="')[2].rstrip('"')


def test_files_are_saved_under_the_name_of_the_run(client, http, trees):
    id = client.started(trees, name='LDA "of"/trees.csv')
    client.ended(id)
    names = [saved_as(http, id, file) for file in ("page", "positions", "code")]
    stem = "LDA-of-trees"
    assert names == [f"{stem}.html", f"{stem}-positions.csv", f"{stem}-repeat.py"]


def test_a_saved_model_is_pictured(client, http, trees, tmp_path, session):
    X = np.random.default_rng(0).normal(size=(30, 4))
    model = GMLVQ(random_state=0).fit(X, np.repeat(["ash", "fir", "oak"], 10))
    save(model, tmp_path / "mine.labelscape")
    data = (tmp_path / "mine.labelscape").read_bytes()
    answer = http.post("/api/models", params={"name": "mine"}, content=data)
    assert answer.status_code == 201
    assert answer.json()["classes"] == ["ash", "fir", "oak"]
    assert client.get("/models")[0]["kind"] == "GMLVQ"
    model = answer.json()["id"]
    id = client.started(trees, "model", model=model)
    assert client.ended(id)["state"] == "finished"

    # The code loads the model under the name that it is saved by.
    assert saved_as(http, id, "model") == "mine"
    code = http.get(f"/api/runs/{id}/files/code").text
    assert "model='mine'" in code

    # What is wrong with it is said by this name, too.
    other = client.started(trees, "model", model=model, reading={"drop": ["age"]})
    words = client.ended(other)["words"]
    assert words.startswith("The model in 'mine' was trained on 4 features, but these")
    http.delete(f"/api/runs/{other}")

    answer = http.delete(f"/api/models/{model}")
    assert answer.status_code == 409
    assert answer.json()["detail"] == "Runs use this model. Delete them first."
    http.delete(f"/api/runs/{id}")
    assert http.delete(f"/api/models/{model}").status_code == 204
    assert model not in [entry["id"] for entry in client.get("/models")]
    assert not (session.workspace.folder / "models" / model).exists()
    assert http.delete(f"/api/models/{model}").status_code == 404


@pytest.mark.parametrize("is_file", [False, True])
def test_a_finished_map_is_certified(client, http, is_file):
    lines = [line.split(",") for line in table().splitlines()]
    if is_file:
        trees = client.added()
        positions = "\n".join(f"{one[1]},{one[2]}" for one in lines)
        client.added(positions, "map.csv")
        given = "map.csv"
    else:
        lines = [[*one[:1], "u", "v", *one[1:]] for one in lines[:1]] + [
            [*one[:1], *one[1:3], *one[1:]] for one in lines[1:]
        ]
        trees = client.added("\n".join(map(",".join, lines)))
        given = "u, v"
    wish = {"method": "given", "parameters": {"positions": given}}
    run = client.ended(client.started(trees, **wish))
    assert run["state"] == "finished", run["words"]
    first, *_ = run["result"]["lights"]
    assert (first["answer"], len(run["result"]["lights"])) == ("Yes", 3)
    assert run["method_title"] == "A map from another program"
    assert "no model" in run["placing_note"]
    scene = decode(http.get("/api/runs/{id}/files/scene".format(**run)).content)
    wanted = [[float(x) for x in one[-5:-3]] for one in lines[1:]]
    np.testing.assert_allclose(scene.maps[0].positions, wanted, rtol=1e-5)
    assert [feature.name for feature in scene.features][:2] == ["height", "leaf"]


@pytest.mark.parametrize(
    ("positions", "words"),
    [
        ("", "Enter the columns with the positions"),
        ("height, none", "no columns height, none"),
        ("none.csv", "no loaded table has this name"),
    ],
)
def test_a_finished_map_that_is_nowhere_is_refused(client, trees, positions, words):
    given = {"parameters": {"positions": positions}}
    answer = client.order(trees, "given", **given)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert answer.json()["parameter"] == "positions"


def test_what_is_no_model_is_refused_by_the_name_of_the_user(http):
    answer = http.post("/api/models", params={"name": "a.bin"}, content=b"nothing")
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("Cannot load 'a.bin':")


JSON = {"content-type": "application/json"}


def events_of(http, id):
    """Return kind and record of each event until the run has ended."""
    found = []
    with http.stream("GET", f"/api/runs/{id}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for block in "".join(answer.iter_text()).split("\n\n")[:-1]:
            kind, data = block.split("\n")
            found.append((kind.removeprefix("event: "), json.loads(data[6:])))
    return found


STEPS = {
    *("reading", "loading", "fitting", "training"),
    *("measuring", "judging", "explaining", "picturing", "drawing"),
}


def test_news_come_as_events_until_the_run_has_ended(client, http, trees):
    told = events_of(http, client.started(trees, "nexom"))
    kinds = [kind for kind, _ in told]
    assert set(kinds[:-1]) == {"progress"}
    assert kinds[-1] == "ended"
    assert told[-1][1]["state"] == "finished"
    past = [step for step, _ in told[-2][1]["past"]]
    assert past[:2] == ["reading", "fitting"]
    assert {record["step"] for _, record in told[:-1]} <= STEPS


def test_a_forming_map_can_be_looked_at(client, http, trees):
    id = client.slow(trees)
    client.until(id, lambda _: http.get(f"/api/runs/{id}/forming").content)
    places = np.frombuffer(http.get(f"/api/runs/{id}/forming").content, np.float32)
    scene = decode(http.get(f"/api/runs/{id}/forming/scene").content)
    assert places.shape == (120,)
    assert scene.maps[0].positions.shape == (60, 2)
    assert scene.maps[0].honesty.reason == "the map is still being fitted."
    http.post(f"/api/runs/{id}/cancel")
    assert client.ended(id)["state"] == "cancelled"
    client.until(id, lambda _: http.get(f"/api/runs/{id}/forming").content == b"")
    answer = http.get(f"/api/runs/{id}/files/scene")
    assert answer.status_code == 409
    assert answer.json()["detail"] == "This run has no files (state: cancelled)."


def test_the_queue_has_an_end_and_waiting_runs_can_be_cancelled(client, http, trees):
    first = client.slow(trees)
    waiting = [client.started(trees) for _ in range(2)]
    answer = client.order(trees)
    assert answer.status_code == 409
    assert "3 runs are waiting already" in answer.json()["detail"]
    assert http.delete(f"/api/runs/{first}").status_code == 409
    for id in (*waiting, first):
        http.post(f"/api/runs/{id}/cancel")
        assert client.ended(id)["state"] == "cancelled"
    assert client.ended(client.started(trees))["state"] == "finished"


@pytest.mark.parametrize(
    ("wish", "words", "parameter"),
    [
        ({"method": "magic"}, "There is no method 'magic'", "method"),
        ({"parameters": {"magic": 1}}, "has no parameter 'magic'", "magic"),
        ({"parameters": {"shrinkage": float("nan")}}, "finite", "shrinkage"),
        ({"table": "a" * 12}, "There is no table", None),
        ({"table": "../../etc"}, "table: ", "table"),
        ({"method": "model", "model": "b" * 12}, "There is no model", None),
        (
            {"method": "svm", "parameters": {"gamma": "abc"}},
            "gamma must be a number of at least 0, or 'scale' or 'auto', got 'abc'",
            "gamma",
        ),
        ({"method": "svm", "parameters": {"C": 10**400}}, "C must be", "C"),
        ({"method": "sammon", "parameters": {"tol": -1}}, "tol must be", "tol"),
        ({"seed": -1}, "seed: ", "seed"),
        ({"more": 1}, "more: ", "more"),
        ({"name": "\ud800"}, "name: ", "name"),
        ({"parameters": {"\ud800": 1}}, "", "?"),
    ],
)
def test_orders_that_make_no_sense_are_refused_in_a_sentence(
    client, http, trees, wish, words, parameter
):
    order = {"table": trees, "reading": {"label": "kind"}, "method": "lda"} | wish
    answer = http.post("/api/runs", content=json.dumps(order), headers=JSON)
    assert answer.status_code in (404, 422)
    assert words in answer.json()["detail"]
    assert answer.json()["parameter"] == parameter
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"reading": {"label": "species"}}, "species"),
        ({"reading": {"label": None}}, "Choose the column with the classes"),
        ({"method": "model"}, "Choose the file of the model."),
        ({"reading": {"drop": ["height", "leaf", "bark", "age"]}}, "No column is left"),
    ],
)
def test_fits_that_can_not_be_done_say_why(client, trees, wish, words):
    run = client.ended(client.started(trees, **wish))
    assert run["state"] == "failed"
    assert words in run["words"]
    assert "source.csv" not in run["words"]


def with_commas():
    """Return a table as a European spreadsheet writes it."""
    lines = [line.split(",") for line in table().splitlines()]
    return "\n".join(";".join(c.replace(".", ",") for c in line) for line in lines)


def test_decimal_commas_are_seen_and_the_code_says_so(client, http):
    id = client.added(with_commas(), "commas.csv")
    found = client.get(f"/tables/{id}")
    assert found["reading"]["decimal"] == ","
    kinds = [column["kind"] for column in found["columns"]]
    assert kinds == ["nominal", *["number"] * 4, "nominal"]
    run = client.ended(client.started(id))
    assert run["state"] == "finished"
    assert "decimal=','" in http.get(f"/api/runs/{run['id']}/files/code").text


def test_an_odd_value_is_told_and_can_be_called_missing(client, http):
    rows = table().splitlines()
    rows[5] = rows[5].replace(rows[5].split(",")[1], "-")
    id = client.added("\n".join(rows), "odd.csv")
    height = client.get(f"/tables/{id}")["columns"][1]
    assert (height["role"], height["odd"]) == ("drop", "-")
    said = "Column 'height' should contain numbers, but contains '-' in line 6."
    assert height["problem"] == said

    again = http.patch(f"/api/tables/{id}", json={"missing_values": ["-"]}).json()
    height = again["columns"][1]
    assert (height["role"], height["n_missing"]) == ("feature", 1)
    assert client.get(f"/tables/{id}") == again  # also after a reload
    run = client.ended(client.started(id))
    assert run["state"] == "finished"
    code = http.get(f"/api/runs/{run['id']}/files/code").text
    assert "missing_values=['-']" in code
    answer = http.post(f"/api/runs/{run['id']}/explain", json={"object": 4})
    assert answer.status_code == 200


def test_a_file_that_can_not_be_read_is_asked_how_it_is_written(client, http):
    rows = "\n".join(f"{i},{i % 7},{'ab'[i % 2]},{i % 7}" for i in range(12))

    def sent(**reading):
        query = {"name": "bare.csv"} | reading
        return http.post("/api/tables", params=query, content=rows)

    refused = sent()
    assert refused.status_code == 422
    words = "names were expected. Choose “First line”: a row if the file has no names"
    assert words in refused.json()["detail"]
    told = sent(reading='{"header": false}')
    assert told.status_code == 201, told.text
    assert [one["name"] for one in told.json()["columns"]] == ["x1", "x2", "x3", "x4"]
    assert told.json()["reading"]["header"] is False
    run = client.ended(
        client.started(told.json()["id"], reading={"label": "x3", "id": None})
    )
    assert run["state"] == "finished", run["words"]
    assert "header=False" in http.get(f"/api/runs/{run['id']}/files/code").text
    for wrong in ("{", '{"header": 7}', '{"colour": 1}'):
        answer = sent(reading=wrong)
        assert answer.status_code == 422
        assert answer.json()["parameter"] == "reading"


def test_a_data_set_of_ours_is_read_in_one_way(http):
    id = http.post("/api/datasets", json={"name": "iris"}).json()["id"]
    answer = http.patch(f"/api/tables/{id}", json={"decimal": ","})
    assert answer.status_code == 422


def test_rows_without_a_class_can_be_left_out(client, http):
    rows = table().splitlines()
    rows[3] = rows[3].rpartition(",")[0] + ","
    id = client.added("\n".join(rows), "gaps.csv")
    failed = client.ended(client.started(id))
    assert "unlabelled='drop'" in failed["words"]
    run = client.ended(client.started(id, reading={"unlabelled": "drop"}))
    assert "Left out: 1 row without a class." in run["result"]["summary"]
    positions = http.get(f"/api/runs/{run['id']}/files/positions").text
    assert len(positions.splitlines()) == 60


def test_an_id_that_none_looks_like_is_of_nothing(http):
    answer = http.get("/api/runs/zzzz")
    assert (answer.status_code, answer.json()["detail"]) == (
        404,
        "There is no such run.",
    )


@pytest.mark.parametrize("path", ["/api/nothing", "/api/runs/xyz", "/static/no.js"])
def test_what_is_not_there_is_told_without_a_trace(http, path):
    answer = http.get(path)
    assert answer.status_code in (404, 422)
    assert "Traceback" not in answer.text


def test_an_error_of_ours_is_one_sentence(http, session, monkeypatch):
    def broken(*_):
        raise KeyError("inner secret")

    monkeypatch.setattr(session.catalog, "all", broken)
    answer = http.get("/api/models")
    assert answer.status_code == 500
    words = "Internal error. See the log of the app for details."
    assert answer.json() == {"detail": words, "parameter": None}


def test_the_api_documents_itself_without_scripts(http):
    page = http.get("/api").text
    assert "POST /api/runs" in page
    assert "<script" not in page
