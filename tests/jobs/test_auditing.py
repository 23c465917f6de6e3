import numpy as np
import pandas as pd
import pytest

from labelscape.datasets import load, read_table
from labelscape.jobs import audit_table


@pytest.fixture(scope="module")
def troubled(tmp_path_factory):
    """Reads a table with planted troubles; returns it with what was planted."""
    rng = np.random.RandomState(1)
    n = 420
    y = rng.randint(3, size=n)
    X = np.round(rng.normal(size=(n, 5)) + 4.0 * np.eye(3, 5)[y], 4)
    kinds = np.array(["oak", "fir", "elm"])[y].astype(object)
    flips = rng.permutation(n)[:20]
    kinds[flips] = np.array(["oak", "fir", "elm"])[(y[flips] + 1) % 3]
    free = np.setdiff1d(np.arange(n), flips)
    copied, changed, hollow, cased = np.split(rng.permutation(free)[:62], [8, 50, 56])
    cells = [[f"{x:.4f}" for x in row] for row in X]
    for i in changed[:12]:
        cells[i][2] = "-999"
    for i in hollow:
        cells[i][4] = ""
    otherwise = {"oak": "Oak", "fir": "Fir ", "elm": "ELM"}
    kinds[cased] = [otherwise[kind] for kind in kinds[cased]]
    lines = [",".join([*row, kind]) for row, kind in zip(cells, kinds, strict=True)]
    lines += [lines[i] for i in copied]
    lines = [f"{1000 + i},{line}" for i, line in enumerate(lines)]
    path = tmp_path_factory.mktemp("audit") / "trees.csv"
    path.write_text("\n".join(["number,a,b,c,d,e,kind", *lines]), encoding="utf-8")
    planted = {"flips": flips, "copied": copied, "sentinel": changed[:12]}
    return read_table(path, label="kind", missing="impute"), planted


def test_all_planted_troubles_are_found_and_nothing_else_is_claimed(troubled):
    table, planted = troubled
    report = audit_table(table)
    found = {one.code: one for one in report.findings}
    assert set(found) == {
        "copies",
        "missing code",
        "class names",
        "counter",
    }
    assert found["copies"].rows.tolist() == list(range(420, 428))
    assert found["missing code"].subjects == ("c",)
    assert found["missing code"].remedy.value == ["-999"]
    assert set(planted["sentinel"]) <= set(found["missing code"].rows.tolist())
    assert found["counter"].subjects == ("number",)
    wrong = set(planted["flips"].tolist())
    wrong |= {420 + i for i, row in enumerate(planted["copied"]) if row in wrong}
    right = wrong & set(report.suspects.tolist())
    assert len(right) >= 15  # the list keeps its rate first
    assert len(report.suspects) - len(right) <= 2


def test_gaps_that_tell_the_class_are_named():
    rng = np.random.RandomState(0)
    y = np.arange(120) % 2
    a, b = rng.normal(size=120) + 4 * y, rng.normal(size=120)
    b[(y == 1) & (rng.uniform(size=120) < 0.4)] = np.nan
    frame = {"a": a, "b": b, "kind": np.array(["x", "y"])[y]}
    table = read_table(pd.DataFrame(frame), label="kind", missing="impute")
    report = audit_table(table)
    assert [
        one.subjects for one in report.findings if one.code == "missing values"
    ] == [("b",)]


def test_a_table_without_classes_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n3,5\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has no classes"):
        audit_table(read_table(tmp_path / "t.csv"))


def test_wine_has_its_order_and_nothing_else():
    report = audit_table(load("wine"))
    assert [one.code for one in report.findings] == ["order"]
