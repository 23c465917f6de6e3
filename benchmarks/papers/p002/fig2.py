"""Fig. 2: trustworthiness and continuity of five maps of USPS over k."""

import numpy as np

from benchmarks.nexom_paper import PAPER
from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, claim, row
from benchmarks.papers.p002._maps import data, map_of, nearest, of_seeds, tried
from labelscape.plotting import plot_trust_curve
from labelscape.quality import rank_curves

SIZES = np.array([5, 12, 50])
SHOWN = 1000  # beyond, all curves fall to 0
# The words, who is better than whom, and by which of both measures.
CLAIMS = (
    (
        'SNE is best: "SNE slightly in terms of trustworthiness"',
        "SNE",
        ("NE-XOM", "Sammon", "LLE", "Isomap"),
        lambda T, C: T,
    ),
    (
        'SNE is best: "and continuity"',
        "SNE",
        ("NE-XOM", "Sammon", "LLE", "Isomap"),
        lambda T, C: C,
    ),
    (
        '"NE-XOM show better trustworthiness values than Isomap, LLE, or Sammon"',
        "NE-XOM",
        ("Isomap", "LLE", "Sammon"),
        lambda T, C: T,
    ),
    (
        'NE-XOM: "better continuity" than Isomap and Sammon',
        "NE-XOM",
        ("Isomap", "Sammon"),
        lambda T, C: C,
    ),
    ('"The continuity of LLE is better"', "LLE", ("NE-XOM",), lambda T, C: C),
)


def main():
    X = data("usps")
    found = {method: map_of("usps", method) for method in PAPER["usps"]}
    curves = {name: rank_curves(X, Z) for name, Z in found.items()}
    T = {name: c.trustworthiness[SIZES - 1] for name, c in curves.items()}
    C = {name: c.continuity[SIZES - 1] for name, c in curves.items()}
    rows = []
    for words, name, others, measure in CLAIMS:
        of = measure(T, C)
        gap = min((of[name] - of[m]).min() for m in others)
        listed = "; ".join(
            f"{m} {' '.join(f'{value:.3f}' for value in of[m])}" for m in of
        )
        settings = f"{', '.join(map(str, SIZES))} neighbors; maps of Table 1"
        error = of_seeds("usps")[:, 3:].std(axis=0, ddof=1).max()
        gap = Measured(float(gap), float(error))
        rows.append(row(words, "yes", listed, settings, claim(gap), isomaps()))
    ax = plot_trust_curve(X, found)
    ax.set(xlim=(1, SHOWN), ylim=(0.75, 1.0))
    record("002", "Fig. 2", rows, figure=ax.figure)


def isomaps():
    """Return the continuity of Isomap with the other neighborhoods, in words."""
    others = ", ".join(
        f"{words} {figures[4]:.3f}" for words, (_, figures) in others_of("Isomap")
    )
    return f"continuity (12 neighbors) of Isomap with other settings: {others}"


def others_of(method):
    """Return the settings of a method that were not chosen."""
    best = nearest("usps", method)
    return [one for one in tried("usps", method).items() if one[0] != best]


if __name__ == "__main__":
    main()
