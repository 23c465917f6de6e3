"""The open league: its files, its splits, its ranks, and its page."""

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import _league_methods as methods
from benchmarks import _league_page as page
from benchmarks import league

CONSTRAINED = methods.FOLDER / "class_constrained_tsne.py"
TOY = '''# /// script
# dependencies = ["numpy"]
#
# [tool.league]
# title = "two columns"
# uses_labels = false
# ///
"""The first two features."""


def fit_transform(X, y, X_new):
    """Return two columns."""
    if len(X) > 75:
        raise ValueError("too many rows")
    return X[:, :2], X_new[:, :2]
'''


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "two_columns.py"
    path.write_text(TOY, encoding="utf-8")
    return methods.read_method(path)


def test_every_file_of_a_method_has_a_header_and_the_function():
    known = methods.all_methods()
    assert len(known) >= 15
    assert len({method.title for method in known.values()}) == len(known)
    for method in known.values():
        assert "def fit_transform(X, y, X_new):" in method.path.read_text("utf-8")


def test_a_file_without_a_header_is_refused(tmp_path):
    (tmp_path / "bare.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"bare\.py has no header"):
        methods.all_methods(tmp_path)


def test_a_method_is_run_once_and_its_failures_are_results(toy, tmp_path):
    path = tmp_path / "results.jsonl"
    for _ in range(2):
        league.play([toy], ["iris"], 2, 30, here=True, path=path)
    league.play([toy], ["wine"], 1, 80, here=True, path=path)
    *rows, failure = league.rows_so_far(path)
    assert [row["seed"] for row in rows] == [0, 1]
    assert failure["failed"] == "ValueError: too many rows"
    (X, X_new, y, y_new), hashes = league.split("iris", 0, 30)
    expected = league.scores(X, X_new, y, y_new, X[:, :2], X_new[:, :2])
    assert rows[0]["unseen"] == pytest.approx(expected["unseen"], abs=1e-6)
    assert rows[0]["split"] == hashes["split"]
    assert rows[0]["packages"]["numpy"] == np.__version__


@pytest.mark.parametrize("rows", [40, 1000])
def test_splits_are_disjoint_and_have_classes_in_equal_shares(rows):
    y = np.repeat([0, 1, 2], [4, 40, 80])
    fitted, placed = league.halves("toy", 0, y, rows)
    assert not set(fitted) & set(placed)
    assert len(fitted) == len(placed) == min(rows, 62)
    shares = np.bincount(y[fitted]) / len(fitted)
    assert shares[0] >= 2 / len(fitted)
    assert shares[2] == pytest.approx(2 * shares[1], abs=0.1)


def test_splits_are_those_of_the_published_results():
    published = {
        row["split"]
        for row in league.rows_so_far()
        if (row["set"], row["seed"], row["rows"]) == ("wine", 0, 150)
    }
    assert published == {league.split("wine", 0, 150)[1]["split"]}


def test_critical_differences_are_those_of_demsar():
    # Table 5a of Demšar (2006): q for 5%, by the number of methods.
    for k, q in {2: 1.960, 3: 2.343, 5: 2.728, 10: 3.164}.items():
        expected = q * np.sqrt(k * (k + 1) / (6 * 14))
        assert page.critical_difference(k, 14) == pytest.approx(expected, rel=1e-3)


def test_ties_share_ranks_and_groups_are_the_largest():
    table = np.array([[0.9, 0.8, 0.8], [0.9, 0.7, 0.6]])
    assert page.mean_ranks(table).tolist() == [1.0, 2.25, 2.75]
    assert page.ties(np.array([1.0, 1.5, 2.5, 4.0]), 1.5) == [(0, 2), (2, 3)]


def test_the_page_shows_the_results():
    text = (page.DOCS / "league.md").read_text(encoding="utf-8")
    written = text.split(page.BEGIN + "\n")[1].split(page.END)[0]
    known = methods.all_methods()
    rows, again = league.rows_so_far(), league.rows_so_far(league.REPEATED)
    words = page.results(rows, known, league.SETS, league.NOISE)
    assert written == words + page.repeated(rows, again, known)


def test_two_runs_are_compared_by_method(toy):
    row = {"method": toy.name, "code": toy.code, "set": "iris", "seed": 0, "rows": 9}
    row |= {"data": "d", "split": "s", "unseen": 0.5, "T": 0.25, "gap": 0.0}
    other, failed = row | {"seed": 1}, row | {"seed": 2, "failed": "no"}
    known = {toy.name: toy}
    first = [row, other, failed, row | {"seed": 3}]
    assert page.repeated(first, [], known) == ""
    assert "2 of 2 results were the same" in page.repeated(first, first[:2], known)
    words = page.repeated(first, [row, other | {"T": 0.5}, row | {"seed": 2}], known)
    assert "1 of 3 results were the same" in words
    assert "° | 2 (1 failed once) | 0.0000 | 0.2500 | 0.2500 |" in words


def test_the_slopes_of_class_constrained_tsne_are_those_of_its_cost():
    method = runpy.run_path(str(CONSTRAINED))
    rng = np.random.default_rng(0)
    P = method["joint_probabilities"](rng.normal(size=(12, 3)))
    p = rng.dirichlet(np.ones(3), 12)
    Y, V = rng.normal(size=(12, 2)), rng.normal(size=(3, 2))
    _, *slopes = method["cost_and_slopes"](Y, V, P, p)
    for positions, slope in zip((Y, V), slopes, strict=True):
        for index in np.ndindex(positions.shape):
            values = []
            for step in (1e-6, -2e-6):
                positions[index] += step
                values.append(method["cost_and_slopes"](Y, V, P, p)[0])
            positions[index] += 1e-6
            difference = (values[0] - values[1]) / 2e-6
            assert slope[index] == pytest.approx(difference, abs=1e-8)


def test_the_cost_of_class_constrained_tsne_is_its_formula():
    method = runpy.run_path(str(CONSTRAINED))
    rng = np.random.default_rng(1)
    P = method["joint_probabilities"](rng.normal(size=(7, 3)))
    p = rng.dirichlet(np.ones(2), 7)
    Y, V = rng.normal(size=(7, 2)), rng.normal(size=(2, 2))
    w = np.array([[1 / (1 + sum((a - b) ** 2)) for b in Y] for a in Y])
    total = w.sum() - np.trace(w)
    pairs = [(i, j) for i in range(7) for j in range(7) if i != j]
    rows = sum(P[i, j] * np.log(P[i, j] / (w[i, j] / total)) for i, j in pairs)
    classes = 0.0
    for i in range(7):
        d = [sum((Y[i] - v) ** 2) for v in V]
        q = np.array([1 / (1 + one) for one in d])
        q /= q.sum()
        classes += sum(p[i, u] * np.log(p[i, u] / q[u]) for u in range(2))
        classes += 0.5 / 2 * sum(p[i, u] * d[u] for u in range(2))
    expected = 0.5 * rows + 0.5 * classes / 7
    assert method["cost_and_slopes"](Y, V, P, p)[0] == pytest.approx(expected)
