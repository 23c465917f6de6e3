"""From a seed to a file of cells that a stranger could send: crafted or damaged."""

import io
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_matrix, csr_matrix

reason = "anndata is not installed: it wants an older pandas than the tests"
anndata = pytest.importorskip("anndata", reason=reason)
h5py = pytest.importorskip("h5py", reason=reason)

N, GENES = 60, 5
PLACES = ("obs/leak", "obsm/X_pca", "X", "uns/leak", "obs/num", "uns/a/b/leak")


def good(rng: Random) -> bytes:
    """Return a file as anndata writes it, in one of its forms."""
    r = np.random.default_rng(rng.randrange(2**32))
    X = r.poisson(2.0, (N, GENES)).astype(np.float32)
    kind = pd.Categorical(np.array(["B", "NK", "T"])[np.arange(N) % 3])
    obs = pd.DataFrame(
        {"t": kind, "num": r.normal(size=N), "word": [f"w{i % 7}" for i in range(N)]},
        index=[f"cell{i}" for i in range(N)],
    )
    cells = anndata.AnnData(
        X=rng.choice([csr_matrix, csc_matrix, np.asarray])(X),
        obs=obs,
        var=pd.DataFrame(index=[f"gene{j}" for j in range(GENES)]),
        obsm={"Z": X[:, :2]},
        uns={"note": "by hand", "a": {"b": {"c": 1}}},
        layers={"counts": X},
    )
    if rng.random() < 0.6:
        cells.obsm["X_pca"] = X[:, :4] - X.mean()
    file = io.BytesIO()
    with h5py.File(file, "w", libver=rng.choice(["earliest", "latest"])) as to:
        packed = {"compression": "gzip"} if rng.random() < 0.4 else {}
        for name in ("X", "obs", "var", "obsm", "uns", "layers"):
            part = getattr(cells, name)
            part = dict(part) if name in ("obsm", "uns", "layers") else part
            anndata.io.write_elem(to, name, part, dataset_kwargs=packed)
        to.attrs.update({"encoding-type": "anndata", "encoding-version": "0.1.0"})
    return file.getvalue()


def damaged(rng: Random, folder: Path) -> tuple[str, bytes]:
    """Return the name of a kind of damage, and a file with it."""
    data = bytearray(good(rng))
    kind = rng.choice(["bytes", "bytes", "bits", "bits", "a hole", "cut", "copied"])
    for _ in range(rng.choice([1, 1, 3, 10, 40])):
        at = rng.randrange(len(data))
        if kind == "bytes":
            data[at] = rng.choice([0, 1, 255, 127, rng.randrange(256)])
        elif kind == "bits":
            data[at] ^= 1 << rng.randrange(8)
        elif kind == "copied":
            a, size = rng.randrange(len(data)), rng.randrange(1, 64)
            data[at : at + size] = data[a : a + size]
        elif kind == "a hole":
            del data[at : at + rng.randrange(1, 9)]
        else:
            del data[max(at, 100) :]
    return f"damage: {kind}", bytes(data)


def crafted(rng: Random, folder: Path) -> tuple[str, bytes]:
    """Return the name of a trick, and a file with it."""
    name = rng.choice(list(TRICKS))
    file = io.BytesIO(good(rng))
    with h5py.File(file, "r+") as to:
        TRICKS[name](to, rng, folder)
    data = file.getvalue()
    if name == "one long word":
        data = _with_one_word(data)
    return f"trick: {name}", data


def _put(file: Any, where: str, **options: Any) -> Any:
    """Make a data set in place of another, and list it as a column."""
    if where in file:
        del file[where]
    made = file.create_dataset(where, **options)
    made.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    _list(file, where)
    return made


def _list(file: Any, where: str) -> None:
    folder, _, name = where.rpartition("/")
    if folder == "obs" and name not in file["obs"].attrs["column-order"]:
        order = [*file["obs"].attrs["column-order"], name]
        file["obs"].attrs["column-order"] = np.array(order, dtype=object)


