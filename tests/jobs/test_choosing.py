"""The method that is taken by itself."""

from dataclasses import replace

import numpy as np
import pytest

from labelscape.datasets import load
from labelscape.jobs import _choosing, choose_method, map_record, map_table
from labelscape.jobs._choosing import Choice, Tried, chosen_of


@pytest.mark.parametrize(
    ("unseen", "taken"),
    [
        ({"liram": 0.90, "lfda": 0.88, "crossfit": 0.92}, "liram"),
        ({"liram": 0.80, "lfda": 0.88, "crossfit": 0.92}, "crossfit"),
        ({"liram": 0.80, "lfda": 0.90, "crossfit": 0.92}, "lfda"),
        ({"liram": None, "lfda": None, "crossfit": 0.5}, "crossfit"),
        ({"liram": None, "lfda": None, "crossfit": None}, "liram"),
    ],
)
def test_lines_are_taken_while_they_are_nearly_as_good(unseen, taken):
    tried = [Tried(name, share) for name, share in unseen.items()]
    assert chosen_of(tried).method == taken


def test_the_choice_says_what_was_tried():
    tried = (Tried("liram", 0.5), Tried("lfda", None), Tried("crossfit", 0.9))
    words = str(Choice("crossfit", tried))
    assert words.startswith("Taken: Cross-fitted map, which tells 90 % of unseen rows")
    assert "LiRaM LVQ 50 %, Local Fisher discriminant not at all" in words
    assert "No map by lines comes within 3 points" in words


def test_a_map_by_itself_says_which_it_is_and_why():
    found = map_table(load("iris"), judge=False)
    assert found.method == found.choice.method
    assert found.method in ("liram", "lfda")
    record = map_record(found)["choice"]
    assert record["words"] == str(found.choice)
    assert set(record["unseen"]) == {"liram", "lfda", "crossfit"}
    assert map_record(map_table(load("iris"), "lda", judge=False))["choice"] is None


def test_where_lines_do_not_suffice_the_cross_fitted_map_is_taken():
    assert choose_method(load("digits")).method == "crossfit"


def test_rows_of_a_group_are_never_seen_and_unseen(monkeypatch):
    rows = []
    monkeypatch.setattr(
        _choosing,
        "_unseen",
        lambda name, X, codes, units, split, seed: rows.append((units, split)),
    )
    table = load("iris")
    choose_method(replace(table, groups=np.arange(150) // 5))
    units, split = rows[0]
    assert not set(units[split.fitted]) & set(units[split.unseen])


@pytest.mark.parametrize("n", [4, 5, 7, 9])
def test_tables_of_a_few_rows_are_judged_by_the_rows_there_are(n):
    table = load("wine")
    rows = np.random.default_rng(0).choice(len(table.X), n, replace=False)
    few = replace(table, X=table.X[rows], y=table.y[rows], ids=None)
    tried = choose_method(few).tried
    assert all(one.unseen is None or 0.0 <= one.unseen <= 1.0 for one in tried)
