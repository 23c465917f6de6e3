from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris

from labelscape import audit
from labelscape._core.errors import InputError, Setting
from labelscape.cli._terminal import OPTIONS
from labelscape.quality.audit import Finding
from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of
from labelscape.scene._trust import scene_audit
from labelscape.scene.subject import Classes

NAMES = np.array(["setosa", "versicolor", "virginica"])
WRONG = [3, 20, 60, 90, 130]


@pytest.fixture(scope="module")
def flipped():
    """Objects, labels of which five are wrong, and their audit."""
    X, y = load_iris(return_X_y=True)
    y[WRONG] = (y[WRONG] + 1) % 3
    labels = NAMES[y]
    return X, labels, audit(X, labels, random_state=0)


def test_an_audit_travels_in_a_scene(flipped):
    X, y, report = flipped
    scene = scene_of(X[:, 2:], X, y, quality=False, audit=report)
    shown = decode(encode(scene)).audit
    assert [one.row for one in shown.suspects] == report.suspects.tolist()
    first, shown_first = report._first[0], (*shown.suspects, *shown.look_first)[0]
    assert (shown_first.given, shown_first.likely) == (first.given, first.likely)
    assert shown_first.against[0].value == first.against[0].value
    assert [one.row for one in shown.look_first] == [
        one.row for one in report.look_first
    ]
    assert shown.can_tell == report.can_tell
    assert shown.rate == 0.1
    assert shown.summary == report.summary
    assert len(shown.taken_for) == len(y)


def test_the_rows_of_a_pair_are_those_that_are_taken_for_the_other(flipped):
    _, y, report = flipped
    shown = scene_audit(report, Classes(NAMES.tolist()), len(y))
    for pair, known in zip(shown.pairs, report.pairs, strict=True):
        assert (pair.a, pair.b, pair.share) == (known.a, known.b, known.share)
        for row in pair.rows:
            assert {y[row], report.likely[row]} == {pair.a, pair.b}
    n_mixed = report.confusion.sum() - np.trace(report.confusion)
    assert sum(len(pair.rows) for pair in shown.pairs) == n_mixed


def test_the_closest_classes_come_first_with_three_features_each(flipped):
    _, y, report = flipped
    shown = scene_audit(report, Classes(NAMES.tolist()), len(y))
    assert len(shown.class_differences) == 3
    first = shown.class_differences[0]
    assert (first.a, first.b) == ("versicolor", "virginica")
    assert len(first.effects) == len(first.accuracy) == 3
    known = report.compare_classes("versicolor", "virginica")
    assert tuple(one.feature for one in first.effects) == known.best[-1]
    assert first.accuracy == tuple(known.accuracy)


def test_numbers_as_classes_have_the_names_that_the_view_shows():
    X, y = load_iris(return_X_y=True)
    report = audit(X, y.astype(float), random_state=0)
    shown = scene_audit(report, Classes([0.0, 1.0, 2.0]), len(y))
    assert (shown.class_differences[0].a, shown.class_differences[0].b) == ("1", "2")


def test_a_remedy_is_said_in_the_words_of_the_host(flipped):
    _, y, report = flipped
    odd = Finding("constant", ("age",), 1, remedy=Setting("drop", ["age"]))
    known = replace(report, findings=[odd])
    python, options = (
        scene_audit(known, Classes(NAMES.tolist()), len(y), *wording).findings[0]
        for wording in ((), (OPTIONS,))
    )
    assert python.remedy == options.remedy == ("drop", "age")
    assert "pass drop=['age']." in python.words
    assert "pass --drop 'age'." in options.words


def test_an_audit_that_knew_no_names_has_those_of_the_scene(flipped):
    X, y, report = flipped
    names = ["SL", "SW", "PL", "PW"]
    scene = scene_of(X[:, 2:], X, y, feature_names=names, quality=False, audit=report)
    audit = scene.audit
    assert (*audit.suspects, *audit.look_first)[0].against[0].feature in names
    assert {one.feature for one in scene.audit.class_differences[0].effects} <= {*names}
    found = [one for one in scene.audit.findings if one.code == "one feature"]
    assert all(one.words.split("'")[1] in names for one in found)


def test_an_audit_of_other_rows_is_refused(flipped):
    X, y, report = flipped
    with pytest.raises(InputError, match="about 150 rows, but there are 140 points"):
        scene_of(X[:140, 2:], X[:140], y[:140], quality=False, audit=report)
