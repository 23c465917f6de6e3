"""Fig. 6: the prototypes of iris, feature by feature."""

from sklearn.datasets import load_iris

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import two_axes
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

FEATURES = ["sepal length", "sepal width", "petal length", "petal width"]

WIDEST = "the claim cannot hold: class one, setosa, has the widest sepals in the data"


def main():
    iris = load_iris()
    X, y = iris.data, iris.target_names[iris.target]
    model = PushAndGrow().fit(X, y)
    W = model.prototypes_
    first = iris.target_names[0]
    least = [str(model.prototype_labels_[j]) for j in W.argmin(axis=0)[:3]]
    words = []
    for name, values in zip(FEATURES[:3], W.T, strict=False):
        pairs = zip(model.prototype_labels_, values, strict=True)
        listed = ", ".join(f"{label} {value:.2f}" for label, value in pairs)
        words.append(f"{name}: {listed}")
    rows = [
        row(
            '"class one is characterized by rather small values for the first three '
            'attributes"',
            f"{first} least of all",
            f"in {least.count(first)} of 3 features; {'; '.join(words)}",
            "PushAndGrow(), features not scaled",
            holds(least.count(first) == 3),
            WIDEST,
        )
    ]
    figure, (left, right) = two_axes()
    plot_comparison(model, feature_names=FEATURES, ax=right)
    title = "prototypes and some samples"
    plot_prototype_map(model, X[::10], disc=True, title=title, ax=left)
    record("003", "Fig. 6", rows, figure=figure)


if __name__ == "__main__":
    main()
