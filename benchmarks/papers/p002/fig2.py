"""Fig. 2: trustworthiness and continuity of five maps of USPS over k."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p002._maps import data, maps, nearest, tried
from labelscape.plotting import plot_trust_curve
from labelscape.quality import rank_curves

SIZES = np.array([5, 12, 50])
SHOWN = 1000  # beyond, all curves fall to 0


def main():
    X, found = data("usps"), maps("usps")
    curves = {name: rank_curves(X, Z) for name, Z in found.items()}
    T = {name: c.trustworthiness[SIZES - 1] for name, c in curves.items()}
    C = {name: c.continuity[SIZES - 1] for name, c in curves.items()}
    widely = ("Isomap", "LLE", "Sammon")

    def beats(measure, name, others):
        return all((measure[name] > measure[other]).all() for other in others)

    def told(measure):
        return "; ".join(
            f"{name} {' '.join(f'{v:.3f}' for v in values)}"
            for name, values in measure.items()
        )

    claims = {
        "SNE is the most trustworthy": (T, beats(T, "SNE", set(T) - {"SNE"})),
        "NE-XOM is more trustworthy than Isomap, LLE, Sammon": (
            T,
            beats(T, "NE-XOM", widely),
        ),
        "NE-XOM is more continuous than Isomap, Sammon": (
            C,
            beats(C, "NE-XOM", ("Isomap", "Sammon")),
        ),
        "LLE is more continuous than NE-XOM": (C, beats(C, "LLE", ("NE-XOM",))),
    }
    settings = f"k = {', '.join(map(str, SIZES))}; maps as in Table 1"
    others = ", ".join(
        f"{words} {figures[4]:.3f}" for words, (_, figures) in others_of("Isomap")
    )
    tried_too = f"C(12) of Isomap with other neighborhoods: {others}"
    rows = [
        row(claim, "yes", told(measure), settings, holds(true), tried_too)
        for claim, (measure, true) in claims.items()
    ]
    ax = plot_trust_curve(X, found)
    ax.set(xlim=(1, SHOWN), ylim=(0.75, 1.0))
    record("002", "Fig. 2", rows, figure=ax.figure)


def others_of(method):
    """Return the settings of a method that were not taken."""
    best = nearest("usps", method)
    return [one for one in tried("usps", method).items() if one[0] != best]


if __name__ == "__main__":
    main()
