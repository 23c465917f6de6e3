"""Comparison of maps of one table with many methods."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from labelscape._core.errors import InputError, ParameterError, shown
from labelscape._core.output import html_table, text_table
from labelscape._core.params import arguments, optional, several, text
from labelscape.datasets import Table
from labelscape.jobs.choose import Choice, Outcome, chosen_of, is_legible
from labelscape.jobs.map import NOT_REQUESTED, Effort, map_table
from labelscape.jobs.map_result import MapResult, trust_of
from labelscape.jobs.methods import compared_names, method_named
from labelscape.jobs.order import RunOrder
from labelscape.jobs.scenes import data_of
from labelscape.jobs.words import Begin, counted, placed, silent
from labelscape.quality import MEASURES
from labelscape.scene import JudgedMap, Scene, Subject, build_scene
from labelscape.scene import scene as records

# A comparison shows large differences, for which fewer fits are enough than for a
# single map.
QUICK = Effort(n_splits=3, n_refits=1, rows=600)
ROWS = 2000
RECORDED = ("method", "quality", "honesty", "note", "seconds")

# Column heads, and the measures below them.
COMPARED = {m.head: name for name, m in MEASURES.items() if m.head}
TESTED = {
    "seen": "share of fitted rows that get the right class from neighbors on the map",
    "unseen": "the same share for held-out rows; all classes have the same weight",
    "kept": "how much of the separation in the data the map shows",
    "real": "whether the classes of held-out rows are separated",
}
LEGEND = "\n".join(
    f"{head}: {words}."
    for head, words in [
        *((head, MEASURES[name].meaning) for head, name in COMPARED.items()),
        *TESTED.items(),
    ]
)

NO_MODEL = (
    "A comparison has no regions and no prototypes, because they belong to one model. "
    "“labelscape map DATA -m METHOD” shows regions and prototypes."
)


@dataclass(frozen=True)
class Failure:
    """A method that could not map a table, and the reason."""

    method: str
    reason: str
    seconds: float


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """Maps of one table with several methods; prints as a table.

    Attributes
    ----------
    table : Table
        The mapped data: all rows, or a random sample of a large table.
    results : list of MapResult or Failure
        The result of each method, in the given order.
    note : str
        A note about the comparison, such as the number of rows that were used.
    """

    table: Table
    results: list[MapResult | Failure]
    note: str

    @property
    def maps(self) -> list[MapResult]:
        """The results of the methods that did not fail."""
        return [one for one in self.results if isinstance(one, MapResult)]

    @property
    def reasons(self) -> str:
        """The reasons why methods failed or were not tested, one line each."""
        lines = []
        for one in self.results:
            if isinstance(one, Failure):
                lines.append(f"{one.method}: {one.reason}")
            elif (verdict := one.verdict).why not in ("", NOT_REQUESTED):
                lines.append(f"{one.method}: {verdict}")
        return "\n".join(lines)

    @property
    def recommended(self) -> Choice | None:
        """The map to look at first, and the reason; None if no map was tested."""
        codes = np.unique(np.asarray(self.table.y), return_inverse=True)[1]
        # All were tested on the same splits, because they have the same seed.
        tested = [
            (one, one.honesty) for one in self.maps if one.honesty and one.honesty.k
        ]
        if not tested:
            return None
        outcomes = [
            Outcome(one.method, honest.points.share, is_legible(one.embedding, codes))
            for one, honest in tested
        ]
        return chosen_of(outcomes, codes, tested[0][1].units.of_row)

    @property
    def legend(self) -> str:
        """The meaning of the columns of the table."""
        return LEGEND

    def record(self) -> dict[str, Any]:
        """Return all results as plain values, for scripts."""
        best = self.recommended
        return {
            "note": self.note or None,
            "recommended": None if best is None else best.record(),
            "methods": [_record(one) for one in self.results],
        }

    def scene(self, *, seed: int = 0) -> Scene:
        """Return the scene of the page; ``seed`` is the random seed."""
        if not self.maps:
            raise InputError(
                "no method could map the table, so there is nothing to show.",
                owner="comparison_scene",
            )
        table, best = self.table, self.recommended
        titles = {one.method: method_named(one.method).title for one in self.results}
        # The recommended map is the first.
        first, *others = sorted(
            self.maps, key=lambda one: best is None or one.method != best.method
        )
        header, rows = self.cells()
        notes = [LEGEND.replace("\n", " "), self.reasons, self.note, NO_MODEL]
        return build_scene(
            Subject(
                first.model,
                name=titles[first.method],
                # A model of one map would explain nothing on the others.
                prototypes=False,
                maps={
                    titles[m.method]: JudgedMap(m.model, trust_of(m)) for m in others
                },
            ),
            data_of(table),
            trust_of(first),
            title=f"{table.name}: {counted(len(self.maps), 'map')}",
            comparison=records.ComparisonTable(
                columns=("map", *header[1:]),
                rows=tuple((titles[method], *row) for method, *row in rows),
                words=tuple(filter(None, [str(best or ""), *notes])),
                recommended="" if best is None else titles[best.method],
            ),
            regions=False,
            random_state=seed,
        )

    def __str__(self) -> str:
        chosen = str(self.recommended or "")
        # This line is about the data, so it is the same for all maps.
        tested = (one.verdict.lights for one in self.maps)
        gap = next((str(lights[2]) for lights in tested if len(lights) > 2), "")
        parts = [chosen, text_table(*self.cells()), gap, self.reasons, self.note]
        return "\n".join(part for part in parts if part)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(*self.cells())

    def cells(self) -> tuple[list[str], list[list[str]]]:
        """Return the header and the rows of the table, as texts."""
        header = ["method", *COMPARED, *TESTED, "seconds"]
        return header, [_row(one) for one in self.results]


@arguments(methods=optional(several("names", text())), **RunOrder.rules("compare"))
def compare_methods(
    table: Table,
    methods: Sequence[str] | None = None,
    *,
    seed: int = 0,
    judge: bool = True,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    begin: Begin | None = None,
) -> Comparison:
    """Map a table with several methods and test each map on held-out rows.

    Parameters
    ----------
    table : Table
        Labeled data. If there are more than 2,000 rows, a random sample is used.
    methods : sequence of str, default=None
        Names of methods, as on the command line. None means ten methods of different
        kinds. If a method fails, the others are still compared.
    judge : bool, default=True
        Whether to test each map on held-out rows, which takes four fits per method.
    parameters : mapping of str to mapping, default=None
        For each method name, the parameters that differ from their defaults.
    seed, begin
        As for `map_table`.

    Returns
    -------
    Comparison

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> comparison = compare_methods(load("iris"), ["pca", "lda"], judge=False)
    >>> [result.method for result in comparison.maps]
    ['pca', 'lda']
    """
    wanted = compared_names() if methods is None else methods
    names = [method_named(name).name for name in wanted]
    if len(set(names)) < len(names):
        raise ValueError(f"methods contains a method twice: {', '.join(names)}.")
    parameters = parameters or {}
    _check_parameters(parameters, names)
    table, note = _some_rows(table, seed)
    results: list[MapResult | Failure] = []
    for i, name in enumerate(names, start=1):
        start = perf_counter()
        try:
            result = map_table(
                table,
                name,
                seed=seed,
                judge=judge,
                explain=False,
                effort=QUICK,
                parameters=parameters.get(name),
                begin=placed(begin or silent, i, len(names)),
            )
        except (ValueError, np.linalg.LinAlgError) as error:
            reason = " ".join(str(error).split())
            results.append(Failure(name, reason, round(perf_counter() - start, 3)))
        else:
            results.append(result)
    return Comparison(table, _naming_the_best(results), note)


def _check_parameters(
    parameters: Mapping[str, Mapping[str, Any]], names: Sequence[str]
) -> None:
    """Raise an error unless keys are compared methods and values are dicts."""
    for name, given in parameters.items():
        if name not in names:
            raise InputError(
                f"parameters are given for {shown(name)}, which is not compared. "
                f"Compared methods: {', '.join(names)}.",
                owner="compare_methods",
                parameter="parameters",
            )
        if not isinstance(given, Mapping):
            raise ParameterError(
                "compare_methods", f"parameters[{name!r}]", given, "a dict"
            )


def _naming_the_best(results: list[MapResult | Failure]) -> list[MapResult | Failure]:
    """Add the best method's name to verdicts whose ``kept`` is "little"."""
    reports = {
        one.method: one.honesty
        for one in results
        if isinstance(one, MapResult) and one.honesty and one.honesty.kept is not None
    }
    if not reports:
        return results
    best = max(reports, key=lambda method: reports[method].kept or 0.0)
    named = [*results]
    for i, one in enumerate(results):
        honest = reports.get(one.method)
        if not isinstance(one, MapResult) or honest is None or one.method == best:
            continue
        if honest.verdict.kept == "little":
            verdict = replace(honest.verdict, keeps_more=method_named(best).title)
            named[i] = replace(one, honesty=replace(honest, verdict=verdict))
    return named


