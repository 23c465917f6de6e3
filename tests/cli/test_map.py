import json
from xml.etree import ElementTree

import numpy as np
import pytest


def test_the_map_of_an_embedded_set_is_judged_and_written(run, tmp_path, shown):
    done = run("map", "wine", "-o", "out/wine.html")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("wine: 178 rows, 13 features, 3 classes")
    assert "trustworthiness" in done.stdout
    assert "\n● Does the map show all of the separation? Yes: " in done.stdout
    assert done.stdout.endswith("Written: out/wine.html\n")
    scene = shown("out/wine.html")
    assert scene.title in ("wine: LiRaM LVQ", "wine: Local Fisher discriminant")
    assert "\nChosen: " in done.stdout
    assert "Chosen: " in scene.maps[0].words
    assert scene.maps[0].honesty.real == "yes"
    assert "● Are the classes really separated? Yes: " in done.stdout
    assert scene.model.class_levels


def test_json_is_one_object_with_all_numbers(run, tmp_path):
    done = run("map", "iris", "--method", "lda", "--json")
    found = json.loads(done.stdout)
    assert found["data"] == "iris"
    assert found["classes"] == ["setosa", "versicolor", "virginica"]
    assert 0.9 < found["quality"]["knn_accuracy"] <= 1.0
    assert 0.0 < found["honesty"]["p_value"] < 0.05
    assert found["honesty"]["verdict"].startswith(
        "Are the classes really separated? Yes: "
    )
    assert found["output"] == "iris.html"
    assert (tmp_path / "iris.html").exists()


def test_islands_are_printed_and_in_json(run):
    wish = ("map", "iris", "--method", "pca", "--no-honesty", "--islands", "--no-audit")
    assert "2 of 2 islands (clusters) are stable." in run(*wish).stdout
    first, second = json.loads(run(*wish, "--json").stdout)["islands"]["islands"]
    assert first["size"] == len(first["rows"]) == 100
    assert second["verdict"] == "stable"
    assert second["classes"] == {"setosa": 50}


def test_what_the_labels_say_is_printed_beside_the_lights_and_in_json(run, shown):
    wish = ("map", "iris", "--method", "pca", "--no-honesty")
    said = run(*wish).stdout
    assert "\n● Labels: none look wrong." in said
    assert "\n○ Most confused: versicolor and virginica (" in said
    assert "\n○ Best separating features: petal " in said
    assert "pass --drop 'petal width (cm)'" in said
    assert shown("iris.html").audit is not None
    found = json.loads(run(*wish, "--json").stdout)["audit"]
    assert found["findings"][0]["code"] == "copies"
    without = run(*wish, "--no-audit")
    assert "Labels: not checked." in without.stdout
    assert shown("iris.html").audit is None


def test_a_table_of_mixed_types_is_read_and_its_gaps_counted(run, trees, shown):
    done = run("map", trees, "--label", "kind", "--id", "name", "--no-honesty")
    assert done.exit_code == 0, done.output
    assert "2 missing values imputed in 1 column" in done.stdout
    assert "Not tested: the test was not requested.\n" in done.stdout
    assert done.stdout.endswith("Written: trees.html\n")
    assert shown("trees.html").ids[3] == "t3"


def test_a_map_without_prototypes_is_explained_by_a_model_that_is_named(run, shown):
    run("map", "iris", "-m", "lda", "--no-honesty", "--no-audit")
    scene = shown("iris.html")
    assert scene.maps[0].name == "Linear discriminant"
    assert scene.model.name == "Matrix LVQ"
    assert scene.model.accuracy > 0.9


def test_twenty_thousand_columns_make_a_page(run, tmp_path, shown):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 15)
    X = rng.normal(size=(30, 20_000)) + 2 * y[:, None] * (np.arange(20_000) < 9)
    np.savez(tmp_path / "wide.npz", X=X, y=y)
    done = run("map", "wide.npz", "--label", "y", "--no-honesty", "--no-audit")
    assert done.exit_code == 0, done.output
    scene = shown("wide.html")
    assert scene.n_features == 20_000
    assert len(scene.features) == 1000


