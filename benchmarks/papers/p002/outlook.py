"""The outlook: NE-XOM in a structure, by both winners."""

import numpy as np

from benchmarks.nexom_paper import scores
from benchmarks.papers._kept import kept
from benchmarks.papers._record import record, seeds
from benchmarks.papers._verdict import DROPPED, REACHED, Measured, claim, row
from benchmarks.papers.p002._maps import data
from labelscape.embeddings import NEXOM, NEXOMVariant

SEEDS = 3
STRUCTURES = ("box", "disc")
WINNERS = {"nearest": "the nearest image", "heskes": "eq. 8"}


@kept
def figures(structure, winner):
    """Return stress, rho, r, T and C on Wine of each seed (seeds, 5)."""
    X = data("wine")
    made = {"structure": structure, "variant": NEXOMVariant(winner=winner)}
    maps = [NEXOM(random_state=s, **made).fit_transform(X) for s in seeds(SEEDS)]
    return np.array([scores(X, Z) for Z in maps])


def main():
    free = figures(None, "nearest")
    rows = []
    for structure in STRUCTURES:
        for winner, words in WINNERS.items():
            found = figures(structure, winner)
            stress, rho, _, T, C = (Measured.of(v).shown(3) for v in found.T)
            gain = Measured.of(found[:, 3] - free[:, 3])
            rows.append(
                row(
                    f"structure {structure!r}, winner: {words}",
                    '"We will investigate the influence of the prior structure"',
                    f"T {T}, C {C}, stress {stress}, rho {rho}; without a structure "
                    f"T {free[:, 3].mean():.3f}, rho {free[:, 1].mean():.3f}",
                    f"wine, defaults, {SEEDS} seeds; kept only if T is larger",
                    REACHED if claim(gain) == REACHED else DROPPED,
                )
            )
    record("002", "Outlook: structure", rows)


if __name__ == "__main__":
    main()