def _some_rows(table: Table, seed: int) -> tuple[Table, str]:
    """Return the table, or a sample of its rows and a note if it is large."""
    n = len(table.X)
    if n <= ROWS or table.y is None:
        return table, ""
    rows, _ = train_test_split(np.arange(n), train_size=ROWS, random_state=seed)
    rows.sort()
    part = table.take(rows)
    if part.ids is None:
        part = replace(part, ids=rows.astype(str))
    return part, f"Compared on {ROWS:,} random rows of {n:,}."


def _row(result: MapResult | Failure) -> list[str]:
    tested = ["–"] * len(TESTED)
    if isinstance(result, Failure):
        dashes = ["–"] * len(COMPARED)
        return [result.method, *dashes, *tested, f"{result.seconds:.1f}"]
    honest = result.honesty
    if honest is not None and honest.unseen is not None:
        verdict = honest.verdict
        numbers = [f"{x:.2f}" for x in (honest.seen, honest.unseen)]
        tested = [*numbers, verdict.kept or "–", verdict.real]
    scores = [f"{result.quality.scores[name]:.3f}" for name in COMPARED.values()]
    return [result.method, *scores, *tested, f"{sum(result.seconds.values()):.1f}"]


def _record(result: MapResult | Failure) -> dict[str, Any]:
    if isinstance(result, Failure):
        record = asdict(result)
        return record | {"error": record.pop("reason")}
    record = result.record()
    return {key: record[key] for key in RECORDED}
