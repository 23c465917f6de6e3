"""Write down for the view what Python sends: ``npm run types`` in view/ calls this.

The schemas of the app's API go to view/src/app/openapi.json, the records of a scene, as
the view decodes them, to view/src/scene/scene_types.ts, and what the notebook's widget
shares with the view to view/src/hosts/traits.ts.
"""

import json
import re
from dataclasses import MISSING, Field, fields, is_dataclass
from inspect import cleandoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import traitlets

from labelscape.hosts.app import schemas
from labelscape.hosts.app.server import make_app
from labelscape.hosts.widget import SceneWidget
from labelscape.scene import scene as records
from labelscape.scene.decode import spelled_out

VIEW = Path(__file__).parents[1] / "view" / "src"
NAMES = {
    str: "string",
    float: "number",
    int: "number",
    bool: "boolean",
    NoneType: "null",
    records.Texts: "Strings",
}
TRAITS = {
    traitlets.Bytes: "DataView",
    traitlets.Unicode: "string",
    traitlets.Int: "number",
    traitlets.Bool: "boolean",
}
HEADER = """\
/** The records of a scene: written by scripts/wire_types.py from scene.py. */

import type { Strings, Tensor } from "./tensor";
"""


def api_schemas() -> str:
    """Return the schemas of the API's document; its paths and version don't matter."""
    document = make_app(None).openapi()
    kept = {
        "openapi": document["openapi"],
        "info": {"title": document["info"]["title"], "version": ""},
        "paths": {},
        "components": {"schemas": document["components"]["schemas"] | events()},
    }
    return json.dumps(kept, indent=2, ensure_ascii=False) + "\n"


def events() -> dict[str, Any]:
    """Return the schema of server-sent events, of which the document can't speak."""
    return {"Progress": schemas.Progress.model_json_schema()}


def scene_types() -> str:
    """Return an interface for each record of a scene."""
    decoded_otherwise = (records.Texts, records.Scaled)
    kinds = [kind for kind in vars(records).values() if is_dataclass(kind)]
    return "\n".join(
        [HEADER, *(_interface(kind) for kind in kinds if kind not in decoded_otherwise)]
    )


def widget_traits() -> str:
    """Return an interface of what the widget and the view tell each other."""
    traits = {
        name: TRAITS[type(trait)]
        for name, trait in vars(SceneWidget).items()
        if isinstance(trait, traitlets.TraitType)
    }
    lines = [
        "/** What hosts share with the view: scripts/wire_types.py, from widget.py. */",
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
        *(_field(record, field, hints[field.name]) for field in fields(record)),
        "}",
    ]
    return "\n".join([*_comment(record), *lines, ""])


def _comment(record: type) -> list[str]:
    """Return the docstring up to its first section."""
    words = re.split(r"\n\n\w+\n---", cleandoc(record.__doc__ or ""))[0]
    lines = words.replace("``", "`").splitlines()
    if len(lines) == 1:
        return [f"/** {lines[0]} */"]
    return ["/**", *(f" * {line}".rstrip() for line in lines), " */"]


def _field(record: type, field: Field, hint: Any) -> str:
    # One with a default is not in scenes that were written before it was thought of.
    name = field.name if field.default is MISSING else f"{field.name}?"
    written = _type(hint)
    if record is records.Feature:  # of one dimension: the view leaves out the shape
        written = re.sub(r"Tensor<(\w+)>", r"\1", written)
    return f"  readonly {name}: {written};"


def _type(hint: Any) -> str:
    """Return what TypeScript calls a type. Several kinds of arrays are one tensor."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    kinds = tuple(map(spelled_out, kinds))
    arrays = dict.fromkeys(_array(kind) for kind in kinds if _array(kind))
    others = [_name(kind) for kind in kinds if not _array(kind)]
    tensor = [f"Tensor<{' | '.join(arrays)}>"] if arrays else []
    return " | ".join([*tensor, *others])


def _array(hint: Any) -> str:
    """Return what TypeScript calls the numbers of an array; "" if it is none."""
    if hint is records.Scaled:
        return "Float32Array"
    if get_origin(hint) is not np.ndarray:
        return ""
    (dtype,) = get_args(get_args(hint)[1])
    return f"{dtype.__name__.capitalize()}Array"


def _name(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " | ".join(json.dumps(value) for value in get_args(hint))
    if get_origin(hint) is not tuple:
        return NAMES.get(hint) or hint.__name__
    parts = get_args(hint)
    if parts[-1] is Ellipsis:
        part = _type(parts[0])
        return f"readonly ({part})[]" if " " in part else f"readonly {part}[]"
    return f"readonly [{', '.join(map(_type, parts))}]"


WRITTEN = {
    "app/openapi.json": api_schemas,
    "scene/scene_types.ts": scene_types,
    "hosts/traits.ts": widget_traits,
}


def main() -> None:
    """Write all files."""
    for name, make in WRITTEN.items():
        (VIEW / name).write_text(make(), encoding="utf-8")


if __name__ == "__main__":
    main()
