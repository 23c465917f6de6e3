"""Fig. 4: how a classifier is drawn, for an SVM trained on three features."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.svm import SVC

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import FisherKernelTSNE
from labelscape.geometry import FisherMetric
from labelscape.plotting import plot_map


def balls(n, seed):
    """Return two classes in three features, one around the other."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (np.arange(n) % 2).astype(int)
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    return X * (np.where(y, 2.0, 0.8) + 0.2 * rng.normal(size=n))[:, None], y


def main():
    X, y = balls(400, 0)
    unseen, y_unseen = balls(400, 1)
    classifier = SVC(C=10.0).fit(X, y)
    metric = FisherMetric(random_state=0)
    projection = FisherKernelTSNE(metric=metric, random_state=0)
    picture = ClassifierMap(classifier, projection, random_state=0).fit(X, y)
    agreement = 100 * picture.score(unseen)
    rows = [
        row(
            "data, map, sampled plane, contours",
            "a sketch of the steps",
            f"it says of {agreement:.1f} % of unseen objects what the SVM says; "
            f"the SVM is right about {100 * classifier.score(unseen, y_unseen):.1f} %",
            "two shells in 3D, SVC, Fisher kernel t-SNE",
            holds(agreement > 90.0),
        )
    ]
    figure = Figure(figsize=(15, 4.5), layout="constrained")
    axes = [
        figure.add_subplot(131, projection="3d"),
        figure.add_subplot(132),
        figure.add_subplot(133),
    ]
    plot_map(X, y, title="data", ax=axes[0])
    plot_map(picture.embedding_, y, title="map", ax=axes[1])
    picture.plot(X, y, ax=axes[2])
    record("001", "Fig. 4", rows, figure=figure)


if __name__ == "__main__":
    main()
