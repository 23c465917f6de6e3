"""Fig. 7: the segmentation data on the maps of five methods."""

import numpy as np
from sklearn.neighbors import NearestNeighbors

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p000._segmentation import SETTINGS, data
from benchmarks.papers.p000.table1 import best, lfda, nca, on_map
from labelscape.plotting import compare_maps

SHOWN = 50  # samples of each class, "for the sake of clarity"
EASY = ("sky", "grass")  # "can be separated quite well" in all of them


def maps():
    """Return a fitted model for each panel."""
    return {
        "LiRaM LVQ, 7 prototypes": best()[0],
        "LiRaM LVQ, 15 prototypes": best(many=True)[0],
        "LLiRaM LVQ": best(local=True)[0],
        "LFDA": lfda()[0],
        "NCA": nca()[0],
    }


def told(model):
    """Return the share of each easy class that has a neighbor of its own, by class."""
    X, y = data()[2:]
    search = NearestNeighbors(n_neighbors=1).fit(model.transform(X))
    same = y[search.kneighbors(return_distance=False)[:, 0]] == y
    return min(float(same[y == c].mean()) for c in EASY)


def main():
    models = maps()
    share = {name: told(model) for name, model in models.items()}
    tests = {name: on_map(model)[1] for name, model in models.items()}
    lvq = min(tests[name] for name in models if "LVQ" in name)
    rest = max(tests["LFDA"], tests["NCA"])
    listed = ", ".join(f"{name} {value:.1f}" for name, value in tests.items())
    rows = [
        row(
            "sky and grass separate well in all",
            "yes",
            f"at least {100 * min(share.values()):.0f}% have a neighbor of their own",
            "test samples on the maps of Table 1",
            holds(min(share.values()) > 0.9),
        ),
        row(
            "LVQ maps equal or superior to LFDA's and NCA's",
            "yes",
            f"1-NN on the test: {listed}",
            SETTINGS,
            holds(lvq >= rest - 1.0),
        ),
    ]
    X, y = data()[2:]
    rows_shown = np.concatenate([np.flatnonzero(y == c)[:SHOWN] for c in np.unique(y)])
    places = {name: m.transform(X[rows_shown]) for name, m in models.items()}
    figure = compare_maps(places, y[rows_shown])
    record("000", "Fig. 7", rows, figure=figure)


if __name__ == "__main__":
    main()
