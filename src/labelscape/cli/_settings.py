"""What a verb is told beside its options: parameters of a method, and a file of both.

``--set perplexity=50`` gives a parameter of the method a value. ``--config FILE`` reads
a TOML file whose keys are the options of the verb, with a table ``[set]``. What stands
on the command line goes before what stands in the file.
"""

import ast
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperOption

if TYPE_CHECKING:
    from labelscape._core.rules import Rule
    from labelscape.jobs import Method

# The table of a file with parameters of methods, and where it is kept for --set.
SET = "set"
_KEPT = "labelscape.set"
# Parameters that are not set this way: an option says it, or a person can not.
_SAID_ELSEWHERE = {"random_state": "--seed", "callback": "", "n_components": ""}


# What --config reads.


def _configured(context: typer.Context, path: Path | None) -> None:
    """Take a file's values as defaults of the options."""
    if path is None:
        return
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"{error.strerror}: {str(path)!r}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path.name} is no TOML file: {error}.") from error
    except RecursionError as error:
        raise typer.BadParameter(
            f"{path.name} has lists or tables inside each other, deeper than can be "
            "read. Options need one level."
        ) from error
    options = _options_of(context.command)
    context.meta[_KEPT] = _checked_set(found.pop(SET, {}), path)
    defaults = {}
    for key, value in found.items():
        option = options[_key_of(key, options, path)]
        defaults[option.name] = _value_of(key, value, option, path)
    context.default_map = defaults


def _options_of(command: Any) -> dict[str, TyperOption]:
    """Return the options of a verb by what a file calls them."""
    named = {}
    for option in command.params:
        if isinstance(option, TyperOption) and option.name not in ("help", "config"):
            longest = max(option.opts, key=len)
            named[longest.removeprefix("--")] = option
    return named


def _key_of(key: str, options: Mapping[str, Any], path: Path) -> str:
    known = [name for name in options if name != SET]
    wanted = key.replace("_", "-")
    if wanted in known:
        return wanted
    near = get_close_matches(wanted, [*known, SET], n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]!r}? " if near else ""
    raise typer.BadParameter(
        f"{path.name} has the key {key!r}, which is no option of this verb. {hint}"
        f"There are: {', '.join(sorted(known))}."
    )


def _value_of(key: str, value: Any, option: TyperOption, path: Path) -> Any:
    """Return a value as the option takes it, which checks it like a typed one."""
    wanted = None
    if option.is_flag and not isinstance(value, bool):
        wanted = "true or false"
    elif not option.is_flag and isinstance(value, bool | dict):
        wanted = "a text or a number"
    elif isinstance(value, list) and not option.multiple:
        wanted = "one value"
    if wanted is not None:
        raise typer.BadParameter(
            f"{path.name}: {key} must be {wanted}, got {value!r:.60}."
        )
    if option.is_flag:
        return value
    if option.multiple:
        values = value if isinstance(value, list) else [value]
        return [str(one) for one in values]
    return str(value)


def _checked_set(found: Any, path: Path) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise typer.BadParameter(
            f"{path.name}: [{SET}] must be a table of parameters, got {found!r:.60}."
        )
    return found


Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Options of this verb as a TOML file, with parameters of the method in a "
        "table [set]. The command line goes before the file.",
        is_eager=True,
        expose_value=False,
        callback=_configured,
    ),
]


# What --set says.


def _pairs(context: typer.Context, given: list[str] | None) -> list[Any]:
    """Return names and values: those of a file, then those of the command line."""
    pairs = list(context.meta.get(_KEPT, {}).items())
    for text in given or ():
        name, is_there, value = text.partition("=")
        if not (is_there and name.strip()):
            raise typer.BadParameter(f"Write NAME=VALUE, got {text!r}.")
        pairs.append((name.strip(), value.strip()))
    return pairs


Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A parameter of the method, such as perplexity=50. May be given several "
        "times.",
        callback=_pairs,
    ),
]


