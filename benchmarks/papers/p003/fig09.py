"""Fig. 9: labor by scaling of all distances, and its prototypes with some samples."""

from sklearn.svm import LinearSVC

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import SCALED, scaled, two_axes
from labelscape.embeddings import WeightedMDS, class_layout
from labelscape.plotting import plot_map, plot_prototype_map
from labelscape.prototypes import PushAndGrow


def parted(Z, y):
    """Return the share of points that one straight line tells rightly."""
    return LinearSVC(C=1e4, max_iter=200_000).fit(Z / Z.std(), y).score(Z / Z.std(), y)


def main():
    X, y = scaled("labor")
    everything = WeightedMDS(weights="uniform", random_state=0).fit_transform(X)
    model = PushAndGrow().fit(X, y)
    some = X[::3]
    decided = model.predict(some)
    layout = class_layout(
        model.prototypes_, model.prototype_labels_, some, decided, random_state=0
    )
    whole, few = parted(everything, y), parted(layout.samples, decided)
    rows = [
        row(
            "all samples: no clear pattern",
            "yes",
            f"a line separates {whole:.0%} by class",
            f"WeightedMDS(weights='uniform'), {SCALED}",
            holds(whole < 1.0),
        ),
        row(
            "the prototypes: a line separates the classes",
            "quite well",
            f"{few:.0%} of {len(some)} samples by their decided class",
            f"class_layout, {len(model.prototypes_)} prototypes, {SCALED}",
            holds(few > whole),
        ),
    ]
    figure, (left, right) = two_axes()
    plot_map(everything, y, title="all samples", ax=left)
    plot_prototype_map(model, some, title="prototypes and some samples", ax=right)
    record("003", "Fig. 9", rows, figure=figure)


if __name__ == "__main__":
    main()
