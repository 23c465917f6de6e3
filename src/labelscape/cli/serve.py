"""``labelscape serve``: the local web app, for use without writing code."""

import webbrowser
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from labelscape.cli import messages
from labelscape.cli._terminal import plain_errors

EXAMPLES = """\b
Examples:
  labelscape serve
  labelscape serve patients.csv
  labelscape serve --workspace ~/maps --port 8765
"""

MEGABYTE, GIGABYTE = 2**20, 2**30


def serve_command(
    data: Annotated[
        str | None,
        typer.Argument(metavar="DATA", help="File or example data set to load."),
    ] = None,
    workspace: Annotated[Path, typer.Option(help="Folder for tables and runs.")] = Path(
        "labelscape-workspace"
    ),
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port; 0 chooses a free port.")
    ] = 0,
    allow_remote: Annotated[
        bool,
        typer.Option(
            "--allow-remote",
            help="Allow access from other machines; see --host.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Maximum number of parallel fits.")
    ] = 2,
    memory: Annotated[
        float | None, typer.Option(min=0.1, help="Memory limit per fit, in GB.")
    ] = None,
    upload_limit: Annotated[
        int, typer.Option(min=1, help="Maximum size of an upload, in MB.")
    ] = 1024,
    browse: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Start the local web app, which needs no code.

    The data stay on this machine. By default, only users of this machine who have the
    printed link can use the app.
    """
    with plain_errors():
        from labelscape.hosts._internal import LOOPBACK

        if host not in LOOPBACK and not allow_remote:
            raise ValueError(messages.REFUSED_HOST.format(host=host))
        if host not in LOOPBACK:
            messages.say(messages.NOTE, messages.REMOTE.format(host=host))
        from labelscape.hosts._internal import serve_workspace

        serve_workspace(
            workspace,
            data,
            host=host,
            port=port,
            workers=workers,
            memory=None if memory is None else int(memory * GIGABYTE),
            upload=upload_limit * MEGABYTE,
            announce=lambda link: typer.echo(messages.RUNNING.format(link)),
            browse=_browse if browse else None,
        )


def _browse(address: str) -> None:
    """Open a page in a browser without waiting for it."""
    Thread(target=webbrowser.open, args=[address], daemon=True).start()
