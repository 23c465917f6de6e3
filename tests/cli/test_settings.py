import json

import pytest

from labelscape.cli._options import (
    parameters_of_each,
    parameters_set,
    with_parameters,
)
from labelscape.jobs import RunOrder, method_named
from labelscape.jobs.methods import classifier_named

QUICK = ("--no-honesty", "--no-audit", "--json")


@pytest.mark.parametrize(
    ("method", "said", "value"),
    [
        ("tsne", "perplexity=50", 50),
        ("tsne", "perplexity=12.5", 12.5),
        ("tsne", "bandwidth=global", "global"),
        ("liram", "prototypes_per_class=2", 2),
        ("liram", "prototypes_per_class={'oak': 2}", {"oak": 2}),
        ("sammon", "metric=precomputed", "precomputed"),
        ("pca", "whiten=True", True),
        ("pca", "svd_solver=full", "full"),
        ("fisher-tsne", "metric__regularization=0", 0),
        ("fisher-mds", "metric__parzen_points=0.1", 0.1),
        ("fisher-mds", "metric__bandwidth=median", "median"),
    ],
)
def test_a_value_has_the_type_that_its_rule_asks_for(method, said, value):
    name, _, text = said.partition("=")
    found = parameters_set(method_named(method), [(name, text)])
    assert found == {name: value}
    assert type(found[name]) is type(value)


def test_none_is_written_as_a_word():
    forest = classifier_named("forest")
    assert parameters_set(forest, [("max_depth", "none")]) == {"max_depth": None}


def test_the_last_value_of_a_parameter_counts():
    pairs = [("perplexity", "5"), ("perplexity", "9")]
    order = with_parameters(RunOrder(method="tsne"), pairs)
    assert order.parameters == {"perplexity": 9}


def test_a_parameter_is_set_in_one_of_several_methods_or_in_all_that_have_it():
    pairs = [("max_iter", "7"), ("nca.tol", "0.1")]
    found = parameters_of_each(["pca", "nca", "sammon"], pairs)
    assert found == {"nca": {"max_iter": 7, "tol": 0.1}, "sammon": {"max_iter": 7}}


def test_a_file_has_a_table_for_a_method_and_dicts_for_parameters():
    pairs = [("tsne", {"perplexity": 9}), ("max_iter", 7)]
    found = parameters_of_each(["pca", "tsne"], pairs)
    assert found == {"tsne": {"perplexity": 9, "max_iter": 7}}
    pairs = [("prototypes_per_class", {"oak": 2})]
    order = with_parameters(RunOrder(method="liram"), pairs)
    assert order.parameters == {"prototypes_per_class": {"oak": 2}}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (["--set", "perplexty=5"], "Did you mean 'perplexity'?"),
        (["--set", "perplexty=5"], "Available: perplexity, "),
        (
            ["--set", "perplexity=-5"],
            "perplexity must be 'auto', or a",
        ),
        (["--set", "perplexity=many"], "got 'many'"),
        (["--set", "perplexity"], "Write NAME=VALUE; got 'perplexity'"),
        (["--set", "random_state=3"], "use --seed instead"),
    ],
)
def test_what_can_not_be_set_is_refused_before_anything_is_fitted(run, said, words):
    done = run("map", "iris", "--method", "tsne", *said)
    assert done.exit_code == 2
    assert words in " ".join(done.stderr.replace("│", " ").split())


def test_a_method_must_be_named_for_its_parameters(run):
    done = run("map", "iris", "--set", "perplexity=5")
    assert done.exit_code == 2
    assert "choose one with --method" in done.stderr


def test_what_is_set_reaches_the_method(run):
    plain, far = (
        json.loads(run("map", "iris", "-m", "lfda", *QUICK, *said).stdout)
        for said in ((), ("--set", "n_neighbors=60"))
    )
    assert plain["quality"] != far["quality"]


