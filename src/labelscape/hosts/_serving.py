"""The door of the local app: opens a workspace, takes a table in, and serves."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labelscape.hosts.app.session import Session

LOOPBACK = ("127.0.0.1", "localhost", "::1")


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
) -> None:
    """Run the local app over a workspace until it is stopped.

    Parameters
    ----------
    workspace : Path
        Folder of tables and runs. It is made if it is not there.
    data : str, default=None
        A file to load first, or the name of a data set.
    host, port : str and int
        Where to listen; port 0 takes any free one.
    workers : int, default=2
        Fits that run at once.
    memory : int, default=None
        Bytes that one fit may take; None: what the machine has.
    upload : int, default=2**30
        Bytes of the largest file.
    token : str, default=None
        The secret of the link; None draws one.
    announce : callable, default=print
        Told the link.
    """
    try:
        import fastapi  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        from labelscape._core.checks import missing_extra

        missing_extra("fastapi and uvicorn", "explore", "The local app")
    from labelscape.hosts._built import built
    from labelscape.hosts.app.limits import Limits
    from labelscape.hosts.app.server import serve
    from labelscape.hosts.app.session import Session

    built("app.js")
    limits = Limits(upload=upload, memory=memory)
    session = Session(workspace, workers=workers, limits=limits)
    try:
        # Not after a "#": the page that takes the token would lose it.
        page = "" if data is None else f"&table={_taken_in(session, data)}"
        serve(
            session,
            host=host,
            port=port,
            token=token,
            announce=lambda link: announce(link + page),
        )
    finally:
        session.close()


def _taken_in(session: "Session", data: str) -> str:
    """Take a table into the session and return its id."""
    path = Path(data)
    if not path.is_file() and (path.suffix or len(path.parts) > 1):
        raise FileNotFoundError(
            f"There is no file {data!r}. 'labelscape datasets' lists the data sets "
            "that have a name."
        )
    if not path.is_file():
        return session.add_embedded(data).id
    with session.receiving(path.name) as copy:
        shutil.copyfile(path, copy)
        return session.add_table(copy, path.name).id
