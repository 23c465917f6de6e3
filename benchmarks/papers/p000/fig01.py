"""Fig. 1: learning curves and relevance matrices for M = 2 and M = 16."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, claim, holds, row, same
from benchmarks.papers.p000._segmentation import (
    BLOCK,
    FULL,
    SEEDS,
    SETTINGS,
    draw_curves,
    draw_matrix,
    early_stopped,
    eigenvalues,
    new_figure,
    runs,
    stopped_run,
    stopped_runs,
)

# An eigenvalue below this is not "significantly different from zero".
LEAST = 0.01


def standard_error(rank):
    """Return the standard error of ten runs' mean test accuracy, where they stop."""
    epoch = early_stopped(rank)[2] - 1
    found = [m.validation_curve_[epoch] for m in runs(rank)]
    return float(np.std(found, ddof=1) / np.sqrt(BLOCK))


def fall(rank, attribute):
    """Return by how much an accuracy falls from its best epoch to the last.

    One half of the seeds chooses the epoch, the other half measures.
    """
    curves = 100 * np.array([getattr(m, attribute) for m in runs(rank)])
    best = curves[::2].mean(axis=0).argmax()
    return Measured.of(curves[1::2, best] - curves[1::2, -1])


def counts(many=False):
    """Return how many eigenvalues of M = 16 count in each run."""
    models = stopped_runs(FULL, many)
    return [int(np.sum(eigenvalues(one) > LEAST)) for one in models]


def main():
    errors = {rank: standard_error(rank) for rank in (2, FULL)}
    found = Measured.of(counts(), printed_runs=1)
    falls = {
        f"M = {rank}, {name}": fall(rank, attribute)
        for rank in (2, FULL)
        for name, attribute in {
            "training": "accuracy_curve_",
            "test": "validation_curve_",
        }.items()
    }
    largest = max(falls, key=lambda name: falls[name].value)
    listed = "; ".join(f"{name} {gap.shown()}" for name, gap in falls.items())
    epoch = early_stopped(FULL)[2]
    rows = [
        row(
            '"only about 9-10 eigenvalues remain significantly different from zero", '
            "M = 16",
            "9-10, of a single run",
            f"{found.shown()}; {min(counts())} to {max(counts())} in {SEEDS} runs",
            f"eigenvalues above {LEAST} at epoch {epoch}, best on training data",
            same("9" if found.value < 9.5 else "10", found, points=0),
        ),
        row(
            '"standard errors are on the order 0.01 for M = 2"',
            "0.01",
            round(errors[2], 4),
            f"{SETTINGS}; error of a mean of ten runs; reached within a factor of two",
            holds(0.005 <= errors[2] <= 0.02),
        ),
        row(
            '"and below 0.005 for M = 16"',
            "below 0.005",
            round(errors[FULL], 4),
            f"{SETTINGS}; error of a mean of ten runs",
            holds(errors[FULL] < 0.005),
        ),
        row(
            '"training and test accuracies can display a weak maximum"',
            "a fall after the best epoch",
            f"fall in percentage points from the best epoch to the last: {listed}",
            f"{SETTINGS}; half of the runs choose the epoch, half measure the fall",
            claim(falls[largest]),
        ),
    ]
    figure = new_figure(13, 6)
    grid = figure.subplots(2, 4)
    for axes, rank in zip(grid, (2, FULL), strict=True):
        draw_curves(axes[0], rank)
        draw_matrix(axes[1:], stopped_run(rank))
    record("000", "Fig. 1", rows, figure=figure)


if __name__ == "__main__":
    main()
