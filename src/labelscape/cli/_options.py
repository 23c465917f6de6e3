"""The arguments that several verbs take, with their help."""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape.cli._errors import plain_errors
from labelscape.cli._settings import Config
from labelscape.cli._stdin import file_of

if TYPE_CHECKING:
    from labelscape.datasets import Reading

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A file, - for standard input, or the name of a data set.",
    ),
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


# How a file is read: the same options for all verbs that read one.


def reading(
    label: Annotated[
        str | None, typer.Option("--label", "-l", help="Column with the classes.")
    ] = None,
    id_column: Annotated[
        str | None, typer.Option("--id", help="Column that names the rows.")
    ] = None,
    group: Annotated[
        str | None,
        typer.Option(
            "--group",
            help="Column that says which rows belong together, such as a patient. If "
            "not given, it is --id where ids occur twice, else a column that is likely "
            "to name subjects.",
        ),
    ] = None,
    no_group: Annotated[
        bool, typer.Option("--no-group", help="All rows are independent.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            "--keep",
            help="Column to use as a feature although it counts the rows, copies the "
            "classes, names subjects or holds dates. May be given several times.",
        ),
    ] = None,
    drop: Annotated[
        list[str] | None,
        typer.Option("--drop", help="Column to leave out. May be given several times."),
    ] = None,
    nominal: Annotated[
        list[str] | None,
        typer.Option(
            "--nominal",
            help="Column whose numbers are categories. May be given several times.",
        ),
    ] = None,
    show: Annotated[
        list[str] | None,
        typer.Option(
            "--show",
            help="Column to look at on the page, and to learn nothing from: a batch, a "
            "comment, a link. Dates are shown without it. May be given several times.",
        ),
    ] = None,
    image: Annotated[
        str | None,
        typer.Option(
            "--image",
            help="Column with a picture file of each row, by its path from the folder "
            "of DATA.",
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", help="Column with the text that each row stands for."),
    ] = None,
    decimal: Annotated[
        str | None,
        typer.Option(
            help="Decimal sign of a text file. If not given, it is found out."
        ),
    ] = None,
    delimiter: Annotated[
        str | None,
        typer.Option(
            help="What stands between the cells of a text file, 'tab' for a tab. If "
            "not given, it is found out.",
            callback=lambda value: "\t" if value in ("tab", r"\t") else value,
        ),
    ] = None,
    encoding: Annotated[
        str | None,
        typer.Option(
            help="Encoding of a text file, such as cp1252. If not given, it is found "
            "out.",
        ),
    ] = None,
    header: Annotated[
        bool | None,
        typer.Option(
            "--header/--no-header",
            help="Whether a text file begins with the names of its columns. Without "
            "them columns are called x1, x2, …",
        ),
    ] = None,
    skip: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How many lines stand above the table. If not given, titles are left "
            "out where they clearly are that.",
        ),
    ] = None,
    skip_footer: Annotated[
        int | None,
        typer.Option(
            "--skip-footer", min=0, help="How many lines stand below the table."
        ),
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(
            help="Sheet of an Excel file, by its name or its number from 1. If not "
            "given, it is the first that holds a table."
        ),
    ] = None,
    missing_value: Annotated[
        list[str] | None,
        typer.Option(
            "--missing-value",
            help="Word that stands for a missing value, besides NA, ? and such. May be "
            "given several times.",
        ),
    ] = None,
    drop_unlabelled: Annotated[
        bool, typer.Option("--drop-unlabelled", help="Leave out rows without a class.")
    ] = False,
    merge_classes: Annotated[
        str | None,
        typer.Option(
            "--merge-classes",
            metavar="case",
            help="'case': classes whose names differ by case or spaces alone are one.",
        ),
    ] = None,
    drop_copies: Annotated[
        bool,
        typer.Option(
            "--drop-copies",
            help="Leave out rows that are equal to another one in all features and the "
            "class.",
        ),
    ] = False,
) -> "Reading":
    """Return how a file is to be read."""
    from labelscape.datasets import Reading

    if no_group and group is not None:
        raise typer.BadParameter("Pass --group with a column, or --no-group, not both.")
    return Reading(
        label=label,
        id=id_column,
        group=False if no_group else group,
        keep=tuple(keep or ()),
        drop=tuple(drop or ()),
        nominal=tuple(nominal or ()),
        show=tuple(show or ()),
        image=image or None,
        text=text or None,
        decimal=decimal or None,
        delimiter=delimiter or None,
        encoding=encoding or None,
        header=header,
        skip=skip,
        skip_footer=skip_footer,
        sheet=sheet or None,
        missing_values=tuple(missing_value or ()),
        unlabelled="drop" if drop_unlabelled else "error",
        merge_classes=merge_classes,
        copies="drop" if drop_copies else "keep",
    )


def reads_a_file(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of `reading`, after DATA, and what they say as ``how``.

    And --config, which stands for any of its options. typer reads options off a
    signature, and a verb should not repeat ten of them.
    """
    shared = signature(reading).parameters
    data, *others = (
        one for one in signature(verb).parameters.values() if one.name != "how"
    )
    config = Parameter(
        "config", Parameter.KEYWORD_ONLY, default=None, annotation=Config
    )
    taken = [data, *shared.values(), *others, config]

    @wraps(verb)
    def command(**given: Any) -> None:
        given.pop("config", None)  # read by then
        about_the_file = {name: given.pop(name) for name in shared}
        how = reading(**about_the_file)
        with plain_errors(), file_of(given.pop("data")) as file:
            verb(data=file, how=how, **given)

    command.__signature__ = Signature(taken)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in taken}
    return command


# How a file is written, whatever it holds: of these, a verb that reads new rows for a
# model has need.
WRITTEN = (
    "decimal",
    "delimiter",
    "encoding",
    "header",
    "skip",
    "skip_footer",
    "sheet",
    "missing_value",
)


def reads_new_rows(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of `reading` that say how a file is written.

    They arrive as ``how``; None if none of them was given.
    """
    shared = {name: signature(reading).parameters[name] for name in WRITTEN}
    own = [one for one in signature(verb).parameters.values() if one.name != "how"]
    options = [*own, *shared.values()]

    @wraps(verb)
    def command(**given: Any) -> None:
        written = {name: given.pop(name) for name in shared}
        is_given = any(value is not None for value in written.values())
        verb(how=reading(**written) if is_given else None, **given)

    command.__signature__ = Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in options}
    return command


def listed(names: Iterable[str]) -> str:
    """Return names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
