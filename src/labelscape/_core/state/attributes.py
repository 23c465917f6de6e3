"""Kinds of fitted attributes: arrays by type and shape, labels, parts, records."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from labelscape._core.checks import LARGEST_SINGLE, LARGEST_VALUE
from labelscape._core.errors import InputError, shown
from labelscape._core.points.arrays import as_numpy, namespace_of, to_numpy
from labelscape._core.rules import Rule, whole

# Labels are numbers, truth values, dates, text or plain objects.
LABEL_KINDS = "biufmMSUO"
Size = str | int
T = TypeVar("T")


class StateError(InputError, AttributeError):
    """A fitted attribute is not what a fit leaves behind.

    An AttributeError too, as scikit-learn's NotFittedError is: so that what looks at
    all properties of a model, such as a notebook, passes over those without a value.

    Examples
    --------
    >>> print(StateError("GLVQ", "n_iter_", "a whole number", "None"))
    GLVQ: the fitted attribute n_iter_ must be a whole number, got None. Fit the model
    again.
    """

    def __init__(self, owner: str, attribute: str, wanted: str, got: str) -> None:
        super().__init__(
            f"the fitted attribute {attribute} must be {wanted}, got {got}. "
            "Fit the model again.",
            owner=owner,
        )
        self.attribute, self.wanted = attribute, wanted
        self.args = (owner, attribute, wanted, got)


@dataclass
class Fit:
    """The fit that is being checked: its model, and the sizes known so far.

    ``whole`` asks for what no method computes with, too: curves, and members of
    prototypes.
    """

    model: Any
    whole: bool = False
    sizes: dict[str, int] = field(default_factory=dict)

    def refuse(self, name: str, wanted: str, got: str) -> NoReturn:
        """Raise the error that names the attribute."""
        raise StateError(type(self.model).__name__, name, wanted, got)

    def has_shape(self, wanted: tuple[Size, ...], shape: tuple[int, ...]) -> bool:
        """Return whether a shape is the wanted one; sizes met first are bound."""
        return len(wanted) == len(shape) and all(
            self.binds(size, n) for size, n in zip(wanted, shape, strict=True)
        )

    def binds(self, size: Size, n: int) -> bool:
        """Return whether a size is n; one that is met first must be 1 or more."""
        if isinstance(size, int):
            return size == n
        return n > 0 and self.sizes.setdefault(size, n) == n

    def words(self, shape: tuple[Size, ...]) -> str:
        """Return a shape as a message shows it."""
        known = [
            f"{self.sizes[size]} {size}" if size in self.sizes else str(size)
            for size in shape
        ]
        return f"({', '.join(map(str, known))}{',' * (len(known) == 1)})"


Check = Callable[[str, Any, Fit], None]


@dataclass(frozen=True)
class Attribute:
    """What a fitted attribute must be; ``optional`` if some fits do not set it."""

    check: Check
    optional: bool = False


Declared = Attribute | Rule | Callable[[Any], Attribute | Rule]
Learned = dict[str, Declared]  # the declarations of a class


def resolved(declared: Declared, model: Any) -> Attribute:
    """Return the attribute that a declaration means for a model."""
    if isinstance(declared, Attribute):
        return declared
    if not isinstance(declared, Rule):
        return resolved(declared(model), model)
    rule = cast(Rule, declared)

    def check(name: str, value: Any, fit: Fit) -> None:
        if not rule.holds(value):
            fit.refuse(name, rule.wanted, got(value))

    return Attribute(check)


# The kinds of attributes.


def numbers(
    *shape: Size,
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    ordered: bool = False,
) -> Attribute:
    """Declare an array of finite floats; ``ordered`` if each is above the one before.

    Numbers whose squares overflow are no part of a model.
    """
    limits = [f" from {low:g}"] if low is not None else []
    limits += [f" up to {high:g}"] if high is not None else []
    limits += [f" above {above:g}"] if above is not None else []
    kind = f"{'rising' if ordered else 'finite'} floats{''.join(limits)}"

    def in_range(value: Any) -> bool:
        largest = LARGEST_SINGLE if value.dtype == np.float32 else LARGEST_VALUE
        least, most = value.min(initial=np.inf), value.max(initial=-np.inf)
        return bool(
            least >= max(-largest, -np.inf if low is None else low)
            and most <= min(largest, np.inf if high is None else high)
            and (above is None or least > above)
            and (not ordered or (np.diff(value) > 0).all())
        )

    return _array(
        kind, shape, lambda dtype: dtype in (np.float64, np.float32), in_range
    )


def whole_numbers(*shape: Size, low: int = 0) -> Attribute:
    """Declare an array of whole numbers from ``low`` on."""
    return _array(
        f"whole numbers from {low}",
        shape,
        lambda dtype: dtype == np.int64,
        lambda value: bool(value.min(initial=low) >= low),
    )


def truths(*shape: Size) -> Attribute:
    """Declare an array of truth values."""
    return _array(
        "truth values", shape, lambda dtype: dtype == np.bool_, lambda value: True
    )


def indices(*shape: Size, of: str, or_none: bool = False) -> Attribute:
    """Declare an array of indices below a size; -1 stands for none, where it may."""
    least = -1 if or_none else 0
    plain = whole_numbers(*shape, low=least)

    def check(name: str, value: Any, fit: Fit) -> None:
        value = as_numpy(value)
        plain.check(name, value, fit)
        below = fit.sizes.get(of)
        if below is not None and value.max(initial=least) >= below:
            fit.refuse(name, f"indices of {below} {of}", f"{value.max()} among them")

    return Attribute(check)


def classes(fewest: int = 2, *, ordered: bool = True) -> Attribute:
    """Declare the class labels, each once; they bind the size ``classes``."""

    def check(name: str, value: Any, fit: Fit) -> None:
        fine = (
            _is_array(value)
            and value.ndim == 1
            and value.dtype.kind in LABEL_KINDS
            and len(value) >= fewest
            and (not len(value) or fit.binds("classes", len(value)))
            and _are_distinct(value, ordered)
        )
        if not fine:
            order = "sorted labels" if ordered else "labels"
            wanted = f"an array of {order}, each once, {fewest} or more"
            fit.refuse(name, wanted, got(value))

    return Attribute(check)


def labels(*shape: Size, ordered: bool = False) -> Attribute:
    """Declare an array of labels among ``classes_``; ``ordered`` if sorted by class."""

    def check(name: str, value: Any, fit: Fit) -> None:
        value, known = as_numpy(value), fit.model.classes_
        fine = (
            _is_array(value)
            and value.dtype.kind == known.dtype.kind
            and fit.has_shape(shape, value.shape)
            and _are_among(value, known, ordered)
        )
        if not fine:
            order = ", in the order of the classes" if ordered else ""
            wanted = f"labels of classes_, of shape {fit.words(shape)}{order}"
            fit.refuse(name, wanted, got(value))

    return Attribute(check)


def curve() -> Attribute:
    """Declare a list with a finite number for each iteration."""

    def check(name: str, value: Any, fit: Fit) -> None:
        if type(value) is not list or (fit.whole and not _are_finite(value)):
            fit.refuse(name, "a list of finite numbers", got(value))

    return Attribute(check)


def one_each(size: str, item: Attribute) -> Attribute:
    """Declare a list with an array for each of a size, such as members."""

    def check(name: str, value: Any, fit: Fit) -> None:
        if type(value) is not list or not fit.binds(size, len(value)):
            wanted = f"a list of {fit.sizes.get(size, size)} arrays"
            fit.refuse(name, wanted, got(value))
        for i, part in enumerate(value if fit.whole else ()):
            # Each has a length of its own.
            own = replace(fit, sizes=dict(fit.sizes))
            item.check(f"{name}[{i}]", part, own)

    return Attribute(check)


def table(**columns: Attribute) -> Attribute:
    """Declare a dict; keys that a fit may leave out are optional."""

    def check(name: str, value: Any, fit: Fit) -> None:
        if type(value) is not dict or not columns.keys() >= value.keys():
            fit.refuse(name, f"a dict of {', '.join(columns)}", got(value))
        own = replace(fit, sizes=dict(fit.sizes))
        for key, column in columns.items():
            if key in value:
                column.check(f"{name}[{key!r}]", value[key], own)
            elif not column.optional:
                fit.refuse(f"{name}[{key!r}]", "there", "nothing")

    return Attribute(check)


def record(kind: type) -> Attribute:
    """Declare a record whose class declares its fields, see `declares`."""

    def check(name: str, value: Any, fit: Fit) -> None:
        if type(value) is not kind:
            fit.refuse(name, f"a {kind.__name__}", got(value))
        for key, declared in kind._learned.items():
            field_name = f"{name}.{key}"
            resolved(declared, fit.model).check(field_name, getattr(value, key), fit)

    return Attribute(check)


def declares(**fields: Declared) -> Callable[[type[T]], type[T]]:
    """Return the decorator of a record that says what its fields must be.

    A named tuple can have no class attribute in its body that is no field.
    """

    def declared(cls: type[T]) -> type[T]:
        cls._learned = fields  # type: ignore[attr-defined]
        return cls

    return declared


def value(rule: Rule) -> Attribute:
    """Declare what a rule says."""
    return resolved(rule, None)


def text() -> Attribute:
    """Declare a text."""
    return value(Rule("a text", lambda found: isinstance(found, str)))


def optional(declared: Attribute | Rule) -> Attribute:
    """Declare an attribute that some fits do not set."""
    return replace(resolved(declared, None), optional=True)


def or_none(declared: Attribute | Rule) -> Attribute:
    """Declare an attribute that may be None."""
    inner = resolved(declared, None)

    def check(name: str, value: Any, fit: Fit) -> None:
        if value is not None:
            inner.check(name, value, fit)

    return replace(inner, check=check)


def _n_features(name: str, value: Any, fit: Fit) -> None:
    if not whole(1).holds(value) or not fit.binds("features", int(value)):
        fit.refuse(name, "a whole number of at least 1", got(value))


def _names(name: str, value: Any, fit: Fit) -> None:
    fine = _is_array(value) and value.dtype.kind == "O"
    fine = fine and fit.has_shape(("features",), value.shape)
    if not fine or not all(isinstance(column, str) for column in value):
        wanted = f"names of {fit.sizes.get('features', 'all')} features"
        fit.refuse(name, wanted, got(value))


# What every estimator has after a fit, by scikit-learn.
COMMON: Learned = {
    "n_features_in_": Attribute(_n_features),
    "feature_names_in_": Attribute(_names, optional=True),
    "_sklearn_output_config": optional(
        Rule("a dict, as set_output makes it", lambda value: type(value) is dict)
    ),
}


def _array(
    kind: str,
    shape: tuple[Size, ...],
    has_type: Callable[[Any], bool],
    in_range: Callable[[Any], bool],
) -> Attribute:
    def check(name: str, value: Any, fit: Fit) -> None:
        seen = _extremes(value)
        fine = _is_array(seen) and has_type(seen.dtype)
        if not (fine and fit.has_shape(shape, tuple(value.shape)) and in_range(seen)):
            wanted = f"an array of {kind}, of shape {fit.words(shape)}"
            fit.refuse(name, wanted, got(as_numpy(value)))

    return Attribute(check)


def _extremes(value: Any) -> Any:
    """Return the extremes of a tensor's table as NumPy's, and all else as it is.

    A table may be on a device, from where only what is asked for is fetched.
    """
    xp = namespace_of(value)
    if xp is None or value.ndim < 2 or 0 in value.shape:
        return as_numpy(value)
    return to_numpy(xp.stack([xp.min(value), xp.max(value)]))


def _is_array(value: Any) -> bool:
    # Other subclasses of an array have arithmetic of their own.
    return type(value) in (np.ndarray, np.memmap)


def _are_distinct(value: Any, ordered: bool) -> bool:
    try:
        if ordered:
            return bool((value[:-1] < value[1:]).all())
        return len(set(value.tolist())) == len(value)
    except TypeError:  # labels of several kinds, or none
        return False


def _are_among(value: Any, known: Any, ordered: bool) -> bool:
    try:
        if not ordered:
            return bool(np.isin(value, known).all())
        at = np.searchsorted(known, value)
        return bool(
            at.max(initial=0) < len(known)
            and (known[at] == value).all()
            and (np.diff(at) >= 0).all()
        )
    except TypeError:
        return False


def _are_finite(values: list[Any]) -> bool:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        return False
    return bool(found.ndim == 1 and np.isfinite(found).all())


def got(value: Any) -> str:
    """Return what a message says of a wrong value."""
    if not isinstance(value, np.ndarray):
        return shown(value)
    words = f"an array of dtype {value.dtype} and shape {value.shape}"
    if value.dtype.kind != "f" or not value.size:
        return words
    if not np.isfinite(value).all():
        return f"{words} with NaN or infinity in it"
    return f"{words} with values from {value.min():.3g} to {value.max():.3g}"
