"""How long a verb will take, told before a long run: a guess from the table's size.

A fit of each method was timed on tables of three sizes by ``benchmarks/run_times.py``,
in processor seconds, and so were whole runs. Rows and features count by a power, which
is only about right. Ten whole runs of 150 to 4,435 rows took 0.8 to 1.3 times the guess
for their method; machines differ, and with several cores it takes less time. That
is enough to know whether to wait or to come back later.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import typer

if TYPE_CHECKING:
    from labelscape.jobs._internal import Effort

# Shorter work, in seconds, needs no words.
LONG = 60.0


class Cost(NamedTuple):
    """Seconds for 1,000 rows of 20 features, and the powers of both."""

    seconds: float
    by_rows: float
    by_features: float

    def of(self, n: int, d: int) -> float:
        """Return the seconds for a table of this size."""
        rows: float = (n / 1000) ** self.by_rows
        features: float = (d / 20) ** self.by_features
        return self.seconds * rows * features


# Of one fit of each method.
COSTS = {
    "liram": Cost(0.077, 1.0, 0.0),
    "local-liram": Cost(0.09, 1.0, 0.1),
    "lfda": Cost(0.038, 1.0, 0.2),
    "lda": Cost(0.0041, 1.0, 0.5),
    "nca": Cost(2.4, 2.2, 0.1),
    "pca": Cost(0.00056, 1.0, 0.4),
    "wmds": Cost(1.4, 1.5, 0.5),
    "sammon": Cost(1.4, 1.0, 1.6),
    "cca": Cost(0.96, 1.5, 0.2),
    "ddhds": Cost(1.1, 1.4, 0.2),
    "classimap": Cost(0.85, 1.6, 0.2),
    "classnerv": Cost(4.3, 2.1, 0.0),
    "sne": Cost(4.3, 2.1, 0.0),  # the kernels of ClassNeRV
    "xom": Cost(0.24, 1.4, 0.2),
    "nexom": Cost(0.27, 1.0, 0.2),
    "tsne": Cost(3.1, 1.3, 0.1),
    "fisher-tsne": Cost(5.2, 1.5, 0.0),
    "crossfit": Cost(4.6, 0.9, 0.1),
    "fisher-mds": Cost(0.76, 1.7, 0.0),
}
# Of whole runs, beside their fits.
AUDIT = Cost(4.2, 0.8, 0.0)
START = 6.0
# Measures and the page; of more rows than these, some are looked at.
DRAWING, MOST_LOOKED_AT = Cost(2.0, 1.0, 0.3), 5000
# What is done to all rows, however few a map is fitted to: place, measure, draw.
EVERY_ROW = Cost(0.1, 1.0, 0.5)
# Nobody knows how many it will be where they grow.
USUAL_LANDMARKS = 5000


def fit_seconds(method: str, n: int, d: int) -> float:
    """Return how long a fit of a method may take; 0 if nobody knows."""
    cost = COSTS.get(method)
    return 0.0 if cost is None else cost.of(n, d)


def map_seconds(
    method: str,
    n: int,
    d: int,
    effort: "Effort | None" = None,
    n_landmarks: int | str | None = None,
) -> float:
    """Return how long the map of a table may take, and its certificate.

    ``effort`` is that of the certificate; None if there is none.
    """
    from labelscape.jobs import method_named
    from labelscape.jobs._internal import FEWER_ROWS

    chosen = method_named(method)
    most = n_landmarks or chosen.fits_rows or chosen.presets.get("train_size") or n
    rows = USUAL_LANDMARKS if isinstance(most, str) else most
    seconds = fit_seconds(method, min(n, rows), d) + EVERY_ROW.of(n, d)
    if effort is None:
        return seconds
    most = min(effort.rows, FEWER_ROWS) if chosen.is_slow else effort.rows
    n_fits: int = effort.n_splits + effort.n_refits
    return seconds + n_fits * fit_seconds(method, min(n, most) // 2, d)


class Span(NamedTuple):
    """Between how many seconds a run may take.

    They differ where nobody knows yet which method will be taken.
    """

    least: float
    most: float

    def __str__(self) -> str:
        least, most = about(self.least), about(self.most)
        if least == most:
            return most
        unit, name = (3600, "hours") if self.most >= 90 * 60 else (60, "minutes")
        ends = [f"{max(end / unit, 0.5):.1g}" for end in self]
        return f"{ends[0]} to {ends[1]} {name}, by the method that is taken"


def run_seconds(
    table: Any,
    methods: Iterable[str] = (),
    *,
    judge: bool,
    audit: bool | None = False,
    is_quick: bool = False,
    n_landmarks: int | str | None = None,
) -> Span:
    """Return how long maps of a table may take, with all that is asked of them.

    ``audit`` and ``n_landmarks`` as for `map_table`; ``is_quick`` for a comparison,
    which does less.
    """
    from labelscape.jobs import AUTO
    from labelscape.jobs._internal import (
        AUDITED_ROWS,
        CANDIDATES,
        COMPARED_ROWS,
        QUICK,
        THOROUGH,
        TRIED_ON,
    )

    n, d = table.X.shape
    effort = (QUICK if is_quick else THOROUGH) if judge else None
    rows = min(n, COMPARED_ROWS) if is_quick else n
    drawing = DRAWING.of(min(rows, MOST_LOOKED_AT), d)
    least = most = START
    for method in methods:
        tried = CANDIDATES if method == AUTO else ()
        half = min(n, TRIED_ON) // 2
        seconds = sum(fit_seconds(one, half, d) for one in tried) + drawing
        taken = tried or (method,)
        maps = [map_seconds(one, rows, d, effort, n_landmarks) for one in taken]
        least, most = least + seconds + min(maps), most + seconds + max(maps)
    if audit or (audit is None and n <= AUDITED_ROWS):
        least, most = least + AUDIT.of(n, d), most + AUDIT.of(n, d)
    return Span(least, most)


def tell(seconds: Span, table: Any) -> None:
    """Say how long a run may take, if it is long."""
    if seconds.most < LONG:
        return
    n, d = table.X.shape
    typer.echo(
        f"This may take {seconds}: {n:,} rows, {d:,} feature{'s' * (d != 1)}.",
        err=True,
    )


def about(seconds: float) -> str:
    """Return a time as a guess."""
    minutes = seconds / 60
    if minutes < 1.5:
        return "about a minute"
    if minutes < 90:
        return f"about {minutes:.0f} minutes"
    return f"about {minutes / 60:.2g} hours"
