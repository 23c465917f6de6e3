"""Many maps of one table, side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.model_selection import train_test_split

from labelscape._core.errors import InputError, ParameterError, shown
from labelscape._core.output import html_table, text_table
from labelscape._core.params import arguments, flag, optional, several, text
from labelscape.datasets import Table
from labelscape.jobs.choose import Choice, Outcome, chosen_of, is_legible
from labelscape.jobs.map import (
    JOB,
    NOT_REQUESTED,
    Effort,
    MapResult,
    map_table,
)
from labelscape.jobs.methods import compared_names, method_named
from labelscape.jobs.steps import Begin, placed, silent
from labelscape.jobs.words import honesty_record
from labelscape.quality import MEASURES

if TYPE_CHECKING:
    from labelscape.scene import Scene

# A comparison shows what is better by far, for which less work than one map deserves
# is enough.
QUICK = Effort(n_splits=3, n_refits=1, rows=600)
ROWS = 2000

# Column heads, and the measures under them.
COMPARED = {m.head: name for name, m in MEASURES.items() if m.head}
JUDGED = ("seen", "unseen", "kept", "real")
LEGEND = """\
T, C: neighbours on the map are neighbours in the data, and the other way round.
R_NX: neighbourhoods of all sizes. class T: no false neighbours of another class.
1-NN: the nearest neighbour on the map has the same class.
seen, unseen: neighbours of the same class, for objects the map was fitted to and for
others; every class counts the same. kept: of what the data separate.
real: whether the separation is there for unseen objects."""


@dataclass(frozen=True)
class Failure:
    """A method that could not map a table, and why."""

    method: str
    reason: str
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Maps of one table by several methods; prints as a table.

    Attributes
    ----------
    table : Table
        The data that were mapped: all rows, or a random part of a large table.
    results : list of MapResult or Failure
        One per method, in the order given.
    note : str
        What the reader of the table should know.
    """

    table: Table
    results: list[MapResult | Failure]
    note: str

    @property
    def maps(self) -> list[MapResult]:
        """The results of the methods that did their work."""
        return [found for found in self.results if isinstance(found, MapResult)]

    @property
    def reasons(self) -> str:
        """Why some methods failed or were not judged, one line each."""
        lines = []
        for found in self.results:
            if isinstance(found, Failure):
                lines.append(f"{found.method}: {found.reason}")
            elif (verdict := found.verdict).why not in ("", NOT_REQUESTED):
                lines.append(f"{found.method}: {verdict}")
        return "\n".join(lines)

    @property
    def recommended(self) -> Choice | None:
        """The map to look at first, and why; None if none was judged."""
        codes = np.unique(np.asarray(self.table.y), return_inverse=True)[1]
        judged = [one for one in self.maps if one.honesty and one.honesty.k]
        if not judged:
            return None
        # All were judged on the same splits, by the same seed.
        outcomes = [
            Outcome(
                one.method, one.honesty.points.share, is_legible(one.embedding, codes)
            )
            for one in judged
            if one.honesty is not None
        ]
        units = judged[0].honesty.units.of_row if judged[0].honesty else codes
        return chosen_of(outcomes, codes, units)

    @property
    def legend(self) -> str:
        """What the columns of the table are."""
        return LEGEND

    def records(self) -> list[dict[str, Any]]:
        """Return one record of plain numbers per method, for scripts."""
        return [_record(found) for found in self.results]

    def scene(self, *, seed: int = 0) -> "Scene":
        """Return what its page shows; the seed is that of everything random."""
        from labelscape.jobs.scenes import comparison_scene

        return comparison_scene(self, seed)

    def __str__(self) -> str:
        taken = "" if self.recommended is None else str(self.recommended)
        parts = [taken, text_table(*self._table()), self.reasons, self.note]
        return "\n".join(part for part in parts if part)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self._table())

    def _table(self) -> tuple[list[str], list[list[str]]]:
        header = ["method", *COMPARED, *JUDGED, "seconds"]
        return header, [_row(found) for found in self.results]


