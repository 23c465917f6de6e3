"""Look through an HDF5 file before it is read, because HDF5 trusts what a file says.

A file may name other files (external storage, external links, virtual data sets), whose
content HDF5 then reads as part of this one, or a filter, which HDF5 loads from the
disk. Links may lead in circles, and a small file may declare a large data set.
"""

import math
from collections.abc import Iterable, Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from struct import unpack_from
from typing import Any

import numpy as np

from labelscape._core.errors import FileName, InputError

# deflate, shuffle, fletcher32, szip, nbit, scaleoffset: parts of HDF5; lzf: of h5py
_FILTERS = {1, 2, 3, 4, 5, 6, 32000}
_MOST_OBJECTS = 100_000
# Content with more bytes is rejected if the file is smaller than real ones would be.
LARGE = 2**28
_BEST_PACKING = 1000
_WORD = 64  # bytes of a Python string, at least
_WORDS = 200  # number of words that are read at once in a large file
# The beginning of a heap, where HDF5 stores words, and the largest file to search.
_HEAP, _MOST_SEARCHED = b"GCOL\1\0\0\0", 2**30


def data_sets(file: Any, path: Path) -> dict[str, Any]:
    """Return all data sets of a file by their paths; refuse what is not in the file."""
    import h5py

    found: dict[str, Any] = {}
    longest = _longest_word(path)
    groups, known = [file], {_address(file)}
    while groups:
        for name, item in _members(groups.pop(), path):
            _check_attributes(item, path, longest)
            if isinstance(item, h5py.Dataset):
                _check_storage(item, path)
                found[name] = item
            elif isinstance(item, h5py.Group):
                if (address := _address(item)) in known:
                    raise _refused(path, f"two names for the group {item.name!r}")
                known.add(address)
                groups.append(item)
            if len(found) + len(known) > _MOST_OBJECTS:
                raise _refused(path, f"more than {_MOST_OBJECTS:,} objects")
    return found


def _members(group: Any, path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the members of a group by their paths, if they are in this group."""
    import h5py

    for name in group:
        where = f"{group.name.rstrip('/')}/{name}"
        link = group.get(name, getlink=True)
        if type(link) is not h5py.HardLink:  # looked at before it is followed
            raise _refused(path, f"a link in place of {where!r}")
        yield where, group[name]


def _address(item: Any) -> int:
    import h5py

    return int(h5py.h5o.get_info(item.id).addr)


def _check_attributes(item: Any, path: Path, longest: int) -> None:
    """Refuse references, except those of older files to the categories of a column."""
    import h5py

    for name in item.attrs:
        attribute = item.attrs.get_id(name)
        n_values = math.prod(attribute.shape or (0,))
        if n_values > _MOST_OBJECTS:
            raise _refused(path, f"an attribute of shape {attribute.shape}")
        check_expanded(n_values * max(longest, attribute.dtype.itemsize), path)
        if not h5py.check_ref_dtype(attribute.dtype):
            continue
        if name != "categories":
            raise _refused(path, f"references in {item.name!r}")
        _check_storage(item.file[item.attrs[name]], path)
    for name in ("column-order", "_index"):  # names of members of this group
        for one in np.atleast_1d(item.attrs.get(name, [])):
            if {"", "."} & set(str(one).split("/")):
                raise _refused(path, f"the path {str(one)[:40]!r} in {item.name!r}")


def _check_storage(item: Any, path: Path) -> None:
    import h5py

    stored = item.id.get_create_plist()
    if stored.get_external_count() or stored.get_layout() == h5py.h5d.VIRTUAL:
        raise _refused(path, f"{item.name!r}, whose values are in another file")
    if h5py.check_ref_dtype(item.dtype):
        raise _refused(path, f"references in {item.name!r}")
    filters = {stored.get_filter(i)[0] for i in range(stored.get_nfilters())}
    if unknown := filters - _FILTERS:
        raise _refused(path, f"{item.name!r}, packed by filter {min(unknown)}")


def _longest_word(path: Path) -> int:
    """Return the length of the longest word; 0 if a file is too large to be searched.

    Refuse an empty entry in a heap, at which HDF5 loops for ever.
    """
    longest = 0
    if path.stat().st_size > _MOST_SEARCHED:
        return longest
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        at = data.find(_HEAP)
        while at >= 0:
            end = min(at + int.from_bytes(data[at + 8 : at + 16], "little"), len(data))
            place = at + 16
            while place + 16 <= end:
                index, size = unpack_from("<H6xQ", data, place)
                # The space that is left has index 0; its size includes the 16 bytes.
                step = 16 + (size + 7) // 8 * 8 if index else size
                if step % 2**64 == 0:
                    raise InputError(
                        FileName(path),
                        " is damaged: HDF5 would never end reading it. Write it again, "
                        "with adata.write_h5ad.",
                    )
                longest = max(longest, size if place + step <= end else 0)
                place += step
            at = data.find(_HEAP, at + 1)
    return longest


def check_words(items: Iterable[Any], path: Path) -> None:
    """Refuse words that are much longer than the file, as all may be the same word."""
    n_at_once, n_bytes = max(_WORDS, LARGE // path.stat().st_size), 0
    for item in items:
        if item.dtype.names and item.dtype.hasobject:
            raise _refused(path, f"words in the records of {item.name!r}")
        if item.dtype.kind == "O" and item.shape:
            n_rows = max(n_at_once // max(math.prod(item.shape[1:]), 1), 1)
            for start in range(0, item.shape[0], n_rows):
                n_bytes += sum(map(len, item[start : start + n_rows].flat))
                check_expanded(n_bytes, path)


def check_expanded(n_bytes: int, path: Path) -> None:
    """Refuse content that is much larger than its file."""
    size = path.stat().st_size
    if n_bytes > max(LARGE, _BEST_PACKING * size):
        raise InputError(
            FileName(path),
            f" has {size:,} bytes but would need {n_bytes:,} bytes of memory, unlike "
            "any real table. If you trust it, pass its content as an AnnData object.",
        )


def bytes_in_memory(items: Iterable[Any]) -> int:
    """Return about how many bytes data sets need in memory, as 64-bit numbers."""
    return sum(_values(item) * _width(item.dtype) for item in items)


def _values(item: Any) -> int:
    """Return how many values are read at once: all, or a chunk if that is larger."""
    return max(math.prod(item.shape or (0,)), math.prod(item.chunks or (0,)))


def _width(dtype: Any) -> int:
    size = int(dtype.itemsize)
    return max(size, 8) if dtype.kind in "biuf" else 4 * size + _WORD


def _refused(path: Path, what: str) -> InputError:
    return InputError(
        FileName(path),
        f" contains {what}, which is not read from files. If you trust the file, read "
        "it with anndata, and pass the object.",
    )