def test_a_classifier_and_a_comparison_take_parameters(run):
    done = run("classify", "iris", "-c", "forest", "--set", "n_estimators=0")
    assert "Random forest: n_estimators must be a whole number" in done.stderr
    done = run("compare", "iris", "-m", "pca,lda", "--set", "perplexity=3")
    assert "none of these methods has a parameter 'perplexity'" in done.stderr
    done = run("audit", "iris", "--set", "perplexity=3")
    assert "choose one with --method" in done.stderr


def test_the_metric_of_a_map_is_set_by_its_name_and_two_underscores(run):
    plain, sharp = (
        json.loads(run("map", "iris", "-m", "fisher-mds", *QUICK, *said).stdout)
        for said in ((), ("--set", "metric__regularization=0"))
    )
    assert plain["quality"] != sharp["quality"]
    done = run("map", "iris", "-m", "fisher-mds", "--set", "metric__rule=lft")
    assert "metric__rule must be 'sphere' or 'midpoint' or 'left'" in done.stderr


def test_the_picture_of_a_classifier_and_the_map_under_it_are_set(run):
    said = ("--set", "C=10", "--set", "picture__projection=lfda")
    said += ("--set", "picture__projection__n_neighbors=5", "--json")
    found = json.loads(run("classify", "iris", *said).stdout)
    assert found["agreement"] > 0.85
    usual = json.loads(run("classify", "iris", "--json").stdout)
    assert found["share_far_from_data"] != usual["share_far_from_data"]
    for setting, words in {
        "picture__projection=lfd": "no method 'lfd'. Did you mean",
        "picture__lambd2=1": "Did you mean 'picture__lambda2'?",
        "picture__projection__n_neighbors=5": "has no parameter",
    }.items():
        assert words in run("classify", "iris", "--set", setting).stderr


def test_a_file_says_options_and_the_command_line_goes_before(run, tmp_path, trees):
    (tmp_path / "map.toml").write_text(
        'label = "kind"\nid = "name"\ndrop = ["evergreen"]\nseed = 7\n'
        'method = "lfda"\nhonesty = false\naudit = false\njson = true\n'
        'output = "out/trees.html"\n[set]\nn_neighbors = 3\n'
    )
    found = json.loads(run("map", trees, "--config", "map.toml").stdout)
    assert found["seed"] == 7
    assert found["features"] == 4
    assert found["honesty"] is None
    assert found["output"] == "out/trees.html"
    said = ("--seed", "8", "-o", "other.html", "--set", "n_neighbors=4")
    again = json.loads(run("map", trees, "--config", "map.toml", *said).stdout)
    assert again["seed"] == 8
    assert again["output"] == "other.html"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("lable = 'kind'", "has the key 'lable', which is not an option"),
        ("lable = 'kind'", "Did you mean 'label'?"),
        ("seed = 'many'", "Invalid value for '--seed'"),
        ("seed = [1, 2]", "seed must be one value"),
        ("honesty = 'no'", "honesty must be true or false"),
        ("label = true", "label must be text or a number"),
        ("set = 3", "[set] must be a table"),
        ("label = ", "map.toml is not a valid TOML file"),
        (f"label = {'[' * 100_000}", "map.toml is not a valid TOML file"),
        ("method = 'tsne'\n[set]\nperplexty = 3", "Did you mean 'perplexity'?"),
        (
            "method = 'tsne'\n[set]\nperplexity = -3",
            "perplexity must be 'auto'",
        ),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_in_words(run, tmp_path, text, words):
    (tmp_path / "map.toml").write_text(text)
    done = run("map", "iris", "--config", "map.toml")
    assert done.exit_code == 2
    said = " ".join(done.stderr.replace("│", " ").split())
    assert words in said
    assert "Traceback" not in said


def test_a_file_that_is_not_there_is_named(run):
    done = run("map", "iris", "--config", "nowhere.toml")
    assert done.exit_code == 2
    assert "nowhere.toml" in done.stderr
