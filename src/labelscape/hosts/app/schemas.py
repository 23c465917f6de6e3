"""What goes over the wire, in and out: the words of the app's API."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from labelscape.jobs import StepName

State = Literal["queued", "running", "finished", "failed", "cancelled", "interrupted"]
Kind = Literal["number", "whole", "flag", "choice", "text"]
Id = Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
Row = Annotated[int, Field(ge=0, le=2**31 - 1)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
# Not of blanks alone: nobody could read it.
Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, max_length=200, pattern=r"\S"),
]


class Strict(BaseModel):
    """A record that takes no names it does not know."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What is wrong, in a sentence; ``parameter`` is what it is about, if it is one."""

    detail: str
    parameter: str | None = None


class Status(BaseModel):
    """How the app is."""

    version: str
    workspace: str
    running: int
    upload_limit: int


class Dataset(BaseModel):
    """A data set that comes with Labelscape."""

    name: str
    rows: int
    features: int
    classes: int
    description: str


class Column(BaseModel):
    """A column of a table, and a guess of what it is for."""

    name: str
    kind: str
    n_rows: int
    n_missing: int
    n_distinct: int
    examples: list[str]
    role: Literal["label", "id", "group", "feature", "drop", "show", "image", "text"]
    problem: str = ""
    odd: str = ""
    counts_rows: bool = False
    remark: str = ""


class Reading(Strict):
    """How a file is written; None is found out.

    Decimal sign, delimiter and encoding are those of a text file, ``skip`` and
    ``skip_footer`` lines above and below the table, ``sheet`` one of an Excel file.
    ``header`` says whether the first line holds the names of the columns.
    """

    decimal: Literal[".", ","] = "."
    delimiter: Annotated[str, Field(min_length=1, max_length=1)] | None = None
    encoding: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    header: bool | None = None
    skip: Annotated[int, Field(ge=0, le=2**31)] | None = None
    skip_footer: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    sheet: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    missing_values: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=100)]], Field(max_length=100)
    ] = []


class Table(BaseModel):
    """A table that was loaded; in a list its ``columns`` are left out.

    ``notes`` say what was left out of the file, or left aside. ``has_folder``: it was
    opened from a folder of this machine, in which its pictures may be.
    """

    id: str
    name: str
    created: float
    n_rows: int
    n_columns: int
    embedded: str | None
    reading: Reading
    columns: list[Column]
    notes: list[str]
    has_folder: bool


class Embedded(Strict):
    """A data set to take in, by its name."""

    name: Name


class Model(BaseModel):
    """A model file that was loaded."""

    id: str
    name: str
    created: float
    kind: str
    n_features: int
    classes: list[str]


class Parameter(BaseModel):
    """A parameter of a method.

    ``kind`` says how to ask for it, ``type`` in words what it takes.
    """

    name: str
    kind: Kind
    choices: list[str]
    default: int | float | str | bool | None
    type: str
    words: str


class Method(BaseModel):
    """A card: what a method preserves, and what can be set.

    ``is_start`` marks those that are good to begin with.
    """

    name: str
    title: str
    group: Literal["map", "prototypes", "classifier"]
    words: str
    uses_labels: bool
    is_start: bool
    parameters: list[Parameter]


class Order(Strict):
    """A fit that is asked for."""

    table: Id
    label: Annotated[str, Field(max_length=1000)] | None = None
    id_column: Annotated[str, Field(max_length=1000)] | None = None
    group_column: Annotated[str, Field(max_length=1000)] | None = None
    drop: Annotated[list[str], Field(max_length=100_000)] = []
    keep: Annotated[list[str], Field(max_length=100_000)] = []
    show: Annotated[list[str], Field(max_length=1000)] = []
    image: Annotated[str, Field(max_length=1000)] | None = None
    text: Annotated[str, Field(max_length=1000)] | None = None
    unlabelled: Literal["error", "drop"] = "error"
    copies: Literal["keep", "drop"] = "keep"
    merge_classes: Literal["case"] | None = None
    method: Name
    parameters: dict[str, int | Finite | str | bool | None] = {}
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    honesty: bool = True
    islands: bool = False
    audit: bool = True
    model: Id | None = None
    name: Annotated[str, Field(max_length=200)] = ""


