"""Fig. 5: relevance matrices with several prototypes per class."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, row, same
from benchmarks.papers.p000._segmentation import (
    FULL,
    SEEDS,
    draw_matrix,
    early_stopped,
    new_figure,
    stopped_run,
)
from benchmarks.papers.p000.fig01 import LEAST, counts


def main():
    found = counts(many=True)
    mean = Measured.of(found, printed_runs=1)
    epoch = early_stopped(FULL, True)[2]
    rows = [
        row(
            '"even the unrestricted matrix displays only three non-zero eigenvalues"',
            "3, of an example",
            f"{mean.shown()}; {min(found)} to {max(found)} in {SEEDS} runs",
            f"eigenvalues above {LEAST}, 15 prototypes, at epoch {epoch}, best on "
            "training data",
            same("3", mean, points=0),
        )
    ]
    figure = new_figure(10, 6)
    for axes, rank in zip(figure.subplots(2, 3), (2, FULL), strict=True):
        draw_matrix(axes, stopped_run(rank, True))
    record("000", "Fig. 5", rows, figure=figure)


if __name__ == "__main__":
    main()
