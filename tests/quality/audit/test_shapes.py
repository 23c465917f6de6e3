import numpy as np
import pytest

from labelscape import audit
from labelscape._resampling.units import RowUnits
from labelscape.quality.audit import Finding
from labelscape.quality.audit.batches import cramers_v, judged_batches, without_batches
from labelscape.quality.audit.evidence import AuditedTable, outlying_rows, typical_rows
from labelscape.quality.audit.groups import (
    chance_of_dip,
    chance_of_one,
    dip,
    hidden_groups,
)


def test_scale_and_direction_do_not_change_a_dip():
    x = np.random.RandomState(0).normal(size=80)
    assert dip(-3.0 * x + 5.0) == pytest.approx(dip(x))
    assert dip(np.ones(9)) == pytest.approx(1 / 18)


def test_chances_of_dips_are_those_of_uniform_values():
    rng = np.random.RandomState(0)
    chances = [chance_of_dip(dip(rng.uniform(size=100)), 100) for _ in range(400)]
    assert np.mean(np.array(chances) <= 0.05) < 0.08
    assert 0.4 < np.mean(np.array(chances) <= 0.5) < 0.6


CLOUDS = {
    "normal": lambda rng: rng.normal(size=(200, 4)),
    "heavy": lambda rng: rng.standard_t(3, size=(200, 4)),
    "uniform": lambda rng: rng.uniform(size=(200, 4)),
}


def halves(rng, n=200, d=4):
    Z = rng.normal(size=(n, d))
    Z[: n // 2, 1] += 4.0
    return Z


@pytest.mark.parametrize("kind", CLOUDS)
def test_a_single_cloud_is_one(kind):
    rng = np.random.RandomState(0)
    found = [chance_of_one(CLOUDS[kind](rng), np.arange(200), rng) for _ in range(15)]
    assert np.sum(np.array(found) <= 0.05) <= 1


def test_halves_four_deviations_apart_are_two():
    rng = np.random.RandomState(0)
    found = [chance_of_one(halves(rng), np.arange(200), rng) for _ in range(10)]
    assert np.sum(np.array(found) <= 0.05) >= 9


def test_hidden_groups_come_with_their_rows_and_what_separates_them():
    rng = np.random.RandomState(0)
    X = np.vstack([halves(rng, d=3), rng.normal(size=(200, 3)) + 20.0])
    codes, classes = np.repeat([0, 1], 200), np.array(["two", "one"])
    everyone = np.arange(400)
    units, trusted = RowUnits(everyone, everyone, False), np.ones(400, dtype=bool)
    table = AuditedTable(X, ["a", "b", "c"], classes, codes, classes[codes], units, X)
    (found,) = hidden_groups(table, trusted, rng)
    assert found.label == "two"
    assert sorted(np.concatenate(found.rows).tolist()) == list(range(200))
    lower = found.rows[0] if (found.rows[0] < 100).mean() > 0.5 else found.rows[1]
    assert len(np.setxor1d(lower, np.arange(100))) < 12
    assert found.difference.best[0] == ("b",)


@pytest.mark.parametrize("shape", [(300, 2), (1000, 5), (600, 30)])
def test_hardly_a_row_of_a_normal_cloud_is_at_the_rim(shape):
    X = np.random.RandomState(0).normal(size=shape)
    assert len(outlying_rows(X)) <= 0.01 * shape[0]
    X[3] = 30.0
    assert outlying_rows(X)[0] == 3


def test_small_or_equal_tables_have_no_rim():
    assert len(outlying_rows(np.arange(20.0)[:, None])) == 0
    assert len(outlying_rows(np.ones((60, 2)))) == 0


def test_the_medoid_has_the_least_distances_to_its_class():
    rng = np.random.RandomState(0)
    X, codes = rng.normal(size=(60, 3)), np.arange(60) % 2
    trusted = np.ones(60, dtype=bool)
    found = typical_rows(X, codes, trusted, 2, rng)
    for c in (0, 1):
        rows = np.flatnonzero(codes == c)
        sums = [sum(np.linalg.norm(X[i] - X[j]) for j in rows) for i in rows]
        assert found[c] == rows[int(np.argmin(sums))]
    trusted[found[0]] = False
    assert typical_rows(X, codes, trusted, 2, rng)[0] != found[0]


def batches(shift, confounded):
    rng = np.random.RandomState(0)
    y = rng.randint(2, size=240)
    batch = np.where(rng.uniform(size=240) < 0.9, y, 1 - y)
    batch = batch if confounded else rng.randint(2, size=240)
    X = rng.normal(size=(240, 4)) + 3.0 * np.eye(2, 4)[y]
    X[:, 3] += shift * batch
    return judged_batches(X, batch, y, np.arange(240), rng)


def test_a_batch_is_detected_and_taken_out():
    found = batches(4.0, False)
    assert found.is_detected
    assert found.accuracy > 0.9
    assert abs(found.left - 0.5) < 0.12
    assert found.p > 0.01


def test_a_batch_that_changes_nothing_is_not_told():
    found = batches(0.0, False)
    assert not found.is_detected
    assert found.left == found.accuracy


def test_batches_that_go_with_classes_are_named():
    found = batches(0.0, True)
    assert found.confounding > 0.6
    assert found.p == pytest.approx(0.001)


def test_divisions_that_have_nothing_in_common_have_no_v():
    assert cramers_v(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])) == 0.0


