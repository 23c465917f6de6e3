import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs

import labelscape
from labelscape import audit
from labelscape.quality.audit.opinions import model_features, telling_columns


def blobs(n=400, n_classes=4, d=6, seed=0, flips=40):
    X, true = make_blobs(
        n, d, centers=n_classes, cluster_std=1.5, center_box=(-8, 8), random_state=seed
    )
    rng = np.random.RandomState(seed)
    y = true.copy()
    rows = rng.permutation(n)[:flips]
    y[rows] = (y[rows] + rng.randint(1, n_classes, size=flips)) % n_classes
    return X, y, true


@pytest.fixture(scope="module")
def report():
    X, y, _ = blobs()
    return audit(X, y, random_state=0)


def test_planted_errors_are_found_and_corrected(report):
    _, y, true = blobs()
    wrong = np.flatnonzero(y != true)
    assert len(np.intersect1d(report.suspects, wrong)) >= 34
    assert (y[report.suspects] == true[report.suspects]).mean() <= 0.1
    mended = report.repaired(y)
    assert (mended != true).sum() <= 10
    assert (y != true).sum() == 40  # what was given stays as it was


def test_what_was_found_fits_together(report):
    _, y, _ = blobs()
    n = len(report.suspects)
    assert sorted(report.ranking.tolist()) == list(range(400))
    np.testing.assert_array_equal(report.suspects, report.ranking[:n])
    assert (report.likely[report.suspects] != y[report.suspects]).all()
    chances = report.chance_wrong[report.ranking]
    assert (np.diff(chances) <= 1e-12).all()
    assert ((chances >= 0) & (chances <= 1)).all()
    assert 0.06 < report.share_wrong < 0.12
    assert 0.0 <= report.expected_false <= report.rate == 0.1


def test_a_suspect_comes_with_its_reasons(report):
    X, y, _ = blobs()
    suspected = set(report.suspects.tolist())
    assert [one.row for one in report.records] == report.suspects.tolist()
    for one in report.records:
        assert one.given == y[one.row]
        assert one.p_likely > one.p_given
        for near, label in ((one.near_given, one.given), (one.near_likely, one.likely)):
            assert len(near) == 3
            assert (y[list(near)] == label).all()
            assert not suspected.intersection(near)
            distances = np.linalg.norm(X[list(near)] - X[one.row], axis=1)
            assert (np.diff(distances) >= 0).all()
        first = one.against[0]
        column = X[:, int(first.feature[1:])]
        assert first.value == column[one.row]
        assert abs(first.value - first.usual_likely) < abs(
            first.value - first.usual_given
        )


def test_a_frame_has_all_rows_the_most_suspicious_first(report):
    frame = report.to_frame()
    assert list(frame.columns) == [
        "row",
        "given",
        "likely",
        "p_given",
        "p_likely",
        "chance_wrong",
        "suspect",
    ]
    assert frame["row"].tolist() == report.ranking.tolist()
    assert frame["suspect"].sum() == len(report.suspects)


def test_it_prints_what_matters_and_shows_itself_in_a_notebook(report):
    text, html = str(report), report._repr_html_()
    n = len(report.suspects)
    alarms = "(at most 10% of these are expected to be false alarms)."
    assert text.startswith(f"Labels: {n} of 400 look wrong {alarms}")
    assert all(str(light) in text for light in report.lights)
    assert [light.question for light in report.lights] == [
        "Labels",
        "Most confused",
        "Best separating features",
    ]
    assert f"<td>{report.suspects[0]}</td>" in html


def test_the_same_seed_gives_the_same_report(report):
    X, y, _ = blobs()
    again = audit(X, y, random_state=0)
    np.testing.assert_array_equal(again.ranking, report.ranking)
    np.testing.assert_array_equal(again.chance_wrong, report.chance_wrong)
    assert again.records == report.records
    assert str(again) == str(report)


def test_the_names_of_classes_do_not_matter_and_long_ones_are_not_cut(report):
    X, y, _ = blobs()
    # In the order of their numbers, so that folds are dealt alike.
    names = np.array(["a", "b", "c", "d, which has a long name"])
    named = audit(X, names[y].tolist(), random_state=0)
    np.testing.assert_array_equal(named.ranking, report.ranking)
    assert named.repaired(names[y]).tolist() == names[report.repaired(y)].tolist()


