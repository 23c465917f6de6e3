"""Fig. 4: how a classifier is drawn, for an SVM trained on three features."""

import numpy as np
from matplotlib.figure import Figure
from sklearn.svm import SVC

from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import NOT_JUDGED, row
from labelscape.boundary import ClassifierMap
from labelscape.embeddings import FisherKernelTSNE
from labelscape.geometry import FisherMetric
from labelscape.plotting import plot_map

SAMPLED = 40  # places along the longer side of the sampled plane


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
    metric = FisherMetric(random_state=FIRST)
    projection = FisherKernelTSNE(metric=metric, random_state=FIRST)
    how = {"coloring": "inverse", "random_state": FIRST}
    picture = ClassifierMap(classifier, projection, **how).fit(X, y)
    agreement = 100 * picture.score(unseen)
    rows = [
        row(
            "data, map, sampled plane, contours",
            "a sketch of the steps",
            f"picture and SVM agree for {agreement:.1f}% of held-out samples; "
            f"the SVM is right for {100 * classifier.score(unseen, y_unseen):.1f}%",
            "two shells in 3D, SVC, Fisher kernel t-SNE",
            NOT_JUDGED,
        )
    ]
    record("001", "Fig. 4", rows, figure=steps(picture, X, y))


def steps(picture, X, y):
    """Return a figure: data, map, decisions at sampled places, and contours."""
    figure = Figure(figsize=(12, 9), layout="constrained")
    first = figure.add_subplot(221, projection="3d")
    axes = [figure.add_subplot(2, 2, place) for place in (2, 3, 4)]
    plot_map(X, y, title="1. data", legend="none", ax=first)
    plot_map(picture.embedding_, y, title="2. map", ax=axes[0])
    low, high = picture.embedding_.min(axis=0), picture.embedding_.max(axis=0)
    step = (high - low).max() / SAMPLED
    sides = [np.arange(*ends, step) for ends in zip(low, high, strict=True)]
    places = np.column_stack([one.ravel() for one in np.meshgrid(*sides)])
    decided = picture.classifier.predict(picture.inverse_transform(places))
    title = "3. sampled plane: what the SVM says of the samples there"
    plot_map(places, decided, title=title, legend="none", ax=axes[1])
    title = f"4. contours: as the SVM says for {100 * picture.score(X):.1f}% of these"
    picture.plot(X, y, ax=axes[2], title=title)
    return figure


if __name__ == "__main__":
    main()
