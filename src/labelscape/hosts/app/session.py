"""The app without its web layer: tables, models and runs of a workspace."""

import json
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from labelscape.datasets import Reading
from labelscape.hosts.app.catalog import Kind
from labelscape.hosts.app.errors import (
    BusyError,
    RefusedError,
    TaskFailure,
    UnknownError,
    disk_words,
)
from labelscape.hosts.app.forms import GIVEN, PLACING, POSITIONS, method_cards, title_of
from labelscape.hosts.app.pool import TASKS, Reader, Task, Workers
from labelscape.hosts.app.records import (
    LIVE,
    NAME_LENGTH,
    Entry,
    Job,
    LoadedModel,
    News,
    Order,
    Run,
    RunProgress,
    Settings,
    Source,
    StoredTable,
)
from labelscape.hosts.app.uploads import Limits
from labelscape.hosts.app.workspace import (
    EMBEDDED,
    Workspace,
    close_to_others,
    new_id,
    without_ending,
)
from labelscape.hosts.questions import Answer
from labelscape.jobs import AUTO


@dataclass
class Live:
    """A run that has not ended, with its progress."""

    task: Task
    progress: RunProgress = field(default_factory=RunProgress)
    positions: bytes = b""
    scene: bytes = b""
    needs: str | None = None


