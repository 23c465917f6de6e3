"""Fig. 5: relevance matrices with several prototypes per class."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import between, row
from benchmarks.papers.p000._segmentation import (
    FULL,
    draw_matrix,
    early_stopped,
    eigenvalues,
    new_figure,
    stopped_run,
)
from benchmarks.papers.p000.fig01 import LEAST


def main():
    models = {rank: stopped_run(rank, True) for rank in (2, FULL)}
    count = int(np.sum(eigenvalues(models[FULL]) > LEAST))
    epoch = early_stopped(FULL, True)[2]
    settings = f"above {LEAST}, one run of 15 prototypes stopped at epoch {epoch}"
    rows = [
        row(
            "eigenvalues that are not zero, M = 16",
            3,
            count,
            settings,
            between(3, 3, count, spread=2),
        )
    ]
    figure = new_figure(10, 6)
    for axes, model in zip(figure.subplots(2, 3), models.values(), strict=True):
        draw_matrix(axes, model)
    record("000", "Fig. 5", rows, figure=figure)


if __name__ == "__main__":
    main()