def test_the_picture_has_the_kind_of_its_name(run, tmp_path):
    run("map", "iris", "-m", "pca", "--no-honesty", "--no-audit", "-o", "iris.svg")
    root = ElementTree.parse(tmp_path / "iris.svg").getroot()
    assert root.tag.endswith("svg")
    # Words are text that can be searched, not outlines of letters.
    words = " ".join("".join(text.itertext()) for text in root.iterfind(".//{*}text"))
    assert "setosa" in words


def test_the_seed_decides_the_map(run):
    wish = ("map", "iris", "--no-honesty", "--no-audit")
    results = [
        json.loads(run(*wish, "--json", "--seed", seed).stdout) for seed in (1, 1)
    ]
    assert results[0]["quality"] == results[1]["quality"]


def test_constant_features_are_a_note_on_stderr_with_their_names(run, tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 10)
    X = np.c_[rng.normal(size=(20, 2)), np.ones(20)]
    np.savez(tmp_path / "t.npz", X=X, y=y, feature_names=["age", "mass", "unit"])
    done = run("map", "t.npz", "--label", "y", "--no-honesty", "--json")
    assert done.exit_code == 0, done.output
    notes = [line for line in done.stderr.splitlines() if "constant" in line]
    assert notes == ["Note: 1 feature is constant (unit) and is ignored."]
    json.loads(done.stdout)


def test_how_a_file_is_written_is_an_option(run, tmp_path):
    rows = "".join(
        f"{i},5~{i % 7}~{i if i % 3 else '-'}~{'äb'[i % 2]}\n" for i in range(20)
    )
    (tmp_path / "t.csv").write_bytes((rows + "1,5~n~2~b\n").encode("cp1252"))
    how = ["header=false", "delimiter=~", "decimal=,", "encoding=cp1252"]
    how += ["missing_values=-", "missing_values=n"]
    how = [*(word for pair in how for word in ("--read", pair)), "-l", "x4"]
    done = run("map", "t.csv", *how, "-m", "pca", "--no-honesty")
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    assert "21 rows, 3 features, 2 classes (b 11, ä 10)" in done.stdout


