"""Errors, warnings and progress in a terminal.

All of them are printed on stderr, so that results can be piped to other programs.
"""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from shlex import quote
from time import perf_counter
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from labelscape._core.errors import Function, Part, Setting, Wording, readable, sentence
from labelscape.cli import messages
from labelscape.datasets import Reading
from labelscape.jobs import Begin, RunOrder, Step

# Exit codes; the first if a rule of --fail-on is met.
FAILED, WRONG_INPUT, INTERRUPTED = 1, 2, 130

_OPTIONS = RunOrder.options() | Reading.options()
# Options for settings of `labelscape audit` alone.
_OTHERS = {"rate": "--rate"}
# Functions behind the commands, which users of the command line do not know.
_FUNCTIONS = (
    *("read_table", "describe_columns", "audit_table", "classify_table"),
    *("compare_methods", "map_table", "place_rows"),
)


class OptionWording(Wording):
    """Wording of messages: settings as options, and functions as commands."""

    def words(self, part: Part) -> str:
        """Return one part of a message as text."""
        if part == Function("labelscape.datasets.available"):
            return "'labelscape datasets'"
        return super().words(part)

    def owner(self, owner: str) -> str:
        """Return the prefix of a message; empty if ``owner`` is unknown to users."""
        return "" if owner in _FUNCTIONS else super().owner(owner)

    def setting(self, setting: Setting) -> str:
        """Return a setting as a command-line option, with its value if any."""
        name, value = setting.parameter, setting.value
        known = _OPTIONS.get(name)
        switches = {} if known is None else known.switches
        if isinstance(value, bool | str) and value in switches:
            return switches[value][0]
        option = _OTHERS.get(name) if known is None else known.flag
        if not option and switches:
            option = next(iter(switches.values()))[0]
        if not option:
            return super().setting(setting)
        is_pair = known is not None and known.is_of_file
        if value is ...:
            return f"{option} {name}" if is_pair else option
        values = value if isinstance(value, list) else [value]
        return " ".join(
            f"{option} {_pair(name, one) if is_pair else repr(one)}" for one in values
        )


def _pair(name: str, value: Any) -> str:
    """Return NAME=VALUE as typed in a shell."""
    return quote(f"{name}={str(value).lower() if isinstance(value, bool) else value}")


OPTIONS = OptionWording()


@contextmanager
def plain_errors() -> Iterator[None]:
    """Print expected errors in plain words on stderr, and exit with code 2."""
    # Each warning is one line. Other errors are bugs, so their traceback is printed.
    printed: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        known = message if isinstance(message, Warning) else UserWarning(message)
        words = sentence(known, OPTIONS)
        if words not in printed:
            messages.say(messages.NOTE, words)
        printed.add(words)

    try:
        with warnings.catch_warnings():
            warnings.showwarning = show
            # "once" forgets its warnings if other code catches warnings in between.
            warnings.simplefilter("always", UserWarning)
            yield
    except (ValueError, OSError, ImportError) as error:
        words = sentence(error, OPTIONS) or f"{type(error).__name__}."
        if isinstance(error, FileNotFoundError) and error.filename:
            words = f"There is no file {error.filename!r}."
        elif isinstance(error, OSError) and error.filename:
            words = f"{error.strerror}: {error.filename!r}."
        messages.say(messages.ERROR, words)
        raise typer.Exit(WRONG_INPUT) from error
    except KeyboardInterrupt as error:
        messages.say(messages.ERROR, messages.STOPPED)
        raise typer.Exit(INTERRUPTED) from error


# The running step, and its duration.

PAUSE = 1.0  # seconds between two lines about parts of a step in a log
# Lines are printed only if a step has parts, or after this many seconds. So fast
# commands print no lines, and rejected input prints only an error.
PATIENCE = 30.0
# Steps whose parts are methods; their durations may differ by a factor of 100.
UNLIKE = ("choosing",)


@contextmanager
def steps() -> Iterator[Begin]:
    """Show the running step and its duration; yield a function that begins a step.

    ``begin(step)`` returns a function to call after each part of the step. In a
    terminal, one line is redrawn. Outside a terminal, if the work takes long, a line is
    printed at the end of each step, and further lines during steps that have parts.
    """
    console = Console(stderr=True)
    if console.is_terminal:
        with _bar(console) as begin:
            yield begin
        return
    lines = _Lines()
    yield lines.begin
    # Not called after an error: the duration of a failed step is not printed.
    lines.end()


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
            return lambda *_: line.update(task, advance=1, so_far=clock.advance())

        yield begin


class _Lines:
    """Prints the progress in lines, for a log or another program."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._clock: _Clock | None = None
        self._shows_at = perf_counter() + PATIENCE

    def begin(self, step: Step) -> Callable[..., Any]:
        self.end()
        if step.total is not None or step.place is not None:
            self._shows_at = 0.0
        self._clock = _Clock(step)
        self._last = perf_counter()
        return self._advance

    def end(self) -> None:
        if self._clock is not None:
            self._print(self._clock, messages.seconds_text(self._clock.seconds))

    def _advance(self, *_: Any) -> None:
        clock, now = self._clock, perf_counter()
        assert clock is not None  # a step has begun
        if (so_far := clock.advance()) and now - self._last >= PAUSE:
            self._last = now
            self._print(clock, so_far)

    def _print(self, clock: "_Clock", news: str) -> None:
        self._waiting.append(f"{clock.words}: {news}")
        if perf_counter() >= self._shows_at:
            typer.echo("\n".join(self._waiting), err=True)
            self._waiting.clear()


class _Clock:
    """Counts the parts of a step, and estimates the remaining time."""

    def __init__(self, step: Step) -> None:
        # If a job repeats its steps, the number of the repetition is added.
        place = "" if step.place is None else " ({} of {})".format(*step.place)
        self.words = readable(f"{step}{place}")
        self._step, self._n_done = step, 0
        self._start = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self._start

    def advance(self) -> str:
        """Record that a part has ended; return progress and remaining time as text."""
        self._n_done += 1
        total = self._step.total
        if total is None or self._n_done >= total:
            return ""
        so_far = f"{self._n_done} of {total}"
        if self._step.name in UNLIKE:
            return so_far
        left = self.seconds * (total - self._n_done) / self._n_done
        return f"{so_far}, about {messages.seconds_text(left)} left"