def test_what_is_taken_out_is_the_shift_of_others():
    rng = np.random.RandomState(0)
    codes, batch = np.arange(100) % 2, np.arange(100) // 2 % 2
    Z = 5.0 * batch[:, None] + codes[:, None] + 0.01 * rng.normal(size=(100, 2))
    rest = without_batches(Z, batch, codes, np.arange(100))
    np.testing.assert_allclose(rest, np.tile(codes[:, None], 2), atol=0.05)


def test_a_report_tells_of_groups_rim_middle_and_batch():
    rng = np.random.RandomState(0)
    X = np.vstack([halves(rng, d=3), rng.normal(size=(100, 3)) + 12.0])
    y = np.repeat(["a", "b"], [200, 100])
    X[5] = -40.0
    batch = np.arange(300) % 2
    report = audit(X, y, random_state=0, batch=np.array(["p", "q"])[batch])
    assert [one.label for one in report.hidden_groups] == ["a"]
    assert report.outliers.tolist() == [5]
    assert (y[report.typical] == ["a", "b"]).all()
    assert not report.batch.is_detected
    text = str(report)
    assert "Class 'a' looks like two subgroups" in text
    assert "1 row is far from all other rows: row 5." in text
    assert f"a (row {report.typical[0]})" in text


@pytest.mark.parametrize(
    ("batch", "words"),
    [([1, 2], "one value per sample"), (np.zeros(40), "at least two batches")],
)
def test_batches_that_make_no_sense_are_refused_in_words(batch, words):
    X = np.random.RandomState(0).normal(size=(40, 2))
    with pytest.raises(ValueError, match=words):
        audit(X, np.arange(40) % 2, batch=batch)


def test_groups_of_several_classes_are_one_finding_that_names_the_column():
    rng = np.random.RandomState(0)
    y, side = np.arange(240) % 3, (np.arange(240) // 3) % 2
    X = rng.normal(size=(240, 4))
    X[:, 0] += 8.0 * y
    X[:, 2] += 9.0 * side
    report = audit(X, y, random_state=0)
    (found,) = [one for one in report.findings if one.code == "hidden groups"]
    assert sorted(found.subjects) == ["0", "1", "2"]
    assert found.column == "x2"
    assert "3 classes" in str(found)
    assert "The column 'x2' separates the subgroups." in str(found)


def test_a_copy_of_the_classes_needs_values_that_repeat():
    rng = np.random.RandomState(0)
    X, y = rng.normal(size=(100, 12)), np.repeat(np.arange(50), 2)
    with pytest.warns(UserWarning, match="number of unique classes"):
        report = audit(X, y, random_state=0)
    assert "copy" not in [one.code for one in report.findings]
    X, y = rng.normal(size=(100, 3)), np.arange(100) % 4
    X[:, 1] = y**2
    report = audit(X, y, random_state=0)
    assert "copy" in [one.code for one in report.findings]


def test_rows_far_from_all_others_are_named():
    few, many = (Finding("outliers", (), n, np.arange(n) + 3) for n in (2, 7))
    assert str(few) == "2 rows are far from all other rows: row 3, row 4."
    named = ", ".join(f"row {row}" for row in range(3, 8))
    assert str(many) == f"7 rows are far from all other rows: {named} and 2 more."
