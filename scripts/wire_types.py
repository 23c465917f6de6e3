"""Write the TypeScript types of data from Python; ``npm run types`` in view/ runs this.

The schemas of the app's API are written to view/src/app/api_types.ts, the decoded
records of a scene to view/src/scene/scene_types.ts, and the shared attributes of the
notebook widget to view/src/hosts/traits.ts.
"""

import json
import re
from dataclasses import Field, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import traitlets

from labelscape.hosts.app.records import RunProgress
from labelscape.hosts.app.server import make_app
from labelscape.hosts.notebook.widget import SceneWidget
from labelscape.hosts.questions import Answer
from labelscape.jobs import RunOrder
from labelscape.scene import scene as records
from labelscape.scene.decode import spelled_out

VIEW = Path(__file__).parents[1] / "view" / "src"
NAMES = {
    str: "string",
    float: "number",
    int: "number",
    bool: "boolean",
    NoneType: "null",
    Any: "string",  # labels
    records.Texts: "Strings",
}
TRAITS = {
    traitlets.Bytes: "DataView",
    traitlets.Unicode: "string",
    traitlets.Int: "number",
    traitlets.Bool: "boolean",
}
# Records that `app/api.ts` sends and reads; records inside them are added.
SCHEMAS = (
    *("ColumnInfo", "DatasetInfo", "KeptDecisions", "LoadedModel"),
    *("LoadedTable", "MethodCard", "Order", "Run", "RunProgress"),
)
# Fields that the view does not read are left out, with records that only they contain.
NOT_READ = {
    *("by_chance", "can_tell", "created_by", "effects", "expected_false"),
    *("finding", "placement", "reason", "share_wrong"),
}
API_HEADER = """\
/** Requests and responses of the app's API, written by scripts/wire_types.py. */

import type { Light } from "../scene/scene_types";
"""
SCENE_HEADER = """\
/** The records of a scene, written by scripts/wire_types.py from scene.py. */

export type Numbers =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array;

/** An array with its shape, C order. */
export interface Tensor<T extends Numbers = Numbers> {
  readonly data: T;
  readonly shape: readonly number[];
}

/** Many texts, decoded one at a time to save memory, for example for a million ids. */
export interface Strings {
  readonly length: number;
  at(index: number): string;
}
"""


def api_types() -> str:
    """Return an interface for each schema of the app's API that the view names."""
    # The OpenAPI document does not contain server-sent events.
    events = {"RunProgress": RunProgress.model_json_schema()}
    kinds = make_app(None).openapi()["components"]["schemas"] | events
    wanted = [*SCHEMAS]
    for name in wanted:
        parts_read = kinds[name]["properties"] = {
            key: part
            for key, part in kinds[name]["properties"].items()
            if key not in NOT_READ
        }
        parts = re.findall(r"#/components/schemas/(\w+)", json.dumps(parts_read))
        wanted += [part for part in parts if part not in (*wanted, "Answer", "Light")]
    order = kinds["Order"]["properties"]
    settings = kinds["Settings"]["properties"]
    kinds["Settings"]["properties"] = {
        n: settings[n] for n in settings if n not in order
    }
    interfaces = [_schema_interface(name, kinds[name]) for name in wanted]
    return "\n".join([API_HEADER, *interfaces, _tests(order)])


def _tests(order: dict[str, Any]) -> str:
    """Return the labels and defaults of the tests that a form offers."""
    options = RunOrder.options()
    lines = [
        "/** The tests of a run, by the field of an order. */",
        "export const TESTS = {",
        *(
            f"  {name}: {{\n    label: {json.dumps(options[name].page)},\n"
            f"    usual: {json.dumps(part['default'])},\n  }},"
            for name, part in order.items()
            if name in options and options[name].page
        ),
        "} as const;",
    ]
    return "\n".join([*lines, ""])


def scene_types() -> str:
    """Return an interface for each record of a scene, and for an explanation."""
    decoded_otherwise = (records.Texts, records.Scaled, records.Effect)
    kinds = [kind for kind in vars(records).values() if is_dataclass(kind)]
    kinds = [kind for kind in kinds if kind not in decoded_otherwise]
    written = [_interface(kind) for kind in (*kinds, Answer)]
    return "\n".join([SCENE_HEADER, *written])