def test_a_tab_can_be_named(run, tmp_path):
    (tmp_path / "t.csv").write_text("a\tb,c\ty\n" + "1\t2\tp\n3\t1\tq\n" * 9)
    done = run(
        "map", "t.csv", "-l", "y", "--read", "delimiter=tab", "--no-honesty", "--json"
    )
    assert json.loads(done.stdout)["features"] == 2, done.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["wine", "-o", "map.doc"], "must end in .html, .png, .svg or .pdf"),
        (["wine", "-m", "lirm"], "There is no method 'lirm'"),
        (["absent.csv", "-l", "kind"], "There is no file 'absent.csv'"),
        (["wien"], "Did you mean 'wine'"),
        (["wine", "-l", "class"], "leave out --label"),
        (["trees.csv"], "Pass --label"),
        (["trees.csv", "-l", "colour", "--id", "name"], "colour"),
        (["trees.csv", "-l", "height", "--id", "name"], "height"),
        (
            ["trees.csv", "-l", "kind", "--read", "delimiter=;"],
            "--read 'delimiter=;'",
        ),
        (
            ["trees.csv", "-l", "kind", "--read", "delimiter=;;"],
            "delimiter must be one",
        ),
        (
            ["trees.csv", "-l", "kind", "--read", "encoding=x"],
            "encoding: there is no text encoding",
        ),
        (
            ["trees.csv", "-l", "kind", "-o", "trees.csv/a.svg"],
            "is a file, not a folder",
        ),
        (["."], "'.' is a folder"),
    ],
)
def test_what_goes_wrong_is_one_sentence_and_code_two(run, trees, arguments, words):
    done = run("map", *arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.startswith("labelscape: ")
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_a_table_too_small_for_a_report_is_refused_in_words(run, tmp_path):
    (tmp_path / "two.csv").write_text("kind,x\na,1\nb,2\n")
    done = run("map", "two.csv", "-l", "kind")
    assert done.exit_code == 2
    assert "has 2 rows with a class, but at least 10 are needed" in done.stderr


def test_interrupting_ends_with_code_130(run, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("labelscape.jobs.map.report", interrupted)
    assert run("map", "iris", "-m", "pca").exit_code == 130


@pytest.fixture
def patients(tmp_path):
    """Thirty patients, four rows each, numbered and sorted by a random diagnosis."""
    rng = np.random.default_rng(0)
    mean, ill = rng.normal(size=(30, 4)), np.repeat(["no", "yes"], 15)
    lines = ["row,patient,a,b,c,d,ill"]
    for i in range(120):
        values = mean[i // 4] + 0.05 * rng.normal(size=4)
        lines.append(
            f"{i + 1},p{i // 4}," + ",".join(map(str, values)) + f",{ill[i // 4]}"
        )
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("how", [("--group", "patient"), ("--id", "patient")])
def test_rows_of_one_patient_are_judged_together_and_a_counter_is_left_out(
    run, patients, how
):
    done = run("map", patients, "--label", "ill", "-m", "lfda", *how, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["features"] == 4
    assert found["honesty"]["real"] == "no"
    assert found["honesty"]["notes"][0].startswith("30 groups among 120 rows")
    assert "Left out: 'row' (row numbers, which would reveal" in done.stderr
    assert "pass --keep 'row'" in done.stderr
    assert ("pass --no-group" in done.stderr) == (how[0] == "--id")


def test_what_was_left_out_can_be_put_back_and_rows_be_independent(run, patients):
    how = ["--id", "patient", "--no-group", "--keep", "row"]
    done = run("map", patients, "--label", "ill", "-m", "lda", *how, "--json")
    found = json.loads(done.stdout)
    assert found["features"] == 5
    assert found["honesty"]["real"] == "yes"
    assert [leak["code"] for leak in found["honesty"]["warnings"]] == [
        "counter",
        "order",
    ]
    both = run("map", patients, "--label", "ill", "--group", "patient", "--no-group")
    assert both.exit_code == 2
    assert "not both" in both.output


def test_decisions_of_a_page_take_the_place_of_labels(run, tmp_path):
    head = "row,id,given,likely,chance_wrong,decision,label\n"
    line = "70,70,versicolor,virginica,0.9,relabelled,virginica\n"
    (tmp_path / "labels.csv").write_text(head + line)
    wish = ("map", "iris", "-m", "lda", "--no-audit", "--decisions", "labels.csv")
    done = run(*wish, "--positions", "places.csv")
    assert done.exit_code == 0, done.output
    assert "1 label was changed by hand" in done.stdout
    places = (tmp_path / "places.csv").read_text().splitlines()
    assert places[71].split(",")[1] == "virginica"
    (tmp_path / "labels.csv").write_text(head.replace("given", "was") + line)
    refused = run(*wish)
    assert refused.exit_code == 2
    assert "'labels.csv' lacks one of the columns row, given, label" in refused.stderr


@pytest.mark.parametrize("kind", ["html", "svg"])
def test_a_map_of_three_dimensions_is_a_page_to_turn_or_a_picture(run, kind, tmp_path):
    wish = ("map", "iris", "-m", "liram", "--no-honesty", "--no-audit")
    done = run(*wish, "--dimensions", "3", "-o", f"x.{kind}", "--positions", "x.csv")
    assert done.exit_code == 0, done.output
    assert (tmp_path / f"x.{kind}").exists()
    assert (tmp_path / "x.csv").read_text().startswith("id,class,x,y,z")


def test_dimensions_that_a_method_has_not_are_refused_as_an_option(run):
    done = run("map", "iris", "-m", "tsne", "--dimensions", "3", "--no-honesty")
    assert done.exit_code == 2
    assert "at most 2 dimensions" in done.stderr
    assert "Leave out --dimensions, or choose another method." in done.stderr
    assert run("map", "iris", "--dimensions", "4").exit_code == 2


def test_a_map_is_fitted_to_landmarks_that_are_asked_for(run, shown):
    wish = ("map", "iris", "--method", "lfda", "--no-honesty", "--no-audit")
    done = run(*wish, "--landmarks", "60")
    assert done.exit_code == 0, done.output
    said = "Fitted to 60 of 150 rows; the others were placed on the map."
    assert said in done.stdout
    assert said in shown("iris.html").maps[0].words
    assert shown("iris.html").n_points == 150
    found = json.loads(run(*wish, "--landmarks", "60", "--json").stdout)
    assert found["fitted_rows"] == 60


def test_landmarks_that_are_no_number_are_refused_in_words(run):
    for wrong in ("many", "2", "-5", "1.5"):
        done = run("map", "iris", "-m", "lda", "--landmarks", wrong)
        assert done.exit_code == 2
        assert "--landmarks" in done.stderr
