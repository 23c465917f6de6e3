"""The options that several verbs take, with their help.

How a file is read is made of `Reading`. ``--set perplexity=50`` gives a parameter of
the method a value. ``--config FILE`` reads a TOML file whose keys are the options of
the verb, with a table ``[set]``; options on the command line override the file.
"""

import ast
import tomllib
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperOption

from labelscape.cli._files import file_of
from labelscape.cli._terminal import listed, plain_errors
from labelscape.datasets import Reading
from labelscape.jobs import AUTO, method_named, methods, methods_of

if TYPE_CHECKING:
    from labelscape._core.params import Rule
    from labelscape.jobs import Method

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="A file, - for standard input, or the name of a data set."
    ),
]
Seed = Annotated[
    int, typer.Option(min=0, max=2**32 - 1, help="Same seed, same result.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Judge = Annotated[
    bool,
    typer.Option(
        "--honesty/--no-honesty",
        help="Whether to measure how much of the separation is real.",
    ),
]


# The names of the methods that make maps, for help.
MAPS = listed([AUTO, *(one.name for one in methods_of("map"))])


# Values that are typed.


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
    words = {"none": None, "true": True, "false": False, "tab": "\t", r"\t": "\t"}
    if text.lower() in words:
        return [words[text.lower()]]
    try:
        return [ast.literal_eval(text)]
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []


def _pair(text: str, names: Iterable[str] = ()) -> tuple[str, str]:
    """Return the name and the value of NAME=VALUE."""
    name, is_pair, value = (part.strip() for part in text.partition("="))
    if not (is_pair and name) or (names and name.replace("-", "_") not in names):
        one_of = f" with one of {', '.join(names)}" if names else ""
        raise typer.BadParameter(f"Write NAME=VALUE{one_of}, got {text!r}.")
    return name, value


def _near(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, [*names], n=1, cutoff=0.5)
    return f" Did you mean {near[0]!r}?" if near else ""


# How a file is read: the same options for all verbs that read one, made of `Reading`.

READ = next(one.flag for one in Reading.options().values() if one.is_of_file)


def _read_pairs(given: list[str] | None) -> dict[str, Any]:
    """Return what --read says, by names of options; values are as their rules want."""
    options = {k: v for k, v in Reading.options().items() if v.is_of_file}
    known: dict[str, Any] = {}
    for text in given or ():
        name, value = _pair(text, options)
        name = name.replace("-", "_")
        if isinstance(getattr(Reading(), name), tuple):
            known[name] = (*known.get(name, ()), value)
        else:
            known[name] = _typed(value or "none", options[name].rule)
    return known


def _parameters() -> list[Parameter]:
    """Return the options of `Reading` as typer reads them off a signature."""
    found = []
    for name, option in Reading.options().items():
        if option.flag and not option.is_of_file:
            is_list = isinstance(getattr(Reading(), name), tuple)
            words = option.help + " May be given several times." * is_list
            names = [option.flag, *([option.short] if option.short else [])]
            kind = list[str] | None if is_list else str | None
            found.append(_parameter(name, kind, None, *names, help=words))
        for flag, words in option.switches.values():
            name = flag.strip("-").replace("-", "_")
            found.append(_parameter(name, bool, False, flag, help=words))
    return [*found, _READ]


def _parameter(name: str, kind: Any, default: Any, *flags: str, **more: Any) -> Any:
    annotation = Annotated[kind, typer.Option(*flags, **more)]
    place = Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(name, place, default=default, annotation=annotation)


_FILE = [
    f"{name} ({option.help})"
    for name, option in Reading.options().items()
    if option.is_of_file
]
_READ = _parameter(
    "read",
    list[str] | None,
    None,
    READ,
    metavar="NAME=VALUE",
    help=f"How a file is written, detected if not given: {', '.join(_FILE)}. May be "
    "given several times.",
)
_SHARED = _parameters()


def reading(given: dict[str, Any]) -> Reading:
    """Return how a file is to be read, by the options that were given."""
    known = {"decimal": None} | _read_pairs(given.get("read"))
    for name, option in Reading.options().items():
        if (value := given.get(name)) and option.flag:
            known[name] = tuple(value) if isinstance(value, list) else value
        for value, (flag, _) in option.switches.items():
            if not given.get(flag.strip("-").replace("-", "_")):
                continue
            if name in known:
                raise typer.BadParameter(
                    f"Pass {option.flag} with a column, or {flag}, not both."
                )
            known[name] = value
    return Reading(**known)


# What --config reads.

# The table of a file with parameters of methods, and where it is kept for --set.
SET = "set"
_KEPT = "labelscape.set"


def _configured(context: typer.Context, path: Path | None) -> None:
    """Take a file's values as defaults of the options."""
    if path is None:
        return
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"{error.strerror}: {str(path)!r}.") from error
    except (ValueError, RecursionError) as error:  # no TOML, no text, or too deep
        raise typer.BadParameter(f"{path.name} is no TOML file: {error}.") from error
    settings = found.pop(SET, {})
    if not isinstance(settings, dict):
        raise typer.BadParameter(
            f"{path.name}: [{SET}] must be a table of parameters, got {settings!r:.60}."
        )
    context.meta[_KEPT] = settings
    options = {
        max(one.opts, key=len).removeprefix("--"): one
        for one in context.command.params
        if isinstance(one, TyperOption) and one.name not in ("help", "config", SET)
    }
    context.default_map = {}
    for key, value in found.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            raise typer.BadParameter(
                f"{path.name} has the key {key!r}, which is no option of this verb."
                f"{_near(key, [*options, SET])} There are: "
                f"{', '.join(sorted(options))}."
            )
        context.default_map[option.name] = _default(key, value, option, path)


