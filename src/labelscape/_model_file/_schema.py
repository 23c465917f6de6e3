"""Checks of the bytes of a skops file before skops reads them.

skops checks the types in a file, but not how much memory and time its parts need.
"""

import io
import zipfile
from typing import Any

from labelscape._model_file._archive import (
    ModelFileError,
    check_stored,
    parsed,
)

# Private types of scikit-learn that common models contain, and how skops stores them.
# It would accept a trusted name in any other node, and call it with any arguments.
TRUSTED = {
    "sklearn.neural_network._stochastic_optimizers.AdamOptimizer": "ObjectNode",
    "sklearn.neural_network._stochastic_optimizers.SGDOptimizer": "ObjectNode",
    "sklearn.tree._tree.Tree": "TreeNode",
}
# Sparse matrices, which are a zip in the zip, with unchecked indices. No model contains
# them, because their types are not trusted. But skops believes the type in the node.
_REFUSED = ("SparseMatrixNode",)


def check_skops(data: bytes) -> None:
    """Raise an error if reading a skops file could need too much memory or time."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        check_stored(archive, len(data))
        schema = _Schema(archive)
        schema.size_of(parsed(archive.read("schema.json")))
    if schema.n_bytes > len(data):
        raise ModelFileError("it reads its arrays more than once")


class _Schema:
    """Counts the nodes of a schema, and the bytes of the members that they read."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._sizes: dict[Any, tuple[int, int]] = {}
        self.n_bytes = 0

    def size_of(self, node: Any) -> int:
        """Return the number of objects and lists in a node."""
        if isinstance(node, list):
            return 1 + sum(map(self.size_of, node))
        if not isinstance(node, dict):
            return 0
        self._check_loader(node)
        size = 1 + sum(map(self.size_of, node.values()))
        file, key = node.get("file"), node.get("__id__")
        read = self._archive.getinfo(file).file_size if isinstance(file, str) else 0
        if not key or isinstance(key, list | dict):
            self.n_bytes += read
        elif key not in self._sizes:
            self._sizes[key] = (size, read)
            self.n_bytes += read
        elif self._sizes[key] != (size, read):
            # skops reads a node once, and writes it completely wherever it occurs. By
            # references, which it would also read, few nodes become millions.
            raise ModelFileError("it has parts that contain or replace each other")
        return size

    def _check_loader(self, node: dict[str, Any]) -> None:
        loader = node.get("__loader__")
        name = f"{node.get('__module__')}.{node.get('__class__')}"
        if TRUSTED.get(name, loader) != loader or loader in _REFUSED:
            raise ModelFileError(f"it has a {name:.80} that is stored as a {loader}")