def test_classes_in_two_spellings_are_one(report):
    X, y, _ = blobs()
    names = np.array(["a", "b", "c", "d"])[y].astype(object)
    names[np.flatnonzero(y == 1)[::9]] = "B "
    named = audit(X, names, random_state=0)
    np.testing.assert_array_equal(named.suspects, report.suspects)
    assert named.classes.tolist() == ["a", "b", "c", "d"]
    assert [one.code for one in named.findings] == ["class names"]
    with pytest.raises(ValueError, match="1 class in several spellings"):
        audit(X, np.where(y == 1, "b", "B"))


def test_counters_are_no_features():
    X, _, _ = blobs()
    counted = np.column_stack([np.arange(400), X, np.ones(400)])
    np.testing.assert_array_equal(telling_columns(counted), X)
    assert telling_columns(counted[:, [0, 7]]).shape == (400, 1)


def test_clean_data_give_a_short_list_and_say_so():
    X, _, true = blobs(seed=3)
    report = audit(X, true, random_state=0)
    assert len(report.suspects) <= 2
    if not len(report.suspects):
        assert str(report).startswith("Labels: none look wrong.")


def test_copies_of_a_mislabelled_row_do_not_save_it():
    X, y, true = blobs(flips=10)
    wrong = np.flatnonzero(y != true)
    X2, y2 = np.vstack([X, X[wrong], X[wrong]]), np.r_[y, y[wrong], y[wrong]]
    report = audit(X2, y2, random_state=0)
    assert len(np.intersect1d(report.ranking[:36], np.r_[wrong, 400:420])) >= 27


def test_rows_of_a_group_do_not_speak_for_each_other():
    X, _, true = blobs(n=120, flips=0)
    groups = np.repeat(np.arange(120), 3)
    rng = np.random.RandomState(0)
    X3 = np.repeat(X, 3, axis=0) + 1e-3 * rng.normal(size=(360, X.shape[1]))
    y3 = np.repeat(true, 3)
    y3[groups == 5] = (y3[groups == 5] + 1) % 4
    known = audit(X3, y3, groups, random_state=0)
    assert set(np.flatnonzero(groups == 5)) <= set(known.ranking[:6].tolist())


def test_units_of_features_do_not_matter_where_they_differ():
    X, y, _ = blobs()
    one = model_features(X * 10.0 ** np.arange(6), y)
    other = model_features(X * 10.0 ** np.arange(6)[::-1], y)
    np.testing.assert_allclose(one.std(axis=0), 1.0)
    np.testing.assert_allclose(one, other)


def test_pixels_keep_their_unit():
    rng = np.random.RandomState(0)
    y = np.arange(400) % 2
    X = 0.05 * rng.normal(size=(400, 41))
    X[:, 0] = 3.0 * y + rng.normal(size=400)
    spread = model_features(X, y).std(axis=0)
    assert spread.max() / spread.min() > 10


def test_many_features_become_few_components():
    rng = np.random.RandomState(0)
    for shape in ((300, 100), (40, 500)):
        Z = model_features(rng.normal(size=shape), np.arange(shape[0]) % 2)
        assert Z.shape == (shape[0], min(60, shape[0]))


def test_names_of_columns_are_those_of_a_frame():
    X, y, _ = blobs()
    X[:, 2] = 1.0
    frame = pd.DataFrame(X, columns=list("abcdef"))
    report = audit(frame, y, random_state=0)
    constant = [one for one in report.findings if one.code == "constant"]
    assert constant[0].subjects == ("c",)


def test_classes_that_are_mixed_up_come_first_and_can_be_parted():
    rng = np.random.RandomState(0)
    y = np.repeat([0, 1, 2], 100)
    X = rng.normal(size=(300, 4))
    X[:, 0] += np.array([0.0, 1.5, 12.0])[y]
    report = audit(X, y, random_state=0)
    worst = report.pairs[0]
    assert {worst.a, worst.b} == {0, 1}
    assert 0.05 < worst.share < 0.4
    difference = report.compare_classes(0, 1)
    assert difference.best[0] == ("x0",)
    assert difference.effects[0].effect < -0.5
    assert difference.accuracy[0] > 0.65


