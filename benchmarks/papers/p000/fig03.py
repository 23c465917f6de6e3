"""Fig. 3: LDA and the nearest neighbor after PCA, and on the learned plane."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p000._segmentation import (
    FULL,
    RANKS,
    SETTINGS,
    data,
    early_stopped,
    new_figure,
    runs,
)


def after_pca(classifier, rank):
    """Return the test accuracy on principal components of all samples."""
    X, y, X_test, y_test = data()
    if rank < FULL:
        pca = PCA(rank).fit(np.concatenate([X, X_test]))
        X, X_test = pca.transform(X), pca.transform(X_test)
    return 100 * classifier.fit(X, y).score(X_test, y_test)


def on_plane(rank):
    """Return the nearest neighbor's mean accuracy on the learned planes."""
    X, y, X_test, y_test = data()
    one_nn = KNeighborsClassifier(1)
    return 100 * np.mean(
        [
            one_nn.fit(m.transform(X), y).score(m.transform(X_test), y_test)
            for m in runs(rank)
        ]
    )


def main():
    lda = [after_pca(LinearDiscriminantAnalysis(), rank) for rank in RANKS]
    one_nn = [after_pca(KNeighborsClassifier(1), rank) for rank in RANKS]
    plane = [on_plane(rank) for rank in RANKS]
    liram = early_stopped(2)[1]
    rows = [
        row(
            "M = 2: LiRaM above LDA after PCA",
            "yes",
            f"{liram:.1f} against {lda[0]:.1f}",
            SETTINGS,
            holds(liram > lda[0]),
        ),
        row(
            "M = 2: 1-NN better on the learned plane than after PCA",
            "yes",
            f"{plane[0]:.1f} against {one_nn[0]:.1f}",
            SETTINGS,
            holds(plane[0] > one_nn[0]),
        ),
        row(
            "M = 16: LDA and 1-NN comparable with LiRaM",
            "yes",
            f"{lda[-1]:.1f} and {one_nn[-1]:.1f} against {early_stopped(FULL)[1]:.1f}",
            SETTINGS,
            holds(min(lda[-1], one_nn[-1]) > early_stopped(FULL)[1] - 3.0),
        ),
    ]
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot(RANKS, lda, marker="o")
    left.set(title="LDA after PCA", xlabel="M", ylabel="test accuracy, %")
    right.plot(RANKS, one_nn, marker="o", label="after PCA")
    right.plot(RANKS, plane, marker="o", linestyle=":", label="on the learned plane")
    right.set(title="nearest neighbor", xlabel="M")
    right.legend()
    record("000", "Fig. 3", rows, figure=figure)


if __name__ == "__main__":
    main()
