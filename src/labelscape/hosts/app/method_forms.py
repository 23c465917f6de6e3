"""The forms of the methods: their cards, and the parameters that can be set."""

import inspect
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any, Literal, NamedTuple

from labelscape._core.rules import Rule, either, flag, number, one_of, whole
from labelscape.hosts.app import schemas
from labelscape.jobs import CLASSIFIERS, METHODS

# The cards of the methods: what each preserves, and what can be set.

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
def method_cards() -> list[schemas.Method]:
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


def _card(
    name: str, title: str, words: str, uses_labels: bool = True
) -> schemas.Method:
    group, kind = choices()[name]
    parameters = [] if kind is None else parameters_of(kind)
    wanted = FOREIGN.get(name)
    return schemas.Method(
        name=name,
        title=title,
        group=group,
        words=words,
        uses_labels=uses_labels,
        is_start=name in STARTS,
        parameters=[
            schemas.Parameter(**parameter)
            for parameter in parameters
            if wanted is None or parameter["name"] in wanted
        ],
    )


# The parameters of an estimator as a person is asked for them: from its docstring.

# Asked for elsewhere (the seed), or of no use in a page.
LEFT_OUT = {
    "callback",
    "copy",
    "metric",
    "missing",
    "n_components",
    "n_jobs",
    "random_state",
    "verbose",
    "warm_start",
    "weights",
}

# One parameter, or several that are explained together.
_HEAD = re.compile(r"^(\w+(?:, \w+)*) : (.+)$")
_CHOICES = re.compile(r"\{([^}]*)\}")
_QUOTED = re.compile(r"""["']([^"']*)["']""")
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def parameters_of(estimator: type) -> list[dict[str, Any]]:
    """Return the parameters that a page can ask for, each with its words.

    Parameters
    ----------
    estimator : type
        A class with a numpydoc docstring and plain defaults.

    Returns
    -------
    list of dict
        ``name``, ``kind`` ("number", "whole", "flag", "choice" or "text"), ``choices``,
        ``default``, ``type`` (as documented) and ``words``.

    Examples
    --------
    >>> from labelscape.embeddings import Sammon
    >>> first = parameters_of(Sammon)[0]
    >>> first["name"], first["kind"], first["default"]
    ('p', 'whole', 2)
    """
    defaults = {
        name: parameter.default
        for name, parameter in inspect.signature(estimator).parameters.items()
    }
    return [
        {
            "name": name,
            "kind": _kind(type_, defaults[name]),
            "choices": _choices(type_),
            "default": defaults[name],
            "type": type_,
            "words": words,
        }
        for name, type_, words in _documented(inspect.getdoc(estimator) or "")
        if name not in LEFT_OUT and _is_plain(defaults.get(name, ...))
    ]


def rule_of(type_: str, default: Any) -> Rule:
    """Return what a parameter takes, as far as its documented type tells.

    Examples
    --------
    >>> rule = rule_of('float or "auto"', "auto")
    >>> rule.wanted, rule.holds("auto"), rule.holds("abc")
    ("a number, or 'auto'", True, False)
    """
    if isinstance(default, bool):
        return flag()
    if re.search(r"\bstr\b", type_):
        return Rule("a text", lambda value: isinstance(value, str))
    words = _choices(type_) + _QUOTED.findall(_CHOICES.sub("", type_))
    rules = []
    if re.search(r"\bfloat\b", type_):
        rules.append(number())
    elif re.search(r"\bint\b", type_) or isinstance(default, int):
        rules.append(whole())
    if words and not isinstance(default, int):
        rules.append(one_of(*dict.fromkeys(words)))
    if default is None:
        rules.append(one_of(None))
    return either(*rules)


def _documented(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield name, type and words of each parameter in a numpydoc docstring."""
    lines = text.partition("Parameters\n----------\n")[2].splitlines()
    names, type_, words = list[str](), "", list[str]()
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if following.startswith("---"):  # the next section's title
            break
        head = _HEAD.match(line)
        if head:
            yield from ((name, type_, _plain(words)) for name in names)
            names, words = head[1].split(", "), []
            type_ = head[2].partition(", default")[0]
        elif line.strip():
            words.append(line.strip())
    yield from ((name, type_, _plain(words)) for name in names)


def _plain(lines: list[str]) -> str:
    text = _ROLE.sub(r"\1", " ".join(lines))
    return re.sub(r"[`\\]", "", text)


def _choices(type_: str) -> list[str]:
    found = _CHOICES.search(type_)
    if found is None:
        return []
    return [part.strip().strip("\"'") for part in found[1].split(",")]


def _kind(type_: str, default: Any) -> str:
    if _choices(type_) and (isinstance(default, str) or default is None):
        return "choice"
    if isinstance(default, bool):
        return "flag"
    if isinstance(default, int) and "float" not in type_:
        return "whole"
    if isinstance(default, int | float):
        return "number"
    return "text"


def _is_plain(default: Any) -> bool:
    return default is None or isinstance(default, str | int | float)
