"""Base classes and helpers of all estimators, in one import."""

import inspect
import re
from collections.abc import Callable
from copy import deepcopy
from functools import wraps
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, cast

from sklearn.base import BaseEstimator, clone

from labelscape._core.errors import InputError

try:
    from sklearn.callback import CallbackSupportMixin, with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupportMixin:  # type: ignore[no-redef]
        """Replacement for the class of scikit-learn 1.9, for older versions."""

    def with_callbacks(method: Any) -> Any:
        """Return the method unchanged."""
        return method


# Address of the documentation, as in pyproject.toml.
DOCUMENTATION = "https://labelscape.readthedocs.io/en/latest/"
# Attributes of an estimator: its data during a fit, and the user's callbacks.
DATA, LISTENERS = "_fit_data", "_skl_callbacks"

State = Callable[[], dict[str, Any]]
Callback = Callable[[dict[str, Any]], object]
Documented = TypeVar("Documented", bound=Callable[..., object])


class Estimator(CallbackSupportMixin, BaseEstimator):  # type: ignore[misc]
    """Base class of the estimators; in a notebook, each links to its documentation."""

    _doc_link_module = "labelscape"
    _doc_link_template = DOCUMENTATION + "generated/{room}.{name}.html"

    def _doc_link_url_param_generator(self) -> dict[str, Any]:
        room = ".".join(type(self).__module__.split(".")[:2])
        return {"room": room, "name": type(self).__name__}

    def _clone_but(self, *shared: str) -> Self:
        """Return an unfitted copy that shares some parameter objects with ``self``."""
        copies = {
            name: value if name in shared else clone(value, safe=False)
            for name, value in self.get_params(deep=False).items()
        }
        return type(self)(**copies)

    def _error(self, words: str, parameter: str | None = None) -> InputError:
        return InputError(words, owner=type(self).__name__, parameter=parameter)


# Callbacks of scikit-learn: a fit is a task, and each iteration is a subtask.


def reports_to_callbacks(fit: Documented) -> Documented:
    """Decorate ``fit`` so that it calls callbacks even if it has no iterations."""

    @with_callbacks
    @wraps(fit)
    def reported(self: Any, X: Any, y: Any = None, *args: Any, **options: Any) -> Any:
        if not getattr(self, LISTENERS, None):
            return fit(self, X, y, *args, **options)
        self._fit_data = {"estimator": self, "X": X, "y": y}
        try:
            fitted = fit(self, X, y, *args, **options)
            if not hasattr(self, "_callback_fit_ctx"):
                FitTasks(self, 0).end()
        finally:
            del self._fit_data
        return fitted

    return cast(Documented, reported)


class FitTasks:
    """Reports the iterations of a fit to callbacks of scikit-learn."""

    def __init__(self, estimator: Any, total: int | None) -> None:
        self._data = estimator._fit_data
        self._left = float("inf") if total is None else total
        self._fit = estimator._init_callback_context(max_subtasks=total)
        self._fit.call_on_fit_task_begin(**self._data)
        self._begin()

    def step(self, state: State | None) -> bool:
        """End an iteration; return whether a callback requests to stop the fit."""
        report, stop = self._data | {"reconstruction_attributes": state}, False
        if self._iteration is not None:
            stop = bool(self._iteration.call_on_fit_task_end(**report))
        self._begin()
        return stop

    def end(self, state: State | None = None) -> None:
        """End the fit, and the current iteration if one has begun."""
        if self._iteration is not None:
            self._iteration.call_on_fit_task_end(estimator=self._data["estimator"])
        report = self._data | {"reconstruction_attributes": state}
        self._fit.call_on_fit_task_end(**report)

    def _begin(self) -> None:
        self._iteration = None
        if self._left > 0:
            self._left -= 1
            self._iteration = self._fit.subcontext(task_name="iteration")
            self._iteration.call_on_fit_task_begin(**self._data)


class Progress:
    """Progress of one fit: a bar if ``verbose``, callbacks, and early stopping."""

    # A function that returns the attributes fitted so far, for callbacks.
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
        """Create the progress of a fit from the estimator's parameters."""
        tasks = FitTasks(estimator, total) if hasattr(estimator, DATA) else None
        name, verbose = type(estimator).__name__, estimator.verbose
        return cls(name, total, verbose, estimator.callback, tasks)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
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
        """Report a finished iteration; return whether the callback stops the fit."""
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
        # Only True stops the fit: a callback may return nothing, or the result of
        # another function.
        return self.callback(always | numbers | news) is True or stop


