"""``labelscape compare``: many maps of one table, in one table and one page."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from labelscape import jobs
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.jobs import Step, method_named, methods_of

if TYPE_CHECKING:
    from labelscape.datasets import Reading

EXAMPLES = """\b
Examples:
  labelscape compare wine
  labelscape compare patients.csv --label diagnosis -o patients.html
  labelscape compare digits --methods pca,lfda,tsne --json > digits.json
  labelscape compare digits --methods pca,tsne --set tsne.perplexity=50
"""


@options.reads_a_file
def compare_command(
    data: options.Data,
    how: "Reading",
    methods: Annotated[
        str | None,
        typer.Option(
            "--methods",
            "-m",
            help="Names with commas between them; 'all' for every method.",
        ),
    ] = None,
    settings: options.Settings = None,
    seed: options.Seed = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Page (.html) with all maps to write."),
    ] = None,
    as_json: options.AsJson = False,
    judge: options.Judge = True,
) -> None:
    """Map labelled data by many methods, and say how far to believe each.

    A method that fails gets a row with the reason. The page shows all maps of the
    same points side by side, first the one to look at first.
    """
    wanted = _wanted(methods)
    parameters = options.parameters_of_each(wanted, settings)
    if output is not None:
        files.check_output(output, files.PAGES)
    with terminal.steps() as begin:
        begin(Step("reading", data))
        table = files.table_from(data, how)
        path = output or Path(f"{table.name}-compared.html")
        files.check_output(path, files.PAGES)
        found = jobs.compare_methods(
            table, wanted, parameters=parameters, seed=seed, judge=judge, begin=begin
        )
        if not found.maps:
            raise ValueError(f"No method could map these data. {found.reasons}")
        begin(Step("drawing"))
        files.write_scene(found.scene(seed=seed), path)
    if as_json:
        record = files.table_record(table) | {
            "seed": seed,
            "note": found.note or None,
            "recommended": found.recommended and found.recommended.record(),
            "methods": found.records(),
        }
        typer.echo(files.json_text(record, path))
    else:
        typer.echo(
            terminal.paragraphs([files.table_summary(table), found, found.legend], path)
        )


def _wanted(methods: str | None) -> tuple[str, ...]:
    """Return the names of the methods that were asked for, or of the usual ones."""
    if methods is None:
        return tuple(one.name for one in methods_of("map") if one.is_compared)
    if methods == "all":
        return tuple(method.name for method in methods_of("map"))
    given = [name.strip() for name in methods.split(",") if name.strip()]
    if not given:
        raise ValueError(f"--methods names no method, got {methods!r}.")
    return tuple(method_named(name).name for name in given)
