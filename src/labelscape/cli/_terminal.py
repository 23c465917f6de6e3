"""What a terminal shows: errors and warnings as sentences, progress, and lights.

All but results is on stderr, so that results can be piped.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from labelscape._core.errors import Function, Part, Setting, Wording, readable, sentence
from labelscape.datasets import Reading
from labelscape.jobs import Begin, Step

# Exit codes; the first where what --fail-on asks for holds.
FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130

# Options of settings that are no options of `Reading`.
_OPTIONS = {
    "method": "--method",
    "n_components": "--dimensions",
    "n_landmarks": "--landmarks",
}
_VERBS = {"labelscape.datasets.available": "'labelscape datasets'"}
_READERS = ("read_table", "describe_columns")


class OptionWording(Wording):
    """Says settings as options, and functions as verbs of the command line."""

    def words(self, part: Part) -> str:
        """Return one part as text."""
        if isinstance(part, Function) and part.name in _VERBS:
            return _VERBS[part.name]
        return super().words(part)

    def owner(self, owner: str) -> str:
        """Return the message prefix; it is omitted for the table readers."""
        return "" if owner in _READERS else super().owner(owner)

    def setting(self, setting: Setting) -> str:
        """Return an option, with its value if there is one."""
        name, value = setting.parameter, setting.value
        known = Reading.options().get(name)
        switches = {} if known is None else known.switches
        if isinstance(value, bool | str) and value in switches:
            return switches[value][0]
        option = _OPTIONS.get(name) if known is None else known.flag
        if not option and switches:
            option = next(iter(switches.values()))[0]
        if not option:
            return super().setting(setting)
        is_pair = known is not None and known.is_of_file
        if value is ...:
            return f"{option} {name}" if is_pair else option
        values = value if isinstance(value, list) else [value]
        return " ".join(f"{option} {_said(name, one, is_pair)}" for one in values)


def _said(name: str, value: Any, is_pair: bool) -> str:
    """Return a value as it is typed in a shell."""
    if not is_pair:
        return repr(value)
    return quote(f"{name}={str(value).lower() if isinstance(value, bool) else value}")


OPTIONS = OptionWording()


@contextmanager
def plain_errors() -> Iterator[None]:
    """Turn the errors of our own checks into one sentence on stderr and exit code 2.

    Warnings become one line each. Other errors are ours to fix: they keep their
    traceback.
    """
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        known = message if isinstance(message, Warning) else UserWarning(message)
        words = sentence(known, OPTIONS)
        if words not in said:
            typer.echo(f"Note: {words}", err=True)
        said.add(words)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            # "once" forgets what was said where others catch warnings in between.
            warnings.simplefilter("always", UserWarning)
            yield
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"labelscape: {_sentence(error)}", err=True)
        raise typer.Exit(WRONG_INPUT) from error
    except KeyboardInterrupt as error:
        typer.echo("labelscape: stopped.", err=True)
        raise typer.Exit(INTERRUPTED) from error


def _sentence(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename:
        return f"{error.strerror}: {error.filename!r}."
    return sentence(error, OPTIONS) or f"{type(error).__name__}."


# What is at work, and how long it takes.

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
            line.reset(task, description=clock.words, total=step.total, so_far="")

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
        self._clock: _Clock | None = None
        self._shows_at = perf_counter() + PATIENCE

    def begin(self, step: Step) -> Callable[..., Any]:
        self.end()
        if step.total is not None or step.place is not None:
            self._shows_at = 0.0
        self._clock = _Clock(step)
        self._said = perf_counter()
        return self._advance

    def end(self) -> None:
        if self._clock is not None:
            self._say(self._clock, seconds_text(self._clock.seconds))

    def _advance(self, *_: Any) -> None:
        clock, now = self._clock, perf_counter()
        assert clock is not None  # a step has begun
        if (so_far := clock.advance()) and now - self._said >= PAUSE:
            self._said = now
            self._say(clock, so_far)

    def _say(self, clock: "_Clock", news: str) -> None:
        self._waiting.append(f"{readable(clock.words)}: {news}")
        if perf_counter() >= self._shows_at:
            typer.echo("\n".join(self._waiting), err=True)
            self._waiting.clear()


class _Clock:
    """Counts the parts of a step, and guesses from those done what others take."""

    def __init__(self, step: Step) -> None:
        # In a row of steps, also which of how many it is.
        place = "" if step.place is None else " ({} of {})".format(*step.place)
        self.words = f"{step}{place}"
        self._total, self._n_done = step.total, 0
        self._are_alike = step.name not in UNLIKE
        self._start = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._start

    def advance(self) -> str:
        """Count one more part; return how many are done and how long is left.

        Where parts differ, those that are done say nothing about the others.
        """
        self._n_done += 1
        if self._total is None or self._n_done >= self._total:
            return ""
        so_far = f"{self._n_done} of {self._total}"
        if not self._are_alike:
            return so_far
        left = self.seconds * (self._total - self._n_done) / self._n_done
        return f"{so_far}, about {seconds_text(left)} left"


def seconds_text(seconds: float) -> str:
    """Return a time as one says it."""
    if seconds < 0.95:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


# Results.

# Said without colours, too: a shape for each state, as in the view.
MARKS = {"good": "●", "fair": "◆", "bad": "▲", "none": "○"}


def lights_text(verdict: Any) -> str:
    """Return the lights of a verdict, one line each."""
    lights = verdict.lights
    first = max(len(light.question) for light in lights)
    second = max(len(light.answer) for light in lights)
    return "\n".join(
        f"{MARKS[light.state]} {light.question:{first}}  "
        f"{light.answer:{second}}  {light.figure}".rstrip()
        for light in lights
    )


def paragraphs(parts: Iterable[Any], *written: Path) -> str:
    """Return what is said of a result, and which files were written."""
    files = [f"Written: {readable(str(path))}" for path in written]
    return "\n\n".join(text for part in (*parts, *files) if (text := str(part or "")))


def listed(names: Iterable[str]) -> str:
    """Return names as a sentence lists them."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
