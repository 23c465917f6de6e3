"""Fig. 3: LDA and the nearest neighbor after PCA, and on the learned plane."""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.papers._kept import kept
from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, alike, claim, row
from benchmarks.papers.p000._segmentation import (
    FULL,
    RANKS,
    SETTINGS,
    data,
    new_figure,
    runs,
)
from benchmarks.papers.p000.fig02 import learned

NUMBERS = (1, 3, 5, 7, 9)  # K of the neighbors


def after_pca(classifier, rank):
    """Return the test accuracy on principal components of all samples."""
    X, y, X_test, y_test = data()
    if rank < FULL:
        pca = PCA(rank).fit(np.concatenate([X, X_test]))
        X, X_test = pca.transform(X), pca.transform(X_test)
    return 100 * classifier.fit(X, y).score(X_test, y_test)


@kept
def on_planes(rank):
    """Return the nearest neighbor's accuracy on each learned plane."""
    X, y, X_test, y_test = data()
    one_nn = KNeighborsClassifier(1)
    return 100 * np.array(
        [
            one_nn.fit(m.transform(X), y).score(m.transform(X_test), y_test)
            for m in runs(rank)
        ]
    )


def main():
    lda = [after_pca(LinearDiscriminantAnalysis(), rank) for rank in RANKS]
    one_nn = [after_pca(KNeighborsClassifier(1), rank) for rank in RANKS]
    by_number = {k: after_pca(KNeighborsClassifier(k), FULL) for k in NUMBERS}
    planes = [on_planes(rank) for rank in RANKS]
    small, full = learned()[0], learned()[-1]
    unlabeled = max(lda[0], one_nn[0])
    listed = ", ".join(f"{k}: {value:.1f}" for k, value in by_number.items())
    rows = [
        row(
            '"performance of both LDA and 1-NN is comparable to that of the LiRaM LVQ '
            'prescription", M = 16',
            "not below",
            f"LDA {lda[-1]:.1f}, 1-NN {one_nn[-1]:.1f}, LiRaM {full.mean():.1f}",
            SETTINGS,
            alike(Measured.of(full - min(lda[-1], one_nn[-1]))),
        ),
        row(
            '"supervised training [after PCA] does not reach the quality of the LiRaM '
            'LVQ scheme", M = 2',
            "below",
            f"LDA {lda[0]:.1f}, 1-NN {one_nn[0]:.1f}, LiRaM {small.mean():.1f}",
            SETTINGS,
            claim(Measured.of(small - unlabeled)),
        ),
        row(
            '"Now [on Omega x] the simple 1-NN system performs significantly better", '
            "M = 2",
            "better",
            f"1-NN {planes[0].mean():.1f}, after PCA {one_nn[0]:.1f}",
            SETTINGS,
            claim(Measured.of(planes[0] - one_nn[0])),
        ),
        row(
            '"K-Nearest-Neighbor schemes displays only a weak dependence on K"',
            "alike",
            f"test accuracy by K: {listed}",
            "16 features",
            alike(Measured(max(by_number.values()) - min(by_number.values()))),
            f"K is at most {NUMBERS[-1]}, because a class has 30 training samples; the "
            "paper does not say which K it used",
        ),
    ]
    figure = new_figure(10, 4)
    left, right = figure.subplots(1, 2, sharey=True)
    left.plot(RANKS, lda, marker="o")
    left.set(title="LDA after PCA", xlabel="M", ylabel="test accuracy, %")
    right.plot(RANKS, one_nn, marker="o", label="after PCA")
    means = [one.mean() for one in planes]
    right.plot(RANKS, means, marker="o", linestyle=":", label="on the learned plane")
    right.set(title="nearest neighbor", xlabel="M")
    right.legend()
    record("000", "Fig. 3", rows, figure=figure)


if __name__ == "__main__":
    main()
