"""The comparison that the note reports: ClassiMap beside other supervised maps."""

import numpy as np

from benchmarks.classimap import digits, overlapping_gaussians, wine
from benchmarks.papers._kept import kept
from benchmarks.papers._record import FIRST, record, seeds
from benchmarks.papers._verdict import Measured, alike, claim, row, worst
from labelscape.embeddings import (
    CCA,
    LFDA,
    ClassiMap,
    ClassNeRV,
    FisherMDS,
    FisherTSNE,
    Sammon,
)
from labelscape.plotting import compare_maps
from labelscape.quality import class_continuity, class_trustworthiness, knn_accuracy

SETS = {
    "three overlapping Gaussians": overlapping_gaussians,
    "Wine": wine,
    "Digits": digits,
}
SEEDS, NEIGHBORS = 3, 10
OWN = "ClassiMap"
SUPERVISED = {
    "ClassNeRV": ClassNeRV(),
    "Fisher t-SNE": FisherTSNE(random_state=FIRST),
    "Fisher MDS": FisherMDS(random_state=FIRST),
    "LFDA": LFDA(),
}
# The two whose stress ClassiMap switches between.
PARTS = {"Sammon": Sammon(random_state=FIRST), "CCA": CCA(random_state=FIRST)}
CRITERIA = {
    "no false neighbors between classes": class_trustworthiness,
    "no tears inside a class": class_continuity,
}
SETTINGS = f"p = 1, lambda from .9 to .1, {SEEDS} seeds; {NEIGHBORS} neighbors"
# Overlap counts as kept if the map separates classes hardly better than the data do.
HARDLY, OVERLAPPING = 0.05, 0.9
OTHERS = {
    "p = 2, lambda .9 throughout": ClassiMap(p=2, lambda_end=0.9, random_state=FIRST),
    "ClassNeRV(tau_intra=.6, tau_inter=.4)": ClassNeRV(tau_intra=0.6, tau_inter=0.4),
}


@kept
def mapped(name, method, seed=FIRST):
    """Return the map of a set by a method."""
    X, y = SETS[name]()
    known = SUPERVISED | PARTS | OTHERS
    model = ClassiMap(random_state=seed) if method == OWN else known[method]
    return np.asarray(model.fit_transform(X, y))


def measured(name, method, score):
    """Return a criterion of a map, with its error over seeds where it has some."""
    X, y = SETS[name]()
    runs = seeds(SEEDS if method == OWN else 1)
    maps = [mapped(name, method, seed) for seed in runs]
    k = {"n_neighbors": NEIGHBORS}
    return Measured.of([np.mean(score(X, Z, y, **k)) for Z in maps])


def gap_to(name, rivals, score):
    """Return how far ClassiMap is above the best of some rivals, and all in words."""
    own = measured(name, OWN, score)
    found = {m: measured(name, m, score).value for m in rivals}
    listed = ", ".join(f"{m} {value:.3f}" for m, value in found.items())
    gap = Measured(own.value - max(found.values()), own.error)
    return gap, f"{OWN} {own.shown(3)}; {listed}"


def of_set(name):
    """Return the rows of one data set."""
    rows, parts = [], []
    for what, score in CRITERIA.items():
        gap, listed = gap_to(name, SUPERVISED, score)
        rows.append(
            row(
                f'{name}: "best supervised mapping method", {what}',
                "best",
                listed,
                SETTINGS,
                claim(gap),
                "the paper names neither the other methods nor its data",
            )
        )
        parts.append(gap_to(name, PARTS, score))
    rows.append(
        row(
            f'{name}: "better preserving classes\' topology" than Sammon and CCA',
            "better by both criteria",
            "; ".join(listed for _, listed in parts),
            SETTINGS,
            worst([claim(gap) for gap, _ in parts]),
            "p and lambda (docs/classimap.md)",
        )
    )
    return rows


def overlap(name):
    """Return whether overlapping classes stay so, for data that have some."""
    X, y = SETS[name]()
    there = knn_accuracy(X, y)
    if there > OVERLAPPING:
        return []
    found = [knn_accuracy(mapped(name, OWN, seed), y) for seed in seeds(SEEDS)]
    own = Measured.of(found)
    others = ", ".join(f"{m} {knn_accuracy(mapped(name, m), y):.3f}" for m in OTHERS)
    return [
        row(
            f'{name}: of others, "even overlapping classes tend to be separated"',
            "not by ClassiMap",
            f"1-NN {own.shown(3)} on the map, {there:.3f} in the data",
            f"p = 1, lambda from .9 to .1; reached if at most {HARDLY} more than in "
            "the data",
            alike(Measured(own.value - there, own.error), HARDLY),
            "large distances between classes are not penalized. 1-NN, other settings: "
            f"{others}",
        )
    ]


def main():
    rows = [one for name in SETS for one in of_set(name) + overlap(name)]
    name = next(iter(SETS))
    maps = {m: mapped(name, m) for m in (OWN, *SUPERVISED, *PARTS)}
    record("004", "Comparison", rows, figure=compare_maps(maps, SETS[name]()[1]))


if __name__ == "__main__":
    main()
