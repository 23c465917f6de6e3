"""scikit-learn's callbacks: what a fit tells them, where there are any.

They came with scikit-learn 1.9. A fit is a task, and each of its iterations is a task
inside; before 1.9 nobody listens.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """What can't be told anything."""

    def with_callbacks(method: Any) -> Any:
        """Return a method as it is."""
        return method


__all__ = ["LISTENERS", "CallbackSupportMixin", "FitTasks", "State", "tells_callbacks"]

# What an estimator carries while it is fitted, and what users hung on it before.
DATA, LISTENERS = "_fit_data", "_skl_callbacks"

State = Callable[[], dict[str, Any]]


def tells_callbacks(fit: Any) -> Any:
    """Decorate a fit: callbacks hear of it, also if it has no iterations."""

    @with_callbacks
    @wraps(fit)
    def told(self: Any, X: Any, y: Any = None, *args: Any, **options: Any) -> Any:
        if not getattr(self, LISTENERS, None):
            return fit(self, X, y, *args, **options)
        setattr(self, DATA, {"estimator": self, "X": X, "y": y})
        try:
            found = fit(self, X, y, *args, **options)
            if not hasattr(self, "_callback_fit_ctx"):
                FitTasks(self, 0).end()
        finally:
            delattr(self, DATA)
        return found

    return told


class FitTasks:
    """The iterations of a fit that callbacks listen to."""

    def __init__(self, estimator: Any, total: int | None) -> None:
        self._data = getattr(estimator, DATA)
        self._left = float("inf") if total is None else total
        self._fit = estimator._init_callback_context(max_subtasks=total)
        self._fit.call_on_fit_task_begin(**self._data)
        self._begin()

    @classmethod
    def of(cls, estimator: Any, total: int | None) -> "FitTasks | None":
        """Return the tasks of an estimator, None if nobody listens."""
        return cls(estimator, total) if hasattr(estimator, DATA) else None

    def step(self, state: State | None) -> bool:
        """End an iteration; return whether somebody wants to stop.

        ``state`` returns the attributes of a model that was fitted so far.
        """
        told = self._data | {"reconstruction_attributes": state}
        stop = self._iteration is not None and self._iteration.call_on_fit_task_end(
            **told
        )
        self._begin()
        return bool(stop)

    def end(self, state: State | None = None) -> None:
        """End the fit, and an iteration that had begun."""
        estimator = self._data["estimator"]
        if self._iteration is not None:
            self._iteration.call_on_fit_task_end(estimator=estimator)
        told = self._data | {"reconstruction_attributes": state}
        self._fit.call_on_fit_task_end(**told)

    def _begin(self) -> None:
        self._iteration = None
        if self._left > 0:
            self._left -= 1
            self._iteration = self._fit.subcontext(task_name="iteration")
            self._iteration.call_on_fit_task_begin(**self._data)
