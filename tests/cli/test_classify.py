import json

import pytest
from sklearn.datasets import load_iris

import labelscape
from labelscape.embeddings import LFDA
from labelscape.prototypes import GLVQ


def test_a_classifier_is_trained_judged_and_drawn(run, shown):
    done = run("classify", "wine", "-o", "svm.html")
    assert done.exit_code == 0, done.output
    assert "● Is the classifier right? Yes: " in done.stdout
    assert "\n● Does the map match the classifier? Yes: it shows " in done.stdout
    assert "\nSVC, 53 rows held out.\n" in done.stdout
    scene = shown("svm.html")
    assert scene.maps[0].regions is not None
    assert scene.held_out.sum() == 53
    assert scene.predictions is not None


@pytest.mark.parametrize("name", ["forest", "logistic", "gmlvq", "pag"])
def test_every_classifier_can_be_asked_for(run, name):
    done = run("classify", "iris", "--classifier", name, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["accuracy"] > 0.85
    assert found["agreement"] > 0.85
    assert found["held_out"] in (44, 45, 46)


def test_a_prototype_classifier_brings_its_levels(run, shown):
    run("classify", "iris", "-c", "pag")
    assert shown("iris-classified.html").model.name == "PushAndGrow"


def test_a_saved_model_is_shown_as_it_is(run, tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    names = load_iris().target_names[y]
    labelscape.save(GLVQ(random_state=0).fit(X.to_numpy(), names), tmp_path / "m.zip")
    done = run("classify", "iris", "--model", "m.zip")
    assert done.exit_code == 0, done.output
    assert "GLVQ, " in done.stdout
    assert "may have been trained on these rows" in done.stdout
    assert "may have been trained on these rows" in done.stdout


def test_what_goes_wrong_is_one_sentence_and_code_two(run, tmp_path):
    X, y = load_iris(return_X_y=True)
    labelscape.save(GLVQ(random_state=0).fit(X[:, :2], y), tmp_path / "two.zip")
    labelscape.save(LFDA().fit(X, y), tmp_path / "map.zip")
    for arguments, words in [
        (["iris", "-c", "svn"], "Did you mean 'svm'"),
        (["iris", "-c", "svm", "--model", "two.zip"], "not both"),
        (["iris", "--model", "two.zip"], "trained on 2 features"),
        (["iris", "--model", "map.zip"], "is not a classifier"),
        (["iris", "--model", "absent.zip"], "absent.zip"),
        (["iris", "-o", "picture.png"], "must end in .html"),
    ]:
        done = run("classify", *arguments)
        assert done.exit_code == 2, done.output
        assert words in done.stderr
        assert done.stderr.count("\n") == 1
