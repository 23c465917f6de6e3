"""Options that several commands share, with their help.

Options for reading a file come from `Reading`, those of a run from `RunOrder`. ``--set
perplexity=50`` sets a parameter of the method. ``--config FILE`` reads options from a
TOML file, and parameters of the method from its table ``[set]``; options on the command
line have precedence.
"""

import ast
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperOption

from labelscape._core.options import Declared
from labelscape.cli import messages
from labelscape.cli._files import file_of
from labelscape.cli._terminal import plain_errors
from labelscape.datasets import Reading
from labelscape.jobs import AUTO, RunOrder, method_named

if TYPE_CHECKING:
    from labelscape._core.params import Rule
    from labelscape.jobs import Method

# The table of method parameters in a file, and its key for --set.
SET, _KEPT = "set", "labelscape.set"
SEVERAL = " May be given several times."
READING = "Reading DATA"  # help section of options that few users need

AsJson = Annotated[
    bool, typer.Option("--json", help="Print the result as one JSON object.")
]


def output(text: str) -> Any:
    """Return the option ``--output`` with this help text."""
    return typer.Option("--output", "-o", help=text)


class SectionedCommand(TyperCommand):
    """A command whose help has a section for each group of options, as plain text."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the sections of the help: arguments, options, then other sections."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for one in self.get_params(ctx):
            if record := one.get_help_record(ctx):
                usual = f"{one.param_type_name}s".capitalize()
                title = getattr(one, "rich_help_panel", None) or usual
                sections.setdefault(title, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


# Values as users type them.


def _typed(value: Any, rule: "Rule | None") -> Any:
    """Convert the text of a value to the type that its rule requires."""
    if not isinstance(value, str):
        return value
    readings = [*_read(value), value]
    fitting = (one for one in readings if rule is not None and rule.holds(one))
    return next(fitting, readings[0])


def _read(text: str) -> list[Any]:
    """Return the value of a text such as 1.5 or true in a list; [] for other text."""
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
        one_of = f", where NAME is one of {', '.join(names)}" if names else ""
        raise typer.BadParameter(messages.NOT_A_PAIR.format(one_of, text))
    return name, value


# Options for reading a file, made from `Reading`, for all commands that read one.


def _parameter(name: str, kind: Any, default: Any, *flags: str, **more: Any) -> Any:
    annotation = Annotated[kind, typer.Option(*flags, **more)]
    place = Parameter.POSITIONAL_OR_KEYWORD
    return Parameter(name, place, default=default, annotation=annotation)


def _switch(flag: str) -> str:
    return flag.strip("-").replace("-", "_")


def _pairs(context: typer.Context, given: list[str] | None) -> list[Any]:
    """Return pairs (name, value): first from the file, then from the command line."""
    return [*context.meta.get(_KEPT, {}).items(), *map(_pair, given or ())]


def _parameters(
    record: type[Declared], options: Iterable[str], section: str | None = None
) -> list[Parameter]:
    """Return command-line options for options of a record, by their name."""
    hints, known, made = get_type_hints(record), record.options(), []
    for name in options:
        option, default = known[name], getattr(record(), name)
        panel = {"rich_help_panel": option.section or section}
        how: dict[str, Any] = panel | {"help": option.help, "metavar": option.metavar}
        # Columns may have numbers as names, so they are read as text.
        kind = str | None if record is Reading else hints[name]
        if isinstance(default, tuple) or name == "parameters":
            kind, default = list[str] | None, None
            how["help"] += SEVERAL
            how |= {"callback": _pairs} if name == "parameters" else {}
        elif isinstance(default, int) and (choices := option.rule.choices):
            how |= {"min": min(choices), "max": max(choices)}
        if option.flag and not option.is_of_file:
            flags = [option.flag, *([option.short] if option.short else [])]
            made.append(_parameter(name, kind, default, *flags, **how))
        for flag, words in option.switches.values():
            more = panel | {"help": words}
            made.append(_parameter(_switch(flag), bool, False, flag, **more))
    return made


_DATA = Parameter(
    "data",
    Parameter.POSITIONAL_OR_KEYWORD,
    annotation=Annotated[
        str,
        typer.Argument(
            metavar="DATA",
            help="A file, - for standard input, or the name of an example data set.",
        ),
    ],
)
_OF_FILE = {k: v for k, v in Reading.options().items() if v.is_of_file}
_READ = _parameter(
    "read",
    list[str] | None,
    None,
    _OF_FILE["skip"].flag,
    metavar="NAME=VALUE",
    help="Format of the file, if it is not detected correctly: "
    + ", ".join(f"{name} ({option.help})" for name, option in _OF_FILE.items())
    + f".{SEVERAL}",
    rich_help_panel=READING,
)
_USUAL = [name for name, option in Reading.options().items() if option.is_usual]
_OTHERS = [name for name in Reading.options() if name not in _USUAL]
_FIRST = _parameters(Reading, _USUAL)
_LAST = [*_parameters(Reading, _OTHERS, READING), _READ]


def reading(given: dict[str, Any]) -> Reading:
    """Return the `Reading` with the given command-line options."""
    known: dict[str, Any] = {"decimal": None}
    for text in given.get("read") or ():
        name, word = _pair(text, _OF_FILE)
        name = name.replace("-", "_")
        if isinstance(getattr(Reading(), name), tuple):
            known[name] = (*known.get(name, ()), word)
        else:
            known[name] = _typed(word or "none", _OF_FILE[name].rule)
    for name, option in Reading.options().items():
        is_named = option.flag and not option.is_of_file
        if is_named and (value := given.get(name)):
            known[name] = tuple(value) if isinstance(value, list) else value
        for value, (flag, _) in option.switches.items():
            if not given.get(_switch(flag)):
                continue
            if name in known:
                words = messages.COLUMN_OR_SWITCH.format(option.flag, flag)
                raise typer.BadParameter(words)
            known[name] = value
    return Reading(**known)


# Contents of --config.


def _configured(context: typer.Context, path: Path | None) -> None:
    """Use the values in a configuration file as defaults of the options."""
    if path is None:
        return
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise typer.BadParameter(f"{error.strerror}: {str(path)!r}.") from error
    except (ValueError, RecursionError) as error:  # not TOML, not text, or too deep
        words = messages.NOT_TOML.format(path.name, error)
        raise typer.BadParameter(words) from error
    settings = values.pop(SET, {})
    if not isinstance(settings, dict):
        raise typer.BadParameter(messages.NOT_A_TABLE.format(path.name, settings))
    context.meta[_KEPT] = settings
    options = {
        max(one.opts, key=len).removeprefix("--"): one
        for one in context.command.params
        if isinstance(one, TyperOption) and one.name not in ("help", "config", SET)
    }
    context.default_map = {}
    for key, value in values.items():
        option = options.get(key.replace("_", "-"))
        if option is None:
            near = messages.near(key, [*options, SET])
            known = ", ".join(sorted(options))
            words = messages.UNKNOWN_KEY.format(path.name, key, near, known)
            raise typer.BadParameter(words)
        context.default_map[option.name] = _default(key, value, option, path)


def _default(key: str, value: Any, option: TyperOption, path: Path) -> Any:
    """Check the type of a value in a configuration file, and return the value."""
    values = value if isinstance(value, list) else [value]
    wanted = ""
    if option.is_flag:
        wanted = "" if isinstance(value, bool) else "true or false"
    elif isinstance(value, list) and not option.multiple:
        wanted = "one value"
    elif any(isinstance(one, bool | dict | list) for one in values):
        wanted = "text or a number"
    if wanted:
        words = messages.WRONG_VALUE.format(path.name, key, wanted, value)
        raise typer.BadParameter(words)
    if option.is_flag:
        return value
    return [str(one) for one in values] if option.multiple else str(value)


_CONFIG = _parameter(
    "config",
    Path | None,
    None,
    "--config",
    metavar="FILE",
    help="TOML file with options of this command, and with parameters of the method "
    "in a table [set]. Command-line options override the file.",
    is_eager=True,
    expose_value=False,
    callback=_configured,
)


# Values of --set.


# Parameters that have their own option, or that cannot be typed.
_SET_ELSEWHERE = {"random_state": "--seed", "callback": "", "n_components": ""}


def _names_of(method: "Method") -> list[str]:
    return [name for name in method.names() if name not in _SET_ELSEWHERE]


def parameters_set(
    method: "Method",
    pairs: Iterable[Any],
    more: "Mapping[str, Rule] | None" = None,
) -> dict[str, Any]:
    """Check and return the parameters that were set; ``more`` has additional rules."""
    from labelscape._core.params import check_argument, rules_of

    rules = {**method.rules(), **rules_of(method.kind), **(more or {})}
    known = [*_names_of(method), *(more or ())]
    parameters = {}
    for name, value in pairs:
        if option := _SET_ELSEWHERE.get(name):
            raise ValueError(messages.SET_ELSEWHERE.format(name, option))
        if name not in known:
            near = messages.near(name, known)
            words = (method.title, name, near, ", ".join(known))
            raise ValueError(messages.SET_UNKNOWN.format(*words))
        parameters[name] = _typed(value, rules.get(name))
        if name in rules:
            check_argument(method.title, name, parameters[name], rules[name])
    return parameters


def with_parameters(order: RunOrder, pairs: Sequence[Any] = ()) -> RunOrder:
    """Check the map method of an order, and add the parameters that were set."""
    if order.method == AUTO:
        if pairs:
            raise ValueError(messages.SET_NEEDS_METHOD)
        return order
    method = method_named(order.method)
    return replace(order, parameters=parameters_set(method, pairs))


def parameters_of_each(
    names: Iterable[str], pairs: Iterable[Any]
) -> dict[str, dict[str, Any]]:
    """Return the parameters that were set for each of several map methods."""
    # ``tsne.perplexity`` sets a parameter of t-SNE, ``perplexity`` sets it for all
    # methods that have it. In a file, ``[set.tsne]`` is a table for t-SNE.
    named = {name: method_named(name) for name in names}
    parameters: dict[str, dict[str, Any]] = {}
    for name, value in pairs:
        wanted, has_method, parameter = name.rpartition(".")
        settings = {parameter: value}
        if name in named and isinstance(value, Mapping):
            wanted, has_method, settings = name, ".", dict(value)
        methods = [wanted] if wanted in named else []
        if not has_method:
            methods = [key for key, one in named.items() if name in _names_of(one)]
        if not methods:
            known = [f"{k}.{p}" for k, one in named.items() for p in _names_of(one)]
            words = (name, messages.near(name, known), ", ".join(named))
            raise ValueError(messages.SET_UNKNOWN_TO_ALL.format(*words))
        for key in methods:
            own = parameters.setdefault(key, {})
            own |= parameters_set(named[key], settings.items())
    return parameters


# Commands with these options.


def takes_order(verb: Callable[..., None]) -> Callable[..., None]:
    """Add DATA, --config, and options of reading and of the run to a command.

    ``order`` contains their values, without the pairs of --set: their meaning depends
    on the methods, so a command gets them as ``settings``.
    """
    job = verb.__name__.removesuffix("_command")
    of_run = _parameters(RunOrder, RunOrder.of(job))
    takes_settings = "settings" in signature(verb).parameters

    def command(**given: Any) -> None:
        given.pop("config", None)  # its callback has read it
        how = reading({one.name: given.pop(one.name) for one in (*_FIRST, *_LAST)})
        values = {one.name: given.pop(one.name) for one in of_run}
        if takes_settings:
            given["settings"] = values.pop("parameters") or ()
        with plain_errors(), file_of(given.pop("data")) as file:
            verb(order=RunOrder(table=file, reading=how, **values), **given)

    own: list[Parameter] = []
    for one in _own(verb):
        own += {"order": of_run, "settings": []}.get(one.name, [one])
    needed = [one for one in own if one.default is Parameter.empty]
    others = [one for one in own if one not in needed]
    return _with_options(
        command, verb, [_DATA, *needed, *_FIRST, *others, _CONFIG, *_LAST]
    )


def reads_new_rows(verb: Callable[..., None]) -> Callable[..., None]:
    """Add --read to a command; ``how`` is the `Reading`, or None without --read."""

    def command(**given: Any) -> None:
        read = given.pop("read")
        with plain_errors():
            verb(how=reading({"read": read}) if read else None, **given)

    return _with_options(command, verb, [*_own(verb), _READ])


def _own(verb: Callable[..., None]) -> list[Parameter]:
    """Return the options that a command declares itself."""
    own = (one for one in signature(verb).parameters.values() if one.name != "how")
    return [one.replace(kind=Parameter.POSITIONAL_OR_KEYWORD) for one in own]


def _with_options(
    command: Callable[..., None], verb: Callable[..., None], options: list[Parameter]
) -> Callable[..., None]:
    """Return a command with these options in its signature, which typer reads."""
    command = wraps(verb)(command)
    command.__signature__ = Signature(options)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in options}
    return command
