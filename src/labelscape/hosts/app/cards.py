"""The cards of the methods: what each preserves, and what can be set."""

from functools import cache
from importlib import import_module
from typing import Literal, NamedTuple

from labelscape.hosts.app import models
from labelscape.hosts.app.parameters import parameters_of
from labelscape.jobs import CLASSIFIERS, METHODS

Group = Literal["map", "prototypes", "classifier"]

# What a person gets from each map.
MAPS = {
    "liram": (
        "The plane in which the classes part best, with prototypes and the features "
        "that count."
    ),
    "local-liram": (
        "The same plane with a measure of its own for each class: borders may bend."
    ),
    "lfda": "A linear plane that parts the classes and keeps the groups inside each.",
    "lda": "The classical linear plane: class means far apart, classes narrow.",
    "nca": "A linear plane in which nearest neighbours have the same class.",
    "pca": "The linear plane with the largest spread. A first, neutral look.",
    "wmds": "Keeps distances, relative to their size.",
    "sammon": "Keeps all distances, the short ones most of all.",
    "cca": "Keeps distances that are short on the map, and lets the others tear.",
    "ddhds": "Keeps neighbourhoods of data with very many features.",
    "classimap": (
        "Keeps distances, and puts unavoidable errors where they do not mix classes."
    ),
    "xom": "Sorts the data into a simple shape, neighbours side by side.",
    "nexom": "Keeps neighbourhoods, from large to small.",
    "tsne": "Keeps close neighbours together, forms islands; new rows can be placed.",
    "fisher-tsne": (
        "The same islands, by distances that count only what changes the class."
    ),
    "fisher-mds": "Keeps distances that count what changes the class.",
}

PROTOTYPES = {
    "gmlvq": (
        "GMLVQ",
        "Matrix LVQ",
        "Prototypes with one learned measure: which features count.",
    ),
    "pag": (
        "PushAndGrow",
        "Push and Grow",
        "As few prototypes as explain the classes, in plain units.",
    ),
    "lvqag": (
        "LVQAndGrow",
        "LVQ and Grow",
        "Prototypes that grow in number where classes need it.",
    ),
    "kmeans": (
        "KMeansPrototypes",
        "k-means per class",
        "The centres of each class, by k-means.",
    ),
    "icf": (
        "ICF",
        "Iterative case filtering",
        "Real objects of the table as prototypes; the others fall away.",
    ),
}

CLASSIFIER_WORDS = {
    "svm": ("Support vector machine", "A smooth border that few objects hold up."),
    "forest": ("Random forest", "The vote of many decision trees."),
    "logistic": ("Logistic regression", "A straight border, with probabilities."),
}

# Of estimators that are not ours, only what a person may want to set.
FOREIGN = {
    "lda": {"shrinkage"},
    "nca": {"max_iter"},
    "pca": {"whiten"},
    "svm": {"C", "kernel", "gamma"},
    "forest": {"n_estimators", "max_depth"},
    "logistic": {"C"},
}


# For those who have no favourite: the plane of the classes, and the neutral look.
STARTS = {"liram", "pca"}


class Choice(NamedTuple):
    """A method by its name in the app."""

    group: Group
    kind: type | None


@cache
def choices() -> dict[str, Choice]:
    """Return all methods of the app, by name."""
    rooms = "labelscape.prototypes"
    found = {method.name: Choice("map", method.kind) for method in METHODS}
    for name, (kind, *_) in PROTOTYPES.items():
        found[name] = Choice("prototypes", getattr(import_module(rooms), kind))
    for name in CLASSIFIER_WORDS:
        room, kind = CLASSIFIERS[name]
        found[name] = Choice("classifier", getattr(import_module(room), kind))
    return found | {"model": Choice("classifier", None)}


@cache
def method_cards() -> list[models.Method]:
    """Return the cards, in the order in which they are shown.

    Examples
    --------
    >>> card = method_cards()[0]
    >>> card.name, card.title, card.uses_labels
    ('liram', 'LiRaM LVQ', True)
    """
    maps = [
        _card(method.name, method.title, MAPS[method.name], method.uses_labels)
        for method in METHODS
    ]
    prototypes = [
        _card(name, title, words) for name, (_, title, words) in PROTOTYPES.items()
    ]
    classifiers = [_card(name, *about) for name, about in CLASSIFIER_WORDS.items()]
    saved = _card("model", "A saved model", "A file that labelscape.save wrote.")
    return [*maps, *prototypes, *classifiers, saved]


def _card(name: str, title: str, words: str, uses_labels: bool = True) -> models.Method:
    group, kind = choices()[name]
    parameters = [] if kind is None else parameters_of(kind)
    wanted = FOREIGN.get(name)
    return models.Method(
        name=name,
        title=title,
        group=group,
        words=words,
        uses_labels=uses_labels,
        is_start=name in STARTS,
        parameters=[
            models.Parameter(**parameter)
            for parameter in parameters
            if wanted is None or parameter["name"] in wanted
        ],
    )
