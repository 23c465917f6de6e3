"""Which settings of the papers are not our defaults, as read from the estimators."""

import inspect
from importlib import import_module

from labelscape._core.estimator import AsInPaper

ROOMS = ("prototypes", "geometry", "embeddings", "boundary")
# The table stands between these lines of the page.
BEGIN = "<!-- Written by scripts/papers_page.py, from the estimators. -->"
END = "<!-- Until here. -->"


def estimators():
    """Return the public estimators that have settings of a paper, by room."""
    found = []
    for room in ROOMS:
        door = import_module(f"labelscape.{room}")
        members = (getattr(door, name) for name in door.__all__)
        found += [one for one in members if _has_settings(one)]
    return found


def table():
    """Return the table in Markdown: models of the same settings share their rows."""
    lines = [
        "| estimator | parameter | our default | the paper's "
        "| why our default differs |",
        "|---|---|---|---|---|",
    ]
    families = {}
    for one in estimators():
        families.setdefault(_rows(one), []).append(f"`{one.__name__}`")
    for rows, names in families.items():
        for i, row in enumerate(rows):
            lines.append(
                f"| {', '.join(names) if i == 0 else ''} | {' | '.join(row)} |"
            )
    return "\n".join(lines)


def renewed(page):
    """Return a page of the guide with the table as it should be."""
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{rest.split(END)[1]}"


def _has_settings(thing):
    return isinstance(thing, type) and issubclass(thing, AsInPaper)


def _rows(estimator):
    """Return parameter, our default, the paper's and the reason, of each setting."""
    defaults = inspect.signature(estimator).parameters
    return tuple(
        (
            f"`{name}`",
            _ours(estimator, name, defaults[name].default),
            _code(printed.value),
            printed.why,
        )
        for name, printed in estimator._in_paper.items()
    )


def _ours(estimator, name, default):
    """Return our default, and what it stands for where it is open."""
    known = getattr(estimator, "_measured", None)  # elsewhere a method of this name
    meant = known.get(name) if isinstance(known, dict) else None
    is_open = default is None or default == "auto"
    stands_for = f": {_code(meant)}" if is_open and meant is not None else ""
    return _code(default) + stands_for


def _code(value):
    return f"`{' '.join(repr(value).split())}`"
