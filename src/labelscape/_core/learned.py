"""Requirements on fitted attributes in model files, declared on each class.

An estimator lists its own attributes, and inherits those of its bases::

    class Prototypes(BaseEstimator):
        _learned: ClassVar = {
            "classes_": classes(),
            "prototypes_": numbers("prototypes", "features"),
            "n_iter_": whole(0),
        }

Shapes consist of named sizes. The first attribute sets the value of a size, and others
must have the same value. ``features`` is ``n_features_in_``. A declaration is an
`Attribute`, a rule, or a function of the model that returns an attribute or a rule.

Only `labelscape.load` compares models with their declarations.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from labelscape._core.checks import LARGEST_SINGLE, LARGEST_VALUE
from labelscape._core.errors import InputError, shown
from labelscape._core.params import Rule, finite, whole
from labelscape._core.params import text as text  # also declares a fitted text

LABEL_KINDS = "biufmMSUO"  # numbers, truth values, dates, text, plain objects
Size = str | int
T = TypeVar("T")


@dataclass
class LoadCheck:
    """State of a check: the model, and the array sizes that are known so far."""

    model: Any
    sizes: dict[str, int] = field(default_factory=dict)

    def refuse(self, name: str, wanted: str, value: Any) -> NoReturn:
        """Raise the error for an attribute with a wrong value."""
        raise InputError(
            f"the fitted attribute {name} must be {wanted}, got {shown(value)}. "
            "Fit the model again.",
            owner=type(self.model).__name__,
        )

    def has_shape(self, wanted: tuple[Size, ...], shape: tuple[int, ...]) -> bool:
        """Return whether a shape is as declared; new sizes are stored."""
        return len(wanted) == len(shape) and all(
            self.binds(size, n) for size, n in zip(wanted, shape, strict=True)
        )

    def binds(self, size: Size, n: int) -> bool:
        """Return whether a named size equals n; a new size must be at least 1."""
        if isinstance(size, int):
            return size == n
        return n > 0 and self.sizes.setdefault(size, n) == n

    def words(self, shape: tuple[Size, ...]) -> str:
        """Return a shape as messages show it."""
        known = [f"{self.sizes[s]} {s}" if s in self.sizes else str(s) for s in shape]
        return f"({', '.join(known)}{',' * (len(known) == 1)})"


@dataclass(frozen=True)
class Attribute:
    """Requirements on a fitted attribute; ``optional`` if some fits do not set it."""

    check: Callable[[str, Any, LoadCheck], None]
    optional: bool = False


Declared = Attribute | Rule | Callable[[Any], Attribute | Rule]
Learned = dict[str, Declared]  # the declarations of a class


def resolved(declared: Declared, model: Any) -> Attribute:
    """Return the `Attribute` of a declaration, which may be a function of the model."""
    if isinstance(declared, Attribute):
        return declared
    if isinstance(declared, Rule):
        rule: Rule = declared
        return tested(rule.wanted, lambda value, fit: rule.holds(value))
    return resolved(declared(model), model)


def tested(
    wanted: str | Callable[[LoadCheck], str], holds: Callable[[Any, LoadCheck], Any]
) -> Attribute:
    """Declare an attribute with a test, which may raise an error for bad values."""

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        try:
            fine = holds(value, fit)
        except (TypeError, AttributeError, ValueError, IndexError, OverflowError):
            fine = False
        if not fine:
            fit.refuse(name, wanted if isinstance(wanted, str) else wanted(fit), value)

    return Attribute(check)


# Types of attributes.


def numbers(
    *shape: Size,
    low: float = -np.inf,
    high: float = np.inf,
    above: float = -np.inf,
    ordered: bool = False,
) -> Attribute:
    """Declare an array of finite floats whose squares do not overflow."""
    kind = f"{'rising' if ordered else 'finite'} floats"
    kind += f" from {low:g}" * bool(low > -np.inf)
    kind += f" up to {high:g}" * bool(high < np.inf)
    kind += f" above {above:g}" * bool(above > -np.inf)

    def in_range(value: Any) -> Any:
        largest = LARGEST_SINGLE if value.dtype == np.float32 else LARGEST_VALUE
        least, most = value.min(initial=np.inf), value.max(initial=-np.inf)
        inside = max(-largest, low) <= least > above and most <= min(largest, high)
        return inside and (not ordered or (np.diff(value) > 0).all())

    return _array(kind, shape, (np.float64, np.float32), in_range)


def whole_numbers(*shape: Size, low: int = 0) -> Attribute:
    """Declare an array of integers of at least ``low``."""
    kind = f"whole numbers from {low}"
    return _array(kind, shape, (np.int64,), lambda v: v.min(initial=low) >= low)


def bool_array(*shape: Size) -> Attribute:
    """Declare a boolean array."""
    return _array("truth values", shape, (np.bool_,), lambda value: True)


def _array(
    kind: str,
    shape: tuple[Size, ...],
    types: tuple[Any, ...],
    in_range: Callable[[Any], Any],
) -> Attribute:
    return tested(
        lambda fit: f"an array of {kind}, of shape {fit.words(shape)}",
        lambda value, fit: (
            type(value) is np.ndarray
            and value.dtype in types
            and fit.has_shape(shape, value.shape)
            and in_range(value)
        ),
    )


def indices(*shape: Size, of: str, or_none: bool = False) -> Attribute:
    """Declare an array of indices below a named size; -1 means none, if allowed."""
    least = -1 if or_none else 0
    plain = whole_numbers(*shape, low=least)

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        plain.check(name, value, fit)
        below = fit.sizes.get(of)
        if below is not None and value.max(initial=least) >= below:
            fit.refuse(name, f"indices below {below}, the number of {of}", value)

    return Attribute(check)


def classes(fewest: int = 2, *, ordered: bool = True) -> Attribute:
    """Declare the distinct class labels; their number is the size ``classes``."""

    def holds(value: Any, fit: LoadCheck) -> Any:
        return (
            type(value) is np.ndarray
            and value.ndim == 1
            and value.dtype.kind in LABEL_KINDS
            and len(value) >= fewest
            and (not len(value) or fit.binds("classes", len(value)))
            and len(set(value.tolist())) == len(value)
            and (not ordered or (value[:-1] < value[1:]).all())
        )

    order = "sorted labels" if ordered else "labels"
    return tested(f"an array of at least {fewest} different {order}", holds)


def labels(*shape: Size, ordered: bool = False) -> Attribute:
    """Declare an array of labels from ``classes_``; ``ordered`` if sorted by class."""

    def holds(value: Any, fit: LoadCheck) -> bool:
        known = fit.model.classes_
        at = np.searchsorted(known, value) if ordered else np.zeros(2)
        return (
            type(value) is np.ndarray
            and value.dtype.kind == known.dtype.kind
            and fit.has_shape(shape, value.shape)
            and bool(np.isin(value, known).all() and (np.diff(at) >= 0).all())
        )

    order = ", in the order of the classes" * ordered
    return tested(
        lambda fit: f"labels of classes_, of shape {fit.words(shape)}{order}", holds
    )


def curve() -> Attribute:
    """Declare a list with one finite number per iteration."""
    number = finite()
    return tested(
        "a list of finite numbers",
        lambda value, fit: type(value) is list and all(map(number.holds, value)),
    )


def list_of(size: str, item: Attribute) -> Attribute:
    """Declare a list of arrays; the number of arrays is a named size."""

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        if type(value) is not list or not fit.binds(size, len(value)):
            fit.refuse(name, f"a list of {fit.sizes.get(size, size)} arrays", value)
        for i, one in enumerate(value):  # each array has its own length
            item.check(f"{name}[{i}]", one, replace(fit, sizes=dict(fit.sizes)))

    return Attribute(check)


def table(**declared: Attribute | Rule) -> Attribute:
    """Declare a dict; keys that some fits omit are optional."""
    columns = {key: resolved(column, None) for key, column in declared.items()}

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        needed = {key for key, column in columns.items() if not column.optional}
        if type(value) is not dict or not needed <= value.keys() <= columns.keys():
            fit.refuse(name, f"a dict of {', '.join(columns)}", value)
        own = replace(fit, sizes=dict(fit.sizes))
        for key in value:
            columns[key].check(f"{name}[{key!r}]", value[key], own)

    return Attribute(check)


def declares(**fields: Declared) -> Callable[[type[T]], type[T]]:
    """Return a decorator that declares the fields of a named tuple."""

    def declared(cls: type[T]) -> type[T]:
        cls._learned = fields  # type: ignore[attr-defined]
        return cls

    return declared


def record(kind: type) -> Attribute:
    """Declare a record whose class declares its fields with `declares`."""

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        if type(value) is not kind:
            fit.refuse(name, f"a {kind.__name__}", value)
        for key, declared in kind._learned.items():
            one = resolved(declared, fit.model)
            one.check(f"{name}.{key}", getattr(value, key), fit)

    return Attribute(check)


def part(*methods: str, kind: type = object) -> Attribute:
    """Declare a fitted estimator with certain methods, inside the model."""
    words = kind.__name__ if kind is not object else f"object with {', '.join(methods)}"

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        able = all(callable(getattr(value, method, None)) for method in methods)
        if isinstance(value, type) or not able or not isinstance(value, kind):
            fit.refuse(name, f"a fitted {words}", value)
        known = fit.sizes.get("features")
        n_features = getattr(value, "n_features_in_", known)
        if known is not None and not whole(known, known).holds(n_features):
            fit.refuse(f"n_features_in_ of {name}", str(known), n_features)
        if hasattr(value, "__sklearn_tags__"):  # other libraries may have no tags
            check_is_fitted(value)

    return Attribute(check)


def optional(declared: Attribute | Rule) -> Attribute:
    """Declare an attribute that some fits do not set."""
    return replace(resolved(declared, None), optional=True)


def or_none(declared: Attribute | Rule) -> Attribute:
    """Declare an attribute that may be None."""
    inner = resolved(declared, None)

    def check(name: str, value: Any, fit: LoadCheck) -> None:
        if value is not None:
            inner.check(name, value, fit)

    return replace(inner, check=check)
