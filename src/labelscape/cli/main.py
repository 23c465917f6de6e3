"""The command ``labelscape``: its verbs, and what they have in common."""

from typing import Annotated

import typer

from labelscape import __version__
from labelscape.cli import audit, classify, compare, datasets, place, serve
from labelscape.cli import map as map_verb

app = typer.Typer(
    name="labelscape",
    help="Shows what labels say about data, and how far to believe it.",
    epilog="Try: labelscape map wine",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain text reads well everywhere, also in a log
    pretty_exceptions_enable=False,
)
app.command("map", epilog=map_verb.EXAMPLES)(map_verb.map_command)
app.command("audit", epilog=audit.EXAMPLES)(audit.audit_command)
app.command("compare", epilog=compare.EXAMPLES)(compare.compare_command)
app.command("classify", epilog=classify.EXAMPLES)(classify.classify_command)
app.command("place", epilog=place.EXAMPLES)(place.place_command)
app.command("serve", epilog=serve.EXAMPLES)(serve.serve_command)
app.command("datasets", epilog=datasets.EXAMPLES)(datasets.datasets_command)


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
