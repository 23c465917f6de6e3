"""Fig. 6: the prototypes of iris, feature by feature."""

from sklearn.datasets import load_iris

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p003._sets import two_axes
from labelscape.plotting import plot_comparison, plot_prototype_map
from labelscape.prototypes import PushAndGrow

FEATURES = ["sepal length", "sepal width", "petal length", "petal width"]

WIDEST = "nothing: sepals of class one, setosa, are the widest in the data themselves"


def main():
    iris = load_iris()
    X, y = iris.data, iris.target_names[iris.target]
    model = PushAndGrow().fit(X, y)
    W = model.prototypes_
    order = W.argmin(axis=0)
    rows = []
    for j, name in enumerate(FEATURES):
        least = model.prototype_labels_[order[j]]
        values = zip(model.prototype_labels_, W[:, j], strict=True)
        ours = ", ".join(f"{label} {value:.2f}" for label, value in values)
        settings = "PushAndGrow(), features as they are"
        is_first = least == iris.target_names[0]
        if j < 3:  # the text names the first three features
            printed, verdict = "class one has the least", holds(is_first)
            rows.append(row(name, printed, ours, settings, verdict, WIDEST))
    figure, (left, right) = two_axes()
    plot_comparison(model, feature_names=FEATURES, ax=right)
    plot_prototype_map(model, X[::10], title="prototypes and some samples", ax=left)
    record("003", "Fig. 6", rows, figure=figure)


if __name__ == "__main__":
    main()