def _bar(name: str, total: int | None) -> Any:
    from rich import progress

    bar = progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
        progress.TextColumn("{task.fields[news]}"),
    )
    bar.add_task(name, total=total, news="")
    return bar


class Printed(NamedTuple):
    """The value of a parameter in a paper, and why our default differs."""

    value: Any
    why: str


class AsInPaper:
    """Mixin for estimators whose defaults differ from those of their paper."""

    _in_paper: ClassVar[dict[str, Printed]]

    @classmethod
    def as_in_paper(cls, **changes: Any) -> Self:
        """Return an unfitted estimator with the settings of its paper.

        Parameters
        ----------
        **changes
            Parameters of the constructor, to change some of the paper's settings.

        Returns
        -------
        estimator : same class
            The paper's settings where they are known, and our defaults otherwise. The
            guide lists the paper's settings and the defaults, with reasons.
        """
        # A copy, because users may change a metric through its estimator.
        printed = {name: deepcopy(one.value) for name, one in cls._in_paper.items()}
        return cls(**printed | changes)


# What each estimator learns about its samples.
SEEN = """
n_features_in_ : int
    Number of features in ``fit``.
feature_names_in_ : ndarray of shape (n_features_in_,)
    Names of the features in ``fit``, if X had names of columns.
"""
_PARAMETERS = re.compile(r"(?<=^Parameters\n-{10}\n).*?(?=\n\n\S|\Z)", re.M | re.S)


def shared_parameters(texts: dict[str, str]) -> Callable[[Documented], Documented]:
    """Return a decorator that fills lines such as ``{common}`` with shared texts.

    The parameters of a class are put in the order of its signature.
    """

    def filled(place: re.Match[str]) -> str:
        return inspect.cleandoc((texts | {"seen": SEEN})[place.group(1)])

    def decorate(documented: Documented) -> Documented:
        # With `python -OO`, docstrings are removed.
        text = inspect.cleandoc(documented.__doc__ or "")
        text = re.sub(r"^\{(\w+)\}$", filled, text, flags=re.MULTILINE)
        if isinstance(documented, type):
            order = [*inspect.signature(documented).parameters]
            text = _PARAMETERS.sub(lambda part: _sorted(part.group(), order), text)
        documented.__doc__ = text
        return documented

    return decorate


def _sorted(parameters: str, order: list[str]) -> str:
    """Return the descriptions of parameters in another order."""
    parts = re.split(r"\n(?=\S)", parameters)
    return "\n".join(
        sorted(parts, key=lambda one: order.index(re.split("[ ,]", one)[0]))
    )


# What methods of other libraries preserve. The key is the end of the class name, and
# longer keys are first. Our own estimators have ``_keeps``.
OF_OTHERS = {
    "KernelPCA": "Shows the directions of largest variance in the space of a kernel.",
    "PCA": "Shows the directions in which the data vary most; labels are not used.",
    "TruncatedSVD": (
        "Shows the directions in which the data vary most; labels are not used."
    ),
    "LinearDiscriminantAnalysis": (
        "Finds a linear projection with compact classes whose means are far apart."
    ),
    "NeighborhoodComponentsAnalysis": (
        "Finds a linear projection in which nearest neighbors have the same class."
    ),
    "TSNE": "Keeps neighbors together; long distances are not preserved.",
    "UMAP": "Keeps neighbors together; long distances are not preserved.",
    "MDS": "Preserves all distances as far as possible; labels are not used.",
    "Isomap": "Preserves distances along paths from neighbor to neighbor.",
    "SVC": "Finds a smooth decision boundary that depends on only a few rows.",
    "RandomForestClassifier": "Predicts the majority vote of many decision trees.",
    "LogisticRegression": "Finds a straight decision boundary and class probabilities.",
}


def what_it_keeps(estimator: type[Any]) -> str:
    """Return what a method preserves, in one sentence, for the app, scenes and docs."""
    if hasattr(estimator, "_keeps"):
        return str(estimator._keeps)
    name = estimator.__name__
    near = (words for known, words in OF_OTHERS.items() if name.endswith(known))
    return next(near, f"A map made by {name}.")
