"""All that the app does, without the web: tables in, runs out."""

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
from typing import Any, TypeVar

from labelscape.datasets import Reading
from labelscape.hosts.app.catalog import ENDED, ModelEntry, RunEntry, TableEntry
from labelscape.hosts.app.errors import (
    BusyError,
    Failure,
    RefusedError,
    UnknownError,
    disk_words,
)
from labelscape.hosts.app.method_forms import (
    PLACING,
    method_cards,
    title_of,
    why_not_placed,
)
from labelscape.hosts.app.pool import TASKS, Reader, Task, Workers
from labelscape.hosts.app.records import (
    WRITTEN,
    Fit,
    ModelAbout,
    News,
    PlacedOn,
    Placing,
    Progress,
    Settings,
    Source,
    TableAbout,
)
from labelscape.hosts.app.uploads import Limits
from labelscape.hosts.app.workspace import (
    EMBEDDED,
    Workspace,
    close_to_others,
    new_id,
    without_ending,
)
from labelscape.jobs import AUTO, methods_of

Entry = TypeVar("Entry")
# Of a run, as the API takes them.
NAME_LENGTH = 200


@dataclass
class Live:
    """A run that waits or is being fitted, how far it is, and which run it needs."""

    task: Task
    progress: Progress = field(default_factory=Progress)
    needs: str | None = None