def _same(where: str) -> str:
    """Return what has the same shape in the other file."""
    return "canary" if len(_shape(where)) == 2 else "group/canary"


def _shape(where: str) -> tuple[int, ...]:
    return (N, 4) if where in ("obsm/X_pca", "X") else (N,)


def external_storage(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(PLACES)
    path = rng.choice([folder / "canary", Path("/etc/passwd"), Path("/dev/zero")])
    kind = np.dtype(rng.choice(["u1", "i4", "f4", "f8", "S8"]))
    size = kind.itemsize * int(np.prod(_shape(where)))
    parts = [(str(path), rng.choice([0, 8]), size)]
    _put(file, where, shape=_shape(where), dtype=kind, external=parts)


def external_parts(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["obs/t/codes", "obs/t/categories", "obs/_index", "var/_index"])
    kind = "i1" if where.endswith("codes") else "S8"
    size = file[where].shape
    parts = [(str(folder / "canary"), 0, 8 * int(np.prod(size)))]
    _put(file, where, shape=size, dtype=kind, external=parts)


def external_link(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice([*PLACES, "obs", "obsm", "var", "uns"])
    if where in file:
        del file[where]
    target = rng.choice([_same(where)] * 4 + ["group", "/"])
    file[where] = h5py.ExternalLink(str(folder / "canary.h5"), target)
    if "obs" in file and isinstance(file.get("obs", getlink=True), h5py.HardLink):
        _list(file, where)


def virtual(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(PLACES)
    layout = h5py.VirtualLayout(shape=_shape(where), dtype="f8")
    other = str(folder / "canary.h5")
    layout[...] = h5py.VirtualSource(other, _same(where), _shape(where))
    if where in file:
        del file[where]
    made = file.create_virtual_dataset(where, layout)
    made.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    _list(file, where)


def soft_link(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice([*PLACES, "obs", "obsm"])
    if where in file and where != "obs":
        del file[where]
    elif where == "obs":
        file.move("obs", "other")
    file[where] = h5py.SoftLink(rng.choice(["/", f"/{where}", "/uns", "/obsm", "/no"]))


def circle(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["uns", "obs", "obsm", "uns/a"])
    for i in range(rng.choice([1, 3])):
        file[where][f"loop{i}"] = file[rng.choice(["/", "uns", "obs", where])]
        _list(file, f"{where}/loop{i}")


def diamonds(file: Any, rng: Random, folder: Path) -> None:
    below = file.create_group("uns/d0")
    for i in range(1, 40):
        group = file.create_group(f"uns/d{i}")
        group["left"] = group["right"] = below
        below = group
    file["obs/deep"] = below
    _list(file, "obs/deep")


def same_data(file: Any, rng: Random, folder: Path) -> None:
    big = _put(file, "uns/big", shape=(30_000_000,), dtype="u1", chunks=(2**16,))
    for i in range(200):
        file[f"obs/big{i}"] = big
        _list(file, f"obs/big{i}")


def paths(file: Any, rng: Random, folder: Path) -> None:
    names = rng.choice(
        [
            ["/uns/a"],
            ["./num", "././num"],
            ["../X"],
            ["."],
            ["/"],
            ["/obs"],
            ["t/codes"],
        ]
    )
    file["obs"].attrs["column-order"] = np.array(["t", *names], dtype=object)
    if rng.random() < 0.2:
        file["obs"].attrs["_index"] = rng.choice(["/var/_index", ".", "/"])


def references(file: Any, rng: Random, folder: Path) -> None:
    is_region = rng.random() < 0.5
    kind = h5py.regionref_dtype if is_region else h5py.ref_dtype
    where = rng.choice(PLACES)
    _put(file, where, shape=_shape(where), dtype=kind)
    if not is_region and len(_shape(where)) == 1:
        file[where][0] = file["obsm"].ref
    if rng.random() < 0.5:
        file["obs/num"].attrs["categories"] = file["obsm/Z"].ref
        file["obs"].attrs["encoding-version"] = "0.1.0"


def behind_a_reference(file: Any, rng: Random, folder: Path) -> None:
    parts = [(str(folder / "canary"), 0, 24)]
    _put(file, "uns/gone", shape=(3,), dtype="S8", external=parts)
    _put(file, "obs/num", data=np.arange(N, dtype="i1") % 3)
    file["obs/num"].attrs["categories"] = file["uns/gone"].ref
    file["obs"].attrs["encoding-version"] = "0.1.0"


def odd_filter(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(PLACES)
    if where in file:
        del file[where]
    plan = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    plan.set_chunk(tuple(min(n, 4) for n in _shape(where)))
    number = rng.choice([305, 32001, 32008, 32013, 32015, 40000])
    plan.set_filter(number, h5py.h5z.FLAG_OPTIONAL, (1, 2))
    space = h5py.h5s.create_simple(_shape(where))
    parent = file.require_group(where.rpartition("/")[0] or "/")
    name = where.rpartition("/")[2].encode()
    h5py.h5d.create(parent.id, name, h5py.h5t.IEEE_F64LE, space, plan)
    _list(file, where)


def sparse_indices(file: Any, rng: Random, folder: Path) -> None:
    file.pop("X")
    where = rng.choice(["X", "obsm/X_pca"])
    if where in file:
        del file[where]
    if "X_pca" in file["obsm"]:
        del file["obsm/X_pca"]
    make = rng.choice([csr_matrix, csc_matrix])
    anndata.io.write_elem(file, where, make(np.eye(N, GENES, dtype="f4") + 1))
    group = file[where]
    part = rng.choice(["indices", "indices", "indptr", "data", "shape"])
    if part == "shape":
        small, huge = rng.choice([1, 0, 30]), rng.choice([10**6, 10**12, 2**62, -1])
        group.attrs["shape"] = rng.choice([(N, small), (small, GENES), (N, huge)])
        return
    values = group[part][:]
    if part == "data" or rng.random() < 0.2:
        values = values[: rng.randrange(len(values))]
    else:
        kind = rng.choice(["i4", "i8", "u8", "f8"])
        values = values.astype(kind)
        odd = rng.choice([9_999_999, 2**31 - 1, 5, 60, 127])
        values[rng.randrange(len(values))] = rng.choice(
            [odd, -odd if kind[0] != "u" else odd]
        )
    del group[part]
    anndata.io.write_elem(group, part, values)


def declared(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["obs/leak", "obsm/X_pca", "X", "obs/_index", "uns/leak"])
    many = rng.choice([10**7, 10**8, 10**9, 10**12])
    flat = where.startswith(("obs/", "uns"))
    shape = (many,) if flat else rng.choice([(N, many // N), (many // N, 4)])
    kind = rng.choice(["u1", "f4", "f8", "S100", h5py.string_dtype()])
    chunks = tuple(min(n, 1000) for n in shape)
    _put(file, where, shape=shape, dtype=kind, chunks=chunks)


def packed(file: Any, rng: Random, folder: Path) -> None:
    where, width = rng.choice(["obsm/X_pca", "X"]), rng.choice([10**5, 10**6])
    zeros = np.zeros((N, width), dtype="u1")
    _put(file, where, data=zeros, chunks=(N, 10**5), compression="gzip")


def wide_chunk(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["obs/leak", "obs/num"])
    size = {"shape": (N,), "maxshape": (None,), "chunks": (3 * 10**8,)}
    _put(file, where, dtype="f8", compression="gzip", **size)


def large_sparse(file: Any, rng: Random, folder: Path) -> None:
    for name in ("X", "obs", "obsm", "var"):
        del file[name]
    n = rng.choice([2_000, 14_000])
    names = [f"c{i}" for i in range(n)]
    obs = pd.DataFrame({"t": np.array(["a", "b"])[np.arange(n) % 2]}, index=names)
    anndata.io.write_elem(file, "obs", obs, dataset_kwargs={"compression": "gzip"})
    anndata.io.write_elem(file, "var", pd.DataFrame(index=names))
    anndata.io.write_elem(file, "X", csr_matrix((n, n), dtype="f4"))
    file.create_group("obsm")


def one_long_word(file: Any, rng: Random, folder: Path) -> None:
    words = np.array(["@" * 400_000] + ["@"] * (N - 1), dtype=object)
    _put(file, "obs/leak", data=words, dtype=h5py.string_dtype())
    many = np.array(["#"] * 8000, dtype=object)
    _put(file, "obs/num", data=many, dtype=h5py.string_dtype())


def _with_one_word(data: bytes) -> bytes:
    """Let all words of obs/num be the long one of obs/leak."""
    with h5py.File(io.BytesIO(data)) as file:
        long, many = (file[f"obs/{name}"].id.get_offset() for name in ("leak", "num"))
    word = data[long : long + 16]
    return data[:many] + word * 8000 + data[many + 16 * 8000 :]


def many_objects(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["uns", "obsm"])
    for i in range(rng.choice([3_000, 20_000])):
        file[where].create_group(f"g{i}")


def odd_vectors(file: Any, rng: Random, folder: Path) -> None:
    file.pop("obsm/X_pca", None)
    values: list[Any] = [
        np.zeros((N, 2, 3)),
        np.zeros(N),
        np.zeros((N, 0)),
        np.zeros((N - 1, 3)),
        np.zeros((0, 3)),
        np.full((N, 2), 1 + 2j),
        np.full((N, 2), np.nan),
        np.full((N, 2), 1e300),
        np.array([["a", "b"]] * N, dtype=object),
        np.zeros((N, 2), dtype=bool),
        {"a": np.zeros(N)},
        pd.DataFrame({"a": ["x"] * N}, index=[f"cell{i}" for i in range(N)]),
        csr_matrix(np.eye(N, 4)),
        "words",
    ]
    anndata.io.write_elem(file, "obsm/X_pca", rng.choice(values))


def odd_encoding(file: Any, rng: Random, folder: Path) -> None:
    where = rng.choice(["obs", "obs/t", "obs/num", "obsm", "obsm/Z", "X", "uns", "var"])
    names = ["awkward-array", "anndata", "raw", "dict", "dataframe", "csr_matrix"]
    names += ["categorical", "string", "null", "nullable-integer", "rec-array", "no"]
    file[where].attrs["encoding-type"] = rng.choice(names)
    file[where].attrs["encoding-version"] = rng.choice(["0.1.0", "0.2.0", ""])
    if rng.random() < 0.3:
        file["obs"].attrs["column-order"] = rng.choice(["t", 7, np.zeros(9), ["no"]])


def lacking(file: Any, rng: Random, folder: Path) -> None:
    del file[rng.choice(["obs", "obsm", "X", "var", "obs/t/codes", "obs/_index"])]


def python_words(file: Any, rng: Random, folder: Path) -> None:
    mark = folder / "executed"
    word = f"cposix\nsystem\n(S'touch {mark}'\ntR."
    _put(file, "uns/pickle", data=np.void(word.encode()))
    names = [f"__import__('os').system('touch {mark}')"] * N
    _put(
        file, "obs/leak", data=np.array(names, dtype=object), dtype=h5py.string_dtype()
    )


TRICKS: dict[str, Callable[[Any, Random, Path], None]] = {
    "external storage": external_storage,
    "external parts": external_parts,
    "external link": external_link,
    "virtual": virtual,
    "soft link": soft_link,
    "circle": circle,
    "diamonds": diamonds,
    "same data": same_data,
    "paths": paths,
    "references": references,
    "behind a reference": behind_a_reference,
    "odd filter": odd_filter,
    "sparse indices": sparse_indices,
    "declared": declared,
    "packed": packed,
    "wide chunk": wide_chunk,
    "large sparse": large_sparse,
    "one long word": one_long_word,
    "many objects": many_objects,
    "odd vectors": odd_vectors,
    "odd encoding": odd_encoding,
    "lacking": lacking,
    "python words": python_words,
}