def _default(key: str, value: Any, option: TyperOption, path: Path) -> Any:
    """Return a value of a file as the option takes it, which checks it further."""
    values = value if isinstance(value, list) else [value]
    wanted = ""
    if option.is_flag:
        wanted = "" if isinstance(value, bool) else "true or false"
    elif isinstance(value, list) and not option.multiple:
        wanted = "one value"
    elif any(isinstance(one, bool | dict | list) for one in values):
        wanted = "a text or a number"
    if wanted:
        raise typer.BadParameter(
            f"{path.name}: {key} must be {wanted}, got {value!r:.60}."
        )
    if option.is_flag:
        return value
    return [str(one) for one in values] if option.multiple else str(value)


Config = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Options of this verb as a TOML file, with parameters of the method in a "
        "table [set]. Options on the command line override the file.",
        is_eager=True,
        expose_value=False,
        callback=_configured,
    ),
]


# What --set says.


def _pairs(context: typer.Context, given: list[str] | None) -> list[Any]:
    """Return names and values: those of a file, then those of the command line."""
    return [*context.meta.get(_KEPT, {}).items(), *map(_pair, given or ())]


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


# Parameters that are not set this way: an option says it, or a person can not.
_SAID_ELSEWHERE = {"random_state": "--seed", "callback": "", "n_components": ""}


def _names_of(method: "Method") -> list[str]:
    return [name for name in method.names() if name not in _SAID_ELSEWHERE]


def parameters_set(
    method: "Method",
    pairs: Iterable[Any] | None,
    more: "Mapping[str, Rule] | None" = None,
) -> dict[str, Any]:
    """Return the parameters of a method that were set, typed and checked.

    ``more`` are rules of others that can be set beside them.
    """
    from labelscape._core.params import check_argument, rules_of

    rules = {**method.rules(), **rules_of(method.kind), **(more or {})}
    known = [*_names_of(method), *(more or ())]
    found = {}
    for name, value in pairs or ():
        if option := _SAID_ELSEWHERE.get(name):
            raise ValueError(f"--set {name}: say it with {option}.")
        if name not in known:
            raise ValueError(
                f"--set: {method.title} has no parameter {name!r}.{_near(name, known)} "
                f"There are: {', '.join(known)}."
            )
        found[name] = _typed(value, rules.get(name))
        if name in rules:
            check_argument(method.title, name, found[name], rules[name])
    return found


def parameters_of_picture(
    method: "Method", pairs: Iterable[Any] | None
) -> dict[str, Any]:
    """Return what was set for a classifier, and with ``picture__`` for its picture."""
    pairs = list(pairs or ())
    projection = dict(pairs).get(methods.PICTURE.outside("projection"))
    return parameters_set(method, pairs, methods.picture_rules(projection))


def parameters_of_one(name: str, pairs: Iterable[Any] | None) -> dict[str, Any]:
    """Return what was set for the map of this name."""
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
    named = {name: method_named(name) for name in names}
    found: dict[str, dict[str, Any]] = {}
    for name, value in pairs or ():
        wanted, has_method, parameter = name.rpartition(".")
        settings = {parameter: value}
        if name in named and isinstance(value, Mapping):
            wanted, has_method, settings = name, ".", dict(value)
        takers = [wanted] if wanted in named else []
        if not has_method:
            takers = [key for key, one in named.items() if name in _names_of(one)]
        if not takers:
            known = [f"{k}.{p}" for k, one in named.items() for p in _names_of(one)]
            raise ValueError(
                f"--set: none of these methods has a parameter {name!r}."
                f"{_near(name, known)} Write METHOD.PARAMETER=VALUE for one of: "
                f"{', '.join(named)}."
            )
        for key in takers:
            ours = found.setdefault(key, {})
            ours |= parameters_set(named[key], settings.items())
    return found


# Verbs with these options.


def reads_a_file(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb the options of `Reading`, after DATA, and what they say as ``how``.

    And --config, which stands for any of its options.
    """
    data, *others = _own(verb)
    config = Parameter(
        "config", Parameter.KEYWORD_ONLY, default=None, annotation=Config
    )

    def command(**given: Any) -> None:
        given.pop("config", None)  # read by then
        how = reading({one.name: given.pop(one.name) for one in _SHARED})
        with plain_errors(), file_of(given.pop("data")) as file:
            verb(data=file, how=how, **given)

    return _with_options(command, verb, [data, *_SHARED, *others, config])


def reads_new_rows(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb --read; it arrives as ``how``, None if it was not given."""

    def command(**given: Any) -> None:
        read = given.pop("read")
        with plain_errors():
            verb(how=reading({"read": read}) if read else None, **given)

    return _with_options(command, verb, [*_own(verb), _READ])


def _own(verb: Callable[..., None]) -> list[Parameter]:
    return [one for one in signature(verb).parameters.values() if one.name != "how"]


def _with_options(
    command: Callable[..., None], verb: Callable[..., None], options: list[Parameter]
) -> Callable[..., None]:
    """Return a command with these options, which typer reads off its signature."""
    command = wraps(verb)(command)
    command.__signature__ = Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in options}
    return command
