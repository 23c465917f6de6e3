"""``labelscape serve``: the local app, for people who don't write code."""

import webbrowser
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from labelscape.cli._terminal import plain_errors

EXAMPLES = """\b
Examples:
  labelscape serve
  labelscape serve patients.csv
  labelscape serve --workspace ~/maps --port 8765
"""

MEGABYTE, GIGABYTE = 2**20, 2**30

REMOTE = (
    "Others who can reach {host} can use this app if they know the link: they see its "
    "tables and fit on this machine. The connection is not encrypted."
)


def serve_command(
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="A file to load, or a data set's name."),
    ] = None,
    workspace: Annotated[
        Path, typer.Option(help="Folder in which tables and runs are kept.")
    ] = Path("labelscape-workspace"),
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="0 takes any free one.")
    ] = 0,
    allow_remote: Annotated[
        bool,
        typer.Option(
            "--allow-remote", help="Let others in who know the link; see --host."
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Fits that run at once.")
    ] = 2,
    memory: Annotated[
        float | None, typer.Option(min=0.1, help="Gigabytes that one fit may take.")
    ] = None,
    upload_limit: Annotated[
        int, typer.Option(min=1, help="Megabytes of the largest file.")
    ] = 1024,
    browse: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Start the app: load a table, watch the map form, come back tomorrow.

    It answers on this machine only, to those who have the printed link.
    """
    with plain_errors():
        from labelscape.hosts._internal import LOOPBACK

        if host not in LOOPBACK and not allow_remote:
            raise ValueError(
                f"--host {host} would let other machines in. Add --allow-remote if "
                f"that is what you want. {REMOTE.format(host=host)}"
            )
        if host not in LOOPBACK:
            typer.echo(f"Note: {REMOTE.format(host=host)}", err=True)
        from labelscape.hosts._internal import serve_workspace

        serve_workspace(
            workspace,
            data,
            host=host,
            port=port,
            workers=workers,
            memory=None if memory is None else int(memory * GIGABYTE),
            upload=upload_limit * MEGABYTE,
            announce=_announce,
            browse=_browse if browse else None,
        )


def _announce(link: str) -> None:
    typer.echo(f"Labelscape is running. Open this link:\n\n  {link}\n")
    typer.echo("Press Ctrl+C to stop it.")


def _browse(address: str) -> None:
    """Open a page in a browser, which may take its time."""
    Thread(target=webbrowser.open, args=[address], daemon=True).start()
