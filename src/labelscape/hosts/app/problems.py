"""What goes wrong on the web, as one sentence and without a trace of the code."""

import sqlite3
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path

from labelscape.hosts.app import schemas
from labelscape.hosts.app.errors import (
    BusyError,
    RefusedError,
    UnknownError,
    disk_words,
)
from labelscape.hosts.app.security import BodyTooLargeError

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Problem, "description": words}
    for status, words in {
        400: "The request is damaged.",
        401: "The token is missing or wrong.",
        403: "The request comes from another host or page.",
        404: "There is no such thing.",
        405: "This address is not asked in this way.",
        409: "Not possible now.",
        413: "The file is too large.",
        422: "Something makes no sense; the sentence says what.",
        507: "The disk is full.",
    }.items()
}


def add_errors(app: FastAPI) -> None:
    """Answer errors with one sentence and no trace of the code."""
    app.add_exception_handler(UnknownError, lambda _, e: _answer(404, str(e.args[0])))
    app.add_exception_handler(RefusedError, lambda _, e: _answer(422, str(e)))
    app.add_exception_handler(BusyError, lambda _, e: _answer(409, str(e)))
    app.add_exception_handler(BodyTooLargeError, lambda _, e: _answer(413, str(e)))
    app.add_exception_handler(OSError, lambda _, e: _answer(507, disk_words(e)))
    app.add_exception_handler(sqlite3.Error, lambda _, e: _answer(507, disk_words(e)))
    app.add_exception_handler(  # nobody hears it, but the log need not wail
        ClientDisconnect, lambda *_: _answer(400, "The file did not come to its end.")
    )
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(
        Exception,
        lambda *_: _answer(500, "Something went wrong in the app; its log says what."),
    )
    app.add_exception_handler(HTTPException, _refused)


def _answer(status: int, words: str) -> JSONResponse:
    return JSONResponse({"detail": words}, status_code=status)


def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    answer = _answer(error.status_code, str(error.detail))
    answer.headers.update(error.headers or {})
    if error.status_code == 405 and (methods := _methods(request)):
        answer.headers["allow"] = ", ".join(methods)
    return answer


def _methods(request: Request) -> list[str]:
    """Return how an address may be asked; the error knows of its first route only."""
    here = [
        operations
        for path, operations in request.app.openapi()["paths"].items()
        if compile_path(path)[0].match(request.scope["path"])
    ]
    return sorted(method.upper() for operations in here for method in operations)


def _wrong_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["loc"][0] == "path":  # an id that none of ours looks like
        kind = request.scope["path"].split("/")[2].removesuffix("s")
        return _answer(404, f"There is no such {kind}.")
    place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    words = f"{place}: {first['msg']}.".encode("utf-8", "replace").decode()
    return _answer(422, words)
