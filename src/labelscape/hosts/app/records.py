"""What the app knows, as records: what was asked for, what there is, what came out.

The catalog keeps them as JSON. What an older Labelscape wrote is read as well: what it
did not know of takes its default, what nobody knows of any more is passed over.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from labelscape.datasets import ColumnInfo, Reading

# What a parameter of a method may be set to.
Value = int | float | str | bool | None
# How many of the latest losses a page is told.
LOSSES = 1000


@dataclass(frozen=True)
class Settings:
    """What a run was asked for."""

    # The id of the table, and the name of the method.
    table: str
    method: str
    # How the file of the table is written, and which columns are what.
    reading: Reading = field(default_factory=Reading)
    # What is not to keep its default.
    parameters: Mapping[str, Value] = field(default_factory=dict)
    # Seed of everything random.
    seed: int = 0
    # Whether to measure it.
    honesty: bool = True
    # Whether to ask which groups on a map are stable.
    islands: bool = False
    # Whether to audit the table. Older runs have no audit.
    audit: bool = False
    # The id of the saved model that is to be pictured, and what the user calls it.
    model: str | None = None
    model_name: str | None = None
    # The id of the run whose map is fitted again.
    refit_of: str | None = None
    # The class of each row whose label was decided on by then.
    decisions: Mapping[int, str] = field(default_factory=dict)
    # The id of the run on whose map the rows of the table are placed, and what it was
    # called then.
    placed_on: str | None = None
    placed_on_name: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what the catalog keeps, and what a page is told."""
        reading = self.reading
        return {
            "table": self.table,
            "label": reading.label,
            "id_column": reading.id,
            "group_column": reading.group or None,
            "drop": list(reading.drop),
            "keep": list(reading.keep),
            "show": list(reading.show),
            "image": reading.image,
            "text": reading.text,
            "unlabelled": reading.unlabelled,
            "copies": reading.copies,
            "merge_classes": reading.merge_classes,
            "reading": written(reading),
            "method": self.method,
            "parameters": dict(self.parameters),
            "seed": self.seed,
            "honesty": self.honesty,
            "islands": self.islands,
            "audit": self.audit,
            "model": self.model,
            "model_name": self.model_name,
            "refit_of": self.refit_of,
            # Keys are texts in JSON.
            "decisions": {str(row): label for row, label in self.decisions.items()},
            "placed_on": self.placed_on,
            "placed_on_name": self.placed_on_name,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the settings of a run that is in the catalog."""
        reading = replace(
            as_written(record.get("reading")),
            label=record.get("label"),
            id=record.get("id_column"),
            group=record.get("group_column"),
            drop=tuple(record.get("drop") or ()),
            keep=tuple(record.get("keep") or ()),
            show=tuple(record.get("show") or ()),
            image=record.get("image"),
            text=record.get("text"),
            unlabelled=record.get("unlabelled", "error"),
            copies=record.get("copies", "keep"),
            merge_classes=record.get("merge_classes"),
        )
        decisions = {int(k): v for k, v in record.get("decisions", {}).items()}
        known = {"reading": reading, "decisions": decisions}
        return cls(**_known(cls, record) | known)


@dataclass(frozen=True)
class Source:
    """A table of the workspace: where its file is, and what the user calls it.

    ``beside`` is the folder that it was opened from, where its pictures are; None: it
    came by the web.
    """

    path: Path
    name: str
    beside: Path | None = None


@dataclass(frozen=True)
class Fit:
    """A fit that is to be done, and where its files go.

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
class PlacedOn:
    """A finished run whose map takes new rows: its table, settings and folder."""

    source: Source
    settings: Settings
    folder: Path


@dataclass(frozen=True)
class Placing:
    """New rows that are to be placed on the map of a run, and where the files go."""

    source: Source
    settings: Settings
    folder: Path
    on: PlacedOn

    @property
    def names(self) -> dict[str, str]:
        """The user's name for each file that is read."""
        both = (self.source, self.on.source)
        return {str(source.path): source.name for source in both}


@dataclass(frozen=True)
class TableAbout:
    """What is in a table; in a list of tables ``columns`` is left out.

    ``notes`` are what a reader warned of, ``folder`` is where the file was opened.
    """

    n_rows: int
    n_columns: int
    columns: tuple[ColumnInfo, ...] = ()
    reading: Reading = field(default_factory=Reading)
    embedded: str | None = None
    notes: tuple[str, ...] = ()
    folder: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what the catalog keeps."""
        return {
            "n_rows": self.n_rows,
            "columns": [column._asdict() for column in self.columns],
            "reading": written(self.reading),
            "embedded": self.embedded,
            "notes": list(self.notes),
            "folder": self.folder,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the description of a table that is in the catalog."""
        columns = tuple(ColumnInfo(**column) for column in record.get("columns", ()))
        return cls(
            n_rows=record["n_rows"],
            n_columns=record.get("n_columns", len(columns)),
            columns=columns,
            reading=as_written(record.get("reading")),
            embedded=record.get("embedded"),
            notes=tuple(record.get("notes", ())),
            folder=record.get("folder"),
        )


@dataclass(frozen=True)
class ModelAbout:
    """What is in a model file."""

    kind: str
    n_features: int
    classes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what the catalog keeps."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the description of a model that is in the catalog."""
        return cls(**_known(cls, record) | {"classes": tuple(record["classes"])})


@dataclass(frozen=True)
class RunResult:
    """What came out of a run, as far as a list of runs shows it."""

    # A few sentences.
    summary: str = ""
    # How far to believe it, with and without the reasons.
    verdict: str | None = None
    finding: str | None = None
    # The lights of the verdict: question, state, answer, figure.
    lights: tuple[Mapping[str, str], ...] = ()
    # The method that was chosen.
    method: str = ""
    # Whether there is a model to save.
    has_model: bool = False
    # How long it took.
    seconds: float = 0.0
    # The accuracy on held-out rows; None where it was not measured.
    accuracy: float | None = None
    # What is known of new rows that were placed, in numbers.
    placement: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return what the catalog keeps."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Self:
        """Return the result of a run that is in the catalog."""
        lights = tuple(record.get("lights") or ())
        return cls(**_known(cls, record) | {"lights": lights})


@dataclass(frozen=True)
class News:
    """What a fit tells: that a step begins, or how far it has come."""

    # The step that begins, by the name that jobs have for it; None while one goes on.
    step: str | None = None
    # Parts of the step, where they are counted.
    done: int | None = None
    total: int | None = None
    # Of a fit that learns in iterations.
    iteration: int | None = None
    loss: float | None = None
    # The map while it forms, and once a scene to show it in.
    positions: bytes = b""
    scene: bytes = b""


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``version`` counts its news, and is 0 while it waits.

    ``past`` are the steps before this one, and how many seconds each took; this one
    began at the time ``begun``.
    """

    step: str = "reading"
    begun: float = field(default_factory=time.time)
    past: tuple[tuple[str, float], ...] = ()
    done: int | None = None
    total: int | None = None
    iteration: int = 0
    loss: tuple[float, ...] = ()
    positions: bytes = b""
    scene: bytes = b""
    version: int = 0

    def after(self, news: News) -> "Progress":
        """Return how far the run is with these news."""
        before = self
        if news.step is not None and (news.step != self.step or not self.version):
            before = self._at(news.step)
        return replace(
            before,
            done=before.done if news.done is None else news.done,
            total=before.total if news.total is None else news.total,
            iteration=before.iteration if news.iteration is None else news.iteration,
            loss=before.loss if news.loss is None else (*before.loss, news.loss),
            positions=news.positions or before.positions,
            scene=news.scene or before.scene,
            version=before.version + 1,
        )

    def _at(self, step: str) -> "Progress":
        """Return progress at the beginning of a step, of which nothing is done yet."""
        now = time.time()
        past = (*self.past, (self.step, now - self.begun)) if self.version else ()
        return replace(
            self, step=step, begun=now, past=past, done=None, total=None, iteration=0
        )

    def to_json(self) -> dict[str, Any]:
        """Return what the page is told of it."""
        return {
            "step": self.step,
            "begun": self.begun,
            "past": list(self.past),
            "done": self.done,
            "total": self.total,
            "iteration": self.iteration,
            "loss": list(self.loss[-LOSSES:]),
            "version": self.version,
            "has_positions": bool(self.positions),
        }


# How a file is written, as far as a page asks for it.
WRITTEN = (
    "decimal",
    "missing_values",
    "delimiter",
    "encoding",
    "header",
    "skip",
    "skip_footer",
    "sheet",
)


def written(reading: Reading) -> dict[str, Any]:
    """Return how a file is written, as far as a page asks for it."""
    known = {name: getattr(reading, name) for name in WRITTEN}
    return known | {"missing_values": list(reading.missing_values)}


def as_written(record: Mapping[str, Any] | None) -> Reading:
    """Return how a file is written; None stands for the usual way."""
    known = {k: v for k, v in (record or {}).items() if k in WRITTEN}
    missing = tuple(known.get("missing_values", ()))
    return Reading(**known | {"missing_values": missing})


def _known(kind: type, record: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(kind)}
    return {name: value for name, value in record.items() if name in names}
