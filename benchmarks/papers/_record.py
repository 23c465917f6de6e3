"""What came out: printed as a table, kept as a line of JSON, and published.

Results of this machine are in ``out/papers``, where a run that was interrupted goes on.
What the guide shows is committed beside it: the last result of each item, and its
figure.
"""

import json
import os
import shutil
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
# ``SEED=1`` is another run, on other seeds, and ``PROCESSOR=Nehalem`` one as on another
# processor (a setting of ``scripts/processors.py``): their results stay beside those of
# the first run, which they never change.
SEED = int(os.environ.get("SEED") or 0)
FIRST = 1000 * SEED
PROCESSOR = os.environ.get("PROCESSOR") or ""
OTHER_RUN = PROCESSOR or (str(SEED) if SEED else "")
OUT = ROOT / "out" / (f"papers-{OTHER_RUN}" if OTHER_RUN else "papers")
RESULTS = OUT / "results.jsonl"
PUBLISHED = ROOT / "docs" / "papers_results.jsonl"
OTHER_SEEDS = ROOT / "docs" / "papers_other_seeds.jsonl"
OTHER_PROCESSORS = ROOT / "docs" / "papers_other_processors.jsonl"
FIGURES = ROOT / "docs" / "images" / "papers"
DPI = 80  # legible on the page, and some 50 KB each


def seeds(count):
    """Return that many seeds of this run."""
    return range(FIRST, FIRST + count)


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
    look = {"dpi": DPI, "bbox_inches": "tight"}
    figure.savefig(OUT / file, pil_kwargs={"optimize": True}, **look)
    return file


def append(line):
    """Append a line to the results."""
    OUT.mkdir(parents=True, exist_ok=True)
    with RESULTS.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def seconds():
    """Return the seconds that each script took on this machine, the last time."""
    return {line["script"]: line["seconds"] for line in _lines(RESULTS) if _ran(line)}


def latest(*files):
    """Return the last result of each item, by (paper, item)."""
    lines = (line for file in files or (PUBLISHED, RESULTS) for line in _lines(file))
    found = {(line["paper"], line["item"]): line for line in lines if not _ran(line)}
    return dict(sorted(found.items()))


def processor_times():
    """Return the processor time that each script took, in seconds.

    Of several runs on this machine the longest counts, because the others found fits
    that were kept.
    """
    found = {line["script"]: line["cpu"] for line in _lines(PUBLISHED) if _ran(line)}
    here = {}
    for line in filter(_ran, _lines(RESULTS)):
        here[line["script"]] = max(line["cpu"], here.get(line["script"], 0.0))
    return dict(sorted((found | here).items()))


def other_seeds():
    """Return results of a run on other seeds, by (paper, item)."""
    return {(line["paper"], line["item"]): line for line in _lines(OTHER_SEEDS)}


def other_processors():
    """Return results as on other processors, by processor, then by (paper, item)."""
    found = {}
    for line in _lines(OTHER_PROCESSORS):
        place = line["paper"], line["item"]
        found.setdefault(line["processor"], {})[place] = line
    return found


def publish():
    """Let the guide have the last results and their figures; of other runs, rows."""
    if PROCESSOR:
        known = other_processors()
        own = known.setdefault(PROCESSOR, {})
        for place, line in latest(RESULTS).items():
            own[place] = {"processor": PROCESSOR} | line
        _write(
            OTHER_PROCESSORS, (one for run in known.values() for one in run.values())
        )
        return
    if SEED:
        _write(OTHER_SEEDS, (other_seeds() | latest(RESULTS)).values())
        return
    times = [{"script": name, "cpu": cpu} for name, cpu in processor_times().items()]
    lines = [*latest().values(), *times]
    FIGURES.mkdir(parents=True, exist_ok=True)
    for line in lines:
        if (file := line.get("figure")) and (OUT / file).exists():
            shutil.copyfile(OUT / file, FIGURES / file)
    _write(PUBLISHED, lines)


def _write(path, lines):
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_text(text, encoding="utf-8")


def _lines(path):
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _ran(line):
    return "script" in line


def _plain(row):
    """Return a row without NumPy's types, which JSON does not know."""
    return {k: v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
