"""Table 1: Sammon stress, Spearman's rho and Pearson's r of five maps of two sets."""

import numpy as np

from benchmarks.nexom_paper import PAPER
from benchmarks.papers._record import record
from benchmarks.papers._verdict import MISSED, NEAR, REACHED, row
from benchmarks.papers.p002._maps import SPREAD, nearest, shortfall, tried

# So far the worst of the three figures may be on the bad side and still be near.
FAR = 0.05


def judged(paper, ours):
    """Judge three figures by the worst of them."""
    short = shortfall(paper, ours)
    if short <= SPREAD:
        return REACHED
    return NEAR if short <= FAR else MISSED


def in_words(figures):
    return " / ".join(f"{figure:.3f}" for figure in figures)


def row_of(name, method):
    """Return the row of a method on a set, with all settings that were tried."""
    found, best = tried(name, method), nearest(name, method)
    paper, ours = np.array(PAPER[name][method]), found[best][1]
    others = [
        f"{words} gives {in_words(figures[:3])}"
        for words, (_, figures) in found.items()
        if words != best
    ]
    return row(
        f"{name}, {method}",
        " / ".join(f"{figure:.2f}" for figure in paper),
        f"{in_words(ours[:3])}; T {ours[3]:.3f}, C {ours[4]:.3f}",
        "; ".join([best, *others]),
        judged(paper, ours[:3]),
        "the settings that are listed",
    )


def main():
    for name, methods in PAPER.items():
        record("002", f"Table 1, {name}", [row_of(name, m) for m in methods])


if __name__ == "__main__":
    main()