class Session:
    """A workspace and its worker processes."""

    def __init__(
        self, folder: Path, *, workers: int = 2, limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.workspace = Workspace(folder)
        self.catalog = self.workspace.catalog
        self._fits = Workers(workers, self.limits.memory)
        # Separate processes: a table can be opened during a fit, and predictions can be
        # explained while a file is read, which may take minutes.
        self._files, self._questions = Reader(self.limits), Reader(self.limits)
        self._live: dict[str, Live] = {}
        self._unwritten: dict[str, str] = {}
        self._turn = threading.Lock()

    def warm_up(self) -> None:
        """Start the worker processes early, first the one that reads files."""

        def start_others() -> None:
            self._fits.warm_up()
            # Cards need the estimators, which are slow to import.
            threading.Thread(target=method_cards, name="cards", daemon=True).start()

        self._files.when_ready(start_others)

    def stop(self) -> None:
        """Interrupt running fits; may be called from a signal handler."""
        for workers in (self._fits, self._files, self._questions):
            workers.stop()

    def close(self) -> None:
        """End the workers and close the workspace."""
        for workers in (self._fits, self._files, self._questions):
            workers.close()
        self.workspace.close()

    # Tables and models

    @contextmanager
    def receiving(self, name: str) -> Iterator[Path]:
        """Yield a path to which a file is uploaded, for `add_table` or `add_model`."""
        with self.workspace.incoming(new_id()) as folder:
            yield folder / _file_name(name)

    def add_table(
        self,
        path: Path,
        name: str,
        folder: Path | None = None,
        reading: Reading | None = None,
    ) -> StoredTable:
        """Read a received file and store it; ``folder`` contains its images."""
        return self._kept(self._described(Source(path, name, folder), reading), path)

    def add_embedded(self, name: str) -> StoredTable:
        """Add a data set that comes with Labelscape."""
        for entry in self.all(StoredTable):
            if entry.embedded == name:
                return self.get(StoredTable, entry.id)
        with self.workspace.incoming(new_id()) as folder:
            path = folder / EMBEDDED
            path.write_text(json.dumps({"embedded": name}))
            return self.add_table(path, name)

    def add_model(self, path: Path, name: str) -> LoadedModel:
        """Check a received model file and store it."""
        model: LoadedModel = self._files.ask(
            "describe_model", names={str(path): name}, path=path, name=name
        )
        path.rename(path.with_name("model.labelscape"))
        return self._kept(model, path)

    def _kept(self, entry: Kind, path: Path) -> Kind:
        """Store the folder of a received file, and list it in the catalog."""
        self.workspace.keep(path.parent, entry.kinds)
        try:
            self.catalog.add(entry)
        except sqlite3.Error:
            self.workspace.remove(entry.kinds, entry.id)
            raise
        return entry

    def read_again(self, id: str, reading: Reading) -> StoredTable:
        """Read and describe a table again, with another file format."""
        table = self.get(StoredTable, id)
        if table.embedded:
            raise RefusedError("Data sets of Labelscape have no file format to change.")
        source = self._source(table)
        again = self._described(source, reading.of_file)
        close_to_others(source.path.parent, inside=True)
        again = again.model_copy(update={"created": table.created})
        self.catalog.replace(again)
        return again

    def _described(self, source: Source, reading: Reading | None = None) -> StoredTable:
        table: StoredTable = self._files.ask(
            "describe",
            names={str(source.path): source.name},
            source=source,
            limits=self.limits,
            reading=reading,
        )
        return table

    def _source(self, table: StoredTable) -> Source:
        path = self.workspace.path("tables", table.id, table.file)
        return Source(path, table.name, table.folder)

    def all(self, kind: type[Kind]) -> list[Kind]:
        """Return all tables (without columns), models or runs, the newest first."""
        return [self._known(entry) for entry in self.catalog.all(kind)]

    def get(self, kind: type[Kind], id: str) -> Kind:
        """Return one table, model or run."""
        entry = self.catalog.get(kind, id)
        if entry is None:
            raise UnknownError(f"There is no {kind.kinds[:-1]} {id!r}.")
        return self._known(entry)

    def _known(self, entry: Kind) -> Kind:
        words = self._unwritten.get(entry.id)
        if words is None:
            return entry
        return entry.model_copy(update={"state": "failed", "words": words})

    def remove(self, kind: type[Entry], id: str) -> None:
        """Delete a table or a model that no run needs."""
        with self._turn:  # so that no run can start to use it now
            self.get(kind, id)
            if not self._removed(self.catalog.remove, kind, id):
                raise BusyError(f"Runs use this {kind.kinds[:-1]}. Delete them first.")
            self.workspace.remove(kind.kinds, id)

    # Runs

    def start(self, order: Order) -> Run:
        """Queue a fit."""
        table, model = self.get(StoredTable, order.table), order.model
        # Runs store the current reading, because the user may change it later.
        options = Reading.options().items()
        written = {k: getattr(table.reading, k) for k, one in options if one.is_of_file}
        known = {
            "reading": replace(order.reading, **written),
            "model_name": None if model is None else self.get(LoadedModel, model).name,
        }
        if order.method == GIVEN:
            known |= self._positions(str(order.parameters[POSITIONS]), table, known)
        return self._queued(Settings(**dict(order) | known), table)

    def _positions(
        self, given: str, table: StoredTable, known: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return settings for a map whose positions are in columns or another table."""
        named = [name.strip() for name in given.split(",")]
        if {*named} <= {column.name for column in table.columns}:
            reading = known["reading"]
            others = {
                role: tuple(key for key in getattr(reading, role) if key not in named)
                for role in ("drop", "keep", "show")
            }
            others["show"] += tuple(named)
            return {"reading": replace(reading, **others)}
        for other in self.all(StoredTable):
            if other.name == given and not other.embedded:
                return {"positions_in": other.id}
        raise RefusedError(
            f"The table has no columns {given}, and no loaded table has this name.",
            parameter=POSITIONS,
        )

    def refit(self, id: str, decisions: Mapping[int, str]) -> Run:
        """Queue a run that fits the map of a run again, to all corrected labels."""
        run = self.get(Run, id)
        if not run.can_refit:
            raise RefusedError("Only the map of a finished run can be fitted again.")
        self._check_decisions(id, decisions)
        first = self.get(Run, run.settings.refit_of or id)
        labels = {**run.settings.decisions, **decisions}
        n_labels = "1 label" if len(labels) == 1 else f"{len(labels)} labels"
        changes = {
            "method": first.result.method,
            "refit_of": first.id,
            "decisions": labels,
            "name": f"{first.name[: NAME_LENGTH - 40]}, {n_labels} reviewed",
        }
        settings = first.settings.model_copy(update=changes)
        return self._queued(settings, self.get(StoredTable, first.table))

    def decisions(self, id: str) -> dict[int, str]:
        """Return the corrected labels of rows of a run."""
        self.get(Run, id)
        return self.catalog.decisions(id)

    def decide(self, id: str, decisions: Mapping[int, str]) -> None:
        """Replace the corrected labels of rows of a run."""
        self.get(Run, id)
        self._check_decisions(id, decisions)
        self.catalog.decide(id, decisions)

    def _check_decisions(self, id: str, decisions: Mapping[int, str]) -> None:
        """Raise an error if the map of a run lacks one of these rows or classes."""
        self._questions.ask(
            "check_decisions", run=self.result(id, ""), decisions=decisions
        )

    def _queued(self, settings: Settings, table: StoredTable) -> Run:
        with self._turn:
            if len(self._live) >= self.limits.queue:
                raise BusyError(
                    f"{len(self._live)} runs are waiting already, and the queue is "
                    "full. Wait until a run ends, or cancel a run."
                )
            name = settings.name
            run = Run(
                id=new_id(),
                name=name or self._unused(run_name(table.name, settings.method)),
                created=time.time(),
                table=table.id,
                table_name=table.name,
                settings=settings,
            )
            task = self._task(run, table)
            try:
                self.catalog.add(run)
            except sqlite3.IntegrityError as error:  # deleted in the meantime
                raise UnknownError(f"There is no table {table.id!r}.") from error
            self._live[run.id] = Live(
                task, needs=settings.placed_on or settings.refit_of
            )
        self._fits.put(task)
        return run

    def _unused(self, name: str) -> str:
        """Return an unused name for a run, with a number if needed."""
        used = {run.name for run in self.catalog.all(Run)}
        if name not in used:
            return name
        return next(n for i in count(2) if (n := f"{name} {i}") not in used)

    def _name_by_method(self, id: str, method: str) -> None:
        """Name a run after the chosen method, if it has its default name."""
        run = self.get(Run, id)
        if run.name.startswith(run_name(run.table_name, AUTO)):
            name = self._unused(run_name(run.table_name, method))
            self.catalog.rename_run(id, name)

    def place(self, id: str, table: str, name: str = "") -> Run:
        """Queue a run that places another table's rows on the map of a finished run."""
        on, new = self.get(Run, id), self.get(StoredTable, table)
        if on.placing_note:
            raise RefusedError(on.placing_note, parameter="method")
        if on.state != "finished":
            raise BusyError(f"This run has no map yet (state: {on.state}).")
        there = {column.name for column in new.columns}
        of_map = on.settings.reading
        roles: dict[str, Any] = {
            role: key if (key := getattr(of_map, role)) in there else None
            for role in ("label", "id", "group")
        }
        settings = Settings(
            table=table,
            method=PLACING,
            reading=replace(new.reading, **roles),
            seed=on.settings.seed,
            name=name or f"{new.name} on {on.name}"[:NAME_LENGTH],
            placed_on=id,
            placed_on_name=on.name,
        )
        return self._queued(settings, new)

    def n_live(self) -> int:
        """Return how many runs have not ended."""
        return len(self._live)

    def live(self, id: str) -> Live | None:
        """Return the state of a run that has not ended; None for other runs."""
        return self._live.get(id)

    def cancel(self, id: str) -> Run:
        """Stop a run that has not ended; other runs do not change."""
        run, live = self.get(Run, id), self._live.get(id)
        if live is not None:
            live.task.canceled.set()
            if run.state == "queued":  # a worker may start it much later
                self._ended(id, "cancelled", TaskFailure(""))
        return self.get(Run, id)

    def rename(self, id: str, name: str) -> Run:
        """Rename a run."""
        self.get(Run, id)
        self.catalog.rename_run(id, name)
        return self.get(Run, id)

    def remove_run(self, id: str) -> None:
        """Delete a run that has ended."""
        run = self.get(Run, id)
        if any(live.needs == id for live in [*self._live.values()]):
            raise BusyError(
                "Another run needs this run. Wait until that run ends, or cancel it."
            )
        if id in self._unwritten:  # the disk may have space now
            self._removed(self.catalog.end_run, id, run.state, run.words)
            self._unwritten.pop(id, None)
        if run.state in LIVE or not self._removed(self.catalog.remove, Run, id):
            raise BusyError("This run has not ended. Cancel it first.")
        if run.state == "finished":
            self.workspace.remove("runs", id)

    def _removed(self, remove: Callable[..., bool], *entry: Any) -> bool:
        """Remove an entry from the catalog, even on a full disk."""
        return self.workspace.even_if_full(lambda: remove(*entry))

    def result(self, id: str, file: str) -> Path:
        """Return the path of a file of a finished run."""
        run = self.get(Run, id)
        if run.state != "finished":
            raise BusyError(f"This run has no files (state: {run.state}).")
        self._questions.warm_up()  # questions about the run are likely
        return self.workspace.path("runs", id, file)

    def explain(self, id: str, row: int) -> Answer:
        """Explain the prediction for one row of a finished run."""
        folder = self.result(id, "")
        run = self.get(Run, id)
        source = self._source(self.get(StoredTable, run.table))
        answer: Answer = self._questions.ask(
            "explain",
            names={str(source.path): source.name},
            run=folder,
            source=source,
            reading=run.settings.reading,
            row=row,
        )
        return answer

    def _task(self, run: Run, table: StoredTable) -> Task:
        settings, path = run.settings, self.workspace.path
        model = start = None
        if settings.model is not None:
            model = path("models", settings.model, "model.labelscape")
        if settings.refit_of is not None:
            start = path("runs", settings.refit_of)
        folder = self.workspace.folder / "incoming" / run.id
        own, positions = self._source(table), None
        if settings.positions_in is not None:
            positions = self._source(self.get(StoredTable, settings.positions_in))
        jobs = {"order": Job(own, settings, folder, model, start, positions)}
        if settings.placed_on is not None:
            on = self.get(Run, settings.placed_on)
            source = self._source(self.get(StoredTable, on.table))
            jobs["on"] = Job(source, on.settings, path("runs", on.id))
        return Task(
            f"{TASKS}:place" if "on" in jobs else f"{TASKS}:fit",
            jobs,
            names={
                path: name for job in jobs.values() for path, name in job.names.items()
            },
            on_start=lambda: self._started(run.id, folder),
            on_news=lambda news: self._heard(run.id, news),
            on_end=lambda state, value: self._ended(run.id, state, value),
        )

    def _started(self, id: str, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self.catalog.start_run(id)
        self._heard(id, News(step="reading"))

    def _heard(self, id: str, news: News) -> None:
        live = self._live.get(id)
        if live is not None:
            live.progress = live.progress.after(news)
            live.positions = news.positions or live.positions
            live.scene = news.scene or live.scene

    def _ended(self, id: str, state: Any, value: Any) -> None:
        folder = self.workspace.folder / "incoming" / id
        try:
            if state == "done":
                self.workspace.keep(folder, "runs")
                if value.method:
                    self._name_by_method(id, value.method)
                if not self.catalog.end_run(id, "finished", result=value):
                    self.workspace.remove("runs", id)  # canceled just before
            else:
                self.catalog.end_run(id, state, value.words)
        except (OSError, sqlite3.Error) as error:
            self._lost(id, f"The result could not be stored: {disk_words(error)}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with self._turn:
                self._live.pop(id, None)

    def _lost(self, id: str, words: str) -> None:
        """Mark a run as failed, because its result could not be stored."""
        for kind in ("incoming", "runs"):
            shutil.rmtree(self.workspace.folder / kind / id, ignore_errors=True)
        try:
            self.catalog.end_run(id, "failed", words)
        except sqlite3.Error:
            # Shown while the app runs; after a restart the run is "interrupted".
            self._unwritten[id] = words


def run_name(table: str, method: str) -> str:
    """Return the default name of a run, from its table and its method."""
    return f"{without_ending(table)[: NAME_LENGTH - 60]}: {title_of(method)}"


def _file_name(name: str) -> str:
    """Return a name for the stored file, with the extension of the user's file."""
    base = Path(name.replace("\\", "/")).name.lower()
    packed = ".gz" if base.endswith(".gz") else ""
    extension = Path(base.removesuffix(packed)).suffix
    known = extension if extension[1:].isalnum() and len(extension) < 12 else ""
    return f"source{known}{packed}"
