"""What a person sees while a verb works: on stderr, so that results can be piped."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from labelscape._core.errors import readable
from labelscape.jobs import Begin, Step

# Seconds between two lines about parts of a step: a log is read, not watched.
PAUSE = 1.0
# Quick work leaves no lines, and what is refused only its sentence: lines wait for a
# step with parts, or until so many seconds have passed.
PATIENCE = 30.0
# Steps whose parts are methods, of which one takes a hundred times as long as another.
UNLIKE = ("choosing",)


@contextmanager
def steps() -> Iterator[Begin]:
    """Show what is at work and how long it takes; yield a function that begins a step.

    ``begin(step)`` returns what to call after each part of the step. In a terminal one
    line is drawn anew; elsewhere each step of longer work leaves a line when it is
    done, and its parts leave some on the way.
    """
    console = Console(stderr=True)
    with _bar(console) if console.is_terminal else _lines() as begin:
        yield begin


@contextmanager
def _bar(console: Console) -> Iterator[Begin]:
    line = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[so_far]}"),
        console=console,
        transient=True,
    )
    with line:
        task = line.add_task("", total=None, so_far="")

        def begin(step: Step) -> Callable[..., Any]:
            clock = _Clock(step)
            line.reset(task, description=_words(step), total=step.total, so_far="")

            def advance(*_: Any) -> None:
                line.update(task, advance=1, so_far=clock.advance())

            return advance

        yield begin


@contextmanager
def _lines() -> Iterator[Begin]:
    lines = _Lines()
    yield lines.begin
    # Not after an error: the step that failed took no time worth telling.
    lines.end()


class _Lines:
    """Lines about steps, for a log or another program."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._words = ""
        self._shows_at = perf_counter() + PATIENCE

    def begin(self, step: Step) -> Callable[..., Any]:
        self.end()
        if step.total is not None or step.place is not None:
            self._shows_at = 0.0
        self._words = readable(_words(step))
        self._clock = _Clock(step)
        self._said = perf_counter()
        return self._advance

    def end(self) -> None:
        if self._words:
            self._say(seconds_text(self._clock.seconds))

    def _advance(self, *_: Any) -> None:
        so_far, now = self._clock.advance(), perf_counter()
        if self._clock.goes_on and now - self._said >= PAUSE:
            self._said = now
            self._say(so_far)

    def _say(self, news: str) -> None:
        self._waiting.append(f"{self._words}: {news}")
        if perf_counter() >= self._shows_at:
            typer.echo("\n".join(self._waiting), err=True)
            self._waiting.clear()


class _Clock:
    """Counts the parts of a step, and guesses from those done what others take."""

    def __init__(self, step: Step) -> None:
        self.total, self.n_done = step.total, 0
        self._are_alike = step.name not in UNLIKE
        self._start = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._start

    @property
    def goes_on(self) -> bool:
        return self.total is not None and self.n_done < self.total

    def advance(self) -> str:
        """Count one more part; return how many are done and how long is left.

        Where parts differ, those that are done say nothing about the others.
        """
        self.n_done += 1
        if self.total is None or not self.goes_on:
            return ""
        so_far = f"{self.n_done} of {self.total}"
        if not self._are_alike:
            return so_far
        left = self.seconds * (self.total - self.n_done) / self.n_done
        return f"{so_far}, about {seconds_text(left)} left"


def _words(step: Step) -> str:
    """Return what a step does, and in a row of steps which time of how many this is."""
    if step.place is None:
        return str(step)
    return "{} ({} of {})".format(step, *step.place)


def seconds_text(seconds: float) -> str:
    """Return a time as one says it."""
    if seconds < 0.95:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"
