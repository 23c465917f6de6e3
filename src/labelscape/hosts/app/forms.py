"""The forms of the app: a card for each method, with its parameters."""

import inspect
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel

from labelscape._core.errors import InputError
from labelscape._core.params import Rule, check_argument, text
from labelscape.jobs import AUTO, Method, RunOrder, methods, methods_of

SAVED_MODEL = "model"  # a model file in place of a method
GIVEN = "given"  # a map from another program: columns, or another table
POSITIONS = "positions"  # its parameter
DIMENSIONS = methods.DIMENSIONS
PLACING = "place"  # title of a run that places new rows on the map of another run
# Choices besides the methods.
OTHERS = {
    AUTO: "The best for these data",
    GIVEN: "A map from another program",
    SAVED_MODEL: "A saved model",
}


NO_POSITIONS = (
    "Enter the columns with the positions, such as umap_1, umap_2, or choose a file."
)

Kind = Literal["number", "whole", "flag", "choice", "text"]


class Parameter(BaseModel):
    """A parameter in a form: ``kind`` is the kind of field, ``type`` the value type."""

    name: str
    kind: Kind
    choices: list[str]
    default: int | float | str | bool | None
    type: str
    words: str


class MethodCard(BaseModel):
    """A card about a method: what it preserves, and its parameters."""

    name: str
    title: str
    group: methods.Group
    words: str
    uses_labels: bool
    is_start: bool
    parameters: list[Parameter]


def method_cards() -> list[MethodCard]:
    """Return the cards in display order."""
    auto = MethodCard(
        name=AUTO,
        title=OTHERS[AUTO],
        group="map",
        words="Compares three methods on held-out rows and uses the best one, or a "
        "linear method if it is nearly as good.",
        uses_labels=True,
        is_start=True,
        parameters=[],
    )
    saved = MethodCard(
        name=SAVED_MODEL,
        title=OTHERS[SAVED_MODEL],
        group="classifier",
        words="A file that labelscape.save wrote.",
        uses_labels=True,
        is_start=False,
        parameters=_of_picture(),
    )
    given = MethodCard(
        name=GIVEN,
        title=OTHERS[GIVEN],
        group="map",
        words="Positions from another program, such as a UMAP plot. Tests whether the "
        "separation on this map is real. The map is not fitted again.",
        uses_labels=True,
        is_start=False,
        parameters=[_of_given()],
    )
    return [auto, *(_card(method) for method in methods_of()), given, saved]


def title_of(name: str) -> str:
    """Return the title of a method, or of another choice in `OTHERS`."""
    known = {method.name: method.title for method in methods_of()} | OTHERS
    return known.get(name, "")


def is_map(name: str) -> bool:
    """Whether this is the name of a method that makes maps."""
    return name in {method.name for method in methods_of("map")}


def why_not_placed(name: str, *, is_refit: bool = False) -> str:
    """Return why a method cannot place new rows; empty if it can."""
    if is_refit:
        return (
            "New rows cannot be placed on a map with labels that were changed in "
            "the app. Correct the labels in the file, and map this file."
        )
    maps = {method.name: method for method in methods_of("map")}
    if name == AUTO or (name in maps and maps[name].places_alone):
        return ""
    if name == GIVEN:
        return "New rows cannot be placed on this map, which has no model."
    if name not in maps:
        return "Decision regions cannot place new rows; only maps can."
    others = ", ".join(one.title for one in maps.values() if one.places_alone)
    return (
        f"{maps[name].title} cannot place new rows without the training rows. Choose "
        f"one of these methods: {OTHERS[AUTO]}, {others}."
    )


def check_order(name: str, parameters: Mapping[str, Any]) -> None:
    """Raise an `InputError` if a method or one of its parameters is invalid."""
    known = {method.name: method for method in methods_of()}
    method = known.get(name)
    if method is None and name not in OTHERS:
        raise InputError(
            f"There is no method {name!r}. "
            f"Available: {', '.join([AUTO, *known, GIVEN, SAVED_MODEL])}.",
            parameter="method",
        )
    rules = {} if method is None else method.rules()
    if name == GIVEN:
        rules = {POSITIONS: text()}
        if not parameters.get(POSITIONS):
            raise InputError(NO_POSITIONS, parameter=POSITIONS)
    elif name == SAVED_MODEL or (method and method.group == "classifier"):
        rules |= methods.picture_rules()
    elif method is None or method.group == "map":
        rules |= {DIMENSIONS: RunOrder.options()[DIMENSIONS].rule}
    title = title_of(name)
    for parameter, value in parameters.items():
        if parameter not in rules:
            raise InputError(
                f"{title} has no parameter {parameter!r}. "
                f"It has: {', '.join(sorted(rules))}.",
                parameter=parameter,
            )
        check_argument(title, parameter, value, rules[parameter])
    if method and (wanted := parameters.get(DIMENSIONS)):
        # Checked as for a large table. The fit checks the limits of this table.
        method.check_dimensions(wanted, n_features=wanted, n_classes=wanted + 1)


