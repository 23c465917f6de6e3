"""``labelscape map --model`` saves a map, ``labelscape place`` places new rows."""

import csv
import json

import numpy as np
import pytest

from labelscape.datasets import TableEncoder, load, read_table

HEADER = "name,height,leaf,bark,planted,kind"


def trees(n, seed, higher=0.0):
    rng = np.random.default_rng(seed)
    lines = [HEADER]
    for i in range(n):
        kind = ("ash", "oak")[i % 2]
        height, leaf = rng.normal(10 + 4 * (i % 2) + higher), rng.normal(3)
        bark = ("rough", "smooth", "striped")[int(rng.integers(3))]
        day = f"2020-01-{i % 28 + 1:02}"
        lines.append(f"t{seed}-{i},{height:.4f},{leaf:.4f},{bark},{day},{kind}")
    return "\n".join(lines) + "\n"


@pytest.fixture
def kept(run, tmp_path):
    (tmp_path / "old.csv").write_text(trees(120, 0))
    wish = ("map", "old.csv", "--label", "kind", "--id", "name", "--method", "lfda")
    model, places = "kept/trees.labelscape", "old-places.csv"
    more = ("--model", model, "--positions", places, "--keep", "planted")
    done = run(*wish, *more, "--no-honesty", "--no-audit")
    assert done.exit_code == 0, done.output
    return tmp_path / "kept" / "trees.labelscape"


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_new_rows_are_placed_named_and_told_their_class(run, tmp_path, kept):
    old = rows_of(tmp_path / "old-places.csv")
    assert (old[1]["id"], old[1]["class"]) == ("t0-1", "oak")
    (tmp_path / "new.csv").write_text(trees(40, 1))
    done = run("place", kept, "new.csv", "--id", "name", "-o", "placed.csv")
    assert done.exit_code == 0, done.output
    assert "look like the training data overall" in done.stdout
    assert done.stdout.endswith("Written: placed.csv\n")
    placed = rows_of(tmp_path / "placed.csv")
    assert placed[5]["id"] == "t1-5"
    said = [row["class"] for row in placed]
    assert np.mean([a == ("ash", "oak")[i % 2] for i, a in enumerate(said)]) > 0.9
    assert all(np.isfinite([float(row["x"]), float(row["y"])]).all() for row in placed)


def test_old_rows_stand_where_they_stood(run, tmp_path, kept):
    done = run("place", kept, "old.csv", "--json")
    found = json.loads(done.stdout)
    old = rows_of(tmp_path / "old-places.csv")
    for row, before in zip(found["rows"], old, strict=True):
        assert [row["x"], row["y"]] == pytest.approx([float(before[k]) for k in "xy"])
    assert found["output"] == "old-placed.csv"


def test_what_has_moved_is_named(run, tmp_path, kept):
    (tmp_path / "new.csv").write_text(trees(60, 2, higher=6.0))
    found = json.loads(run("place", kept, "new.csv", "--json").stdout)
    assert found["has_drifted"]
    assert found["moved"][0]["feature"] == "height"
    assert found["n_unlike"] > 10
    assert "differ from the training data overall" in found["words"]


def test_rows_without_the_columns_are_refused_and_nothing_is_written(
    run, tmp_path, kept
):
    (tmp_path / "new.csv").write_text("height,kind\n1,ash\n")
    done = run("place", kept, "new.csv")
    assert done.exit_code == 2
    assert "The new rows lack 3 of 4 columns: 'leaf', 'bark', 'planted'" in done.stderr
    assert not (tmp_path / "new-placed.csv").exists()
    (tmp_path / "new.csv").write_text(trees(5, 1))
    done = run("place", kept, "new.csv", "--id", "nam")
    assert "nam" in done.stderr
    assert done.exit_code == 2


def test_a_file_that_is_no_kept_map_is_refused(run, tmp_path):
    (tmp_path / "new.csv").write_text(trees(5, 1))
    assert run("place", "new.csv", "new.csv").exit_code == 2
    assert "There is no file" in run("place", "nothing.labelscape", "new.csv").stderr


NEW = "name,height,leaf,bark,planted\n"


def test_gaps_are_counted_and_rows_without_a_value_are_left_out(run, tmp_path, kept):
    rows = "a,,3.1,rough,2020-01-05\nb,,,,\nc,11,2.9,,\nd,12,3.0,smooth,2020-01-07\n"
    (tmp_path / "new.csv").write_text(NEW + rows)
    found = json.loads(run("place", kept, "new.csv", "--id", "name", "--json").stdout)
    assert (found["n_rows"], found["n_placed"], found["n_filled"]) == (4, 3, 3)
    assert found["empty"] == [1]
    assert [row["filled"] for row in found["rows"]] == [1, None, 2, 0]
    assert found["rows"][1]["class"] is None
    assert found["rows"][1]["p_unlike"] is None
    assert "3 missing cells in 2 rows were replaced" in found["words"]
    assert "Left out because all values are missing: row b." in found["words"]
    assert "of 3 new rows look unlike" in found["words"]


def test_rows_none_of_which_holds_a_value_are_refused(run, tmp_path, kept):
    (tmp_path / "new.csv").write_text(NEW + "a,,,,\nb,,,,\n")
    done = run("place", kept, "new.csv")
    assert done.exit_code == 2
    assert "None of the 2 new rows has a value" in done.stderr


