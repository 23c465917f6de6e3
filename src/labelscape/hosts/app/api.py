"""The web API of the app: small functions that call one session."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, FastAPI, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response, StreamingResponse
from pydantic import AfterValidator, TypeAdapter
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path

from labelscape import __version__
from labelscape._core.errors import InputError, sentence
from labelscape.datasets import DatasetInfo, Reading, available
from labelscape.hosts.app import records
from labelscape.hosts.app.errors import (
    BusyError,
    PageWording,
    RefusedError,
    UnknownError,
    disk_words,
)
from labelscape.hosts.app.forms import MethodCard, check_order, method_cards
from labelscape.hosts.app.records import (
    ErrorAnswer,
    Id,
    LoadedModel,
    LoadedTable,
    Run,
    StoredTable,
)
from labelscape.hosts.app.security import BodyTooLargeError
from labelscape.hosts.app.session import Session
from labelscape.hosts.app.workspace import FILES, file_name, for_owner
from labelscape.hosts.questions import Answer

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer, "description": words}
    for status, words in {
        400: "The request is malformed.",
        401: "The token is missing or wrong.",
        403: "The request comes from another host or page.",
        404: "Not found.",
        405: "This address does not accept that HTTP method.",
        409: "This is not possible now.",
        413: "The file is too large.",
        422: "A value in the request is invalid; the message says which.",
        507: "The disk is full.",
    }.items()
}


# Each error is answered with a status and one sentence, without a traceback.
ANSWERS: dict[type[Exception], tuple[int, Callable[[Any], str]]] = {
    UnknownError: (404, lambda error: str(error.args[0])),
    RefusedError: (422, str),
    BusyError: (409, str),
    InputError: (422, lambda error: sentence(error, PageWording({}))),
    BodyTooLargeError: (413, str),
    OSError: (507, disk_words),
    sqlite3.Error: (507, disk_words),
    # The client is gone; avoid a traceback in the log.
    ClientDisconnect: (400, lambda _: "The upload was interrupted."),
    Exception: (500, lambda _: "Internal error. See the log of the app for details."),
}


def add_errors(app: FastAPI) -> None:
    """Register the functions that convert errors to responses."""
    for kind, how in ANSWERS.items():
        app.add_exception_handler(kind, partial(_explained, *how))
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(HTTPException, _no_route)


def _explained(
    status: int, words: Callable[[Any], str], _: Request, error: Exception
) -> JSONResponse:
    return _answer(status, words(error), getattr(error, "parameter", None))


def _answer(status: int, words: str, parameter: str | None = None) -> JSONResponse:
    named = None if parameter is None else _readable(parameter)
    problem = ErrorAnswer(detail=_readable(words), parameter=named)
    return JSONResponse(problem.model_dump(), status_code=status)


def _no_route(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    words = PROBLEMS[405]["description"] if error.status_code == 405 else error.detail
    answer = _answer(error.status_code, str(words))
    answer.headers.update(error.headers or {})
    if error.status_code == 405 and (methods := _methods(request)):
        answer.headers["allow"] = ", ".join(methods)
    return answer


def _methods(request: Request) -> list[str]:
    """Return all HTTP methods of an address; error 405 of FastAPI lists only some."""
    here = [
        operations
        for path, operations in request.app.openapi()["paths"].items()
        if compile_path(path)[0].match(request.scope["path"])
    ]
    return sorted(method.upper() for operations in here for method in operations)


def _wrong_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":  # not an id
        kind = request.scope["path"].split("/")[2].removesuffix("s")
        return _answer(404, f"There is no such {kind}.")
    place = [str(part) for part in first["loc"][1:]]
    words = f"{'.'.join(place) or 'the request'}: {first['msg']}."
    # A parameter of the method, or of the request itself.
    named = place[1:2] if place[:1] == ["parameters"] else []
    return _answer(422, words, next(iter([*named, *place]), None))


def _readable(words: str) -> str:
    """Return text without the surrogates that a request may contain."""
    return words.encode("utf-8", "replace").decode()


BEAT = 0.2  # seconds between two events of a fit
# Maximum number of event streams. For a further one, the oldest ends; a page opens its
# stream again.
STREAMS = 50

# The body is the file itself, without a form, and its size is counted on arrival.
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
    return cast(Session, request.app.state.session)


def _of(*kinds: str) -> dict[int | str, dict[str, Any]]:
    """Document a response of bytes with these media types."""
    return {200: {"content": {kind.partition(";")[0]: {} for kind in kinds}}}


Here = Annotated[Session, Depends(the_session)]
BYTES: dict[str, Any] = {
    "response_class": Response,
    "responses": _of("application/octet-stream"),
}


@router.get("/status")
def status(session: Here) -> records.Status:
    """Return version, workspace and limits of the app."""
    return records.Status(
        version=__version__,
        workspace=session.workspace.folder.name,
        running=session.n_live(),
        upload_limit=session.limits.upload,
    )


@router.get("/datasets")
def datasets() -> list[DatasetInfo]:
    """List the data sets that come with Labelscape."""
    # Not the data sets of papers, which might have to be downloaded.
    return [info for info in available() if info.origin != "papers"]


@router.post("/datasets", status_code=201)
def embedded_table(session: Here, wish: records.Named) -> LoadedTable:
    """Load a data set that comes with Labelscape."""
    names = [info.name for info in datasets()]
    if wish.name not in names:
        raise RefusedError(
            f"There is no data set {wish.name!r}. Available: {', '.join(names)}.",
            parameter="name",
        )
    return session.add_embedded(wish.name)


@router.get("/methods")
def methods() -> list[MethodCard]:
    """List the methods, with their parameters."""
    return method_cards()


@router.get("/tables")
def tables(session: Here) -> list[LoadedTable]:
    """List the tables, the newest first."""
    return [*session.all(StoredTable)]


# A record as JSON in the address.
WrittenReading = Annotated[
    str | None,
    Query(max_length=20_000),
    AfterValidator(lambda text: text and TypeAdapter(Reading).validate_json(text)),
]


@router.post("/tables", status_code=201, openapi_extra=FILE)
async def upload_table(
    request: Request,
    session: Here,
    name: Annotated[str, Query(min_length=1, max_length=200)],
    reading: WrittenReading = None,
) -> LoadedTable:
    """Load a table: the body is the file, and ``name`` is its name with extension.

    ``reading`` (JSON) sets the parts of the file format that cannot be detected.
    """
    with session.receiving(name) as path:
        await _write_body(request, path)
        how = cast(Reading | None, reading)  # as the validator returns it
        add = partial(session.add_table, path, _short(name), reading=how)
        return await run_in_threadpool(add)


@router.get("/tables/{id}")
def table(session: Here, id: Id) -> LoadedTable:
    """Describe one table."""
    return session.get(StoredTable, id)


@router.patch("/tables/{id}")
def read_again(session: Here, id: Id, reading: Reading) -> LoadedTable:
    """Read and describe a table again, with another file format."""
    return session.read_again(id, reading)


@router.delete("/tables/{id}", status_code=204)
def delete_table(session: Here, id: Id) -> None:
    """Delete a table that no run needs."""
    session.remove(StoredTable, id)


@router.get("/models")
def saved_models(session: Here) -> list[LoadedModel]:
    """List the loaded models, the newest first."""
    return session.all(LoadedModel)


@router.post("/models", status_code=201, openapi_extra=FILE)
async def upload_model(
    request: Request,
    session: Here,
    name: Annotated[str, Query(min_length=1, max_length=200)],
) -> LoadedModel:
    """Load a model that `labelscape.save` wrote: the body is the file."""
    with session.receiving(name) as path:
        await _write_body(request, path)
        return await run_in_threadpool(session.add_model, path, _short(name))


@router.delete("/models/{id}", status_code=204)
def delete_model(session: Here, id: Id) -> None:
    """Delete a model that no run needs."""
    session.remove(LoadedModel, id)


@router.get("/runs")
def runs(session: Here) -> list[Run]:
    """List the runs, the newest first."""
    return session.all(Run)


@router.post("/runs", status_code=201)
def start_run(session: Here, order: records.Order) -> Run:
    """Start a fit."""
    check_order(order.method, order.parameters)
    return session.start(order)


@router.post("/runs/{id}/place", status_code=201)
def place_rows(session: Here, id: Id, wish: records.PlacingOrder) -> Run:
    """Start a run that places another table on the map of a finished run."""
    return session.place(id, wish.table, wish.name)


@router.get("/runs/{id}")
def run(session: Here, id: Id) -> Run:
    """Describe one run."""
    return session.get(Run, id)


@router.patch("/runs/{id}")
def rename_run(session: Here, id: Id, wish: records.Named) -> Run:
    """Rename a run."""
    return session.rename(id, wish.name)


@router.get("/runs/{id}/decisions")
def decisions(session: Here, id: Id) -> records.KeptDecisions:
    """Return the corrected labels of rows of a run."""
    return records.KeptDecisions(decisions=[*session.decisions(id).items()])


@router.put("/runs/{id}/decisions", status_code=204)
def keep_decisions(session: Here, id: Id, wish: records.KeptDecisions) -> None:
    """Replace the stored corrected labels of rows of a finished run."""
    session.decide(id, dict(wish.decisions))


@router.post("/runs/{id}/refit", status_code=201)
def refit_run(session: Here, id: Id, wish: records.Relabeling) -> Run:
    """Start a run that fits the map of a run again, to corrected labels."""
    return session.refit(id, wish.decisions)


@router.post("/runs/{id}/cancel")
def cancel_run(session: Here, id: Id) -> Run:
    """Stop a run that has not ended."""
    return session.cancel(id)


@router.delete("/runs/{id}", status_code=204)
def delete_run(session: Here, id: Id) -> None:
    """Delete a run that has ended."""
    session.remove_run(id)


@router.get(
    "/runs/{id}/events",
    response_class=StreamingResponse,
    responses=_of("text/event-stream"),
)
def watch_run(request: Request, session: Here, id: Id) -> StreamingResponse:
    """Send the progress of a run until it ends, as server-sent events.

    ``progress`` events are `RunProgress` records; if ``has_positions`` is true,
    ``forming`` returns the current map. The last event is ``ended``, with the run.
    """
    session.get(Run, id)
    news = _news(session, id, request.app.state.watchers)
    return StreamingResponse(news, media_type="text/event-stream")


@router.get("/runs/{id}/forming", **BYTES)
def forming(session: Here, id: Id) -> Response:
    """Return positions of a map during its fit, as float32 (n, 2); may be empty."""
    return _live_bytes(session, id, "positions")


@router.get("/runs/{id}/forming/scene", **BYTES)
def forming_scene(session: Here, id: Id) -> Response:
    """Return the scene of a map during its fit; may be empty."""
    return _live_bytes(session, id, "scene")


@router.get(
    "/runs/{id}/files/{file}",
    response_class=FileResponse,
    responses=_of(*(kind for *_, kind in FILES.values())),
)
def run_file(session: Here, id: Id, file: str) -> FileResponse:
    """Return a file of a finished run: scene, page, positions, model or code.

    A run that placed new rows has the file ``placed`` instead of ``positions``.
    """
    if file not in FILES:
        raise UnknownError(f"A run has no file {file!r}, only {', '.join(FILES)}.")
    name, _, kind = FILES[file]
    path = session.result(id, name)
    # The browser saves the file and does not show it: a page has its own scripts.
    saved_as = file_name(session.get(Run, id), file)
    return FileResponse(path, media_type=kind, filename=saved_as)


@router.post("/runs/{id}/explain")
def explain(session: Here, id: Id, question: records.RowQuestion) -> Answer:
    """Explain the prediction for one row."""
    return session.explain(id, question.object)


def _live_bytes(
    session: Session, id: str, name: Literal["positions", "scene"]
) -> Response:
    session.get(Run, id)
    live = session.live(id)
    data = getattr(live, name) if live else b""
    return Response(data, media_type="application/octet-stream")


async def _news(
    session: Session, id: str, watchers: dict[asyncio.Event, None]
) -> AsyncIterator[str]:
    is_over = asyncio.Event()
    watchers[is_over] = None
    if len(watchers) > STREAMS:
        oldest = next(iter(watchers))
        del watchers[oldest]
        oldest.set()
    sent = 0  # the version of a run that is waiting
    try:
        while (live := session.live(id)) is not None:
            if live.progress.version != sent:
                sent = live.progress.version
                yield f"event: progress\ndata: {live.progress.model_dump_json()}\n\n"
            with suppress(TimeoutError):
                await asyncio.wait_for(is_over.wait(), BEAT)
                return
    finally:
        watchers.pop(is_over, None)
    try:
        ended = await run_in_threadpool(session.get, Run, id)
    except UnknownError:  # deleted just after it ended
        return
    yield f"event: ended\ndata: {ended.model_dump_json()}\n\n"


async def _write_body(request: Request, path: Path) -> None:
    with open(path, "wb", opener=for_owner) as file:
        async for chunk in request.stream():
            await run_in_threadpool(file.write, chunk)


def _short(name: str) -> str:
    return Path(name.replace("\\", "/")).name or name
