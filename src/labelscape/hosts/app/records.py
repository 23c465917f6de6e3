"""What the app knows, as records: in memory, in the catalog and on the wire.

The catalog keeps tables, models and runs as JSON, the API answers with them, and the
types of the view are generated from them.
"""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, computed_field

from labelscape.datasets import ColumnInfo, Reading
from labelscape.hosts.app.forms import is_map, title_of, why_not_placed
from labelscape.jobs import StepName
from labelscape.quality import Light

State = Literal["queued", "running", "finished", "failed", "cancelled", "interrupted"]
LIVE: tuple[State, ...] = ("queued", "running")
# How many of the latest losses a page shows.
LOSSES = 1000

Id = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Row = Annotated[int, Field(ge=0, le=2**31 - 1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
# Of a run, at most.
NAME_LENGTH = 200
# Not of blanks alone, which no one could read.
Name = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=NAME_LENGTH, pattern=r"\S")
]
Label = Annotated[str, Field(max_length=1000)]


class Record(BaseModel):
    """A record that does not change."""

    model_config = ConfigDict(frozen=True)


class Strict(Record):
    """A record that takes no names it does not know."""

    model_config = ConfigDict(extra="forbid")


# What is asked for.


class Order(Strict):
    """A fit that is asked for."""

    table: Id
    method: Name
    # What the columns are for. How the file is written is known of the table.
    reading: Reading = Reading()
    # What is not to keep its default.
    parameters: dict[str, int | Finite | str | bool | None] = {}
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    honesty: bool = True
    islands: bool = False
    audit: bool = True
    # The saved model that is to be pictured.
    model: Id | None = None
    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""


class Settings(Order):
    """What a run was asked for.

    Names are those that the model and the run, on whose map rows are placed, had then.
    """

    model_name: str | None = None
    # The run whose map is fitted again, and the class of each row that was decided on.
    refit_of: str | None = None
    decisions: dict[int, str] = {}
    # The run on whose map the rows of the table are placed.
    placed_on: str | None = None
    placed_on_name: str | None = None


class Relabeling(Strict):
    """The class of each row whose label was decided on, by the number of the row."""

    decisions: Annotated[dict[Row, Label], Field(min_length=1, max_length=100_000)]


class KeptDecisions(Strict):
    """The same as pairs of row and class, in the order of time."""

    decisions: Annotated[list[tuple[Row, Label]], Field(max_length=100_000)]


class PlacingOrder(Strict):
    """A table whose rows are to be placed on the map of a run."""

    table: Id
    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""


class Named(Strict):
    """A name: of a data set to load, or a new one for a run."""

    name: Name


class RowQuestion(Strict):
    """A row whose decision is to be explained."""

    object: Row


# What there is.


class Status(Record):
    """How the app is."""

    version: str
    workspace: str
    running: int
    upload_limit: int


class ErrorAnswer(Record):
    """What is wrong, in a sentence; ``parameter`` is what it is about, if it is one."""

    detail: str
    parameter: str | None = None


class Entry(Record):
    """What the catalog keeps. Its files are in the folder of its id."""

    # The folder of all entries of a kind, and their table in the catalog.
    kinds: ClassVar[str]

    id: str
    name: str
    created: float


class LoadedTable(Entry):
    """A table that was loaded; in a list its ``columns`` are left out.

    ``notes`` say what was left out of the file, or left aside. ``has_folder``: it was
    opened from a folder of this machine, in which its pictures may be.
    """

    kinds = "tables"

    n_rows: int
    n_columns: int
    columns: list[ColumnInfo] = []
    reading: Reading = Reading()
    embedded: str | None = None
    notes: list[str] = []
    has_folder: bool = False


class StoredTable(LoadedTable):
    """A table with its file, and the folder that this was opened from."""

    file: str
    folder: Path | None = None


class LoadedModel(Entry):
    """A model file that was loaded."""

    kinds = "models"

    kind: str
    n_features: int
    classes: list[str]


class MovedFeature(Record):
    """A feature of new rows: its middle in the old ones, now, and how far it moved.

    ``distance`` is None if it was constant in the old ones.
    """

    feature: str
    usual: float
    now: float
    distance: float | None


class ClassCount(Record):
    """How many new rows are predicted to be of a class."""

    name: str
    count: int


class RunPlacement(Record):
    """What is known of new rows on a map, in numbers.

    ``n_unlike`` of ``n_rows`` are unlike anything seen, of which ``rate`` would be by
    chance; ``drift_p`` is the p-value of one source of old and new rows.
    """

    n_rows: int
    n_unlike: int
    rate: float
    drift_p: float
    has_drifted: bool
    moved: list[MovedFeature]
    classes: list[ClassCount]


