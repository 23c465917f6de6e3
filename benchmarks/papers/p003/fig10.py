"""Fig. 10: what weights do: balance-scale, five prototypes and eleven samples."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.embeddings import class_layout
from labelscape.plotting import plot_map
from labelscape.prototypes import PushAndGrow

OBJECTS, DRAWS = 11, 50
# Five prototypes, as the paper shows.
MODEL = PushAndGrow(alpha=16, tol=0.01)


def drawn(model, X, y, seed):
    """Return samples that are decided rightly."""
    right = np.flatnonzero(model.predict(X) == y)
    return np.random.default_rng(seed).choice(right, OBJECTS, replace=False)


def layouts(model, X, y, rows):
    """Return the pictures without and with weights."""
    return [
        class_layout(
            model.prototypes_,
            model.prototype_labels_,
            X[rows],
            y[rows],
            weights=weights,
            random_state=0,
        )
        for weights in ("uniform", "prototype")
    ]


def main():
    X, y = scaled("balance-scale")
    model = MODEL.fit(X, y)
    found = [layouts(model, X, y, drawn(model, X, y, seed)) for seed in range(DRAWS)]
    right = np.array([[one.agreement for one in pair] for pair in found])
    wrong = OBJECTS * (1.0 - right)
    plain, weighted = wrong.mean(axis=0)
    model_of = f"{len(model.prototypes_)} prototypes by alpha = 16, tol = .01"
    settings = f"{model_of}; {OBJECTS} samples decided rightly, {DRAWS} draws, {SCALED}"
    rows = [
        row(
            "without weights, samples on a wrong side",
            "2 of 11",
            f"{plain:.1f} of {OBJECTS} in the mean",
            settings,
            holds(plain > weighted),
        ),
        row(
            "with weights",
            "0 of 11",
            f"{weighted:.1f} of {OBJECTS}; none in {np.mean(wrong[:, 1] < 0.5):.0%}",
            settings,
            holds(weighted < 0.5),
        ),
    ]
    # The first draw that is as in the paper, or the nearest to that.
    shown = int(np.abs(wrong - [2, 0]).sum(axis=1).round().argmin())
    chosen = drawn(model, X, y, shown)
    figure, axes = two_axes()
    titles = ("unweighted", "weighted")
    for ax, one, title in zip(axes, found[shown], titles, strict=True):
        draw(ax, one, model.prototype_labels_, y[chosen], title)
    record("003", "Fig. 10", rows, figure=figure)


def draw(ax, layout, owners, labels, title):
    """Draw a picture, with a circle around each sample on a wrong side."""
    gaps = np.linalg.norm(layout.samples[:, None] - layout.prototypes, axis=2)
    wrong = owners[gaps.argmin(axis=1)] != labels
    plot_map(
        layout.samples,
        labels,
        prototypes=layout.prototypes,
        prototype_labels=owners,
        classes=np.unique(owners),
        title=f"{title}: {wrong.sum()} on a wrong side (circles)",
        ax=ax,
    )
    look = {"facecolors": "none", "edgecolors": "black", "linestyles": "dotted"}
    ax.scatter(*layout.samples[wrong].T, s=260, **look)


if __name__ == "__main__":
    main()
