"""Table 3: the confusion matrix of LLiRaM LVQ in three dimensions."""

import numpy as np
from sklearn.metrics import confusion_matrix

from benchmarks.papers._record import record
from benchmarks.papers._verdict import STAND_IN, row
from benchmarks.papers.p000._satellite import SETTINGS, best_lvq, satimage
from benchmarks.papers.p000._segmentation import new_figure


def draw_confusion(ax, counts, names):
    """Draw a confusion matrix, estimated classes down and actual ones across."""
    shares = counts / counts.sum(axis=0)
    ax.imshow(shares, cmap="Blues", vmin=0.0, vmax=1.0)
    for (i, j), count in np.ndenumerate(counts):
        color = "white" if shares[i, j] > 0.5 else "black"
        ax.text(j, i, count, ha="center", va="center", color=color, fontsize=8)
    ax.set_xticks(range(len(names)), names, rotation=45, ha="right")
    ax.set_yticks(range(len(names)), names)
    ax.set(xlabel="actual class", ylabel="estimated class")


def main():
    model = best_lvq("LLiRaM LVQ", 3)
    X_test, y_test = satimage()[2:]
    names = model.classes_.tolist()
    counts = confusion_matrix(y_test, model.predict(X_test), labels=names).T
    shares = 100 * np.diag(counts) / counts.sum(axis=0)
    rows = [
        row(
            "class-wise accuracy",
            "65.6 (without vegetation) to 98.3 (alpine vegetation)",
            f"{shares.min():.1f} ({names[shares.argmin()]}) to "
            f"{shares.max():.1f} ({names[shares.argmax()]})",
            f"satimage, test objects; {SETTINGS['LLiRaM LVQ']}",
            STAND_IN,
        )
    ]
    figure = new_figure(7, 6)
    draw_confusion(figure.subplots(), counts, names)
    record("000", "Table 3", rows, figure=figure)


if __name__ == "__main__":
    main()
