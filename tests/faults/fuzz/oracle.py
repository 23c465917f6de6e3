"""What came of a case: right, refused in words, or what must not be."""

import hashlib
import linecache
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy.sparse import issparse
from sklearn.exceptions import NotFittedError

from labelscape._core.columns import ShownColumn
from labelscape._core.errors import Message

Outcome = Literal[
    "right",
    "refused",
    "raw words",
    "silent NaN",
    "changed input",
    "let through",
    "crash",
    "hang",
]
WELL = ("right", "refused")

# What our own words may be; others happen.
OUR_KINDS = ValueError | TypeError | AttributeError | RuntimeError | FloatingPointError
# Words of NumPy, SciPy, numba and Python about their own insides.
RAW = (
    "broadcast",
    "setting an array element",
    "out of bounds",
    "ufunc",
    "unsupported operand",
    "not subscriptable",
    "not iterable",
    "has no attribute",
    "Failed in nopython mode",
    "object of type",
    "unhashable",
    "inhomogeneous",
)
# NaN by definition: what is missing in the data is missing on the page, and in other
# units; a change that leads nowhere is infinitely far.
NAN_BY_DEFINITION = ("build_scene", "explore", "Explorer", "encode", "decode")
INFINITE_BY_DEFINITION = ("counterfactual_distance",)


@dataclass(frozen=True)
class Finding:
    """What came of a case, and the words that were said."""

    outcome: Outcome
    words: str = ""

    @property
    def is_fine(self) -> bool:
        """Whether it may be so."""
        return self.outcome in WELL


def judged(
    name: str,
    call: Callable[[dict[str, Any]], Any],
    arguments: dict[str, Any],
    *,
    must_be_refused: bool = False,
    check: Callable[[Any], str] = lambda _: "",
) -> Finding:
    """Call, and say what came of it; ``check`` says what is wrong with the result."""
    before = digest(arguments)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            result = call(arguments)
        except Exception as error:
            finding = _of_error(error)
        else:
            finding = _of_result(name, result, must_be_refused, check)
    loud = [w for w in said if issubclass(w.category, RuntimeWarning)]
    if finding.is_fine and digest(arguments) != before:
        return Finding("changed input")
    if finding.is_fine and loud:
        return Finding("raw words", f"warning: {loud[0].message}")
    return finding


def _of_result(
    name: str, result: Any, must_be_refused: bool, check: Callable[[Any], str]
) -> Finding:
    if must_be_refused:
        return Finding("let through")
    may_lack = any(part in NAN_BY_DEFINITION for part in name.split("."))
    if not may_lack and (where := not_finite(result)):
        return Finding("silent NaN", where)
    wrong = check(result)
    return Finding("let through", wrong) if wrong else Finding("right")


def _of_error(error: Exception) -> Finding:
    words = f"{type(error).__name__}: {' '.join(str(error).split())}"[:300]
    return Finding("refused" if in_words(error) else "raw words", words)


def in_words(error: Exception) -> bool:
    """Whether an error was said to the user, rather than happened inside."""
    if isinstance(error, Message | NotFittedError | ImportError):
        return True
    if isinstance(error, OSError):  # the system says which file it could not open
        return error.filename is not None or _was_raised(error)
    if not isinstance(error, OUR_KINDS):
        return False
    text = str(error)
    if "missing 1 required positional argument" in text:  # Python names the argument
        return True
    return _was_raised(error) and not any(raw in text for raw in RAW)


def _was_raised(error: Exception) -> bool:
    """Whether our code, or scikit-learn's validation, raised it by a statement."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    is_ours = "labelscape" in last.filename.replace("\\", "/").split("/")
    if is_ours or "/sklearn/" in last.filename:
        return line.startswith("raise ")
    # Scikit-learn's checks hand a text to NumPy, which says that it is no number.
    through = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
    return any(name.endswith("sklearn/utils/validation.py") for name in through)


def not_finite(value: Any, where: str = "result", depth: int = 6) -> str:
    """Return where a result holds a number that is none; empty: nowhere."""
    if depth == 0 or value is None or isinstance(value, str | bytes | type):
        return ""
    if isinstance(value, ShownColumn):  # shows what the table holds, gaps as well
        return ""
    if issparse(value):
        value = value.data
    if isinstance(value, np.ndarray | np.generic | float):
        array = np.asarray(value)
        if array.dtype.kind in "fc" and not np.isfinite(array).all():
            return where
        return ""
    for name, part in _parts(value):
        if name in INFINITE_BY_DEFINITION and np.isinf(part):
            continue
        if found := not_finite(part, f"{where}.{name}", depth - 1):
            return found
    return ""


def _parts(value: Any) -> list[tuple[str, Any]]:
    """Return what a result is made of: of an estimator, what it has learned."""
    if isinstance(value, dict):
        return [(str(key), part) for key, part in value.items()]
    if hasattr(value, "_fields"):
        return list(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple):
        return [(str(i), part) for i, part in enumerate(value[:50])]
    if is_dataclass(value) and not hasattr(value, "get_params"):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    if type(value).__module__.startswith("labelscape") and hasattr(value, "__dict__"):
        return [(n, v) for n, v in vars(value).items() if n.endswith("_")]
    return []


def digest(value: Any) -> str:
    """Return a fingerprint of arguments, to see whether a call changed them."""
    found = hashlib.blake2b(digest_size=16)
    _feed(found.update, value, 8)
    return found.hexdigest()


def _feed(update: Callable[[bytes], None], value: Any, depth: int) -> None:
    if isinstance(value, pd.DataFrame | pd.Series):
        value = [value.index, value.to_numpy(dtype=object)]
    if isinstance(value, pd.Index):
        value = value.tolist()
    if issparse(value):
        value = value.toarray()
    if isinstance(value, np.ma.MaskedArray):
        value = [value.data, np.ma.getmaskarray(value)]
    if isinstance(value, np.ndarray) and not value.dtype.hasobject:
        update(f"{value.dtype}{value.shape}{value.flags.writeable}".encode())
        update(value.tobytes())
    elif isinstance(value, np.ndarray):
        _feed(update, value.tolist(), depth)
    elif depth and isinstance(value, dict):
        for key, part in value.items():
            update(repr(key).encode())
            _feed(update, part, depth - 1)
    elif depth and isinstance(value, list | tuple):
        for part in value:
            _feed(update, part, depth - 1)
    elif depth and hasattr(value, "get_params") and not isinstance(value, type):
        _feed(update, vars(value), depth - 1)
    elif isinstance(value, str | bytes | int | float | complex | None):
        update(repr(value).encode("utf-8", "backslashreplace"))
    else:
        update(type(value).__name__.encode())