class Session:
    """One workspace and the workers that fill it."""

    def __init__(
        self, folder: Path, *, workers: int = 2, limits: Limits | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.workspace = Workspace(folder)
        self.catalog = self.workspace.catalog
        self._fits = Workers(workers, self.limits.memory)
        # Files are read apart from fits, so that a table opens while a fit runs, and
        # questions are answered apart from files, which may take minutes.
        self._files, self._questions = Reader(self.limits), Reader(self.limits)
        self._live: dict[str, Live] = {}
        self._unwritten: dict[str, str] = {}
        self._turn = threading.Lock()

    def warm_up(self) -> None:
        """Start the workers before they are asked for anything.

        A table comes before a fit: those who fit would only hold up who reads.
        """
        self._files.when_ready(self._warm_up_others)

    def _warm_up_others(self) -> None:
        self._fits.warm_up()
        # Cards come from the estimators themselves, which take a while to import.
        threading.Thread(target=method_cards, name="cards", daemon=True).start()

    def stop(self) -> None:
        """Interrupt what runs; may be called from a signal handler."""
        for workers in (self._fits, self._files, self._questions):
            workers.stop()

    def close(self) -> None:
        """End the workers and close the workspace."""
        for workers in (self._fits, self._files, self._questions):
            workers.close()
        self.workspace.close()

    @property
    def name(self) -> str:
        """What the workspace is called."""
        return self.workspace.folder.name

    # Tables and models

    @contextmanager
    def receiving(self, name: str) -> Iterator[Path]:
        """Give a path to write an uploaded file to; `add_table` then takes it in."""
        with self.workspace.incoming(new_id()) as folder:
            yield folder / _file_name(name)

    def add_table(
        self,
        path: Path,
        name: str,
        folder: Path | None = None,
        reading: Reading | None = None,
    ) -> TableEntry:
        """Read a received file and keep it.

        ``folder`` is where its pictures are, if somebody at this machine opened it;
        ``reading`` says how it is written, if somebody said so.
        """
        about = self._described(Source(path, name, folder), reading)
        entry = TableEntry(path.parent.name, name, path.name, time.time(), about)
        self.workspace.keep(path.parent, "tables")
        with self._or_without("tables", entry.id):
            self.catalog.add_table(entry)
        return entry

    def add_embedded(self, name: str) -> TableEntry:
        """Take in a data set that comes with Labelscape."""
        for entry in self.catalog.tables():
            if entry.about.embedded == name:
                return self.table(entry.id)
        with self.workspace.incoming(new_id()) as folder:
            path = folder / EMBEDDED
            path.write_text(json.dumps({"embedded": name}))
            return self.add_table(path, name)

    def add_model(self, path: Path, name: str) -> ModelEntry:
        """Check a received model file and keep it."""
        about: ModelAbout = self._files.ask(
            "describe_model", names={str(path): name}, path=path
        )
        final = path.with_name("model.labelscape")
        path.rename(final)
        entry = ModelEntry(path.parent.name, name, time.time(), about)
        self.workspace.keep(path.parent, "models")
        with self._or_without("models", entry.id):
            self.catalog.add_model(entry)
        return entry

    @contextmanager
    def _or_without(self, kind: str, id: str) -> Iterator[None]:
        """Remove the folder of an entry that the catalogue did not take."""
        try:
            yield
        except sqlite3.Error:
            self.workspace.remove(kind, id)
            raise

    def tables(self) -> list[TableEntry]:
        """Return all tables, the newest first, without their columns."""
        return self.catalog.tables()

    def table(self, id: str) -> TableEntry:
        """Return one table."""
        return _there(self.catalog.table(id), "table", id)

    def read_again(self, id: str, reading: Reading) -> TableEntry:
        """Describe a table as a file that is written in another way."""
        entry = self.table(id)
        if entry.about.embedded:
            raise RefusedError("This data set comes with Labelscape, and is no file.")
        source = self._source(entry)
        about = self._described(source, reading)
        close_to_others(source.path.parent, inside=True)
        self.catalog.describe_table(id, about)
        return self.table(id)

    def _described(self, source: Source, reading: Reading | None = None) -> TableAbout:
        about: TableAbout = self._files.ask(
            "describe",
            names={str(source.path): source.name},
            source=source,
            limits=self.limits,
            reading=reading,
        )
        return about

    def _source(self, table: TableEntry) -> Source:
        folder = table.about.folder
        beside = None if folder is None else Path(folder)
        return Source(self._path("tables", table.id, table.file), table.name, beside)

    def models(self) -> list[ModelEntry]:
        """Return all models, the newest first."""
        return self.catalog.models()

    def model(self, id: str) -> ModelEntry:
        """Return one model."""
        return _there(self.catalog.model(id), "model", id)

    def remove_model(self, id: str) -> None:
        """Delete a model that no run needs."""
        with self._turn:  # or a run that begins now would not find it
            self.model(id)
            if not self._taken_out(self.catalog.remove_model, id):
                raise BusyError("Runs need this model. Delete them first.")
            self.workspace.remove("models", id)

    def remove_table(self, id: str) -> None:
        """Delete a table that no run needs."""
        self.table(id)
        if not self._taken_out(self.catalog.remove_table, id):
            raise BusyError("Runs need this table. Delete them first.")
        self.workspace.remove("tables", id)

    # Runs

    def start(self, settings: Settings, name: str = "") -> RunEntry:
        """Queue a fit."""
        return self._queued(self._completed(settings), name)

    def refit(self, id: str, decisions: Mapping[int, str]) -> RunEntry:
        """Queue a fit of the map of a run to labels that were decided on.

        Decisions of the run itself stay. It begins with the map that was fitted first,
        and is judged and audited as that one was.
        """
        run = self.run(id)
        if not can_refit(run):
            raise RefusedError("Maps that are finished can be fitted again.")
        self._check_decisions(id, decisions)
        first = self.run(run.settings.refit_of or id)
        decided = {**run.settings.decisions, **decisions}
        n_labels = "1 label" if len(decided) == 1 else f"{len(decided)} labels"
        settings = replace(
            first.settings,
            method=first.result.method,
            refit_of=first.id,
            decisions=decided,
        )
        name = first.name[: NAME_LENGTH - 40]
        return self._queued(settings, f"{name}, {n_labels} decided on")

    def decisions(self, id: str) -> dict[int, str]:
        """Return the label that each row of a run was given since it was fitted."""
        self.run(id)
        return self.catalog.decisions(id)

    def decide(self, id: str, decisions: Mapping[int, str]) -> None:
        """Keep the label that each row of a run was given, in place of those before."""
        self.run(id)
        self._check_decisions(id, decisions)
        self.catalog.decide(id, decisions)

    def _check_decisions(self, id: str, decisions: Mapping[int, str]) -> None:
        """Refuse rows and classes that the map of a run does not have."""
        self._questions.ask(
            "check_decisions", run=self.result(id, ""), decisions=decisions
        )

    def _queued(self, settings: Settings, name: str) -> RunEntry:
        table = self.table(settings.table)
        with self._turn:
            if len(self._live) >= self.limits.queue:
                raise BusyError(
                    f"{len(self._live)} runs are waiting already, and the queue takes "
                    "no more. Wait for one to end, or cancel one."
                )
            run = RunEntry(
                id=new_id(),
                name=name or self._unused(run_name(table.name, settings.method)),
                table_id=table.id,
                settings=settings,
                created=time.time(),
                table_name=table.name,
            )
            task = self._task(run, table)
            try:
                self.catalog.add_run(run)
            except sqlite3.IntegrityError as error:  # deleted since we looked
                raise UnknownError(f"There is no table {table.id!r}.") from error
            self._live[run.id] = Live(
                task, needs=settings.placed_on or settings.refit_of
            )
        self._fits.put(task)
        return run

    def _unused(self, name: str) -> str:
        """Return a name for a run that no other has: with a number, if need be."""
        used = {run.name for run in self.catalog.runs()}
        if name not in used:
            return name
        return next(n for i in count(2) if (n := f"{name} {i}") not in used)

    def _name_by_method(self, id: str, method: str) -> None:
        """Name a run after the method that was taken, if it has no other name yet."""
        run = self.run(id)
        if run.name.startswith(run_name(run.table_name, AUTO)):
            name = self._unused(run_name(run.table_name, method))
            self.catalog.rename_run(id, name)

    def place(self, id: str, table: str, name: str = "") -> RunEntry:
        """Queue the placing of another table's rows on the map of a finished run.

        Columns have the roles that they have in the table of the map, by their names.
        """
        on, new = self.run(id), self.table(table)
        is_refit = on.settings.refit_of is not None
        if words := why_not_placed(on.settings.method, is_refit=is_refit):
            raise RefusedError(words, parameter="method")
        if on.state != "finished":
            raise BusyError(f"This run is {on.state}, and has no map yet.")
        there = {column.name for column in new.about.columns}
        of_map = on.settings.reading
        roles: dict[str, Any] = {
            role: key if (key := getattr(of_map, role)) in there else None
            for role in ("label", "id", "group")
        }
        settings = Settings(
            table,
            PLACING,
            Reading(**roles),
            seed=on.settings.seed,
            placed_on=id,
            placed_on_name=on.name,
        )
        return self.start(settings, name or f"{new.name} on {on.name}"[:NAME_LENGTH])

    def _completed(self, settings: Settings) -> Settings:
        """Return settings with all that the session knows of table and model."""
        # As it is now: the table may be read in another way later.
        written = self.table(settings.table).about.reading
        known = {name: getattr(written, name) for name in WRITTEN}
        reading = replace(settings.reading, **known)
        model = settings.model
        named = None if model is None else self.model(model).name
        return replace(settings, reading=reading, model_name=named)

    def run(self, id: str) -> RunEntry:
        """Return one run."""
        return self._known(_there(self.catalog.run(id), "run", id))

    def runs(self) -> list[RunEntry]:
        """Return all runs, the newest first."""
        return [self._known(run) for run in self.catalog.runs()]

    def _known(self, run: RunEntry) -> RunEntry:
        words = self._unwritten.get(run.id)
        return run if words is None else replace(run, state="failed", words=words)

    def n_live(self) -> int:
        """Return how many runs wait or are being fitted."""
        return len(self._live)

    def progress(self, id: str) -> Progress | None:
        """Return how far a run is while it waits or is being fitted, else None."""
        live = self._live.get(id)
        return None if live is None else live.progress

    def cancel(self, id: str) -> RunEntry:
        """Stop a run that waits or is being fitted; ended ones stay as they are."""
        run, live = self.run(id), self._live.get(id)
        if live is not None:
            live.task.canceled.set()
            if run.state == "queued":  # nobody may look at it for a long time
                self._ended(id, "cancelled", Failure(""))
        return self.run(id)

    def rename(self, id: str, name: str) -> RunEntry:
        """Give a run another name."""
        self.run(id)
        self.catalog.rename_run(id, name)
        return self.run(id)

    def remove(self, id: str) -> None:
        """Delete an ended run."""
        run = self.run(id)
        if any(live.needs == id for live in [*self._live.values()]):
            raise BusyError("Another run needs it. Wait for that one, or cancel it.")
        if id in self._unwritten:  # perhaps there is room now
            self._taken_out(self.catalog.end_run, id, run.state, run.words)
            self._unwritten.pop(id, None)
        if run.state not in ENDED or not self._taken_out(self.catalog.remove_run, id):
            raise BusyError("This run has not ended. Cancel it first.")
        if run.state == "finished":
            self.workspace.remove("runs", id)

    def _taken_out(self, remove: Callable[..., bool], *entry: str) -> bool:
        """Take an entry out of the catalogue; a full disk is what it is to help."""
        return self.workspace.even_if_full(lambda: remove(*entry))

    def result(self, id: str, file: str) -> Path:
        """Return the path of a file of a finished run."""
        run = self.run(id)
        if run.state != "finished":
            raise BusyError(f"This run is {run.state}, and has no files.")
        self._questions.warm_up()  # who looks at a run may ask about it
        return self._path("runs", id, file)

    def explain(self, id: str, row: int) -> dict[str, Any]:
        """Explain the decision for one object of a finished run."""
        folder = self.result(id, "")
        run = self.run(id)
        source = self._source(self.table(run.table_id))
        answer: dict[str, Any] = self._questions.ask(
            "explain",
            names={str(source.path): source.name},
            run=folder,
            source=source,
            reading=run.settings.reading,
            row=row,
        )
        return answer

    def _task(self, run: RunEntry, table: TableEntry) -> Task:
        model = None
        if run.settings.model is not None:
            model = self._path("models", run.settings.model, "model.labelscape")
        folder = self.workspace.folder / "incoming" / run.id
        source, on = self._source(table), run.settings.placed_on
        first = run.settings.refit_of
        start = None if first is None else self._path("runs", first, "")
        order: Fit | Placing = Fit(source, run.settings, folder, model, start)
        if on is not None:
            order = Placing(source, run.settings, folder, self._placed_on(on))
        return Task(
            f"{TASKS}:fit" if on is None else f"{TASKS}:place",
            {"order": order},
            names=order.names,
            on_start=lambda: self._started(run.id, folder),
            on_news=lambda news: self._heard(run.id, news),
            on_end=lambda state, value: self._ended(run.id, state, value),
        )

    def _placed_on(self, id: str) -> PlacedOn:
        run = self.run(id)
        source = self._source(self.table(run.table_id))
        return PlacedOn(source, run.settings, self._path("runs", id, ""))

    def _started(self, id: str, folder: Path) -> None:
        folder.mkdir(mode=0o700, exist_ok=True)
        self.catalog.start_run(id)
        self._heard(id, News(step="reading"))

    def _heard(self, id: str, news: News) -> None:
        live = self._live.get(id)
        if live is not None:
            live.progress = live.progress.after(news)

    def _ended(self, id: str, state: str, value: Any) -> None:
        folder = self.workspace.folder / "incoming" / id
        try:
            if state == "done":
                self.workspace.keep(folder, "runs")
                if value.method:
                    self._name_by_method(id, value.method)
                if not self.catalog.end_run(id, "finished", result=value):
                    self.workspace.remove("runs", id)  # cancelled at the last moment
            else:
                self.catalog.end_run(id, state, value.words)
        except (OSError, sqlite3.Error) as error:
            self._lost(id, f"The result could not be kept: {disk_words(error)}")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            with self._turn:
                self._live.pop(id, None)

    def _lost(self, id: str, words: str) -> None:
        """Note that a result was not kept, on the disk if it takes that much."""
        for kind in ("incoming", "runs"):
            shutil.rmtree(self.workspace.folder / kind / id, ignore_errors=True)
        try:
            self.catalog.end_run(id, "failed", words)
        except sqlite3.Error:
            # Known while the app lives; the next start finds it interrupted.
            self._unwritten[id] = words

    def _path(self, kind: str, id: str, file: str) -> Path:
        try:
            return self.workspace.path(kind, id, file)
        except FileNotFoundError as error:
            raise UnknownError(str(error)) from error


def can_refit(run: RunEntry) -> bool:
    """Whether a run has a map that can be fitted to other labels."""
    maps = {method.name for method in methods_of("map")}
    return run.state == "finished" and run.result.method in maps


def run_name(table: str, method: str) -> str:
    """Return what a run is called at first: the table and the method."""
    return f"{without_ending(table)[: NAME_LENGTH - 60]}: {title_of(method)}"


def _there(entry: Entry | None, kind: str, id: str) -> Entry:
    if entry is None:
        raise UnknownError(f"There is no {kind} {id!r}.")
    return entry


def _file_name(name: str) -> str:
    """Return a name for the stored file: only the extension of the user's is kept."""
    base = Path(name.replace("\\", "/")).name.lower()
    packed = ".gz" if base.endswith(".gz") else ""
    extension = Path(base.removesuffix(packed)).suffix
    known = extension if extension[1:].isalnum() and len(extension) < 12 else ""
    return f"source{known}{packed}"
