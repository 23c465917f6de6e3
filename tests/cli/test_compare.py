import json

import pytest

from labelscape.jobs import methods_of


def test_eight_methods_make_one_table_and_one_page(run, shown):
    done = run("compare", "iris", "-o", "maps.html")
    assert done.exit_code == 0, done.output
    header = next(row for row in done.stdout.splitlines() if row.startswith("method"))
    assert header.split()[-5:] == ["seen", "unseen", "kept", "real", "seconds"]
    assert done.stdout.endswith("Written: maps.html\n")
    scene = shown("maps.html")
    assert len(scene.maps) >= 8
    for one in scene.maps:
        assert one.positions.shape == (150, 2)
        assert one.quality.rows
        assert one.honesty is not None
    names = {method.title: method.name for method in methods_of("map")}
    for one in scene.maps:
        assert f"\n{names[one.name]} " in done.stdout


def test_json_has_one_record_per_method(run):
    done = run("compare", "iris", "--methods", "pca, lda", "--no-honesty", "--json")
    found = json.loads(done.stdout)
    assert [record["method"] for record in found["methods"]] == ["pca", "lda"]
    assert found["methods"][0]["honesty"] is None
    assert found["output"] == "iris-compared.html"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["iris", "-m", ","], "--methods must contain at least one method, got ','"),
        (["iris", "-m", "pca,lirm"], "There is no method 'lirm'"),
        (["iris", "-o", "map.png"], "must end in .html"),
        (["absent.csv", "-l", "kind"], "There is no file"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_code_two(run, arguments, words):
    done = run("compare", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1
