"""What goes wrong on the web, as one sentence and without a trace of the code."""

import sqlite3
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.routing import compile_path

from labelscape._core.errors import InputError, sentence
from labelscape.hosts.app import schemas
from labelscape.hosts.app.errors import (
    BusyError,
    PageWording,
    RefusedError,
    UnknownError,
    disk_words,
)
from labelscape.hosts.app.security import BodyTooLargeError

PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.Problem, "description": words}
    for status, words in {
        400: "The request is malformed.",
        401: "The token is missing or wrong.",
        403: "The request comes from another host or page.",
        404: "There is no such thing.",
        405: "This address does not take that method.",
        409: "This is not possible now.",
        413: "The file is too large.",
        422: "Something in the request makes no sense; the sentence says what.",
        507: "The disk is full.",
    }.items()
}


def add_errors(app: FastAPI) -> None:
    """Answer errors with one sentence and no trace of the code."""
    app.add_exception_handler(UnknownError, lambda _, e: _answer(404, str(e.args[0])))
    app.add_exception_handler(RefusedError, _refused(422))
    app.add_exception_handler(BusyError, _refused(409))
    app.add_exception_handler(InputError, _wrong_input)
    app.add_exception_handler(BodyTooLargeError, lambda _, e: _answer(413, str(e)))
    app.add_exception_handler(OSError, lambda _, e: _answer(507, disk_words(e)))
    app.add_exception_handler(sqlite3.Error, lambda _, e: _answer(507, disk_words(e)))
    app.add_exception_handler(  # nobody hears it, but the log need not wail
        ClientDisconnect, lambda *_: _answer(400, "The upload was broken off.")
    )
    app.add_exception_handler(RequestValidationError, _wrong_request)
    app.add_exception_handler(
        Exception,
        lambda *_: _answer(500, "Something went wrong in the app; its log says what."),
    )
    app.add_exception_handler(HTTPException, _no_route)


def _answer(status: int, words: str, parameter: str | None = None) -> JSONResponse:
    named = None if parameter is None else _readable(parameter)
    problem = schemas.Problem(detail=_readable(words), parameter=named)
    return JSONResponse(problem.model_dump(), status_code=status)


def _refused(status: int) -> Callable[[Request, Exception], JSONResponse]:
    def answer(_: Request, error: Exception) -> JSONResponse:
        assert isinstance(error, RefusedError)
        return _answer(status, str(error), error.parameter)

    return answer


def _wrong_input(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, InputError)
    return _answer(422, sentence(error, PageWording({})), error.parameter)


def _no_route(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    words = PROBLEMS[405]["description"] if error.status_code == 405 else error.detail
    answer = _answer(error.status_code, str(words))
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
    place = [str(part) for part in first["loc"][1:]]
    words = f"{'.'.join(place) or 'the request'}: {first['msg']}."
    # A parameter of the method, or of the request itself.
    named = place[1:2] if place[:1] == ["parameters"] else []
    return _answer(422, words, next(iter([*named, *place]), None))


def _readable(words: str) -> str:
    """Return words without the halves of signs that a request may hold."""
    return words.encode("utf-8", "replace").decode()
