"""Starting the local app: the web application, its guard, and the printed link."""

import secrets
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.routing import APIRoute
from starlette.staticfiles import StaticFiles

from labelscape import __version__
from labelscape.hosts._built import STATIC
from labelscape.hosts._serving import LOOPBACK
from labelscape.hosts.app.api import router
from labelscape.hosts.app.cards import method_cards
from labelscape.hosts.app.problems import add_errors
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

    @app.get("/api", response_class=HTMLResponse, include_in_schema=False)
    def reference() -> str:
        return reference_page(app.openapi())

    @app.get("/", response_class=FileResponse, include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(Path(__file__).parent / "app.html")

    # Browsers ask for one while the page that takes the token is shown.
    @app.get("/favicon.ico", status_code=204, include_in_schema=False)
    def no_icon() -> None:
        return None

    app.mount("/static", StaticFiles(directory=STATIC, follow_symlink=False))
    return app


def guarded(app: FastAPI, *, token: str, port: int, remote: bool, upload: int) -> Guard:
    """Return the application behind its guard."""
    names = (*LOOPBACK[:2], "[::1]")
    hosts = {f"{name}:{port}" for name in names}
    if port == 80:  # which browsers leave out
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
    """Return a socket that listens, or say why there is none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ValueError(
            f"The app can not listen on {host}, port {port} ({error.strerror}). Choose "
            "another with --port; 0 takes any free one."
        ) from error


def serve(
    session: Session,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    token: str | None = None,
    announce: Callable[[str], None] = print,
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
        log_level="warning",
        ws="none",
        access_log=False,  # addresses hold the token once
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    shown = f"[{host}]" if ":" in host else host
    link = f"http://{shown}:{port}/?token={token}"

    class Server(uvicorn.Server):
        """Says when it listens, and lets no fit hold it up when it is to end."""

        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            announce(link)
            session.warm_up()
            # The first page asks for the cards, which need the estimators.
            threading.Thread(target=method_cards, daemon=True).start()

        def handle_exit(self, sig: int, frame: Any) -> None:
            session.stop()
            # As if by Ctrl+C: the default of SIGTERM would leave nothing in order.
            super().handle_exit(signal.SIGINT, frame)

    with suppress(KeyboardInterrupt):  # how it is meant to end
        Server(settings).run(sockets=[listener])


def _name_of(route: APIRoute) -> str:
    return route.name
