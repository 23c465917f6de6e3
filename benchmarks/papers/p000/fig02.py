"""Fig. 2: test accuracy by rank, learned so and cut after training."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import at_least, holds, row
from benchmarks.papers.p000._segmentation import (
    FULL,
    RANKS,
    SETTINGS,
    data,
    draw_ranks,
    early_stopped,
    new_figure,
    runs,
)

PLATEAU = 5  # "all M >= 5 display essentially the same performance"


def learned(many=False):
    """Return test accuracies (ranks, seeds) where the training mean is best."""
    return 100 * np.array(
        [
            [
                m.validation_curve_[early_stopped(rank, many)[2] - 1]
                for m in runs(rank, many)
            ]
            for rank in RANKS
        ]
    )


def cut():
    """Return those of the full models, cut to so many rows after training."""
    X, y = data()[2:]
    return 100 * np.array(
        [[m.reduced(rank).score(X, y) for m in runs(FULL)] for rank in RANKS]
    )


def main():
    accuracies, after = learned(), cut()
    means = dict(zip(RANKS, accuracies.mean(axis=1), strict=True))
    stds = dict(zip(RANKS, accuracies.std(axis=1), strict=True))
    wide = [means[rank] for rank in RANKS if rank >= PLATEAU]
    gap = means[2] - after[0].mean()
    listed = ", ".join(f"{rank}: {mean:.1f}" for rank, mean in means.items())
    rows = [
        row(
            "M >= 5 all alike",
            "yes",
            f"largest less smallest mean {np.ptp(wide):.1f}; {listed}",
            SETTINGS,
            holds(np.ptp(wide) <= 2.0),
        ),
        row(
            "M = 2 clearly below",
            "yes",
            f"{min(wide) - means[2]:.1f} points",
            SETTINGS,
            holds(min(wide) - means[2] >= 2.0),
        ),
        row(
            "M = 2 varies more",
            "yes",
            f"std {stds[2]:.1f} against {stds[FULL]:.1f}",
            SETTINGS,
            holds(stds[2] > stds[FULL]),
        ),
        row(
            "M = 16 cut to 2, below learned M = 2 by",
            11,
            round(gap, 1),
            f"{SETTINGS}; reduced(2)",
            at_least(11, gap, spread=6),
        ),
    ]
    figure = new_figure(7, 8)
    axes = figure.subplots(2, 1)
    draw_ranks(axes[0], accuracies, "LiRaM LVQ")
    draw_ranks(axes[1], after, "GMLVQ, cut to M after training")
    record("000", "Fig. 2", rows, figure=figure)


if __name__ == "__main__":
    main()