@arguments(methods=optional(several("names", text())), judge=flag(), **JOB)
def compare_methods(
    table: Table,
    methods: Sequence[str] | None = None,
    *,
    seed: int = 0,
    judge: bool = True,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    begin: Begin | None = None,
) -> Comparison:
    """Map a table by several methods, and measure how far to believe each map.

    Parameters
    ----------
    table : Table
        Labelled data. Of more than 2,000 rows a random part is taken.
    methods : sequence of str, default=None
        Names of methods, as on the command line; None: ten of different kinds. One that
        fails does not stop the others.
    seed : int, default=0
        Seed of everything random.
    judge : bool, default=True
        Whether to measure honesty, which takes four fits per method.
    parameters : mapping of str to mapping, default=None
        For some of the methods, parameters that are not to keep their defaults.
    begin : callable, default=None
        Called when a step begins, as in `map_table`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> found = compare_methods(load("iris"), ["pca", "lda"], judge=False)
    >>> [result.method for result in found.maps]
    ['pca', 'lda']
    """
    wanted = compared_names() if methods is None else methods
    names = [method_named(name).name for name in wanted]
    if len(set(names)) < len(names):
        raise ValueError(f"A method was named twice: {', '.join(names)}.")
    parameters = _of_methods(parameters or {}, names)
    table, note = _some_rows(table, seed)
    results: list[MapResult | Failure] = []
    for i, name in enumerate(names, start=1):
        start, begun = perf_counter(), placed(begin or silent, i, len(names))
        try:
            found: MapResult | Failure = map_table(
                table,
                name,
                seed=seed,
                judge=judge,
                effort=QUICK,
                parameters=parameters.get(name),
                begin=begun,
            )
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            found = Failure(name, reason, round(perf_counter() - start, 3))
        results.append(found)
    return Comparison(table, _pointing_to_the_best(results), note)


def _of_methods(
    parameters: Mapping[str, Mapping[str, Any]], names: Sequence[str]
) -> dict[str, Mapping[str, Any]]:
    """Return parameters by the names of methods, if all of these are compared."""
    for name, given in parameters.items():
        if name not in names:
            raise InputError(
                f"parameters are given for {shown(name)}, which is not compared. "
                f"Compared are: {', '.join(names)}.",
                owner="compare_methods",
                parameter="parameters",
            )
        if not isinstance(given, Mapping):
            raise ParameterError(
                "compare_methods", f"parameters[{name!r}]", given, "a dict"
            )
    return dict(parameters)


def _pointing_to_the_best(
    results: list[MapResult | Failure],
) -> list[MapResult | Failure]:
    """Let maps that keep little name the method that keeps most."""
    shares = {
        one.method: one.honesty.kept
        for one in results
        if isinstance(one, MapResult) and one.honesty and one.honesty.kept is not None
    }
    if not shares:
        return results
    best = max(shares, key=lambda method: shares[method])
    name = method_named(best).title
    return [
        _naming(one, name) if isinstance(one, MapResult) and one.method != best else one
        for one in results
    ]


def _naming(result: MapResult, better: str) -> MapResult:
    honest = result.honesty
    if honest is None or honest.verdict.kept != "little":
        return result
    verdict = replace(honest.verdict, keeps_more=better)
    return replace(result, honesty=replace(honest, verdict=verdict))


def _some_rows(table: Table, seed: int) -> tuple[Table, str]:
    """Return a table that every method can map in seconds, and a word about it."""
    n = len(table.X)
    if n <= ROWS or table.y is None:
        return table, ""
    kept, _ = train_test_split(np.arange(n), train_size=ROWS, random_state=seed)
    kept.sort()
    part = table.take(kept)
    if part.ids is None:
        part = replace(part, ids=kept.astype(str))
    return part, f"Compared on {ROWS:,} random rows of {n:,}."


def _row(found: MapResult | Failure) -> list[str]:
    if isinstance(found, Failure):
        dashes = ["–"] * (len(COMPARED) + len(JUDGED))
        return [found.method, *dashes, f"{found.seconds:.1f}"]
    honest = found.honesty
    judged = ["–"] * len(JUDGED)
    if honest is not None and honest.unseen is not None:
        numbers = [f"{x:.2f}" for x in (honest.seen, honest.unseen)]
        verdict = honest.verdict
        judged = [*numbers, verdict.kept or "–", verdict.real]
    scores = [f"{found.quality.scores[name]:.3f}" for name in COMPARED.values()]
    return [found.method, *scores, *judged, f"{sum(found.seconds.values()):.1f}"]


def _record(found: MapResult | Failure) -> dict[str, Any]:
    if isinstance(found, Failure):
        return {"method": found.method, "error": found.reason, "seconds": found.seconds}
    return {
        "method": found.method,
        "quality": found.quality.scores,
        "honesty": honesty_record(found.honesty),
        "note": found.honesty_note or None,
        "seconds": found.seconds,
    }
