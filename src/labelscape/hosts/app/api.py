"""The app on the web: small handlers over one session."""

import asyncio
import json
from collections.abc import AsyncIterator
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse, Response, StreamingResponse
from pydantic import AfterValidator

from labelscape import __version__
from labelscape.datasets import Reading
from labelscape.hosts.app import schemas
from labelscape.hosts.app.catalog import ModelEntry, RunEntry, TableEntry
from labelscape.hosts.app.errors import RefusedError, UnknownError
from labelscape.hosts.app.method_forms import (
    check_order,
    method_cards,
    title_of,
    why_not_placed,
)
from labelscape.hosts.app.problems import PROBLEMS
from labelscape.hosts.app.records import Settings, as_written, written
from labelscape.hosts.app.session import Session, can_refit
from labelscape.hosts.app.workspace import file_name, for_owner

# How often a page that watches a fit is told of news.
BEAT = 0.2

# A file comes as the body itself: no form to unpack, and it can be counted as it comes.
FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {
                "schema": {"type": "string", "format": "binary"}
            }
        },
    }
}

router = APIRouter(prefix="/api", responses=PROBLEMS)


def the_session(request: Request) -> Session:
    """Return the session of this app."""
    session: Session = request.app.state.session
    return session


def _of(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """Document an answer that is no record but bytes of these kinds."""
    return {200: {"content": {kind.partition(";")[0]: {} for kind in kinds}}}


Here = Annotated[Session, Depends(the_session)]


@router.get("/status")
def status(session: Here) -> schemas.Status:
    """Say how the app is."""
    return schemas.Status(
        version=__version__,
        workspace=session.name,
        running=session.n_live(),
        upload_limit=session.limits.upload,
    )


@router.get("/datasets")
def datasets() -> list[schemas.Dataset]:
    """List the data sets that come with Labelscape."""
    return list(_datasets().values())


@cache
def _datasets() -> dict[str, schemas.Dataset]:
    from labelscape.datasets import available

    return {
        info.name: schemas.Dataset(
            name=info.name,
            rows=info.n_rows,
            features=info.n_features,
            classes=info.n_classes,
            description=info.description,
        )
        for info in available()
        if info.origin != "papers"  # these would be fetched from elsewhere
    }


@router.post("/datasets", status_code=201)
def embedded_table(session: Here, wish: schemas.Embedded) -> schemas.Table:
    """Load a data set that comes with Labelscape."""
    if wish.name not in _datasets():
        raise RefusedError(
            f"There is no data set {wish.name!r}. There are: {', '.join(_datasets())}.",
            parameter="name",
        )
    return _table(session.add_embedded(wish.name))


@router.get("/methods")
def methods() -> list[schemas.Method]:
    """List the methods, with their parameters."""
    return method_cards()


@router.get("/tables")
def tables(session: Here) -> list[schemas.Table]:
    """List the tables, the newest first."""
    return [_table(entry) for entry in session.tables()]


def _as_said(text: str | None) -> Any:
    """Return how a file is written, from the JSON of an address."""
    if text is None:
        return None
    return as_written(schemas.Reading.model_validate_json(text).model_dump())


Written = Annotated[str | None, Query(max_length=20_000), AfterValidator(_as_said)]


@router.post("/tables", status_code=201, openapi_extra=FILE)
async def upload_table(
    request: Request,
    session: Here,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    reading: Written = None,
) -> schemas.Table:
    """Load a table: the body is the file, ``name`` its name with extension.

    ``reading``, as JSON, says how it is written where that could not be found out.
    """
    with session.receiving(name) as path:
        await _write_body(request, path)
        how = cast(Reading | None, reading)  # as the validator leaves it
        add = partial(session.add_table, path, _short(name), reading=how)
        entry = await run_in_threadpool(add)
    return _table(entry)


@router.get("/tables/{id}")
def table(session: Here, id: schemas.Id) -> schemas.Table:
    """Describe one table."""
    return _table(session.table(id))


@router.patch("/tables/{id}")
def read_again(session: Here, id: schemas.Id, wish: schemas.Reading) -> schemas.Table:
    """Describe a table anew, as a file that is written in another way."""
    return _table(session.read_again(id, as_written(wish.model_dump())))


@router.delete("/tables/{id}", status_code=204)
def delete_table(session: Here, id: schemas.Id) -> None:
    """Delete a table that no run needs."""
    session.remove_table(id)


@router.get("/models")
def saved_models(session: Here) -> list[schemas.Model]:
    """List the models that were loaded, the newest first."""
    return [_model(entry) for entry in session.models()]


@router.post("/models", status_code=201, openapi_extra=FILE)
async def upload_model(
    request: Request,
    session: Here,
    name: Annotated[str, Query(min_length=1, max_length=200)],
) -> schemas.Model:
    """Load a model that `labelscape.save` wrote: the body is the file."""
    with session.receiving(name) as path:
        await _write_body(request, path)
        entry = await run_in_threadpool(session.add_model, path, _short(name))
    return _model(entry)


@router.delete("/models/{id}", status_code=204)
def delete_model(session: Here, id: schemas.Id) -> None:
    """Delete a model that no run needs."""
    session.remove_model(id)


@router.get("/runs")
def runs(session: Here) -> list[schemas.Run]:
    """List the runs, the newest first."""
    return [_run(run) for run in session.runs()]


@router.post("/runs", status_code=201)
def start_run(session: Here, order: schemas.Order) -> schemas.Run:
    """Ask for a fit."""
    check_order(order.method, order.parameters)
    settings = Settings.from_json(order.model_dump(exclude={"name"}))
    return _run(session.start(settings, order.name))


@router.post("/runs/{id}/place", status_code=201)
def place_rows(session: Here, id: schemas.Id, wish: schemas.NewRows) -> schemas.Run:
    """Place the rows of another table on the map of a finished run: a new run."""
    return _run(session.place(id, wish.table, wish.name))


@router.get("/runs/{id}")
def run(session: Here, id: schemas.Id) -> schemas.Run:
    """Say how a run stands."""
    return _run(session.run(id))


@router.patch("/runs/{id}")
def rename_run(
    session: Here,
    id: schemas.Id,
    wish: schemas.Renaming,
) -> schemas.Run:
    """Give a run another name."""
    return _run(session.rename(id, wish.name))


@router.get("/runs/{id}/decisions")
def decisions(session: Here, id: schemas.Id) -> schemas.KeptDecisions:
    """Return the labels that rows of a run were given since it was fitted."""
    return schemas.KeptDecisions(decisions=[*session.decisions(id).items()])


@router.put("/runs/{id}/decisions", status_code=204)
def keep_decisions(session: Here, id: schemas.Id, wish: schemas.KeptDecisions) -> None:
    """Keep the labels that rows of a finished run are given, in place of others."""
    session.decide(id, dict(wish.decisions))


@router.post("/runs/{id}/refit", status_code=201)
def refit_run(session: Here, id: schemas.Id, wish: schemas.Decisions) -> schemas.Run:
    """Fit the map of a finished run again to labels that were decided on: a new run."""
    return _run(session.refit(id, wish.decisions))


@router.post("/runs/{id}/cancel")
def cancel_run(session: Here, id: schemas.Id) -> schemas.Run:
    """Stop a run that waits or is being fitted."""
    return _run(session.cancel(id))


@router.delete("/runs/{id}", status_code=204)
def delete_run(session: Here, id: schemas.Id) -> None:
    """Delete a run that has ended."""
    session.remove(id)


@router.get(
    "/runs/{id}/events",
    response_class=StreamingResponse,
    responses=_of("text/event-stream"),
)
def watch_run(session: Here, id: schemas.Id) -> StreamingResponse:
    """Send news of a run until it ends, as server-sent events.

    ``progress`` events carry ``step`` (the name of what is being done) and the time at
    which it has ``begun``, the steps that are ``past``, ``done`` and ``total`` (of its
    parts, where they are counted), ``iteration`` and ``loss``, ``version`` (a count of
    the news) and ``has_positions``: whether ``forming`` has a map to show. The last
    event is ``ended``, with the run.
    """
    session.run(id)
    return StreamingResponse(_news(session, id), media_type="text/event-stream")


@router.get(
    "/runs/{id}/forming",
    response_class=Response,
    responses=_of("application/octet-stream"),
)
def forming(session: Here, id: schemas.Id) -> Response:
    """Return the positions of a forming map: float32 (n, 2), or nothing."""
    return _live_bytes(session, id, "positions")


@router.get(
    "/runs/{id}/forming/scene",
    response_class=Response,
    responses=_of("application/octet-stream"),
)
def forming_scene(session: Here, id: schemas.Id) -> Response:
    """Return a scene for these positions to be shown in, or nothing."""
    return _live_bytes(session, id, "scene")


FILES = {
    "scene": ("scene.lscn", "application/octet-stream"),
    "page": ("page.html", "text/html; charset=utf-8"),
    "positions": ("positions.csv", "text/csv; charset=utf-8"),
    "placed": ("placed.csv", "text/csv; charset=utf-8"),
    "model": ("model.labelscape", "application/zip"),
    "code": ("repeat.py", "text/x-python; charset=utf-8"),
}


@router.get(
    "/runs/{id}/files/{file}",
    response_class=FileResponse,
    responses=_of(*(kind for _, kind in FILES.values())),
)
def run_file(session: Here, id: schemas.Id, file: str) -> FileResponse:
    """Return a file of a finished run: scene, page, positions, model or code.

    New rows that were placed have ``placed`` in place of positions.
    """
    if file not in FILES:
        raise UnknownError(f"A run has the files {', '.join(FILES)}; not {file!r}.")
    name, kind = FILES[file]
    path = session.result(id, name)
    # To be saved, not shown: the page has scripts, and is no part of this app.
    given = file_name(session.run(id), name)
    return FileResponse(path, media_type=kind, filename=given)


@router.post("/runs/{id}/explain")
def explain(
    session: Here,
    id: schemas.Id,
    question: schemas.Question,
) -> schemas.Answer:
    """Explain the decision for one object."""
    return schemas.Answer(**session.explain(id, question.object))


def _live_bytes(
    session: Session, id: str, name: Literal["positions", "scene"]
) -> Response:
    session.run(id)
    progress = session.progress(id)
    data = getattr(progress, name) if progress else b""
    return Response(data, media_type="application/octet-stream")


async def _news(session: Session, id: str) -> AsyncIterator[str]:
    told = 0  # while it waits, there is nothing to tell
    while (progress := session.progress(id)) is not None:
        if progress.version != told:
            told = progress.version
            news = schemas.Progress(**progress.to_json())
            yield _event("progress", news.model_dump())
        await asyncio.sleep(BEAT)
    try:
        ended = await run_in_threadpool(lambda: _run(session.run(id)))
    except UnknownError:  # deleted as soon as it had ended
        return
    yield _event("ended", ended.model_dump())


def _event(kind: str, record: dict[str, Any]) -> str:
    return f"event: {kind}\ndata: {json.dumps(record)}\n\n"


async def _write_body(request: Request, path: Path) -> None:
    with open(path, "wb", opener=for_owner) as file:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)


