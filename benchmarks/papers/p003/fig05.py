"""Fig. 5: iris compressed ten times by k-means, and the prototypes of Push and Grow."""

import numpy as np
from sklearn.model_selection import StratifiedKFold, cross_val_score

from benchmarks.papers._record import record
from benchmarks.papers._verdict import at_least, holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.plotting import plot_prototype_map
from labelscape.prototypes import KMeansPrototypes, PushAndGrow

MODELS = {
    "k-means, k = 10%": KMeansPrototypes(k=0.1, random_state=0),
    "Push and Grow": PushAndGrow(),
}


def main():
    X, y = scaled("iris")
    folds = StratifiedKFold(10, shuffle=True, random_state=0)
    figure, axes = two_axes()
    counts, scores = {}, {}
    for ax, (name, model) in zip(axes, MODELS.items(), strict=True):
        scores[name] = 100 * cross_val_score(model, X, y, cv=folds).mean()
        fitted = model.fit(X, y)
        counts[name] = np.unique(fitted.prototype_labels_, return_counts=True)[1]
        title = f"{name}: {counts[name].sum()} prototypes, {scores[name]:.1f}%"
        plot_prototype_map(fitted, title=title, ax=ax)
    means, grown = scores.values()
    rows = [
        row(
            "Push and Grow is as accurate",
            "yes",
            f"{grown:.1f}% to {means:.1f}%",
            f"10 folds, {SCALED}",
            at_least(means, grown),
        ),
        row(
            "with one prototype for each class",
            "yes",
            f"{counts['Push and Grow'].tolist()} of each class",
            "PushAndGrow()",
            holds((counts["Push and Grow"] == 1).all()),
        ),
        row(
            "k-means keeps a tenth",
            "yes",
            f"{counts['k-means, k = 10%'].tolist()} of each class",
            "KMeansPrototypes(k=0.1)",
            holds((counts["k-means, k = 10%"] == 5).all()),
        ),
    ]
    record("003", "Fig. 5", rows, figure=figure)


if __name__ == "__main__":
    main()
