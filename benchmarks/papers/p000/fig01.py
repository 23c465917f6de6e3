"""Fig. 1: learning curves and relevance matrices for M = 2 and M = 16."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import between, holds, row
from benchmarks.papers.p000._segmentation import (
    FULL,
    SETTINGS,
    draw_curves,
    draw_matrix,
    early_stopped,
    eigenvalues,
    first_good_epoch,
    new_figure,
    runs,
    stopped_run,
)

# An eigenvalue below this is not "significantly different from zero".
LEAST = 0.01
# Soon after matrices begin to be learned, at epoch 100.
EARLY = 120


def standard_error(rank):
    """Return the standard error of the mean test accuracy where training stops."""
    epoch = early_stopped(rank)[2] - 1
    found = [m.validation_curve_[epoch] for m in runs(rank)]
    return float(np.std(found, ddof=1) / np.sqrt(len(found)))


def peaks(rank):
    """Return whether the mean training accuracy falls again after its best."""
    mean = np.mean([m.accuracy_curve_ for m in runs(rank)], axis=0)
    return bool(mean[-1] < mean.max())


def main():
    models = {rank: stopped_run(rank) for rank in (2, FULL)}
    count = int(np.sum(eigenvalues(models[FULL]) > LEAST))
    epoch = first_good_epoch(FULL)
    sooner = int(np.sum(eigenvalues(stopped_run(FULL, epoch=epoch)) > LEAST))
    early = int(np.sum(eigenvalues(stopped_run(FULL, epoch=EARLY)) > LEAST))
    tried = f"another end: {early} count at epoch {EARLY}, and fewer the longer it runs"
    errors = {rank: standard_error(rank) for rank in (2, FULL)}
    rows = [
        row(
            "eigenvalues that count, M = 16",
            "9-10",
            count,
            f"above {LEAST}, one run stopped at epoch {early_stopped(FULL)[2]}",
            between(9, 10, count, spread=2),
            tried,
        ),
        row(
            "the same, where the mean first is as good",
            "9-10",
            sooner,
            f"above {LEAST}, at epoch {epoch}: the best mean less its standard error",
            between(9, 10, sooner, spread=2),
            tried,
        ),
        row(
            "standard error of the mean, M = 2",
            "order 0.01",
            round(errors[2], 4),
            SETTINGS,
            between(0.003, 0.03, errors[2], spread=0),
        ),
        row(
            "standard error of the mean, M = 16",
            "below 0.005",
            round(errors[FULL], 4),
            SETTINGS,
            holds(errors[FULL] < 0.005),
        ),
        row(
            "accuracies have a weak maximum",
            "yes",
            ", ".join(f"M = {r}: {'yes' if peaks(r) else 'no'}" for r in (2, FULL)),
            SETTINGS,
            holds(peaks(2) or peaks(FULL)),
        ),
    ]
    figure = new_figure(13, 6)
    grid = figure.subplots(2, 4)
    for axes, (rank, model) in zip(grid, models.items(), strict=True):
        draw_curves(axes[0], rank)
        draw_matrix(axes[1:], model)
    record("000", "Fig. 1", rows, figure=figure)


if __name__ == "__main__":
    main()