def widget_traits() -> str:
    """Return an interface of the traits that the widget and the view share."""
    traits = {
        name: TRAITS[type(trait)]
        for name, trait in vars(SceneWidget).items()
        if isinstance(trait, traitlets.TraitType)
    }
    lines = [
        "/** Traits that hosts share with the view; see scripts/wire_types.py. */",
        "",
        "export interface Traits {",
        *(f"  readonly {name}: {kind};" for name, kind in traits.items()),
        "}",
    ]
    return "\n".join([*lines, ""])


def _interface(record: type) -> str:
    hints = get_type_hints(record)
    lines = [
        f"export interface {record.__name__} {{",
        *(
            _field(record, field, hints[field.name])
            for field in fields(record)
            if field.name not in NOT_READ
        ),
        "}",
    ]
    return "\n".join([_comment(record.__doc__), *lines, ""])


def _schema_interface(name: str, schema: dict[str, Any]) -> str:
    """Return a JSON schema as an interface."""
    parts = schema["properties"].items()
    extends = " extends Order" if name == "Settings" else ""
    lines = [
        f"export interface {name}{extends} {{",
        *(f"  readonly {key}: {_schema_type(part)};" for key, part in parts),
        "}",
    ]
    return "\n".join([_comment(schema["description"]), *lines, ""])


def _schema_type(schema: dict[str, Any]) -> str:
    """Return the TypeScript type of a JSON schema."""
    match schema:
        case {"$ref": place}:
            return place.rpartition("/")[2]
        case {"anyOf": kinds}:
            return " | ".join(dict.fromkeys(map(_schema_type, kinds)))
        case {"enum": values}:
            return " | ".join(map(json.dumps, values))
        case {"const": value}:
            return json.dumps(value)
        case {"prefixItems": kinds}:
            return f"readonly [{', '.join(map(_schema_type, kinds))}]"
        case {"type": "array", "items": kind}:
            return _list_of(_schema_type(kind))
        case {"type": "object", "additionalProperties": kind}:
            return f"{{ readonly [key: string]: {_schema_type(kind)} }}"
        case {"type": name}:
            return "number" if name == "integer" else name
    raise TypeError(f"There is no TypeScript type for {schema}.")


def _comment(docstring: str | None) -> str:
    """Return the first line of a docstring as a comment."""
    return f"/** {(docstring or '').strip().splitlines()[0].replace('``', '`')} */"


def _field(record: type, field: Field, hint: Any) -> str:
    written = _type(hint)
    if record is records.Feature:  # of one dimension, without shape
        written = re.sub(r"Tensor<(\w+)>", r"\1", written)
    return f"  readonly {field.name}: {written};"


def _type(hint: Any) -> str:
    """Return the TypeScript type of a hint. Several kinds of arrays are one tensor."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = tuple(map(spelled_out, kinds))
    arrays = dict.fromkeys(_array(kind) for kind in kinds if _array(kind))
    others = [_name(kind) for kind in kinds if not _array(kind)]
    tensor = [f"Tensor<{' | '.join(arrays)}>"] if arrays else []
    return " | ".join([*tensor, *others])


def _array(hint: Any) -> str:
    """Return the TypeScript type of the numbers of an array; "" for other hints."""
    if hint is records.Scaled:
        return "Float32Array"
    if get_origin(hint) is not np.ndarray:
        return ""
    (dtype,) = get_args(get_args(hint)[1])
    return f"{dtype.__name__.capitalize()}Array"


def _name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(json.dumps(value) for value in get_args(hint))
    if get_origin(hint) is list:
        return _list_of(_type(get_args(hint)[0]))
    if get_origin(hint) is not tuple:
        return NAMES.get(hint) or hint.__name__
    parts = get_args(hint)
    if parts[-1] is Ellipsis:
        return _list_of(_type(parts[0]))
    return f"readonly [{', '.join(map(_type, parts))}]"


def _list_of(part: str) -> str:
    return f"readonly ({part})[]" if " " in part else f"readonly {part}[]"


WRITTEN = {
    "app/api_types.ts": api_types,
    "scene/scene_types.ts": scene_types,
    "hosts/traits.ts": widget_traits,
}


def main() -> None:
    """Write all files."""
    for name, make in WRITTEN.items():
        (VIEW / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
