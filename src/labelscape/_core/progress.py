"""What a long fit tells the person who waits for it.

An estimator says "one more iteration" and asks whether to go on; the rest (bar,
callback, clean stop) happens here.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

Callback = Callable[[dict[str, Any]], object]


class Progress:
    """Progress of one fit: a bar where ``verbose`` asks for it, a callback where given.

    Parameters
    ----------
    name : str
        What is running, in the user's words: the class of the estimator.
    total : int or None
        Number of iterations if nothing stops the fit earlier; None if nobody knows.
    verbose : bool or int
        Whether to draw a bar.
    callback : callable or None
        Called once per iteration with a small dict. Returning ``True`` stops the fit.
    """

    def __init__(
        self,
        name: str,
        total: int | None,
        verbose: bool | int = False,
        callback: Callback | None = None,
    ) -> None:
        self.callback = callback
        self.watched = bool(verbose) or callback is not None
        self._bar = _bar(name, total) if verbose else None

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
        if self.callback is None:
            return False
        always = {"iteration": iteration} | ({} if loss is None else {"loss": loss})
        # Only True stops: a callback that ends without a return, or returns what
        # another function gave it, goes on.
        return self.callback(always | numbers | news) is True


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
