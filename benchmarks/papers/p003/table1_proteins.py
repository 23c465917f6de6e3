"""Tables 1 and 3, protein sequences: many classes of many modes, on a stand-in."""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import STAND_IN, row
from labelscape.prototypes import ICF, KMeansPrototypes, PushAndGrow

# As many classes and samples as the lyases, and a feature for each amino acid.
CLASSES, OBJECTS, FEATURES = 35, 1640, 20
MODES = 4  # of each class: the prototypes that the paper needs there
METHODS = {
    "PAG": (PushAndGrow(), "80.0, 4 per class", "default parameters"),
    "kNN": (KNeighborsClassifier(1), "83.2", "k = 1"),
    "ICF": (ICF(), "65.5", "default parameters"),
    "k-means": (
        KMeansPrototypes(k=MODES, random_state=FIRST),
        "77.7",
        f"{MODES} prototypes per class",
    ),
    "centroid": (KMeansPrototypes(k=1), "71.7", "1 prototype per class"),
}


def sequences():
    """Return samples of many classes, each of several modes anywhere in the space."""
    rng = np.random.default_rng(FIRST)
    y = np.arange(OBJECTS) % CLASSES
    mode = rng.integers(MODES, size=OBJECTS)
    centers = rng.normal(size=(CLASSES, MODES, FEATURES))
    return centers[y, mode] + 0.7 * rng.normal(size=(OBJECTS, FEATURES)), y


def main():
    X, y = sequences()
    folds = StratifiedKFold(5, shuffle=True, random_state=FIRST)
    rows = []
    for name, (model, paper, settings) in METHODS.items():
        accuracy = 100 * cross_val_score(model, X, y, cv=folds).mean()
        fitted = model.fit(X, y)
        count = len(getattr(fitted, "prototypes_", X)) / CLASSES
        ours = f"{accuracy:.1f}, {count:.1f} per class"
        what = f"{CLASSES} classes of {MODES} modes, 5 folds"
        rows.append(row(name, paper, ours, f"{what}; {settings}", STAND_IN))
    record("003", "Tables 1 and 3, proteins", rows)


if __name__ == "__main__":
    main()
