"""How a map was made, in words for a paper: settings, figures, citations."""

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import labelscape
from labelscape._core.arguments import arguments, instance
from labelscape._core.arguments import seed as seed_rule
from labelscape.jobs._mapping import MapResult
from labelscape.jobs.methods import method_named

# Where an estimator of another library says nothing of its own.
SCIKIT_LEARN = (
    "F. Pedregosa et al. Scikit-learn: machine learning in Python. JMLR 12, 2011."
)

_REFERENCES = re.compile(r"^References\n-+\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)


@arguments(result=instance(MapResult), seed=seed_rule())
def methods_paragraph(result: MapResult, *, seed: int = 0) -> str:
    """Return how a map was made, in words for the methods section of a paper.

    Parameters
    ----------
    result : MapResult
        What `map_table` returned.
    seed : int, default=0
        The seed that it was made with.

    Returns
    -------
    str

    Examples
    --------
    >>> from labelscape.datasets import load
    >>> from labelscape.jobs import map_table, methods_paragraph
    >>> said = methods_paragraph(map_table(load("iris"), "lfda", judge=False))
    >>> print(said[:72])
    The map of iris (150 rows, 4 features, 3 classes) was made with Labelsca
    """
    return " ".join(_sentences(result, seed))


def _sentences(result: MapResult, seed: int) -> Iterator[str]:
    method = method_named(result.method)
    scaler, estimator = result.model[0], result.model[-1]
    n_rows, n_features = result.table.X.shape
    n_classes = len(np.unique(np.asarray(result.table.y)))
    yield (
        f"The map of {result.table.name} ({n_rows:,} rows, {n_features:,} features, "
        f"{n_classes:,} classes) was made with Labelscape {labelscape.__version__} by "
        f"{method.title} ({method.estimator})."
    )
    if n_missing := sum(result.table.missing.values()):
        yield f"{n_missing:,} missing values were replaced by the mean of their column."
    yield (
        "Features were standardised to a mean of 0 and a standard deviation of 1."
        if scaler.with_std
        else "Features were moved to a mean of 0."
    )
    if result.embedding.shape[1] > 2:
        yield f"The map has {result.embedding.shape[1]} dimensions."
    if result.choice is not None:
        yield "The method was chosen by how well it tells unseen rows apart."
    settings = _settings(estimator, [*method.rules()])
    yield f"Settings: {', '.join([*settings, f'seed {seed}'])}."
    if result.honesty is not None:
        yield f"{result.honesty.verdict}"
    if (report := result.audit) is not None:
        yield (
            "Labels were audited with models that had not seen the row, at a stated "
            f"false-discovery rate of {report.rate:.0%}: {len(report.suspects):,} of "
            f"{len(report.given):,} labels were suspected."
        )
    yield f"Reference: {reference_of(type(estimator))}"


def _settings(estimator: Any, names: Sequence[str]) -> Iterator[str]:
    """Yield the parameters that people set, as they were."""
    for name, value in estimator.get_params().items():
        if name in names and isinstance(value, int | float | str):
            yield f"{name} = {value}"


def reference_of(kind: type[Any]) -> str:
    """Return what the docstring of an estimator cites."""
    ours = (one for one in kind.__mro__ if one.__module__.startswith("labelscape."))
    for one in ours:  # a variant of a method may leave the source to it
        found = _REFERENCES.search(inspect.cleandoc(one.__doc__ or ""))
        if found:
            return " ".join(found[1].split())
    return SCIKIT_LEARN
