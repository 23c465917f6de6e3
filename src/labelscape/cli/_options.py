"""The arguments that several verbs take, with their help."""

from collections.abc import Iterable
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
Delimiter = Annotated[
    str | None,
    typer.Option(
        help="What stands between the cells of a text file, 'tab' for a tab. If not "
        "given, it is found out.",
        callback=lambda value: "\t" if value in ("tab", r"\t") else value,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Encoding of a text file, such as cp1252. Likewise."),
]
Header = Annotated[
    bool | None,
    typer.Option(
        "--header/--no-header",
        help="Whether a text file begins with the names of its columns. Without them "
        "columns are called x1, x2, …",
    ),
]
MissingValue = Annotated[
    list[str] | None,
    typer.Option(
        "--missing-value",
        help="Word that stands for a missing value, besides NA, ? and such. May be "
        "given several times.",
    ),
]
DropUnlabelled = Annotated[
    bool, typer.Option("--drop-unlabelled", help="Leave out rows without a class.")
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, help="Same seed, same result.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Judge = Annotated[
    bool,
    typer.Option(
        "--honesty/--no-honesty",
        help="Whether to measure how much of the separation is real.",
    ),
]


def listed(names: Iterable[str]) -> str:
    """Return names as a sentence lists them.

    Examples
    --------
    >>> listed(["pca", "lda", "lfda"])
    'pca, lda or lfda'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