class Settings(BaseModel):
    """What a run was asked for."""

    table: str
    label: str | None
    id_column: str | None
    group_column: str | None
    drop: list[str]
    keep: list[str]
    show: list[str]
    image: str | None
    text: str | None
    unlabelled: Literal["error", "drop"]
    copies: Literal["keep", "drop"]
    merge_classes: Literal["case"] | None
    reading: Reading
    method: str
    parameters: dict[str, int | float | str | bool | None]
    seed: int
    honesty: bool
    islands: bool
    audit: bool
    model: str | None
    model_name: str | None
    refit_of: str | None
    decisions: dict[str, str]
    placed_on: str | None
    placed_on_name: str | None


class Light(BaseModel):
    """One light of a verdict: a question, its colour, the answer, the number."""

    question: str
    state: Literal["good", "fair", "bad", "none"]
    answer: str
    figure: str


class MovedFeature(BaseModel):
    """A feature of new rows: its middle in the old ones, now, and how far it moved.

    ``distance`` is None if it was constant in the old ones.
    """

    feature: str
    usual: float
    now: float
    distance: float | None


class ClassCount(BaseModel):
    """How many new rows are taken for a class."""

    name: str
    count: int


class Placement(BaseModel):
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


class RunResult(BaseModel):
    """What came out of a run; blank until it has finished.

    ``verdict`` is how far to believe it, ``finding`` the same without its reasons, and
    ``lights`` are its lights; ``accuracy`` is how many new objects are taken for their
    class, from 0 to 1, where it was measured.
    """

    summary: str
    verdict: str | None
    finding: str | None
    lights: list[Light]
    method: str
    has_model: bool
    seconds: float
    accuracy: float | None
    placement: Placement | None


class Run(BaseModel):
    """A fit: what was asked for, how it stands, and what came out.

    ``method_title`` is what people call the method that was taken.
    ``can_refit``: its map can be fitted again to labels that were decided on.
    ``placing_note`` says why no new rows can be placed on it; empty where they can.
    """

    id: str
    name: str
    table: str
    table_name: str
    method: str
    method_title: str
    settings: Settings
    state: State
    words: str
    created: float
    started: float | None
    ended: float | None
    result: RunResult
    can_refit: bool
    placing_note: str


class Progress(BaseModel):
    """What a run that is being fitted does now: the events that a page is sent.

    The step began at the time ``begun``, after those that are ``past``, each with the
    seconds that it took. ``done`` and ``total`` count its parts, where that is known;
    ``iteration`` is 0 where it has none.
    """

    step: StepName
    begun: float
    past: list[tuple[StepName, float]]
    done: int | None
    total: int | None
    iteration: int
    loss: list[float]
    version: int
    has_positions: bool


Label = Annotated[str, Field(max_length=1000)]


class Decisions(Strict):
    """The class of each row whose label was decided on, by the number of the row."""

    decisions: Annotated[dict[Row, Label], Field(min_length=1, max_length=100_000)]


class KeptDecisions(Strict):
    """The same as pairs of row and class, in the order of time."""

    decisions: Annotated[list[tuple[Row, Label]], Field(max_length=100_000)]


class NewRows(Strict):
    """A table whose rows are to be placed on the map of a run."""

    table: Id
    name: Annotated[str, Field(max_length=200)] = ""


class Renaming(Strict):
    """Another name."""

    name: Name


class Question(Strict):
    """An object whose decision is to be explained."""

    object: Row


class Answer(BaseModel):
    """The decision for one object; see the scene's format.

    ``change_distance`` is None if no change makes it another class.
    """

    contributions: list[float]
    change: list[float]
    change_distance: float | None
    change_class: int
