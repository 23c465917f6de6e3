"""Fig. 4: test accuracy by rank with two prototypes per class, three for windows."""

from benchmarks.papers._record import record
from benchmarks.papers._verdict import Measured, claim, row, worst
from benchmarks.papers.p000._segmentation import (
    RANKS,
    SETTINGS,
    draw_curves,
    draw_ranks,
    new_figure,
)
from benchmarks.papers.p000.fig02 import PLATEAU, learned


def main():
    # Rows of ranks; seeds of both kinds have nothing in common but their number.
    one, many = learned(), learned(True)
    gains = [Measured.of(more - less) for more, less in zip(many, one, strict=True)]
    listed = ", ".join(f"{r}: {g.shown()}" for r, g in zip(RANKS, gains, strict=True))
    n_small = sum(rank < PLATEAU for rank in RANKS)
    difference = many - one
    extra = difference[:n_small].mean(axis=0) - difference[n_small:].mean(axis=0)
    pronounced = Measured.of(extra)
    settings = f"{SETTINGS}, 15 prototypes"
    rows = [
        row(
            '"this setting improves the classification accuracies in comparison to '
            '... a single prototype per class"',
            "a gain",
            f"gain in percentage points by M: {listed}",
            settings,
            worst([claim(gain) for gain in gains]),
        ),
        row(
            '"the improvement is particularly pronounced for small M"',
            "more than for large M",
            f"M < {PLATEAU} gain {pronounced.shown()} points more than M >= {PLATEAU}",
            f"{settings}; small M: below {PLATEAU}, where rank matters in Fig. 2",
            claim(pronounced),
            f"gain in percentage points for each rank M: {listed}",
        ),
    ]
    figure = new_figure(11, 4)
    left, right = figure.subplots(1, 2)
    draw_ranks(left, many, "2 prototypes per class, 3 for windows")
    draw_curves(right, 2, True)
    record("000", "Fig. 4", rows, figure=figure)


if __name__ == "__main__":
    main()
