"""The order of a run, all in one record.

To add an option, add a field to `RunOrder`, and use it in its jobs. The field contains
the allowed values, the help, the command-line option, the label in the app, and the
jobs that have the option. Commands, the app, functions of jobs and code that repeats
runs use this field.
"""
# ruff: noqa: RUF009 - `option` returns dataclass fields

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from labelscape._core.options import Declared, Option, call, option
from labelscape._core.params import (
    Rule,
    dict_like,
    flag,
    function,
    instance,
    one_of,
    optional,
    seed_rule,
    text,
    whole,
)
from labelscape.datasets import Reading, Table
from labelscape.jobs.methods import AUTO, DIMENSIONS, methods_of

*_FIRST, _LAST = [AUTO, *(one.name for one in methods_of("map"))]
# The jobs that have an option.
MAP, FITS = ("map",), ("map", "refit")
TESTS = (*FITS, "prototypes", "compare", "audit")
SETS = (*TESTS, "classify")


@dataclass(frozen=True, kw_only=True)
class RunOrder(Declared):
    """What a run does: its table, its method and the requested tests.

    Parameters
    ----------
    table : str
        The file of the table, or the name of a data set.
    method : str, default="auto"
        Name of the method.
    reading : Reading
        How to read the table.
    parameters : mapping of str to object
        Parameters of the method that differ from their defaults.
    n_components : {2, 3}, default=2
        Number of map dimensions.
    honesty : bool, default=True
        Whether to test the map on held-out rows, the argument ``judge`` of jobs.
    audit : bool or None, default=None
        Whether to look for wrong labels and other problems in the table; None: if it
        has at most 5,000 rows.
    islands : bool, default=False
        Whether to test which clusters are stable.
    seed : int, default=0
        Random seed.
    n_landmarks : int or None, default=None
        Number of rows to fit the map to; None: all, or as many as the method allows.

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import RunOrder, map_table
    >>> order = RunOrder(method="lda", honesty=False, audit=False)
    >>> map_table(load("iris"), **order.arguments("map")).method
    'lda'
    >>> order.map_code()
    "map_table(table, 'lda', judge=False, seed=0)"
    """

    table: str = ""
    method: str = option(
        AUTO,
        text(),
        f"{', '.join(_FIRST)} or {_LAST}.",
        flag="--method",
        short="-m",
        jobs=(*FITS, "prototypes"),
    )
    # Roles of columns; the app stores the file format with the table.
    reading: Reading = Reading()
    # Parameters that differ from their defaults.
    parameters: Mapping[str, Any] | None = option(
        None,
        optional(dict_like()),
        "Set a parameter of the method, such as perplexity=50.",
        flag="--set",
        metavar="NAME=VALUE",
        jobs=SETS,
    )
    n_components: int = option(
        2,
        one_of(2, 3),
        "Number of map dimensions; 3-D maps can be rotated.",
        flag="--dimensions",
        jobs=MAP,
    )
    honesty: bool = option(
        True,
        flag(),
        "Test on held-out rows whether the separation is real.",
        flag="--honesty/--no-honesty",
        is_test=True,
        page="Test whether the separation is real (8 extra fits)",
        jobs=TESTS,
        argument="judge",
    )
    audit: bool | None = option(
        None,
        optional(flag()),
        "Look for wrong labels and other problems in the table. [default: yes, for at "
        "most 5,000 rows]",
        flag="--audit/--no-audit",
        is_test=True,
        page="Check labels and look for data problems (takes minutes for large tables)",
        jobs=FITS,
    )
    islands: bool = option(
        False,
        flag(),
        "Test which clusters are stable (10 extra fits).",
        flag="--islands",
        is_test=True,
        page="Find stable clusters (10 extra fits)",
        jobs=FITS,
    )
    seed: int = option(
        0,
        seed_rule(),
        "Random seed: the same seed gives the same result.",
        flag="--seed",
        jobs=(*SETS, "certify"),
    )
    n_landmarks: int | None = option(
        None,
        optional(whole(3)),
        "Number of rows to fit the map to. The other rows are placed on the map. "
        "[default: all; 5,000 for tsne, 2,000 for nca]",
        flag="--landmarks",
        section="Large tables",
        jobs=MAP,
    )

    @classmethod
    def of(cls, job: str) -> dict[str, Option]:
        """Return the options that a job has, by their name."""
        return {name: one for name, one in cls.options().items() if job in one.jobs}

    @classmethod
    def rules(cls, job: str) -> dict[str, Rule]:
        """Return the allowed values of the arguments of a job."""
        own = {one.argument or name: one.rule for name, one in cls.of(job).items()}
        own.pop(DIMENSIONS, None)  # it is one of the parameters
        return own | {
            "table": instance(Table),
            "begin": optional(function()),
            "callback": optional(function()),
        }

    def arguments(self, job: str, *, tests: bool = True) -> dict[str, Any]:
        """Return the arguments of the function that does a job."""
        given = {
            one.argument or name: getattr(self, name)
            for name, one in self.of(job).items()
            if tests or not one.is_test
        }
        if (n_components := given.pop(DIMENSIONS, 2)) != 2:
            given["parameters"] = {**(self.parameters or {}), DIMENSIONS: n_components}
        return given

    def code(self, job: str, function: str, *given: str) -> str:
        """Return Python code that does a job again, without additional tests."""
        usual = RunOrder(method=self.method, seed=self.seed).arguments(job)
        settings = self.arguments(job, tests=False).items()
        changed = {k: value for k, value in settings if value not in (usual[k], {})}
        return call(function, "table", *given, seed=self.seed, **changed)

    def map_code(self) -> str:
        """Return Python code that fits the map again, without tests."""
        return self.code("map", "map_table", repr(self.method), "judge=False")
