"""A class, its name and one record are all that jobs, hosts and files need."""

from typing import ClassVar

import numpy as np
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data
from typer.testing import CliRunner

import labelscape
from labelscape import embeddings
from labelscape._core.params import check_params, number, whole
from labelscape.cli.main import app
from labelscape.datasets import load
from labelscape.hosts.app.forms import method_cards
from labelscape.jobs import compare_methods, map_table, method_named, methods
from labelscape.jobs.methods import Method

SENTENCE = "Keeps the first features as they are; labels are not used."


class FirstFeatures(TransformerMixin, BaseEstimator):
    """Map that shows the first features, enlarged.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    enlarged : float, default=1.0
        By how much.
    """

    _keeps: ClassVar = SENTENCE
    _rules: ClassVar = {"n_components": whole(1), "enlarged": number(above=0.0)}
    __module__ = "labelscape.embeddings"

    def __init__(self, n_components=2, *, enlarged=1.0):
        self.n_components = n_components
        self.enlarged = enlarged

    def fit(self, X, y=None):
        """Learn how many features there are."""
        check_params(self)
        validate_data(self, X)
        return self

    def transform(self, X):
        """Return the first features."""
        check_is_fitted(self, "n_features_in_")
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.enlarged * X[:, : self.n_components]


RECORD = Method(
    "first",
    "First features",
    "FirstFeatures",
    uses_labels=False,
    is_compared=True,
)


@pytest.fixture(autouse=True)
def _added(monkeypatch):
    monkeypatch.setattr(embeddings, "FirstFeatures", FirstFeatures, raising=False)
    offered = [*embeddings.__all__, "FirstFeatures"]
    monkeypatch.setattr(embeddings, "__all__", offered)
    monkeypatch.setattr(methods, "METHODS", (*methods.METHODS, RECORD))


def test_the_command_line_takes_it(tmp_path):
    page = tmp_path / "iris.png"
    options = ["-m", "first", "--no-honesty", "-o", str(page)]
    done = CliRunner().invoke(app, ["map", "iris", *options])
    assert done.exit_code == 0, done.output
    assert page.exists()


def test_it_is_named_where_the_methods_are_listed():
    with pytest.raises(ValueError, match="fisher-mds, first"):
        method_named("frist-one")


def test_a_comparison_has_it():
    from labelscape.jobs.methods import compared_names

    assert compared_names()[-1] == "first"
    (found,) = compare_methods(load("iris"), ["first"], judge=False).maps
    assert found.method == "first"


def test_the_app_has_a_card_of_it():
    card = next(card for card in method_cards() if card.name == "first")
    assert (card.title, card.words, card.uses_labels, card.is_start) == (
        "First features",
        SENTENCE,
        False,
        False,
    )
    (parameter,) = card.parameters
    assert (parameter.name, parameter.kind, parameter.default) == (
        "enlarged",
        "number",
        1.0,
    )


def test_what_people_set_is_what_has_a_rule_and_is_not_technical():
    rules = RECORD.rules()
    assert list(rules) == ["enlarged"]
    assert rules["enlarged"].wanted == "a number above 0"


def test_the_scene_says_what_it_keeps():
    result = map_table(load("iris"), "first", judge=False)
    assert result.scene().maps[0].words.startswith(SENTENCE)


def test_it_can_be_saved_and_loaded(tmp_path):
    X = load("iris").X
    model = FirstFeatures(enlarged=3.0).fit(X)
    labelscape.save(model, tmp_path / "first.labelscape")
    again = labelscape.load(tmp_path / "first.labelscape")
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