class RunResult(Record):
    """What came out of a run; blank until it has finished.

    ``verdict`` is how far to believe it, ``finding`` the same without its reasons, and
    ``lights`` are its lights; ``method`` is the one that was chosen; ``accuracy`` on
    held-out rows is from 0 to 1, where it was measured.
    """

    summary: str = ""
    verdict: str | None = None
    finding: str | None = None
    lights: tuple[Light, ...] = ()
    method: str = ""
    has_model: bool = False
    seconds: float = 0.0
    accuracy: float | None = None
    placement: RunPlacement | None = None


class Run(Entry):
    """A fit: what was asked for, its state, and what came out.

    ``method_title`` is what people call the method that was chosen.
    ``can_refit``: its map can be fitted again to labels that were decided on.
    ``placing_note`` says why no new rows can be placed on it; empty where they can.
    """

    kinds = "runs"

    table: str
    table_name: str
    settings: Settings
    state: State = "queued"
    words: str = ""
    started: float | None = None
    ended: float | None = None
    result: RunResult = RunResult()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def method_title(self) -> str:
        """What people call the method that was chosen."""
        return title_of(self.result.method or self.settings.method)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def can_refit(self) -> bool:
        """Whether it has a map that can be fitted to other labels."""
        return self.state == "finished" and is_map(self.result.method)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def placing_note(self) -> str:
        """Why no new rows can be placed on it."""
        is_refit = self.settings.refit_of is not None
        return why_not_placed(self.settings.method, is_refit=is_refit)


# What a worker is given, and what it reports.


@dataclass(frozen=True)
class Source:
    """A table of the workspace: where its file is, and what the user calls it.

    ``beside`` is the folder that it was opened from, where its pictures are; None: it
    was uploaded.
    """

    path: Path
    name: str
    beside: Path | None = None


@dataclass(frozen=True)
class Job:
    """A run that is to be done, and where its files go.

    ``model`` is the file of the saved model that the method "model" pictures, ``start``
    the folder of the run whose map is fitted again.
    """

    source: Source
    settings: Settings
    folder: Path
    model: Path | None = None
    start: Path | None = None

    @property
    def names(self) -> dict[str, str]:
        """The user's name for each file that is read."""
        names = {str(self.source.path): self.source.name}
        if self.model is not None and self.settings.model_name:
            names[str(self.model)] = self.settings.model_name
        return names


@dataclass(frozen=True)
class News:
    """What a fit reports: that a step begins, or how far it has come."""

    # The step that begins, by the name that jobs have for it; None while one goes on.
    step: StepName | None = None
    # Parts of the step, where they are counted.
    done: int | None = None
    total: int | None = None
    # Of a fit that learns in iterations.
    iteration: int | None = None
    loss: float | None = None
    # The map while it forms, and once a scene to show it in.
    positions: bytes = b""
    scene: bytes = b""


class RunProgress(Record):
    """What a run that is being fitted does now: the events that a page is sent.

    The step began at the time ``begun``, after those that are ``past``, each with the
    seconds that it took. ``done`` and ``total`` count its parts, where that is known;
    ``iteration`` is 0 where it has none. ``version`` counts the news, and is 0 while
    the run waits.
    """

    step: StepName = "reading"
    begun: float = Field(default_factory=time.time)
    past: list[tuple[StepName, float]] = []
    done: int | None = None
    total: int | None = None
    iteration: int = 0
    loss: list[float] = []
    version: int = 0
    has_positions: bool = False

    def after(self, news: News) -> Self:
        """Return how far the run is with these news."""
        before = self
        if news.step is not None and (news.step != self.step or not self.version):
            before = self._at(news.step)
        counted = {
            name: value
            for name in ("done", "total", "iteration")
            if (value := getattr(news, name)) is not None
        }
        loss = [] if news.loss is None else [news.loss]
        return before.model_copy(
            update={
                **counted,
                "loss": [*before.loss, *loss][-LOSSES:],
                "version": before.version + 1,
                "has_positions": before.has_positions or bool(news.positions),
            }
        )

    def _at(self, step: StepName) -> Self:
        """Return progress at the beginning of a step, of which nothing is done yet."""
        now = time.time()
        past = [*self.past, (self.step, now - self.begun)] if self.version else []
        blank = {"done": None, "total": None, "iteration": 0}
        return self.model_copy(
            update={"step": step, "begun": now, "past": past, **blank}
        )
