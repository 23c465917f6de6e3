"""``labelscape compare``: many maps of one table, in one table and one page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape._core.errors import readable
from labelscape.cli._errors import plain_errors
from labelscape.cli._options import (
    AsJson,
    Data,
    Judge,
    Seed,
    reads_a_file,
)
from labelscape.cli._progress import steps
from labelscape.cli._settings import Settings, parameters_of_each
from labelscape.jobs import Step

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape compare wine
  labelscape compare patients.csv --label diagnosis -o patients.html
  labelscape compare digits --methods pca,lfda,tsne --json > digits.json
  labelscape compare digits --methods pca,tsne --set tsne.perplexity=50
"""


@reads_a_file
def compare_command(
    data: Data,
    how: "Reading",
    methods: Annotated[
        str | None,
        typer.Option(
            "--methods",
            "-m",
            help="Names with commas between them; 'all' for every method.",
        ),
    ] = None,
    settings: Settings = None,
    seed: Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Page (.html) with all maps to write."),
    ] = None,
    as_json: AsJson = False,
    judge: Judge = True,
) -> None:
    """Map labelled data by many methods, and say how far to believe each.

    A method that fails gets a row with the reason. The page shows all maps of the
    same points side by side, first the one to look at first.
    """
    with plain_errors():
        from labelscape.cli._data import table_from
        from labelscape.cli._output import PAGES, check_output, write_scene
        from labelscape.jobs import (
            LEGEND,
            compare_methods,
            comparison_scene,
            json_text,
            table_record,
            table_summary,
        )

        wanted = _wanted(methods)
        parameters = parameters_of_each(wanted, settings)
        if output is not None:
            check_output(output, PAGES)
        with steps() as begin:
            begin(Step("reading", data))
            table = table_from(data, how)
            path = output or Path(f"{table.name}-compared.html")
            check_output(path, PAGES)
            found = compare_methods(
                table,
                wanted,
                parameters=parameters,
                seed=seed,
                judge=judge,
                begin=begin,
            )
            if not found.maps:
                raise ValueError(f"No method could map these data. {found.reasons}")
            begin(Step("drawing"))
            write_scene(comparison_scene(found, seed=seed), path)
        taken = found.recommended
        if as_json:
            record = table_record(table) | {
                "seed": seed,
                "note": found.note or None,
                "recommended": taken and taken.record(),
                "methods": found.records(),
            }
            typer.echo(json_text(record, path))
        else:
            parts = [
                table_summary(table),
                str(found),
                LEGEND,
                f"Written: {readable(str(path))}",
            ]
            typer.echo("\n\n".join(parts))


def _wanted(methods: str | None) -> tuple[str, ...]:
    """Return the names of the methods that were asked for, or of the usual ones."""
    from labelscape.jobs import compared_names, method_named, methods_of

    if methods is None:
        return compared_names()
    if methods == "all":
        return tuple(method.name for method in methods_of("map"))
    given = [name.strip() for name in methods.split(",") if name.strip()]
    if not given:
        raise ValueError(f"--methods names no method, got {methods!r}.")
    return tuple(method_named(name).name for name in given)
