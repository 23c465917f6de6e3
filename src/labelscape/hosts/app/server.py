"""Start of the local app: web application, check of requests, and printed link."""

import secrets
import shutil
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelscape import __version__
from labelscape._core.errors import missing_extra
from labelscape.hosts.page import STATIC, built

if TYPE_CHECKING:  # the command line imports this file, also without FastAPI
    from fastapi import FastAPI

    from labelscape.hosts.app.security import Guard
    from labelscape.hosts.app.session import Session

# Host names that only this machine can reach.
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# Maximum number of connections; further requests are answered with 503. It is more
# than the browsers of a few people open, and less than a process can have. Connections
# without a request can only be half of them (`connections.WAITING`).
CONNECTIONS = 200


def make_app(session: "Session") -> "FastAPI":
    """Return the web application of a session, without the check of requests."""
    from fastapi import FastAPI
    from fastapi.responses import FileResponse, HTMLResponse
    from starlette.staticfiles import StaticFiles

    from labelscape.hosts.app.api import add_errors, router

    app = FastAPI(
        title="Labelscape",
        version=__version__,
        docs_url=None,  # FastAPI's pages load scripts from other servers
        redoc_url=None,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=lambda route: route.name,
    )
    app.state.session = session
    app.state.watchers = {}
    app.include_router(router)
    add_errors(app)

    @app.get("/api", response_class=HTMLResponse, include_in_schema=False)
    def reference() -> str:
        return reference_page(app.openapi())

    @app.get("/", response_class=FileResponse, include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(Path(__file__).parent / "app.html")

    # Browsers request an icon while the page with the token is shown.
    @app.get("/favicon.ico", status_code=204, include_in_schema=False)
    def no_icon() -> None:
        return None

    app.mount("/static", StaticFiles(directory=STATIC, follow_symlink=False))
    return app


def guarded(
    app: "FastAPI", *, token: str, port: int, remote: bool, upload: int
) -> "Guard":
    """Return the web application of a session, with the check of requests."""
    from labelscape.hosts.app.security import Guard

    names = (*LOOPBACK[:2], "[::1]")
    hosts = {f"{name}:{port}" for name in names}
    if port == 80:  # which browsers omit
        hosts |= set(names)
    return Guard(
        app,
        token=token,
        hosts=None if remote else frozenset(hosts),
        largest=upload,
        uploads=frozenset({"/api/tables", "/api/models"}),
        cookie=f"labelscape-{port}",
    )


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise an error with the reason."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ValueError(
            f"The app cannot listen on {host}, port {port} ({error.strerror}). Choose "
            "another port with --port; 0 chooses a free port."
        ) from error


def serve(
    session: "Session",
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    announce: Callable[[str], None] = print,
) -> None:
    """Run the app until it is stopped."""
    import uvicorn

    from labelscape.hosts.app.connections import PromptProtocol

    token = token or secrets.token_urlsafe(24)
    listener = listening(host, port)
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
        http=PromptProtocol,
        limit_concurrency=CONNECTIONS,
        log_level="warning",
        ws="none",
        access_log=False,  # the first address contains the token
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}/?token={token}"

    class Server(uvicorn.Server):
        """Prints the link when it is ready, and stops without waiting for fits."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            announce(link)
            session.warm_up()

        def handle_exit(self, sig: int, frame: Any) -> None:
            session.stop()
            # Handled like Ctrl+C, because the default handler would skip the cleanup.
            super().handle_exit(signal.SIGINT, frame)

    with suppress(KeyboardInterrupt):  # the normal end
        Server(settings).run(sockets=[listener])


# Lifetime in seconds of the page with the link; a browser may start slowly.
DOOR_SECONDS = 60.0


def serve_workspace(
    workspace: Path,
    data: str | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    workers: int = 2,
    memory: int | None = None,
    upload: int = 2**30,
    token: str | None = None,
    announce: Callable[[str], None] = print,
    browse: Callable[[str], object] | None = None,
) -> None:
    """Run the local app with a workspace until it is stopped."""
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        missing_extra("fastapi and uvicorn", "explore", "The local app")

    from labelscape.hosts.app.session import Session
    from labelscape.hosts.app.uploads import Limits

    built("app.js")
    limits = Limits(upload=upload, memory=memory)
    session = Session(workspace, workers=workers, limits=limits)

    def announced(link: str) -> None:
        announce(link + page)
        if browse is not None:
            with suppress(OSError):  # on a full disk, the link is enough
                browse(_door(session, link + page).as_uri())

    try:
        # Not after a "#", because the page with the token would lose it.
        page = "" if data is None else f"&table={_added(session, data)}"
        serve(session, host=host, port=port, token=token, announce=announced)
    finally:
        session.close()


def _door(session: "Session", link: str) -> Path:
    """Write a page that redirects to the link, and is deleted after a minute."""
    page = session.workspace.door(link)
    gone = threading.Timer(DOOR_SECONDS, page.unlink, kwargs={"missing_ok": True})
    gone.daemon = True
    gone.start()
    return page


def _added(session: "Session", data: str) -> str:
    """Add a table to the session and return its id."""
    from labelscape.datasets import DatasetInfo

    path = Path(data)
    if not path.is_file() and (path.suffix or len(path.parts) > 1):
        raise FileNotFoundError(
            f"There is no file {data!r}. 'labelscape datasets' lists the example data "
            "sets."
        )
    if not path.is_file():
        # Looked up here, so that the command line reports an unknown name.
        return session.add_embedded(DatasetInfo.named(data).name).id
    with session.receiving(path.name) as copy:
        shutil.copyfile(path, copy)
        return session.add_table(copy, path.name, path.absolute().parent).id


# The documentation of the API as a page without scripts.

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto;
       padding: 0 1rem; color: #22262b; background: #fff; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 .25rem; }
@media (prefers-color-scheme: dark) { body { color: #e8eaed; background: #16191d; } }
"""


def reference_page(document: dict[str, Any]) -> str:
    """Return an OpenAPI document as HTML."""
    title = escape(document["info"]["title"])
    parts = [
        _operation(f"{method.upper()} {path}", operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}'
        f"</title><style>{_STYLE}</style></head><body><h1>{title}</h1><p>Every request "
        "needs the token of the printed link, as the cookie that the link sets or as "
        "<code>Authorization: Bearer TOKEN</code>. Full specification: "
        f'<a href="/api/openapi.json">openapi.json</a>.</p>{"".join(parts)}'
        "</body></html>"
    )


def _operation(name: str, operation: dict[str, Any]) -> str:
    takes = [f"{one['name']} ({one['in']})" for one in operation.get("parameters", ())]
    takes += operation.get("requestBody", {}).get("content", ())
    words = escape(operation.get("description", ""))
    more = escape(f"Takes: {', '.join(takes)}." if takes else "")
    return f"<h2>{escape(name)}</h2><p>{words}</p><p>{more}</p>"