def test_a_row_with_an_unknown_category_is_placed_and_named(run, tmp_path, kept):
    rows = "a,10,3.1,mossy,2020-01-05\nb,14,2.8,rough,2020-01-06\n"
    (tmp_path / "new.csv").write_text(NEW + rows)
    found = json.loads(run("place", kept, "new.csv", "--id", "name", "--json").stdout)
    assert found["unknown"] == [{"row": 0, "column": "bark", "word": "mossy"}]
    assert "bark 'mossy' in row a" in found["words"]
    (tmp_path / "gap.csv").write_text((NEW + rows).replace("mossy", ""))
    gap = json.loads(run("place", kept, "gap.csv", "--json").stdout)
    assert found["rows"][0]["x"] == gap["rows"][0]["x"]


def test_decimal_commas_are_read_and_words_for_missing_can_be_given(
    run, tmp_path, kept
):
    text = trees(30, 1)
    points = json.loads(_place_text(run, tmp_path, kept, text).stdout)
    commas = text.replace(",", ";").replace(".", ",")
    detected = json.loads(_place_text(run, tmp_path, kept, commas).stdout)
    assert detected["rows"] == points["rows"]
    odd = text.replace("striped", "rough").splitlines()
    odd[1] = ",".join([*odd[1].split(",")[:2], "n.d.", *odd[1].split(",")[3:]])
    refused = _place_text(run, tmp_path, kept, "\n".join(odd))
    assert "pass --read missing_values=n.d." in refused.stderr
    assert "--nominal" not in refused.stderr
    more = ("missing_values=n.d.", "encoding=utf-8", "delimiter=,")
    more = [word for pair in more for word in ("--read", pair)]
    placed = json.loads(_place_text(run, tmp_path, kept, "\n".join(odd), *more).stdout)
    assert placed["rows"][0]["filled"] == 1


def _place_text(run, tmp_path, kept, text, *options):
    (tmp_path / "new.csv").write_text(text)
    return run("place", kept, "new.csv", "--json", *options)


def test_drift_ends_with_exit_code_1_where_that_is_asked_for(run, tmp_path, kept):
    (tmp_path / "new.csv").write_text(trees(60, 2, higher=6.0))
    done = run("place", kept, "new.csv", "--fail-on", "drift")
    assert (done.exit_code, "Failed on: drift." in done.stdout) == (1, True)
    (tmp_path / "same.csv").write_text(trees(40, 1))
    assert run("place", kept, "same.csv", "--fail-on", "drift").exit_code == 0
    assert run("place", kept, "same.csv", "--fail-on", "suspects").exit_code == 2


def test_standard_output_gets_the_table_alone_with_probabilities(run, tmp_path, kept):
    (tmp_path / "new.csv").write_text(trees(20, 1))
    done = run("place", kept, "new.csv", "-o", "-")
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert len(rows) == 20
    for row in rows:
        chances = {kind: float(row[f"p({kind})"]) for kind in ("ash", "oak")}
        assert sum(chances.values()) == pytest.approx(1.0)
        assert max(chances, key=chances.get) == row["class"]
    assert "look unlike the training data" in done.stderr
    assert not (tmp_path / "new-placed.csv").exists()
    assert run("place", kept, "new.csv", "-o", "-", "--json").exit_code == 2


def test_a_date_that_moved_is_written_as_a_date(run, tmp_path, kept):
    later = trees(60, 2).replace("2020-01", "2021-08")
    (tmp_path / "new.csv").write_text(later)
    found = json.loads(run("place", kept, "new.csv", "--json").stdout)
    assert found["moved"][0]["feature"] == "planted"
    assert "planted (typical value 2020-01-1" in found["words"]
    assert ", now 2021-08-1" in found["words"]
    assert "e+04" not in found["words"]


@pytest.mark.parametrize("method", ["pca", "lda", "nca"])
def test_a_straight_map_of_another_library_can_be_kept(run, tmp_path, method):
    (tmp_path / "old.csv").write_text(trees(30, 0))
    how = ("--label", "kind", "--id", "name", "--method", method)
    kept = ("--model", "a.labelscape", "--positions", "places.csv")
    run("map", "old.csv", *how, *kept, "--no-honesty", "--no-audit")
    found = json.loads(run("place", "a.labelscape", "old.csv", "--json").stdout)
    again = [row["x"] for row in found["rows"]]
    before = [float(row["x"]) for row in rows_of(tmp_path / "places.csv")]
    assert again == pytest.approx(before)


@pytest.mark.parametrize("method", ["sammon", "tsne"])
def test_a_map_that_can_not_be_kept_is_refused_before_any_work(run, tmp_path, method):
    done = run("map", "iris", "--method", method, "--model", "iris.labelscape")
    assert done.exit_code == 2
    assert f"'{method}' needs the training rows to place new rows" in done.stderr
    assert "Choose --method 'liram' or another method of" in done.stderr
    assert not list(tmp_path.iterdir())


def test_the_way_from_columns_to_features_can_be_kept_as_text(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text(trees(30, 0))
    how = {"scale": "standard", "missing": "impute", "keep": ["planted"]}
    table = read_table(path, label="kind", id="name", **how)
    again = TableEncoder.from_json(table.encoder.to_json())
    np.testing.assert_array_equal(again.transform(path), table.X)
    assert again.feature_names == table.feature_names


@pytest.mark.parametrize("broken", ["", "[]", "{}", '{"codes": 3}', "null"])
def test_a_broken_text_is_refused(broken):
    with pytest.raises(ValueError, match="TableEncoder: the text was not written"):
        TableEncoder.from_json(broken)


def test_numbers_that_do_not_fit_the_columns_are_refused():
    text = load("iris").encoder.to_json().replace('"shift": [0.0, ', '"shift": [')
    with pytest.raises(ValueError, match=r"contain 4 numbers each for .fill"):
        TableEncoder.from_json(text)
