"""What came out: printed as a table, and kept as a line of JSON."""

import json
from pathlib import Path

import numpy as np

OUT = Path(__file__).parents[2] / "out" / "papers"
RESULTS = OUT / "results.jsonl"


def record(paper, item, rows, *, figure=None):
    """Print the rows of a table or figure, and append them to the results.

    Parameters
    ----------
    paper : str
        Number of the paper, such as "000".
    item : str
        The table or figure, such as "Fig. 2".
    rows : list of dict
        With the keys ``paper``, ``ours``, ``settings`` and ``verdict``, and ``what``
        where the item has several rows.
    figure : matplotlib Figure or None
        Saved beside the results.
    """
    line = {"paper": paper, "item": item, "rows": [_plain(row) for row in rows]}
    if figure is not None:
        line["figure"] = saved(figure, f"{paper}_{item}")
    print(f"\nPaper {paper}, {item}")
    for row in line["rows"]:
        what = f"{row['what']}: " if row.get("what") else ""
        columns = (str(row[key]) for key in ("paper", "ours", "settings", "verdict"))
        print(f"  {what}{' | '.join(columns)}", flush=True)
    append(line)


def saved(figure, name):
    """Save a figure under a name of small letters and digits; return the file's."""
    letters = (c if c.isalnum() else "_" for c in name.lower().replace(". ", ""))
    file = f"{''.join(letters)}.png"
    OUT.mkdir(parents=True, exist_ok=True)
    figure.savefig(OUT / file, dpi=110, bbox_inches="tight")
    return file


def append(line):
    """Append a line to the results."""
    OUT.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def lines():
    """Return all results, in the order in which they came."""
    if not RESULTS.exists():
        return []
    text = RESULTS.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def latest():
    """Return the last result of each item, by (paper, item)."""
    return {(line["paper"], line["item"]): line for line in lines() if "rows" in line}


def seconds():
    """Return the seconds that each script took when it ran last."""
    return {line["script"]: line["seconds"] for line in lines() if "script" in line}


def _plain(row):
    """Return a row without NumPy's types, which JSON does not know."""
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