def parameters_set(
    method: "Method",
    pairs: Iterable[Any] | None,
    more: "Mapping[str, Rule] | None" = None,
) -> dict[str, Any]:
    """Return the parameters of a method that were set, typed and checked.

    ``more`` are rules of others that can be set beside them.
    """
    from labelscape._core.rules import check_argument, rules_of

    rules = {**method.rules(), **rules_of(method.kind), **(more or {})}
    known = [*method.names(), *(more or ())]
    found = {}
    for name, value in pairs or ():
        if name not in known or name in _SAID_ELSEWHERE:
            raise _unknown(method, name, known)
        found[name] = _typed(value, rules.get(name))
        if name in rules:
            check_argument(method.title, name, found[name], rules[name])
    return found


def parameters_of_picture(
    method: "Method", pairs: Iterable[Any] | None
) -> dict[str, Any]:
    """Return what was set for a classifier, and with ``picture__`` for its picture."""
    from labelscape.jobs import PICTURE, picture_rules

    pairs = list(pairs or ())
    projection = dict(pairs).get(PICTURE.outside("projection"))
    return parameters_set(method, pairs, picture_rules(projection))


def parameters_of_one(name: str, pairs: Iterable[Any] | None) -> dict[str, Any]:
    """Return what was set for the map of this name."""
    from labelscape.jobs import AUTO, method_named

    pairs = list(pairs or ())
    if pairs and name == AUTO:
        raise ValueError(
            "--set is for one method, and none was named: say which with --method."
        )
    return parameters_set(method_named(name), pairs) if pairs else {}


def parameters_of_each(
    names: Iterable[str], pairs: Iterable[Any] | None
) -> dict[str, dict[str, Any]]:
    """Return what was set for each of several maps.

    ``tsne.perplexity`` is a parameter of that method, ``perplexity`` of all that have
    it. In a file, ``[set.tsne]`` is a table of that method.
    """
    from labelscape.jobs import method_named

    methods = [method_named(name) for name in names]
    found: dict[str, dict[str, Any]] = {}
    for name, value in _one_by_one(pairs or (), {one.name for one in methods}):
        wanted, has_method, parameter = name.rpartition(".")
        taken = [one for one in methods if one.name == wanted]
        if not has_method:
            taken = [one for one in methods if name in _names_of(one)]
        if not taken:
            raise _unknown_in_all(methods, name)
        for one in taken:
            ours = found.setdefault(one.name, {})
            ours |= parameters_set(one, [(parameter, value)])
    return found


def _one_by_one(
    pairs: Iterable[Any], methods: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """Yield names and values, those in the table of a method one after the other."""
    for name, value in pairs:
        if name in methods and isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def _names_of(method: "Method") -> list[str]:
    return [name for name in method.names() if name not in _SAID_ELSEWHERE]


def _unknown(method: "Method", name: str, known: Iterable[str]) -> ValueError:
    if option := _SAID_ELSEWHERE.get(name):
        return ValueError(f"--set {name}: say it with {option}.")
    names = [one for one in known if one not in _SAID_ELSEWHERE]
    return ValueError(
        f"--set: {method.title} has no parameter {name!r}.{_near(name, names)} "
        f"There are: {', '.join(names)}."
    )


def _unknown_in_all(methods: list["Method"], name: str) -> ValueError:
    known = [f"{one.name}.{p}" for one in methods for p in _names_of(one)]
    return ValueError(
        f"--set: none of these methods has a parameter {name!r}.{_near(name, known)} "
        f"Write METHOD.PARAMETER=VALUE for one of: "
        f"{', '.join(one.name for one in methods)}."
    )


def _near(name: str, names: list[str]) -> str:
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    return f" Did you mean {near[0]!r}?" if near else ""


def _typed(value: Any, rule: "Rule | None") -> Any:
    """Return a value as its rule takes it: a word, a number, a boolean or a list."""
    if not isinstance(value, str):
        return value
    readings = [*_read(value), value]
    if rule is not None:
        fitting = (one for one in readings if rule.holds(one))
        return next(fitting, readings[0])
    return readings[0]


def _read(text: str) -> list[Any]:
    """Return what a text may stand for beside itself."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return [words[text.lower()]]
    try:
        return [ast.literal_eval(text)]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
