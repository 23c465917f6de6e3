"""Under which names the files of a run are saved."""

import re

from labelscape.hosts.app.catalogue import RunEntry

# What follows the name of the run.
ENDINGS = {
    "scene.lscn": ".lscn",
    "page.html": ".html",
    "positions.csv": "-positions.csv",
    "model.labelscape": ".labelscape",
    "repeat.py": "-repeat.py",
}
# A run is called after its table, and "LDA of trees.csv" is no CSV file.
_TABLE = re.compile(r"\.(csv|tsv|txt|parquet|feather|arrow|npy|npz)(\.gz)?$", re.I)
_LONGEST = 80


def file_name(run: RunEntry, file: str) -> str:
    """Return the name under which a file of a run is saved: the run's own.

    A model that the user gave keeps the name that it came with, by which the code of
    the run loads it.
    """
    given = run.settings.get("model_name")
    if file == "model.labelscape" and given:
        return str(given)
    return plain(run.name) + ENDINGS[file]


def plain(name: str) -> str:
    """Return a name without what a file system may refuse.

    Examples
    --------
    >>> plain("LiRaM LVQ of größe/a.csv")
    'LiRaM-LVQ-of-größe-a'
    """
    words = re.sub(r"[^\w.]+", "-", _TABLE.sub("", name))
    return words[:_LONGEST].strip("-._") or "run"
