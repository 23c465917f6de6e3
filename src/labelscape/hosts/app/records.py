"""The records of the app: in memory, in the catalog (as JSON) and on the network.

The TypeScript types of the view are generated from these records.
"""

import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, computed_field

from labelscape.datasets import ColumnInfo, Reading
from labelscape.hosts.app.forms import is_map, title_of, why_not_placed
from labelscape.jobs import RunOrder, StepName
from labelscape.quality import Light

State = Literal["queued", "running", "finished", "failed", "cancelled", "interrupted"]
LIVE: tuple[State, ...] = ("queued", "running")
LOSSES = 1000  # number of the latest losses that a page shows

Id = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Row = Annotated[int, Field(ge=0, le=2**31 - 1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
NAME_LENGTH = 200  # maximum length of the name of a run
# A name must not consist of blanks only.
Name = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=NAME_LENGTH, pattern=r"\S")
]
Label = Annotated[str, Field(max_length=1000)]


class Record(BaseModel):
    """Base of immutable records."""

    model_config = ConfigDict(frozen=True)


class Strict(Record):
    """Base of records that reject unknown fields."""

    model_config = ConfigDict(extra="forbid")


# Requests.


class Order(Strict):
    """A requested fit."""

    table: Id
    method: Name
    # Roles of columns; the file format is stored with the table.
    reading: Reading = Reading()
    # Parameters that differ from their defaults.
    parameters: dict[str, int | Finite | str | bool | None] = {}
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    honesty: bool = True
    islands: bool = False
    audit: bool = True
    # The saved model to draw.
    model: Id | None = None
    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""

    @property
    def order(self) -> RunOrder:
        """The order as jobs take it."""
        known = {one.name for one in fields(RunOrder)}
        return RunOrder(**{name: one for name, one in self if name in known})


class Settings(Order):
    """The settings of a run. Names of models and runs are those at its start."""

    model_name: str | None = None
    # The table with the positions of a map from another program.
    positions_in: str | None = None
    # The run whose map is fitted again, and the corrected class of rows.
    refit_of: str | None = None
    decisions: dict[int, str] = {}
    # The run on whose map the rows of the table are placed.
    placed_on: str | None = None
    placed_on_name: str | None = None


class Relabeling(Strict):
    """The corrected classes of rows, by row number."""

    decisions: Annotated[dict[Row, Label], Field(min_length=1, max_length=100_000)]


class KeptDecisions(Strict):
    """The corrected classes as pairs of row and class, the oldest first."""

    decisions: Annotated[list[tuple[Row, Label]], Field(max_length=100_000)]


class PlacingOrder(Strict):
    """A table whose rows are to be placed on the map of a run."""

    table: Id
    name: Annotated[str, Field(max_length=NAME_LENGTH)] = ""


class Named(Strict):
    """The name of a data set to load, or the new name of a run."""

    name: Name


class RowQuestion(Strict):
    """A row whose prediction is to be explained."""

    object: Row


# Answers.


class Status(Record):
    """Version, workspace and limits of the app."""

    version: str
    workspace: str
    running: int
    upload_limit: int


class ErrorAnswer(Record):
    """An error message, and the invalid parameter, if any."""

    detail: str
    parameter: str | None = None


class Entry(Record):
    """An entry of the catalog; its files are in a folder named by its id."""

    # The folder of all entries of a kind, and their table in the catalog.
    kinds: ClassVar[str]

    id: str
    name: str
    created: float


class LoadedTable(Entry):
    """A loaded table; ``columns`` is empty in a list of tables.

    ``notes`` are warnings from reading the file. ``has_folder``: the table was opened
    from a folder of this machine, which may contain its images.
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
    """A table with its file, and the folder that it was opened from."""

    file: str
    folder: Path | None = None


class LoadedModel(Entry):
    """A loaded model file."""

    kinds = "models"

    kind: str
    n_features: int
    classes: list[str]


class MovedFeature(Record):
    """A feature that differs in new rows: its old and new median, and its shift.

    ``distance`` is the shift in old standard deviations; None if these were 0.
    """

    feature: str
    usual: float
    now: float
    distance: float | None


class ClassCount(Record):
    """The number of new rows for which a class is predicted."""

    name: str
    count: int


class RunPlacement(Record):
    """Results about new rows on a map.

    ``n_unlike`` of ``n_rows`` rows are unlike the training data; ``rate`` is the share
    expected by chance. ``drift_p`` is the p-value of the drift test.
    """

    n_rows: int
    n_unlike: int
    rate: float
    drift_p: float
    has_drifted: bool
    moved: list[MovedFeature]
    classes: list[ClassCount]


class RunResult(Record):
    """The result of a run; empty until it has finished.

    ``finding`` is the verdict without its reasons, ``method`` the chosen method, and
    ``accuracy`` the accuracy on held-out rows, if it was measured.
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
    """A fit: its settings, state and result."""

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
        """The title of the method that was chosen."""
        return title_of(self.result.method or self.settings.method)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def can_refit(self) -> bool:
        """Whether the map can be fitted again to corrected labels."""
        return self.state == "finished" and is_map(self.result.method)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def placing_note(self) -> str:
        """Why new rows cannot be placed on the map; empty if they can."""
        is_refit = self.settings.refit_of is not None
        return why_not_placed(self.settings.method, is_refit=is_refit)


# Tasks of a worker, and its reports.


@dataclass(frozen=True)
class Source:
    """The file of a table, the user's name for it, and the folder of its images."""

    path: Path
    name: str
    beside: Path | None = None


@dataclass(frozen=True)
class Job:
    """A run to execute, and the folder for its files."""

    # ``model`` is the file for the method "model", ``start`` the folder of the run
    # whose map is fitted again.
    source: Source
    settings: Settings
    folder: Path
    model: Path | None = None
    start: Path | None = None
    # The file with the positions of a map from another program.
    positions: Source | None = None

    @property
    def names(self) -> dict[str, str]:
        """The user's name for each file that is read."""
        files = [one for one in (self.source, self.positions) if one is not None]
        names = {str(one.path): one.name for one in files}
        if self.model is not None and self.settings.model_name:
            names[str(self.model)] = self.settings.model_name
        return names


@dataclass(frozen=True)
class News:
    """A report from a fit: a step begins, or has made progress."""

    step: StepName | None = None  # the step that begins; None during a step
    # Parts of the step, if they are counted.
    done: int | None = None
    total: int | None = None
    # Iteration and loss, for methods that iterate.
    iteration: int | None = None
    loss: float | None = None
    # The map during the fit, and in the first report a scene to show it.
    positions: bytes = b""
    scene: bytes = b""


class RunProgress(Record):
    """The progress of a run, sent to a page as an event.

    ``begun`` is the time when the current step began, and ``past`` has the earlier
    steps with their durations. ``done`` and ``total`` are numbers of parts of the step,
    if known. ``iteration`` begins at 0. ``version`` is the number of reports.
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
        """Return the progress, updated with a report."""
        changes: dict[str, Any] = {}
        if news.step is not None and (news.step != self.step or not self.version):
            now = time.time()
            past = [*self.past, (self.step, now - self.begun)] if self.version else []
            changes |= {"step": news.step, "begun": now, "past": past}
            changes |= {"done": None, "total": None, "iteration": 0}
        for name in ("done", "total", "iteration"):
            if (value := getattr(news, name)) is not None:
                changes[name] = value
        loss = [] if news.loss is None else [news.loss]
        changes |= {
            "loss": [*self.loss, *loss][-LOSSES:],
            "version": self.version + 1,
            "has_positions": self.has_positions or bool(news.positions),
        }
        return self.model_copy(update=changes)
