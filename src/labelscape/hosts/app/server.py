"""Starting the local app: the web application, its guard, and the printed link."""

import secrets
import socket
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse
from fastapi.routing import APIRoute
from starlette.staticfiles import StaticFiles

from labelscape import __version__
from labelscape.hosts._built import STATIC
from labelscape.hosts._serving import LOOPBACK
from labelscape.hosts.app.api import add_errors, router
from labelscape.hosts.app.reference import reference_page
from labelscape.hosts.app.security import Guard
from labelscape.hosts.app.session import Session


def make_app(session: Session) -> FastAPI:
    """Return the web application over a session, not yet guarded."""
    app = FastAPI(
        title="Labelscape",
        version=__version__,
        docs_url=None,  # FastAPI's pages load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=_name_of,
    )
    app.state.session = session
    app.include_router(router)
    add_errors(app)
    app.add_exception_handler(RequestValidationError, _wrong_request)

    @app.get("/api", response_class=HTMLResponse, include_in_schema=False)
    def reference() -> str:
        return reference_page(app.openapi())

    @app.get("/", response_class=FileResponse, include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(Path(__file__).parent / "app.html")

    app.mount("/static", StaticFiles(directory=STATIC, follow_symlink=False))
    return app


def guarded(app: FastAPI, *, token: str, port: int, remote: bool, upload: int) -> Guard:
    """Return the application behind its guard."""
    names = (*LOOPBACK[:2], "[::1]")
    hosts = None if remote else frozenset(f"{name}:{port}" for name in names)
    return Guard(app, token=token, hosts=hosts, largest=upload)


def serve(
    session: Session,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    announce: Any = print,
) -> None:
    """Run the app until it is stopped.

    Parameters
    ----------
    session : Session
        The workspace and its workers.
    host : str, default="127.0.0.1"
        Where to listen. Anything but loopback lets others in who know the token.
    port : int, default=0
        0 takes any free one.
    token : str, default=None
        The secret of the link; None draws one.
    announce : callable, default=print
        Told the link, once the app listens.
    """
    import uvicorn

    token = token or secrets.token_urlsafe(24)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family)
    port = listener.getsockname()[1]
    app = guarded(
        make_app(session),
        token=token,
        port=port,
        remote=host not in LOOPBACK,
        upload=session.limits.upload,
    )
    settings = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,  # addresses hold the token once
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    shown = f"[{host}]" if ":" in host else host
    announce(f"http://{shown}:{port}/?token={token}")
    uvicorn.Server(settings).run(sockets=[listener])


def _name_of(route: APIRoute) -> str:
    return route.name


def _wrong_request(_: Any, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"][1:]) or "the request"
    return JSONResponse({"detail": f"{place}: {first['msg']}."}, status_code=422)
