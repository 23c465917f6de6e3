"""One number for one fact, and words that are true where they stand."""

import numpy as np
from tests.faults.reported.registry import reported

from labelscape.datasets import load, read_table
from labelscape.jobs import map_table


def noise(folder, n=300):
    """Return a table without signal, of two classes."""
    rng = np.random.RandomState(0)
    rows = [f"{i % 2},{','.join(map(str, rng.normal(size=8)))}" for i in range(n)]
    path = folder / "noise.csv"
    path.write_text("\n".join(["arm,a,b,c,d,e,f,g,h", *rows]), encoding="utf-8")
    return read_table(path, label="arm")


@reported("trial W3", "the legend has the accuracy of the drawn predictions", True)
def accuracy_of_the_legend(folder):
    scene = map_table(noise(folder), "crossfit", judge=False).scene()
    legend = scene.maps[0].regions.accuracy
    found = float((scene.predictions == scene.labels).mean())
    return abs(legend - found) < 0.005, f"legend {legend:.0%}, search {found:.0%}"


@reported("trial W6", "row order has one number on a page", True)
def one_number_for_row_order(folder):
    result = map_table(load("wine"), "lda", audit=True)
    figures = [
        next(one.figure for one in findings if one.code == "order")
        for findings in (result.honesty.warnings, result.audit.findings)
    ]
    return figures[0] == figures[1], f"test {figures[0]:.1%}, audit {figures[1]:.1%}"
