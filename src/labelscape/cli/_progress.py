"""What a person sees while a verb works: on stderr, so that results can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from labelscape.jobs import Begin, Step


@contextmanager
def steps() -> Iterator[Begin]:
    """Show one line for the step at work; yield a function that begins a step.

    ``begin(step)`` replaces the line, and returns what to call after each part of the
    step. Where stderr is no terminal, nothing is shown.
    """
    console = Console(stderr=True)
    line = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    )
    with line:
        task = line.add_task("", total=None)

        def begin(step: Step) -> Callable[..., Any]:
            line.reset(task, description=str(step), total=step.total)
            return lambda *_: line.advance(task)

        yield begin