@pytest.mark.slow
def test_classes_that_differ_in_many_features_together_are_said_to_do_so():
    X = np.random.default_rng(0).normal(size=(80, 300))
    y = KMeans(4, n_init=3, random_state=0).fit_predict(X)
    report = audit(X, y, random_state=0)
    assert report.has_signal
    words = "up to three features are no better than chance, but more are."
    assert report.lights[2].figure == words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rate": 0.0}, "audit: rate must be"),
        ({"rate": "much"}, "audit: rate must be"),
        ({"y": [0, 1]}, "X has 400 samples but y has 2 labels"),
        ({"y": np.zeros(400)}, "at least two classes"),
        ({"X": np.full((400, 6), np.nan)}, "contains NaN"),
        ({"X": np.ones((400, 6))}, "every feature is constant"),
        ({"groups": [1, 2]}, "groups must contain one value per sample"),
        ({"groups": np.zeros(400)}, "Pass other groups"),
        ({"random_state": "today"}, "random_state"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(change, words):
    X, y, _ = blobs()
    with pytest.raises(ValueError, match=words):
        audit(**({"X": X, "y": y} | change))


def test_questions_about_the_report_are_checked(report):
    with pytest.raises(ValueError, match="must contain the 400 labels"):
        report.repaired([0, 1])
    with pytest.raises(ValueError, match="in row 0"):
        report.repaired([np.nan, *np.ones(399)])
    with pytest.raises(ValueError, match="labels of the same type as in the audit"):
        report.repaired(np.full(400, "2020-01-01", dtype="datetime64[D]"))
    with pytest.raises(ValueError, match="must be one of the classes"):
        report.compare_classes(0, "zero")
    with pytest.raises(ValueError, match="b must be one of the classes"):
        report.compare_classes(0, np.array([1, 2]))
    with pytest.raises(ValueError, match="Pass two different classes"):
        report.compare_classes(1, 1)


def test_tiny_tables_are_judged_or_refused_in_words():
    X = np.arange(8.0)[:, None]
    report = audit(X, [0, 0, 0, 0, 1, 1, 1, 1], random_state=0)
    assert len(report.ranking) == 8
    with pytest.raises(ValueError, match="two classes with at least two"):
        audit([[0.0], [1.0]], [0, 1])


def test_a_class_of_one_object_is_never_suspected_for_being_alone():
    X, y, _ = blobs()
    y = y.astype(object)
    y[0] = "4"
    labels = np.array([str(one) for one in y])
    report = audit(X, labels, random_state=0)
    assert 0 not in report.suspects
    assert any(one.code == "rare classes" for one in report.findings)


def test_the_function_is_at_the_door_of_the_package():
    assert labelscape.audit is audit
    assert "audit" in labelscape.__all__


def test_a_frame_with_words_is_encoded_and_its_features_are_named():
    X, y, true = blobs(flips=8)
    words = np.where(X[:, 0] < 0, "low", "high")
    frame = pd.DataFrame(X[:, 1:], columns=list("abcde")).assign(level=words)
    frame.loc[5, "level"] = None
    report = audit(frame, y, random_state=0)
    assert report.feature_names == [*"abcde", "level=low"]
    wrong = np.flatnonzero(y != true)
    assert {*wrong.tolist()} <= {*report.ranking[:12].tolist()}


def test_labels_that_say_nothing_are_not_judged():
    rng = np.random.RandomState(0)
    report = audit(rng.normal(size=(240, 30)), rng.randint(2, size=240), random_state=0)
    assert not report.can_tell
    assert not report.has_signal
    assert len(report.suspects) == len(report.look_first) == 0
    assert str(report).startswith("Labels: cannot be checked, because models")


def test_where_classes_overlap_the_ranking_is_shown_and_nothing_promised():
    rng = np.random.RandomState(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 4)) + np.array([1.0, 0, 0, 0]) * y[:, None]
    report = audit(X, y, random_state=0)
    assert report.has_signal
    assert not report.can_tell
    assert len(report.suspects) == 0
    rows = [one.row for one in report.look_first]
    assert rows == report.ranking[:20].tolist()
    assert {one.chance_wrong for one in report.look_first} == {None}
    assert report.to_frame().chance_wrong.isna().all()
    assert "chance wrong" not in str(report)
    words = str(report).split()
    first = words.index("rank") + 1
    assert words[first : first + 8 : 4] == [str(row) for row in rows[:2]]
    assert words[first + 3 : first + 8 : 4] == ["1", "2"]
    assert "because the classes overlap too much" in report.summary
    assert "Rows to look at first (hints, not suspects)" in str(report)
    assert "Assumes" not in str(report)


