"""The command ``labelscape``: its verbs, and what they have in common."""

from typing import Annotated

import typer

from labelscape import __version__
from labelscape.cli.audit import EXAMPLES as AUDIT_EXAMPLES
from labelscape.cli.audit import audit_command
from labelscape.cli.classify import EXAMPLES as CLASSIFY_EXAMPLES
from labelscape.cli.classify import classify_command
from labelscape.cli.compare import EXAMPLES as COMPARE_EXAMPLES
from labelscape.cli.compare import compare_command
from labelscape.cli.datasets import EXAMPLES as DATASETS_EXAMPLES
from labelscape.cli.datasets import datasets_command
from labelscape.cli.map import EXAMPLES as MAP_EXAMPLES
from labelscape.cli.map import map_command
from labelscape.cli.place import EXAMPLES as PLACE_EXAMPLES
from labelscape.cli.place import place_command
from labelscape.cli.serve import EXAMPLES as SERVE_EXAMPLES
from labelscape.cli.serve import serve_command

app = typer.Typer(
    name="labelscape",
    help="Shows what labels say about data, and how far to believe it.",
    epilog="Try: labelscape map wine",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain text reads well everywhere, also in a log
    pretty_exceptions_enable=False,
)
app.command("map", epilog=MAP_EXAMPLES)(map_command)
app.command("audit", epilog=AUDIT_EXAMPLES)(audit_command)
app.command("compare", epilog=COMPARE_EXAMPLES)(compare_command)
app.command("classify", epilog=CLASSIFY_EXAMPLES)(classify_command)
app.command("place", epilog=PLACE_EXAMPLES)(place_command)
app.command("serve", epilog=SERVE_EXAMPLES)(serve_command)
app.command("datasets", epilog=DATASETS_EXAMPLES)(datasets_command)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"labelscape {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version and exit.",
            callback=_show_version,
            is_eager=True,
        ),
    ] = False,
) -> None:
    """Take what is common to all verbs."""


def main() -> None:
    """Run the command line."""
    app()
