"""Maps that are fitted again to corrected labels."""

import pytest

from labelscape.scene import decode


@pytest.fixture(scope="module")
def first(client, trees):
    """The id of a finished map."""
    id = client.started(trees, "liram", name="first", honesty=True, audit=True)
    assert client.ended(id)["state"] == "finished"
    return id


def refit(http, id, decisions):
    return http.post(f"/api/runs/{id}/refit", json={"decisions": decisions})


@pytest.fixture(scope="module")
def again(client, http, first):
    """The map after two decisions: the first tree is a fir, the second stays one."""
    answer = refit(http, first, {"0": "fir", "1": "fir"})
    assert answer.status_code == 201, answer.text
    return client.ended(answer.json()["id"])


def labels_of(http, id):
    scene = decode(http.get(f"/api/runs/{id}/files/scene").content)
    return [scene.classes[code] for code in scene.labels]


def test_a_map_is_fitted_again_as_a_run_of_its_own(http, first, again):
    assert again["state"] == "finished"
    assert again["name"] == "first, 2 labels reviewed"
    assert again["settings"]["refit_of"] == first
    assert again["settings"]["decisions"] == {"0": "fir", "1": "fir"}
    before, after = (labels_of(http, id) for id in (first, again["id"]))
    assert (before[0], after[0]) == ("oak", "fir")
    assert before[1:] == after[1:]


def test_it_is_judged_and_audited_as_the_first_run_was(http, again):
    assert "none" not in {light["state"] for light in again["result"]["lights"]}
    scene = decode(http.get(f"/api/runs/{again['id']}/files/scene").content)
    assert "2 labels were changed by hand" in " ".join(scene.maps[0].honesty.notes)
    assert scene.audit is not None


def test_what_was_not_asked_for_at_first_is_not_measured_later(client, http, trees):
    id = client.started(trees)
    assert client.ended(id)["state"] == "finished"
    again = client.ended(refit(http, id, {"0": "fir"}).json()["id"])
    assert "labels were changed by hand on a map" in again["result"]["verdict"]
    assert {light["state"] for light in again["result"]["lights"]} == {"none"}


def kept(http, id):
    return http.get(f"/api/runs/{id}/decisions").json()["decisions"]


def test_decisions_are_kept_with_the_run_in_their_order(http, first):
    for decisions in ([[7, "oak"], [2, "fir"]], [[7, "oak"]], []):
        answer = http.put(f"/api/runs/{first}/decisions", json={"decisions": decisions})
        assert answer.status_code == 204, answer.text
        assert kept(http, first) == decisions


def test_kept_decisions_survive_the_end_of_the_app(serving):
    server = serving()
    id = server.client.started(server.client.added())
    assert server.client.ended(id)["state"] == "finished"
    body = {"decisions": [[7, "oak"], [2, "fir"]]}
    assert server.http.put(f"/api/runs/{id}/decisions", json=body).status_code == 204
    server.kill()
    assert kept(serving().http, id) == body["decisions"]


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ((60, "fir"), "There is no row 60; the map has rows 0 to 59."),
        ((0, "elm"), "Row 0 cannot get the class 'elm': the classes of the map are"),
    ],
)
def test_a_row_or_class_that_is_not_there_is_refused_at_once(
    http, first, decision, words
):
    row, label = decision
    path = f"/api/runs/{first}/decisions"
    for answer in (
        refit(http, first, {str(row): label}),
        http.put(path, json={"decisions": [[row, label]]}),
    ):
        assert answer.status_code == 422
        assert words in answer.json()["detail"]
    assert kept(http, first) == []


def test_decisions_of_both_times_count_and_the_first_map_is_where_it_begins(
    client, http, first, again
):
    assert again["can_refit"]
    third = client.ended(refit(http, again["id"], {"1": "ash"}).json()["id"])
    assert third["settings"]["decisions"] == {"0": "fir", "1": "ash"}
    assert third["settings"]["refit_of"] == first


@pytest.mark.parametrize(
    ("decisions", "status", "words"),
    [
        ({}, 422, "decisions"),
        ({"-1": "fir"}, 422, "decisions"),
        ({"x": "fir"}, 422, "decisions"),
    ],
)
def test_decisions_that_make_no_sense_are_refused(
    http, first, decisions, status, words
):
    answer = refit(http, first, decisions)
    assert answer.status_code == status
    assert words in answer.text


def test_what_is_no_map_is_not_fitted_again(client, http, trees):
    id = client.started(trees, "logistic")
    assert not client.ended(id)["can_refit"]
    answer = refit(http, id, {"0": "fir"})
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("Only the map of a finished run")


def test_a_map_that_was_deleted_is_missed_in_words(client, http, trees):
    id = client.started(trees)
    client.ended(id)
    again = client.ended(refit(http, id, {"0": "fir"}).json()["id"])
    assert http.delete(f"/api/runs/{id}").status_code == 204
    answer = refit(http, again["id"], {"1": "ash"})
    assert answer.status_code == 404
    assert "There is no run" in answer.json()["detail"]


def test_no_new_rows_are_placed_on_a_map_whose_labels_are_in_no_table(
    http, trees, again
):
    answer = http.post(f"/api/runs/{again['id']}/place", json={"table": trees})
    assert answer.status_code == 422
    assert answer.json()["detail"] == again["placing_note"]
    assert "Correct the labels in the file" in again["placing_note"]