def test_labels_moved_from_one_class_to_one_other_are_never_called_right():
    y, rng = np.arange(300) % 3, np.random.RandomState(0)
    X = rng.normal(size=(300, 4)) + 8.0 * np.eye(3, 4)[y]
    assert audit(X, y, random_state=0).lights[0].state == "good"
    y[rng.permutation(np.flatnonzero(y == 0))[:20]] = 1
    report = audit(X, y, random_state=0)
    assert len(report.suspects) == 0
    assert report.lights[0].state == "fair"
    assert not report.can_tell
    assert "20 of 300 rows are labeled 1 and lie among the rows of 0" in report.summary
    assert "overlap too much" not in report.summary


def test_without_independent_rows_no_overlap_is_claimed():
    y, rng = np.arange(64) % 8, np.random.RandomState(0)
    X = rng.normal(size=(64, 4)) + 8.0 * rng.normal(size=(8, 4))[y]
    report = audit(X, y, random_state=0)
    assert report.has_signal
    assert report.lights[0].state == "none"
    assert report.summary.endswith("all classes have too few independent rows.")


def test_a_list_says_what_it_assumes_and_its_chances_are_its_rate(report):
    chances = report.chance_wrong[report.suspects]
    assert report.expected_false == pytest.approx(1 - chances.mean())
    assert "assumes that label errors are random" in str(report)


@pytest.mark.parametrize("copies", [10, 15])
def test_copies_of_a_row_are_no_second_group(copies):
    x = np.r_[np.linspace(0, 1, 40), np.full(copies, 9.0), [20.0, 21.0]]
    y = np.r_[np.zeros(40 + copies, int), 1, 1]
    report = audit(np.c_[x, x**2], y, random_state=0)
    assert report.hidden_groups == []
    # In a single column, equal values may be a coincidence: then they are a group.
    assert len(audit(x[:, None], y, random_state=0).hidden_groups) <= 1


def test_rows_that_agree_by_coincidence_are_audited():
    rng = np.random.RandomState(0)
    X = rng.randint(2, size=(300, 3)).astype(float)
    y = (rng.uniform(size=300) < 0.2 + 0.6 * X[:, 0]).astype(int)
    report = audit(X, y, random_state=0)
    assert not report.can_tell
    assert not any(one.code in ("copies", "near copies") for one in report.findings)


def test_one_patient_is_no_second_group():
    rng = np.random.default_rng(0)
    near, far, others = (rng.normal(size=(n, 2)) for n in (45, 40, 45))
    X = np.r_[near * 0.2, far * 0.2 + 9, others + np.array([0, 30])]
    y = np.r_[np.zeros(85, int), np.ones(45, int)]
    groups = np.r_[np.arange(45), np.full(40, 99), 100 + np.arange(45)]
    report = audit(X, y, groups=groups, random_state=0)
    assert report.hidden_groups == []


def test_a_class_of_one_row_is_mixed_up_with_none():
    X, _, true = blobs(n=120, flips=0)
    y = true.copy()
    y[0] = 9
    report = audit(X, y, random_state=0)
    assert all(9 not in (pair.a, pair.b) for pair in report.pairs)


def test_features_that_separate_no_better_than_chance_are_not_named():
    rng = np.random.RandomState(0)
    X, y = rng.normal(size=(90, 5)), np.arange(90) % 3
    X[:, 0] += 6.0 * (y == 2)
    report = audit(X, y, random_state=0)
    assert set(report.class_differences) == {(0, 2), (1, 2)}
    assert "No better than chance" in str(report.compare_classes(0, 1))


def test_donors_who_have_all_classes_need_not_be_many_or_of_one_size():
    X, y, true = blobs()
    donors = np.repeat(list("abcdef"), [90, 80, 70, 60, 55, 45])
    report = audit(X, y, groups=donors, random_state=0)
    assert report.has_signal
    assert not [one for one in report.findings if one.code == "rare classes"]
    wrong = np.flatnonzero(y != true)
    assert len(np.intersect1d(report.suspects, wrong)) >= 34
    assert (y[report.suspects] == true[report.suspects]).mean() <= 0.1
    assert report.compare_classes(0, 1).is_better_than_chance
    shuffled = np.random.default_rng(0).permutation(y)
    assert not audit(X, shuffled, groups=donors, random_state=0).has_signal


def test_a_class_of_two_donors_is_not_judged():
    X, y, true = blobs(flips=0)
    donors = np.arange(400) % 6
    donors[true == 3] %= 2
    report = audit(X, y, groups=donors, random_state=0)
    rare = [one.subjects for one in report.findings if one.code == "rare classes"]
    assert rare == [("3",)]
