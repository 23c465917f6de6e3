from pathlib import Path

import numpy as np
import pytest
from sklearn.utils import get_tags

from labelscape.jobs.methods import (
    classifier_named,
    classifier_names,
    compared_names,
    method_named,
    methods_of,
)

MAPS = methods_of("map")
FOREIGN = [method for method in methods_of() if method.room[:8] == "sklearn."]
DOCS = Path(__file__).parents[2] / "docs" / "command_line.md"


def named(method):
    return method.name


@pytest.mark.parametrize("method", MAPS, ids=named)
def test_every_method_maps_a_small_table(method):
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b", "c"], 8)
    X = rng.normal(size=(24, 4)) + 4 * np.eye(4)[:3].repeat(8, axis=0)
    Z = method.make(2, 24, 3, 0).fit_transform(X, y)
    assert Z.shape == (24, 2)


def test_names_and_titles_are_told_apart():
    for words in ("name", "title"):
        found = [getattr(method, words) for method in methods_of()]
        assert len(set(found)) == len(found)


@pytest.mark.parametrize("method", methods_of(), ids=named)
def test_each_says_in_a_sentence_of_its_own_what_it_keeps(method):
    assert method.keeps.endswith(".")
    assert not method.keeps.startswith("A map by")
    others = [one.keeps for one in methods_of() if one is not method]
    assert method.keeps not in others


@pytest.mark.parametrize("method", MAPS, ids=named)
def test_whether_labels_have_a_say_is_what_the_estimator_and_its_sentence_tell(method):
    assert get_tags(method.kind()).target_tags.required == method.uses_labels
    said = "labels have no say" in method.keeps or "not use" in method.keeps
    assert said == (not method.uses_labels)


def test_fisher_has_one_direction_for_two_classes():
    assert method_named("lda").make(2, 24, 2, 0).n_components == 1


def test_the_seed_reaches_the_methods_that_have_one():
    assert method_named("local_liram").make(2, 24, 3, 7).random_state == 7
    assert not hasattr(method_named("lfda").make(2, 24, 3, 7), "random_state")
    assert classifier_named("forest").new({"max_depth": 3}, 7).random_state == 7


def test_t_sne_looks_at_fewer_neighbours_where_there_are_few():
    assert method_named("tsne").make(2, 60, 3, 0).perplexity == 9
    assert method_named("tsne").make(2, 600, 3, 0).perplexity == 30


def test_an_unknown_method_is_answered_with_all_names():
    with pytest.raises(ValueError, match=r"'lirm'. Did you mean 'liram'\? Available"):
        method_named("lirm")


def test_a_classifier_is_no_map_and_is_asked_for_as_what_it_is():
    with pytest.raises(ValueError, match="There is no method 'svm'"):
        method_named("svm")
    with pytest.raises(ValueError, match=r"no classifier 'liram'.*Available: svm, for"):
        classifier_named("liram")
    assert method_named("svm", None).group == "classifier"
    assert classifier_names() == ("svm", "forest", "logistic", "gmlvq", "pag")


def test_ten_maps_are_compared_some_of_them_without_labels():
    compared = [method_named(name) for name in compared_names()]
    assert len(compared) == 10
    assert {method.uses_labels for method in compared} == {True, False}


@pytest.mark.parametrize("method", FOREIGN, ids=named)
def test_defaults_keep_the_rules_that_stand_for_scikit_learns(method):
    rules = method.rules()
    assert rules
    for name, rule in rules.items():
        assert rule.holds(method.kind().get_params()[name]), name


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("svm", {"C": 0}),
        ("svm", {"kernel": "precomputed"}),
        ("forest", {"n_estimators": 0.5}),
        ("pca", {"whiten": "yes"}),
        ("nca", {"max_iter": 0}),
    ],
)
def test_scikit_learns_parameters_have_rules_that_refuse_nonsense(name, wrong):
    ((parameter, value),) = wrong.items()
    assert not method_named(name, None).rules()[parameter].holds(value)


def test_a_map_is_given_parameters_of_its_metric_and_keeps_its_other_defaults():
    fisher = method_named("fisher-tsne")
    metric = fisher.new({"metric__rule": "left", "perplexity": 7}, 0).metric
    assert (metric.rule, metric.regularization) == ("left", 0.3)
    assert fisher.new({"perplexity": 7}, 0).metric is None
    made = fisher.set_parameters(
        fisher.make(2, 50, 3, 0), {"metric__regularization": 0.0}
    )
    assert made.metric.regularization == 0.0
    cross_fitted = method_named("crossfit").new({"metric__cross_fit": 3}, 0).metric
    assert (cross_fitted.cross_fit, cross_fitted.estimator) == (3, "auto")


def test_an_unknown_parameter_of_a_metric_is_answered_with_all_names():
    with pytest.raises(ValueError, match=r"'metric__rle'.*metric__rule"):
        method_named("fisher-mds").new({"metric__rle": "left"}, 0)
    with pytest.raises(ValueError, match="no parameter 'metric__rule'"):
        method_named("tsne").new({"metric__rule": "left"}, 0)


def test_the_docs_list_the_methods_as_the_registry_has_them():
    lines = ["| name | method | what it does |", "|---|---|---|"]
    for method in methods_of():
        name = f"`{method.name}`"
        shown = f"**{name}**" if method.is_compared else name
        lines.append(f"| {shown} | {method.title} | {method.keeps} |")
    wanted = "\n".join(lines)
    assert wanted in DOCS.read_text(encoding="utf-8"), f"Write there:\n{wanted}"