def _card(method: Method) -> MethodCard:
    own = {n: rule for n, rule in method.rules().items() if n in method.own_names()}
    parameters = parameters_of(method.kind, own)
    if method.part is not None:
        parameters += _of_part(method.part, method.usual_part().get_params())
    if method.group == "classifier":
        parameters += _of_picture()
    return MethodCard(
        name=method.name,
        title=method.title,
        group=method.group,
        words=method.keeps,
        uses_labels=method.uses_labels,
        is_start=method.is_start,
        parameters=parameters,
    )


def _of_part(part: methods.Part, usual: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters of an estimator inside another one."""
    return [
        form.model_copy(
            update={
                "name": part.outside(form.name),
                "default": usual.get(form.name, form.default),
            }
        )
        for form in parameters_of(part.kind, part.rules())
    ]


def _of_given() -> Parameter:
    """Return the field for the positions of a map from another program."""
    words = (
        "Columns of this table, such as umap_1, umap_2, or another table with one "
        "position for each row of this table, in the same order. Choose its file, or "
        "enter the name of a loaded table."
    )
    return _parameter(POSITIONS, "text", text(), "", words)


def _of_picture() -> list[Parameter]:
    """Return the parameters for drawing the decision regions of a classifier."""
    under = methods.PICTURE.outside("projection")
    words = (
        "The map on which regions are drawn. By default, t-SNE of the classifier's "
        "predictions, which shows class borders best."
    )
    rule = methods.picture_rules()[under]
    projection = _parameter(under, "choice", rule, None, words)
    return [projection, *_of_part(methods.PICTURE, {})]


# Parameters of an estimator as fields of a form. The allowed values come from a rule,
# and the explanation from the docstring.


def parameters_of(estimator: type, rules: Mapping[str, Rule]) -> list[Parameter]:
    """Return the parameters that a form can show."""
    signature, words = inspect.signature(estimator).parameters, words_of(estimator)
    usual = {name: signature[name].default for name in rules}
    return [
        _parameter(name, kind, rule, usual[name], words.get(name, ""))
        for name, rule in rules.items()
        if (kind := _kind(rule, usual[name])) is not None
    ]


def _parameter(
    name: str, kind: Kind, rule: Rule, default: Any, words: str
) -> Parameter:
    return Parameter(
        name=name,
        kind=kind,
        choices=_choices(rule),
        default=default,
        type=rule.wanted,
        words=words,
    )


def _choices(rule: Rule) -> list[str]:
    """Return the allowed values that are words."""
    return [
        choice
        for part in rule.alternatives
        for choice in part.choices
        if isinstance(choice, str)
    ]


def _kind(rule: Rule, default: Any) -> Kind | None:
    """Return the kind of field for a parameter; None if a form cannot show it."""
    if not isinstance(default, str | int | float | None):
        return None
    kinds = {_plain_kind(part) for part in rule.alternatives} - {None}
    is_optional = any(None in part.choices for part in rule.alternatives)
    if kinds == {"flag"}:
        return "flag"
    if "choice" in kinds:  # if numbers are allowed, too, the user must type the value
        return "choice" if kinds == {"choice"} else "text"
    if is_optional and default is not None:  # the user must type None
        return "text"
    if kinds & {"whole", "number"}:
        return "number" if "number" in kinds else "whole"
    return None


def _plain_kind(rule: Rule) -> Kind | None:
    """Return the kind of field for a simple rule; None if a form cannot show it."""
    if rule.kind == "choice":
        values = [choice for choice in rule.choices if choice is not None]
        if values and all(isinstance(value, int) for value in values):
            return "whole"
        return "choice" if values else None
    return None if rule.kind == "other" else rule.kind


# One parameter, or several that are explained together, and the explanation below.
_PARAMETER = re.compile(r"^(\w+(?:, \w+)*) :.*\n((?: .*\n|\n(?= ))+)", re.MULTILINE)
_ROLE = re.compile(r":\w+:`~?([^`]+)`")


def words_of(estimator: type) -> dict[str, str]:
    """Return the docstring's text about each parameter of a class, as plain text."""
    text = (inspect.getdoc(estimator) or "").partition("Parameters\n----------\n")[2]
    section = text.partition("\n---")[0] + "\n"  # and the title of the next section
    return {
        name: re.sub(r"[`\\]", "", _ROLE.sub(r"\1", " ".join(words.split())))
        for names, words in _PARAMETER.findall(section)
        for name in names.split(", ")
    }
