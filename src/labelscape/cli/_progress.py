"""What a person sees while a verb works: on stderr, so that results can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from labelscape.jobs import Begin


@contextmanager
def steps() -> Iterator[Begin]:
    """Show one line for the step at work; yield a function that begins a step.

    ``begin(words, total)`` replaces the line, and returns what to call after each of
    ``total`` parts of the step (None: nobody knows how many). Where stderr is no
    terminal, nothing is shown.
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

        def begin(words: str, total: int | None = None) -> Callable[..., Any]:
            line.reset(task, description=words, total=total)
            return lambda *_: line.advance(task)

        yield begin
