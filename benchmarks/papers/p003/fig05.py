"""Fig. 5: iris compressed ten times by k-means, and the prototypes of Push and Grow."""

import numpy as np
from sklearn.model_selection import cross_val_score

from benchmarks.pag_tables import folds
from benchmarks.papers._record import FIRST, record, seeds
from benchmarks.papers._verdict import Measured, alike, holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.plotting import plot_prototype_map
from labelscape.prototypes import KMeansPrototypes, PushAndGrow

SHUFFLES = 10
MODELS = {
    "k-means, k = 10%": KMeansPrototypes(k=0.1, random_state=FIRST),
    "Push and Grow": PushAndGrow(),
}


def main():
    X, y = scaled("iris")
    figure, axes = two_axes()
    counts, scores = {}, {}
    for ax, (name, model) in zip(axes, MODELS.items(), strict=True):
        scores[name] = np.array(
            [
                100 * cross_val_score(model, X, y, cv=folds(10, seed)).mean()
                for seed in seeds(SHUFFLES)
            ]
        )
        fitted = model.fit(X, y)
        counts[name] = np.unique(fitted.prototype_labels_, return_counts=True)[1]
        title = f"{name}: {counts[name].sum()} prototypes, {scores[name].mean():.1f}%"
        plot_prototype_map(fitted, disc=True, title=title, ax=ax)
    means, grown = scores.values()
    gap = Measured.of(means - grown)
    rows = [
        row(
            '"both models achieved the same classification accuracy"',
            "alike",
            f"{grown.mean():.1f}%; k-means {means.mean():.1f}% with "
            f"{counts['k-means, k = 10%'].tolist()} prototypes",
            f"10 folds, {SHUFFLES} shuffles, {SCALED}",
            alike(gap),
        ),
        row(
            '"PAG succeeded to reduce each class to a single concept"',
            "one prototype for each class",
            f"{counts['Push and Grow'].tolist()} prototypes",
            "PushAndGrow()",
            holds((counts["Push and Grow"] == 1).all()),
        ),
    ]
    record("003", "Fig. 5", rows, figure=figure)


if __name__ == "__main__":
    main()