def _short(name: str) -> str:
    return Path(name.replace("\\", "/")).name or name


def _table(entry: TableEntry) -> schemas.Table:
    about = entry.about
    return schemas.Table(
        id=entry.id,
        name=entry.name,
        created=entry.created,
        n_rows=about.n_rows,
        n_columns=about.n_columns,
        embedded=about.embedded,
        reading=schemas.Reading(**written(about.reading)),
        columns=[schemas.Column(**column._asdict()) for column in about.columns],
        notes=list(about.notes),
        has_folder=about.folder is not None,
    )


def _model(entry: ModelEntry) -> schemas.Model:
    return schemas.Model(
        id=entry.id, name=entry.name, created=entry.created, **entry.about.to_json()
    )


def _run(run: RunEntry) -> schemas.Run:
    return schemas.Run(
        id=run.id,
        name=run.name,
        table=run.table_id,
        table_name=run.table_name,
        method=run.settings.method,
        method_title=title_of(run.result.method or run.settings.method),
        settings=schemas.Settings(**run.settings.to_json()),
        state=cast(schemas.State, run.state),
        words=run.words,
        created=run.created,
        started=run.started,
        ended=run.ended,
        result=schemas.RunResult(**run.result.to_json()),
        can_refit=can_refit(run),
        placing_note=why_not_placed(
            run.settings.method, is_refit=run.settings.refit_of is not None
        ),
    )
