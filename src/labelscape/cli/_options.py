"""The arguments that several verbs take, with their help."""

from typing import Annotated

import typer

Data = Annotated[
    str, typer.Argument(metavar="DATA", help="A file, or the name of a data set.")
]
Label = Annotated[
    str | None, typer.Option("--label", "-l", help="Column with the classes.")
]
IdColumn = Annotated[
    str | None, typer.Option("--id", help="Column that names the rows.")
]
Drop = Annotated[
    list[str] | None,
    typer.Option("--drop", help="Column to leave out. May be given several times."),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option("--nominal", help="Column whose numbers are categories. Likewise."),
]
Decimal = Annotated[str, typer.Option(help="Decimal sign of a text file.")]
Seed = Annotated[int, typer.Option(help="Same seed, same result.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Judge = Annotated[
    bool,
    typer.Option(
        "--honesty/--no-honesty",
        help="Whether to measure how much of the separation is real.",
    ),
]
