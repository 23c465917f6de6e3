"""The API's own documentation as a page without scripts."""

from html import escape
from typing import Any

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto;
       padding: 0 1rem; color: #22262b; background: #fff; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; }
td { border-top: 1px solid #d0d4d9; padding: .25rem .5rem; vertical-align: top; }
code { font-family: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { body { color: #e8eaed; background: #16191d; } }
"""


def reference_page(document: dict[str, Any]) -> str:
    """Return an OpenAPI document as HTML.

    Examples
    --------
    >>> page = reference_page({"info": {"title": "A & B"}, "paths": {}})
    >>> "A &amp; B" in page
    True
    """
    title = escape(document["info"]["title"])
    parts = [
        _operation(method, path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}'
        f"</title><style>{_STYLE}</style></head><body><h1>{title}</h1><p>Every request "
        "needs the token of the printed link, as the cookie that the link sets or as "
        "<code>Authorization: Bearer TOKEN</code>. The same as a document: "
        f'<a href="/api/openapi.json">openapi.json</a>.</p>{"".join(parts)}'
        "</body></html>"
    )


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        (parameter["name"], f"{parameter['in']}: {_type(parameter['schema'])}")
        for parameter in operation.get("parameters", [])
    ]
    rows += [
        ("body", ", ".join(operation["requestBody"]["content"]))
        for _ in operation.keys() & {"requestBody"}
    ]
    rows += [
        (status, answer["description"])
        for status, answer in operation["responses"].items()
    ]
    cells = "".join(
        f"<tr><td><code>{escape(str(name))}</code></td><td>{escape(words)}</td></tr>"
        for name, words in rows
    )
    words = escape(operation.get("description", ""))
    return (
        f"<h2>{method.upper()} {escape(path)}</h2><p>{words}</p><table>{cells}</table>"
    )


def _type(schema: dict[str, Any]) -> str:
    return str(schema.get("pattern") or schema.get("type") or "any")
