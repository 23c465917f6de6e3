"""The cards: each method of the library has a card with its parameters."""

import re

import pytest

from labelscape._core.errors import InputError, ParameterError
from labelscape._core.params import (
    Rule,
    array,
    either,
    flag,
    function,
    mapping,
    number,
    one_of,
    rules_of,
    text,
    whole,
)
from labelscape.embeddings import Sammon
from labelscape.hosts.app.forms import (
    check_order,
    method_cards,
    parameters_of,
    words_of,
)
from labelscape.jobs import methods_of
from labelscape.jobs.methods import picture_rules


class Estimator:
    """Makes something.

    Parameters
    ----------
    steps : int, default=3
        How many.
    rate : float, default=1
        How ``fast``, see :class:`~sklearn.svm.SVC`.
    quick : bool, default=True
        Whether to hurry.

        A second paragraph.
    how : {"well", "badly"}, default="well"
        Which way.
    first, last : float, default=0.5 and 0.1
        Width :math:`\\sigma` at the start and the end.
    start : object, default=...
        Not plain.

    Notes
    -----
    some : word
        That is no parameter.
    """

    _rules = {  # noqa: RUF012
        "steps": either(whole(1), mapping()),
        "rate": number(above=0.0),
        "quick": flag(),
        "how": one_of("well", "badly"),
        "first": either(number(), one_of("auto")),
        "last": either(number(), one_of(None)),
        "width": either(number(0.0), one_of(None)),
        "power": one_of(1, 2),
        "way": either(one_of("scale", "auto"), number(0.0)),
        "guess": one_of("left", "right", None),
        "start": array(2),
        "weigh": either(function(), one_of(None)),
        "other": Rule("a text", lambda value: isinstance(value, str)),
    }

    def __init__(
        self,
        steps=3,
        rate=1,
        quick=True,
        how="well",
        first=0.5,
        last=0.1,
        width=None,
        power=2,
        way="scale",
        guess=None,
        start=(),
        weigh=None,
        other="a",
        unruled=3,
    ): ...


FORMS = {form.name: form for form in parameters_of(Estimator, rules_of(Estimator))}


def test_every_method_has_a_card_and_so_have_finished_maps_and_saved_models():
    names = [method.name for method in methods_of()]
    assert [card.name for card in method_cards()] == ["auto", *names, "given", "model"]


def test_titles_are_told_apart_and_words_are_sentences():
    cards = method_cards()
    assert len({card.title for card in cards}) == len(cards)
    for card in cards:
        assert card.words.endswith("."), card.name
        assert "`" not in card.words


def test_what_the_app_sets_itself_is_not_asked_for():
    asked = {p.name for card in method_cards() for p in card.parameters}
    assert not asked & {"random_state", "callback", "verbose", "n_components"}


def test_every_default_keeps_its_rule():
    known = {method.name: method.rules() for method in methods_of()}
    known["given"] = {"positions": text()}
    for card in method_cards():
        rules = known.get(card.name, {}) | picture_rules()
        for form in card.parameters:
            assert rules[form.name].holds(form.default), (card.name, form)


def test_rules_and_defaults_say_how_to_ask():
    assert {name: form.kind for name, form in FORMS.items()} == {
        "steps": "whole",
        "rate": "number",
        "quick": "flag",
        "how": "choice",
        "first": "text",  # "auto" has to be written
        "last": "text",  # and so has None
        "width": "number",  # which is empty by default
        "power": "whole",
        "way": "text",  # and a number among words
        "guess": "choice",
    }
    assert FORMS["guess"].choices == ["left", "right"]
    assert FORMS["first"].choices == ["auto"]
    assert (FORMS["steps"].default, FORMS["width"].default) == (3, None)
    assert FORMS["rate"].type == "a number above 0"


def test_docstrings_give_the_words_and_nothing_else():
    words = words_of(Estimator)
    assert words["rate"] == "How fast, see sklearn.svm.SVC."
    assert words["quick"] == "Whether to hurry. A second paragraph."
    assert words["first"] == words["last"] == "Width sigma at the start and the end."
    assert "some" not in words
    assert FORMS["width"].words == ""


def test_the_fisher_metric_of_a_map_is_set_in_its_form():
    forms = {card.name: card.parameters for card in method_cards()}
    for name in ("fisher-tsne", "fisher-mds"):
        metric = {p.name: p for p in forms[name] if p.name.startswith("metric__")}
        assert len(metric) == 11
        # That of maps, not that of the metric by itself.
        assert metric["metric__regularization"].default == 0.3
        assert metric["metric__rule"].choices == ["sphere", "midpoint", "left"]
        assert "Euclidean distance" in metric["metric__regularization"].words
    assert "metric__cross_fit" in {p.name for p in forms["crossfit"]}
    assert not [p for p in forms["tsne"] if p.name.startswith("metric__")]


@pytest.mark.parametrize("name", ["svm", "forest", "logistic", "model"])
def test_the_picture_of_a_classifier_is_set_in_its_form(name):
    (card,) = (card for card in method_cards() if card.name == name)
    asked = {p.name: p for p in card.parameters}
    assert asked["picture__lambda2"].default == 0
    projection = asked["picture__projection"]
    assert projection.default is None
    assert {"fisher-tsne", "tsne", "pca"} <= set(projection.choices)
    check_order(name, {"picture__lambda2": 1, "picture__projection": "tsne"})
    with pytest.raises(ParameterError, match="picture__lambda2 must be"):
        check_order(name, {"picture__lambda2": -1})


def test_an_order_is_refused_in_the_words_of_the_fit():
    with pytest.raises(ParameterError) as of_order:
        check_order("sammon", {"tol": -1})
    with pytest.raises(ParameterError) as of_fit:
        Sammon(tol=-1).fit([[0.0], [1.0], [3.0]])
    assert of_order.value.parts == of_fit.value.parts
    assert of_order.value.parameter == "tol"


@pytest.mark.parametrize(
    ("order", "words", "parameter"),
    [
        (("magic", {}), "There is no method 'magic'. Available: auto, ", "method"),
        (("magic", {}), ", given, model.", "method"),
        (("pca", {"magic": 1}), "components has no parameter 'magic'. It has", "magic"),
        (("model", {"C": 1}), "A saved model has no parameter 'C'", "C"),
        (("svm", {"C": "much"}), "C must be a number above 0, got 'much'", "C"),
        (("logistic", {"C": 10**400}), "C must be a number above 0", "C"),
        (("forest", {"max_depth": True}), "max_depth must be a whole", "max_depth"),
        (("pca", {"n_components": 4}), "n_components must be 2 or 3", "n_components"),
        (("tsne", {"n_components": 3}), "at most 2 dimensions", "n_components"),
        (("svm", {"n_components": 3}), "has no parameter", "n_components"),
    ],
)
def test_an_order_that_makes_no_sense_names_what_is_wrong(order, words, parameter):
    with pytest.raises(InputError, match=re.escape(words)) as refused:
        check_order(*order)
    assert refused.value.parameter == parameter
