"""The parameters of an estimator as a person is asked for them: from its docstring."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from labelscape._core.checks import Rule, either, flag, number, one_of, whole

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
