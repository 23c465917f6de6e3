"""``labelscape compare``: maps of one table with many methods, on one page."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelscape import jobs
from labelscape.cli import _files as files
from labelscape.cli import _options as options
from labelscape.cli import _terminal as terminal
from labelscape.cli import messages
from labelscape.jobs import Step, method_named, methods_of

if TYPE_CHECKING:
    from labelscape.jobs import RunOrder

EXAMPLES = """\b
Examples:
  labelscape compare wine
  labelscape compare patients.csv --label diagnosis -o patients.html
  labelscape compare digits --methods pca,lfda,tsne --json > digits.json
  labelscape compare digits --methods pca,tsne --set tsne.perplexity=50
"""


@options.takes_order
def compare_command(
    *,
    methods: Annotated[
        str | None,
        typer.Option(
            "--methods",
            "-m",
            help="Methods separated by commas, or 'all'. [default: ten methods]",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        options.output("Page (.html) with all maps. [default: DATA-compared.html]"),
    ] = None,
    order: "RunOrder",
    settings: Any,
    as_json: options.AsJson = False,
) -> None:
    """Map a labeled table with several methods, and test each map.

    The test uses held-out rows. The page shows all maps side by side, the recommended
    one first. If a method fails, the printed table gives the reason.
    """
    wanted = _wanted(methods)
    order = replace(order, parameters=options.parameters_of_each(wanted, settings))
    path = files.target(output, order.table, "-compared.html")
    with terminal.steps() as begin:
        table = files.table_of(order, begin)
        result = jobs.compare_methods(
            table, wanted, **order.arguments("compare"), begin=begin
        )
        if not result.maps:
            raise ValueError(messages.NO_MAP.format(result.reasons))
        begin(Step("drawing"))
        files.write_scene(result.scene(seed=order.seed), path)
    files.show_result(result, [result, result.legend], order, path, as_json)


def _wanted(methods: str | None) -> tuple[str, ...]:
    """Return the names of the methods to compare."""
    if methods is None:
        return tuple(one.name for one in methods_of("map") if one.is_compared)
    if methods == "all":
        return tuple(method.name for method in methods_of("map"))
    given = [name.strip() for name in methods.split(",") if name.strip()]
    if not given:
        raise ValueError(messages.NO_METHOD.format(methods))
    return tuple(method_named(name).name for name in given)
