"""Table 3: the confusion matrix of LLiRaM LVQ in 3D, and of others beside it."""

import numpy as np
from sklearn.metrics import confusion_matrix
from sklearn.neighbors import KNeighborsClassifier

from benchmarks.papers._record import record
from benchmarks.papers._verdict import NOT_JUDGED, STAND_IN, row
from benchmarks.papers.p000._satellite import LVQ, SETTINGS, fitted, satimage
from benchmarks.papers.p000._segmentation import new_figure

METHODS = ("LLiRaM LVQ", "LFDA", "NCA")
PRINTED = "65.6 (without vegetation) to 98.3 (alpine vegetation)"


def decided(name):
    """Return what a model says of the test samples, or the neighbor on its map."""
    model = fitted(name, 3)
    X, y, X_test, _ = satimage()
    if name in LVQ:
        return model.predict(X_test)
    search = KNeighborsClassifier(1).fit(model.transform(X), y)
    return search.predict(model.transform(X_test))


def draw_confusion(ax, counts, names, title):
    """Draw a confusion matrix, estimated classes down and actual ones across."""
    shares = counts / counts.sum(axis=0)
    ax.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
    for (i, j), count in np.ndenumerate(counts):
        color = "white" if shares[i, j] > 0.5 else "black"
        ax.text(j, i, count, ha="center", va="center", color=color, fontsize=8)
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), names)
    ax.set(title=title, xlabel="actual class")


def main():
    y_test = satimage()[3]
    names = np.unique(y_test).tolist()
    figure = new_figure(15, 5.5)
    axes = figure.subplots(1, len(METHODS), sharey=True)
    rows = []
    for ax, name in zip(axes, METHODS, strict=True):
        counts = confusion_matrix(y_test, decided(name), labels=names).T
        shares = 100 * np.diag(counts) / counts.sum(axis=0)
        ours = (
            f"{shares.min():.1f} ({names[shares.argmin()]}) to "
            f"{shares.max():.1f} ({names[shares.argmax()]})"
        )
        what = f"class-wise accuracy, {name} in 3D"
        how = "" if name in LVQ else ", 1-NN on the map"
        settings = f"satimage, test samples{how}; {SETTINGS[name]}"
        printed = PRINTED if name in LVQ else "not printed"
        verdict = STAND_IN if name in LVQ else NOT_JUDGED
        rows.append(row(what, printed, ours, settings, verdict))
        draw_confusion(ax, counts, names, f"{name}, 3D")
    axes[0].set_ylabel("estimated class")
    record("000", "Table 3", rows, figure=figure)


if __name__ == "__main__":
    main()
