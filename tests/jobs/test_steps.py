from typing import get_args

import pytest
from tests.jobs.cases import Ear, some_iris

from labelscape.jobs import (
    Step,
    classify_table,
    compare_methods,
    map_table,
    prototype_table,
)
from labelscape.jobs.map import Effort
from labelscape.jobs.words import StepName, silent


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (Step("reading", "trees.csv"), "Reading trees.csv"),
        (Step("loading", "mine.labelscape"), "Loading mine.labelscape"),
        (Step("fitting", "LFDA"), "Fitting LFDA"),
        (Step("training", "SVC"), "Training SVC"),
        (Step("measuring"), "Measuring quality"),
        (Step("judging", "LFDA", 25), "Testing LFDA on held-out rows"),
        (Step("picturing"), "Drawing the decision map"),
        (Step("drawing"), "Drawing"),
    ],
)
def test_a_step_prints_as_what_a_person_reads(step, words):
    assert str(step) == words


def test_every_step_has_words():
    for name in get_args(StepName):
        assert str(Step(name, "it"))


def test_a_map_is_fitted_measured_and_judged_part_by_part():
    ear = Ear()
    effort = Effort(n_splits=2, n_refits=3, rows=100)
    map_table(some_iris(), "lda", effort=effort, begin=ear)
    assert ear.names == ["fitting", "measuring", "judging", "explaining"]
    assert ear.steps[0].subject == "LinearDiscriminantAnalysis"
    assert ear.steps[2].total == ear.parts[2] == 5


def test_what_is_not_judged_is_not_announced():
    ear = Ear()
    map_table(some_iris(), "pca", judge=False, explain=False, begin=ear)
    assert ear.names == ["fitting", "measuring"]


def test_a_comparison_announces_the_steps_of_each_map():
    ear = Ear()
    compare_methods(some_iris(), ["pca", "lfda"], judge=False, begin=ear)
    assert ear.names == ["fitting", "measuring"] * 2
    assert [step.subject for step in ear.steps[::2]] == ["PCA", "LFDA"]


def test_a_classifier_is_trained_and_pictured():
    ear = Ear()
    classify_table(some_iris(), "logistic", begin=ear)
    assert ear.steps == [Step("training", "LogisticRegression"), Step("picturing")]


def test_prototypes_are_fitted():
    ear = Ear()
    prototype_table(some_iris(), "kmeans", begin=ear)
    fitting = Step("fitting", "KMeansPrototypes")
    judging = Step("judging", "KMeansPrototypes", 5)
    assert ear.steps == [fitting, judging, Step("drawing")]


def test_nobody_need_listen():
    assert silent(Step("drawing"))(1, 2) is None
