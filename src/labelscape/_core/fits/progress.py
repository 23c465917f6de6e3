"""What a long fit tells the person who waits for it.

An estimator says "one more iteration" and asks whether to go on; the rest (bar,
callback, clean stop) happens here.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

from labelscape._core.fits.callbacks import FitTasks, State

Callback = Callable[[dict[str, Any]], object]


class Progress:
    """Progress of one fit: a bar if ``verbose``, and the callback if given."""

    # Returns the attributes of a model fitted so far, for callbacks that ask for it.
    state: State | None = None

    def __init__(
        self,
        name: str,
        total: int | None,
        verbose: bool | int = False,
        callback: Callback | None = None,
        tasks: FitTasks | None = None,
    ) -> None:
        self.callback, self._tasks = callback, tasks
        self.watched = bool(verbose) or callback is not None or tasks is not None
        self._bar = _bar(name, total) if verbose else None

    @classmethod
    def of(cls, estimator: Any, total: int | None) -> Self:
        """Return the progress of an estimator's fit, as its parameters want it."""
        return cls(
            type(estimator).__name__,
            total,
            estimator.verbose,
            estimator.callback,
            FitTasks.of(estimator, total),
        )

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._tasks is not None and error is None:
            self._tasks.end(self.state)

    def step(
        self,
        iteration: int,
        loss: float | None = None,
        *,
        named: str = "loss",
        **news: Any,
    ) -> bool:
        """Report one finished iteration; return whether the user wants to stop.

        Every callback finds ``iteration`` and, where the method has one, ``loss``;
        ``named`` is what the method itself calls that number.
        """
        numbers = {} if loss is None else {named: loss}
        if self._bar is not None:
            words = "  ".join(
                f"{key} {value:.4g}"
                for key, value in (numbers | news).items()
                if isinstance(value, float)
            )
            self._bar.update(self._bar.task_ids[0], advance=1, news=words)
        stop = self._tasks is not None and self._tasks.step(self.state)
        if self.callback is None:
            return stop
        always = {"iteration": iteration} | ({} if loss is None else {"loss": loss})
        # Only True stops: a callback that ends without a return, or returns what
        # another function gave it, goes on.
        return self.callback(always | numbers | news) is True or stop


def _bar(name: str, total: int | None) -> Any:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as RichProgress

    bar = RichProgress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[news]}"),
    )
    bar.add_task(name, total=total, news="")
    return bar
