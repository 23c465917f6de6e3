"""The method that is chosen for a table."""

from dataclasses import replace

import numpy as np
import pytest

from labelscape.datasets import load
from labelscape.jobs import choose, choose_method, map_table
from labelscape.jobs.choose import (
    Choice,
    Outcome,
    Tried,
    chosen_of,
    is_clear,
    is_legible,
)


def outcomes(n=4000, **accuracies):
    """Return what methods make of n rows of two classes, each row its own unit.

    A method that is right more often is right for all rows that another is right for.
    """
    codes = np.arange(n) % 2
    rank = np.arange(n) // 2 / (n / 2)
    found = [
        Outcome(name, None if share is None else (rank < share).astype(float))
        for name, share in accuracies.items()
    ]
    return found, codes, np.arange(n)


@pytest.mark.parametrize(
    ("unseen", "chosen"),
    [
        ({"liram": 0.91, "lfda": 0.88, "crossfit": 0.92}, "liram"),
        ({"liram": 0.80, "lfda": 0.88, "crossfit": 0.92}, "crossfit"),
        ({"liram": 0.80, "lfda": 0.91, "crossfit": 0.92}, "lfda"),
        ({"liram": None, "lfda": None, "crossfit": 0.5}, "crossfit"),
        ({"liram": None, "lfda": None, "crossfit": None}, "liram"),
    ],
)
def test_lines_are_chosen_while_they_are_nearly_as_good(unseen, chosen):
    assert chosen_of(*outcomes(**unseen)).method == chosen


def test_in_doubt_the_better_method_is_chosen():
    few = outcomes(n=60, liram=0.9, crossfit=0.92)
    assert chosen_of(*few).method == "crossfit"
    assert not is_clear(*few)
    many = outcomes(n=6000, liram=0.9, crossfit=0.92)
    assert chosen_of(*many).method == "liram"
    assert is_clear(*many)


def test_a_linear_map_that_is_ahead_is_compared_with_the_others():
    rows = np.arange(60)
    line, other = (np.array((rows + k) % 5 > 0, float) for k in range(2))
    other[0] = 0.0
    assert line.mean() > other.mean()
    few = [Outcome("liram", line), Outcome("crossfit", other)]
    # The other may still be better by more than 0.03.
    assert not is_clear(few, rows % 2, rows)
    assert is_clear(*outcomes(4000, liram=0.90, lfda=0.70, crossfit=0.85))
    assert is_clear(*outcomes(4000, liram=0.70, lfda=0.70, crossfit=0.85))


def test_maps_with_classes_on_one_spot_are_chosen_last():
    found, codes, units = outcomes(lfda=0.92, crossfit=0.91)
    crowded = [found[0]._replace(is_legible=False), found[1]]
    assert chosen_of(found, codes, units).method == "lfda"
    assert chosen_of(crowded, codes, units).method == "crossfit"
    found, codes, units = outcomes(lfda=0.92, crossfit=0.8)
    crowded = [found[0]._replace(is_legible=False), found[1]]
    assert chosen_of(crowded, codes, units).method == "lfda"


def test_maps_that_show_fitted_rows_otherwise_than_new_ones_are_chosen_last():
    found, codes, units = outcomes(lfda=0.92, crossfit=0.91)
    rank = np.arange(len(codes)) // 2 / (len(codes) / 2)

    def choice(seen):
        fitted = [one._replace(seen=(rank < seen).astype(float)) for one in found[:1]]
        return chosen_of([*fitted, *found[1:]], codes, units)

    assert choice(0.94).method == "lfda"
    assert choice(0.99).method == choice(0.85).method == "crossfit"
    told = "Local Fisher discriminant is 1.0 better"
    assert told in str(choice(0.99))
    assert "but 7.0 better on fitted than on held-out rows" in str(choice(0.99))
    # A gap that may be chance is none, and the only good map is chosen with its gap.
    few, some, each = outcomes(100, lfda=0.92, crossfit=0.91)
    few[0] = few[0]._replace(seen=few[0].right.copy())
    few[0].seen[np.flatnonzero(few[0].right == 0)[:4]] = 1.0
    assert "gap" not in str(chosen_of(few, some, each))
    found, codes, units = outcomes(lfda=0.92, crossfit=0.8)
    assert choice(0.99).method == "lfda"


def test_classes_on_one_spot_can_not_be_read():
    rng = np.random.default_rng(0)
    Z, codes = rng.normal(size=(200, 2)), np.arange(200) % 2
    assert is_legible(Z, codes)
    Z[codes == 1] = [3.0, 3.0]
    assert not is_legible(Z, codes)


def test_the_choice_gives_differences_to_the_others():
    tried = (Tried("liram", -0.4, 0.02), Tried("lfda", None), Tried("crossfit", 0.0))
    words = str(Choice("crossfit", tried))
    assert words.startswith(
        "Chosen: Cross-fitted map. Compared on the same held-out rows"
    )
    assert "LiRaM LVQ is 40.0 worse (± 2.0), Local Fisher disc" in words
    assert "No linear method is reliably within 3 percentage points" in words


def test_of_a_map_without_real_classes_it_is_not_said_that_it_shows_features():
    choice = Choice("lfda", (Tried("lfda", 0.0), Tried("liram", -0.05, 0.02)))
    assert "is linear, so it shows which features matter, and no" in choice.words()
    words = choice.words(is_real=False)
    assert "is linear and no other method is better by more than 3" in words


def test_classes_that_are_one_group_each_are_said_to_be_so():
    table = load("iris")
    table = replace(table, groups=np.asarray(table.y))
    choice = choose_method(table)
    assert choice.method == "liram"
    assert "no class has rows of two groups" in str(choice)
    found = map_table(table)
    assert found.verdict.real == "untested"


@pytest.mark.slow
def test_a_map_by_itself_says_which_it_is_and_why():
    found = map_table(load("iris"), judge=False)
    assert found.method == found.choice.method
    record = found.record()["choice"]
    assert record["words"] == str(found.choice)
    assert record["differences"][found.method] == 0.0
    assert map_table(load("iris"), "lda", judge=False).record()["choice"] is None


@pytest.mark.slow
def test_where_lines_do_not_suffice_the_cross_fitted_map_is_chosen():
    assert choose_method(load("digits")).method == "crossfit"


def test_rows_of_a_group_are_never_seen_and_unseen(monkeypatch):
    rows = []
    monkeypatch.setattr(
        choose._Trial,
        "take_turn",
        lambda trial, split: setattr(
            trial, "failed", not rows.append((trial.problem.units, split))
        ),
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
    known = [one.difference for one in tried if one.difference is not None]
    assert all(-1.0 <= difference <= 1.0 for difference in known)
