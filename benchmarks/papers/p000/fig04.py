"""Fig. 4: test accuracy by rank with two prototypes per class, three for windows."""

import numpy as np

from benchmarks.papers._record import record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p000._segmentation import (
    RANKS,
    SETTINGS,
    data,
    draw_curves,
    draw_ranks,
    new_figure,
    runs,
)
from benchmarks.papers.p000.fig02 import learned


def restored(rank, many=False):
    """Return the mean test accuracy where each run has its own best epoch."""
    X, y = data()[2:]
    return 100 * np.mean([one.score(X, y) for one in runs(rank, many)])


def main():
    one, many = (learned(more).mean(axis=1) for more in (False, True))
    gains = many - one
    listed = ", ".join(f"{r}: {g:+.1f}" for r, g in zip(RANKS, gains, strict=True))
    settings = f"{SETTINGS}, 15 prototypes"
    own = [restored(rank, True) - restored(rank) for rank in (RANKS[0], RANKS[-1])]
    rows = [
        row(
            "better than one per class", "yes", listed, settings, holds(gains.min() > 0)
        ),
        row(
            "most of all for small M",
            "yes",
            f"M = 2 {gains[0]:+.1f}, M = 16 {gains[-1]:+.1f}",
            settings,
            holds(gains[0] > gains[-1]),
            f"each run's own best epoch: M = 2 {own[0]:+.1f}, M = 16 {own[-1]:+.1f}; "
            f"the largest gain is that of M = {RANKS[int(gains.argmax())]}",
        ),
    ]
    figure = new_figure(11, 4)
    left, right = figure.subplots(1, 2)
    draw_ranks(left, learned(True), "2 prototypes per class, 3 for windows")
    draw_curves(right, 2, True)
    record("000", "Fig. 4", rows, figure=figure)


if __name__ == "__main__":
    main()
