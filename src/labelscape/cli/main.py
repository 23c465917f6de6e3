"""The command ``labelscape``, with its subcommands and common options."""

from typing import Annotated

import typer

from labelscape import __version__
from labelscape.cli import audit, certify, classify, compare, datasets, place, serve
from labelscape.cli import map as map_verb
from labelscape.cli._options import SectionedCommand

app = typer.Typer(
    name="labelscape",
    help="Map labeled data, test whether the class separation is real, and find wrong "
    "labels.",
    epilog="Try: labelscape map wine",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain text is readable everywhere, also in a log
    pretty_exceptions_enable=False,
)
for name, verb, command in (
    ("map", map_verb, map_verb.map_command),
    ("audit", audit, audit.audit_command),
    ("certify", certify, certify.certify_command),
    ("compare", compare, compare.compare_command),
    ("classify", classify, classify.classify_command),
    ("place", place, place.place_command),
    ("serve", serve, serve.serve_command),
    ("datasets", datasets, datasets.datasets_command),
):
    app.command(name, cls=SectionedCommand, epilog=verb.EXAMPLES)(command)


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
    """Define the options of all commands."""


def main() -> None:
    """Run the command line."""
    app()
