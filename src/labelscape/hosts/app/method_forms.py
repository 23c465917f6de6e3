"""The forms of the methods: their cards, and the parameters that can be set."""

import inspect
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from labelscape._core.rules import Rule, either, flag, number, one_of, whole
from labelscape.hosts.app import schemas
from labelscape.jobs import Group, Method, methods_of
from labelscape.jobs.methods import TECHNICAL

# The cards of the methods: what each preserves, and what can be set.


class Choice(NamedTuple):
    """A method by its name in the app."""

    group: Group
    kind: type | None


def choices() -> dict[str, Choice]:
    """Return all methods of the app, by name."""
    found = {method.name: Choice(method.group, method.kind) for method in methods_of()}
    return found | {"model": Choice("classifier", None)}


def method_cards() -> list[schemas.Method]:
    """Return the cards, in the order in which they are shown.

    Examples
    --------
    >>> card = method_cards()[0]
    >>> card.name, card.title, card.uses_labels
    ('liram', 'LiRaM LVQ', True)
    """
    saved = schemas.Method(
        name="model",
        title="A saved model",
        group="classifier",
        words="A file that labelscape.save wrote.",
        uses_labels=True,
        is_start=False,
        parameters=[],
    )
    return [*map(_card, methods_of()), saved]


def _card(method: Method) -> schemas.Method:
    is_ours = method.room.startswith("labelscape.")
    wanted = None if is_ours else method.rules().keys()
    return schemas.Method(
        name=method.name,
        title=method.title,
        group=method.group,
        words=method.keeps,
        uses_labels=method.uses_labels,
        is_start=method.is_start,
        parameters=[
            schemas.Parameter(**parameter)
            for parameter in parameters_of(method.kind)
            if wanted is None or parameter["name"] in wanted
        ],
    )


# The parameters of an estimator as a person is asked for them: from its docstring.

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
        if name not in TECHNICAL and _is_plain(defaults.get(name, ...))
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
