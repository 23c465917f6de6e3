"""Maps that are fitted again to labels that somebody decided on."""

import pytest

from labelscape.scene import decode


@pytest.fixture(scope="module")
def first(client, trees):
    """The id of a finished map."""
    id = client.started(trees, "liram", name="first")
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
    assert again["name"] == "first, 2 labels decided on"
    assert again["settings"]["refit_of"] == first
    assert again["settings"]["decisions"] == {"0": "fir", "1": "fir"}
    before, after = (labels_of(http, id) for id in (first, again["id"]))
    assert (before[0], after[0]) == ("oak", "fir")
    assert before[1:] == after[1:]


def test_it_has_no_certificate_and_says_why(again):
    assert "labels were changed by looking at a map" in again["result"]["verdict"]
    assert {light["state"] for light in again["result"]["lights"]} == {"none"}


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


def test_a_row_or_class_that_is_not_there_fails_in_words(client, http, first):
    for decisions, words in (({"60": "fir"}, "rows 0 to 59"), ({"0": "elm"}, "'elm'")):
        run = client.ended(refit(http, first, decisions).json()["id"])
        assert run["state"] == "failed"
        assert words in run["words"]


def test_what_is_no_map_is_not_fitted_again(client, http, trees):
    id = client.started(trees, "logistic")
    assert not client.ended(id)["can_refit"]
    answer = refit(http, id, {"0": "fir"})
    assert answer.status_code == 422
    assert answer.json()["detail"] == "Maps that are finished can be fitted again."


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
    assert "Mend the file first" in again["placing_note"]
