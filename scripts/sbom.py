"""Write the software bill of materials: ``python scripts/sbom.py FILE``.

The file lists, in the CycloneDX format, the Python packages that Labelscape needs with
all extras, in the tested versions, and the npm packages in the built view.
"""

import base64
import json
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any
from urllib.parse import quote

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
Part = dict[str, Any]


def main(target: Path) -> None:
    """Write the bill of materials."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(parts_list(), indent=2) + "\n", encoding="utf-8")


def parts_list() -> Part:
    """Return all packages as a CycloneDX document."""
    ours = _python_part("labelscape") | {"type": "application"}
    graph = dict(_needed("labelscape", frozenset({"all"})))
    npm = _npm_parts()
    python = [_python_part(name) for name in sorted(graph) if name != "labelscape"]
    references = {name: _reference("pypi", *_known(name)) for name in graph}
    needs = [
        {"ref": references[name], "dependsOn": sorted(references[n] for n in needed)}
        for name, needed in sorted(graph.items())
    ]
    needs[[n["ref"] for n in needs].index(ours["bom-ref"])]["dependsOn"] += [
        part["bom-ref"] for part in npm
    ]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": ours},
        "components": [*python, *npm],
        "dependencies": needs,
    }


def _needed(name: str, extras: frozenset[str]) -> Iterator[tuple[str, set[str]]]:
    """Yield a package and all packages that it needs, each with its dependencies."""
    seen: dict[str, set[str]] = {}
    waiting = [(name, extras)]
    asked = set()
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in asked:
            continue
        asked.add((name, extras))
        for wish in map(Requirement, distribution(name).requires or ()):
            marker = wish.marker
            contexts = [{"extra": extra} for extra in ("", *extras)]
            if marker is None or any(map(marker.evaluate, contexts)):
                other = canonicalize_name(wish.name)
                waiting.append((other, frozenset(wish.extras)))
                seen.setdefault(name, set()).update({other} - {name})
        seen.setdefault(name, set())
    yield from seen.items()


def _known(name: str) -> tuple[str, str]:
    try:
        return name, distribution(name).version
    except PackageNotFoundError:
        raise SystemExit(f"{name} is not installed. Run 'make setup' first.") from None


def _python_part(name: str) -> Part:
    about = distribution(name).metadata
    # Older packages give the full text of the license here.
    words = about.get("License-Expression") or about.get("License") or ""
    part = _part("pypi", *_known(name))
    if words and "\n" not in words:
        part["licenses"] = [{"license": {"name": words}}]
    return part


def _npm_parts() -> list[Part]:
    """Return the npm packages in the view, with their dependencies."""
    lock = json.loads((ROOT / "view/package-lock.json").read_text(encoding="utf-8"))
    packages = lock["packages"]
    found: dict[str, Part] = {}
    waiting = [""]
    while waiting:
        user = waiting.pop()
        for name in packages[user].get("dependencies", ()):
            inner = f"{user}/node_modules/{name}".lstrip("/")
            place = inner if inner in packages else f"node_modules/{name}"
            if place not in found:
                found[place] = _npm_part(name, packages[place])
                waiting.append(place)
    return [found[place] for place in sorted(found)]


def _npm_part(name: str, entry: dict[str, Any]) -> Part:
    kind, _, checksum = entry["integrity"].partition("-")
    digest = base64.b64decode(checksum).hex()
    return _part("npm", name, entry["version"]) | {
        "licenses": [{"license": {"id": entry["license"]}}],
        "hashes": [{"alg": kind.upper().replace("SHA", "SHA-"), "content": digest}],
    }


def _part(kind: str, name: str, version: str) -> Part:
    reference = _reference(kind, name, version)
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "purl": reference,
    }


def _reference(kind: str, name: str, version: str) -> str:
    return f"pkg:{kind}/{quote(name)}@{quote(version)}"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
