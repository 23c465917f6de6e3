"""Attacks by model files: each kind writes a file for a seed, and says what it is."""

import io
import json
import pickle
import zipfile
from copy import deepcopy

import numpy as np
import skops.io
from sklearn.cluster import FeatureAgglomeration
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from tests.faults.attacks.model_bases import (
    MODELS,
    X,
    Y,
    dumped,
    fitted,
    header,
    json_node,
    node,
    nodes,
    npy,
    unzipped,
    written,
    zipped,
)
from tests.faults.attacks.model_private import private
from tests.faults.changed_models import NOTHING, changes_of, parts, places, put
from tests.faults.model_files.members import Members

from labelscape._model_file import _archive

TREES = ("tree", "forest", "extra trees", "boosted", "boosted zero", "isolation", "ada")
MEGA = 2**20


class Evil:
    """Makes the canary when it is unpickled."""

    def __init__(self, canary):
        self.canary = canary

    def __reduce__(self):
        return open, (str(self.canary), "w")


def memory(rng, folder):
    """A Pipeline somewhere, whose cache holds a pickle that runs code."""
    cache = folder / "cache"
    pipe = make_pipeline(StandardScaler(), LogisticRegression(), memory=str(cache))
    pipe.fit(X, Y)
    for found in cache.rglob("output.pkl"):
        found.write_bytes(pickle.dumps(Evil(folder / "canary")))
    plain = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, Y)
    hidden = OneVsRestClassifier(plain).fit(X, Y)
    hidden.estimators_[0].memory = str(cache)  # only below a fitted attribute
    extra = SVC().fit(X, Y)
    extra.more_ = {"a": [(pipe,)], "b": np.array([pipe, None], dtype=object)}
    models = [
        pipe,
        OneVsRestClassifier(pipe).fit(X, Y),
        BaggingClassifier(pipe, 2).fit(X, Y),
        hidden,
        extra,
        FeatureUnion([("a", pipe[:1].set_params(memory=str(cache)))]).fit(X, Y),
        Pipeline([("a", FeatureUnion([("b", "passthrough")])), ("c", pipe)]).fit(X, Y),
        make_pipeline(FeatureAgglomeration(2, memory=str(cache)), SVC()),
        VotingClassifier([("a", pipe), ("b", SVC())]),
    ]
    model = models[rng.integers(len(models))]
    name = type(model).__name__
    if rng.integers(4) == 0:  # by our own format
        step = {"class": "StandardScaler", "parameters": {}, "state": {}}
        steps = [{"tuple": ["a", {"estimator": step}]}]
        made = {"steps": steps, "memory": str(cache)}
        tree = {"class": "Pipeline", "parameters": made, "state": {}}
        (folder / "a.model").write_bytes(_archive.pack(tree, []))
        return "a Pipeline in our own format"
    data = skops.io.dumps(model)
    if rng.integers(3) == 0:  # under another name, and as an object
        members, schema = unzipped(data)
        for one in nodes(schema):
            content = one.get("content")
            if isinstance(content, dict) and "memory" in content:
                inner = json_node(["a", {"b": str(cache)}][rng.integers(2)])
                content["memory"] = inner
        data = zipped(members, schema)
    written(folder / "a.model", name, data)
    return f"memory in {name}"


def untrusted(rng, folder):
    """A node of a type that runs code when it is made, in any place and disguise."""
    name = list(MODELS)[rng.integers(len(MODELS))]
    members, schema = unzipped(dumped(name))
    canary = json_node(f"touch {folder / 'canary'}")
    tuple_of = node("builtins", "tuple", "TupleNode", content=[canary])
    empty = node("builtins", "dict", "DictNode", content={}, key_types=_no_types())
    tree = "sklearn.tree._tree", "Tree"
    members["evil.npy"] = pickle.dumps(Evil(folder / "canary"))
    objects = io.BytesIO()
    np.save(objects, np.array([Evil(folder / "canary")]), allow_pickle=True)
    members["objects.npy"] = objects.getvalue()
    reduced = {"args": tuple_of}
    evil = [
        node("os", "system", "FunctionNode"),
        node("os", "system", "TypeNode"),
        node("os", "system", "ConstructorFromReduceNode", content=tuple_of),
        node("posix", "system", "LossNode", __reduce__=reduced, content=empty),
        node(*tree, "ConstructorFromReduceNode", content=_tuple(4, 1, 10**9)),
        node(*tree, "LossNode", __reduce__={"args": _tuple(4, 1, 99)}, content=empty),
        node(*tree, "ListNode", content=[]),
        node(*tree, "TreeNode", __reduce__={"args": _tuple(-1, 1, -9)}, content=empty),
        node("subprocess", "Popen", "ObjectNode", content=empty),
        node("evil_module", "Model", "ObjectNode", content=empty),
        node("sklearn", "evil_module.Model", "ObjectNode", content=empty),
        node("builtins", "eval", "DictNode", content={}, key_types=_no_types()),
        node("numpy", "ndarray", "NdArrayNode", type="numpy", file="evil.npy"),
        node("numpy", "ndarray", "NdArrayNode", type="numpy", file="objects.npy"),
        node("numpy", "memmap", "NdArrayNode", type="numpy", file="objects.npy"),
        node("operator", "methodcaller", "OperatorFuncNode", attrs=tuple_of),
        node(
            "functools",
            "partial",
            "PartialNode",
            content={
                "func": node("os", "system", "FunctionNode"),
                "args": tuple_of,
                "kwds": empty,
                "namespace": empty,
            },
        ),
        node(
            *tree,
            "PartialNode",
            content={
                "func": node("builtins", "map", "TypeNode"),
                "args": tuple_of,
                "kwds": empty,
                "namespace": empty,
            },
        ),
        node(
            "sklearn.svm._classes",
            "SVC",
            "MethodNode",
            content={"func": "fit", "obj": node("sklearn.svm._classes", "SVC")},
        ),
        node(
            "numpy.random",
            "Generator",
            "RandomGeneratorNode",
            content={
                "bit_generator": node(
                    "builtins",
                    "dict",
                    "DictNode",
                    content={"bit_generator": json_node("seed")},
                    key_types=_no_types(),
                ),
                "seed_seq": empty,
            },
        ),
        node("scipy.sparse._base", "spmatrix", "SparseMatrixNode", type="scipy",
             file="evil.npy"),
        node("scipy.sparse._matrix", "spmatrix", "SparseMatrixNode", type="scipy",
             file="objects.npy"),
    ]  # fmt: skip
    chosen = evil[rng.integers(len(evil))]
    own = nodes(schema)
    place = own[0 if rng.integers(4) == 0 else rng.integers(len(own))]
    place.clear()
    place.update(chosen)
    data = zipped(members, schema | {"protocol": int(rng.integers(-1, 4))}
                  if rng.integers(5) == 0 else schema)  # fmt: skip
    written(folder / "a.model", type(MODELS[name]).__name__, data)
    return f"{chosen['__loader__']} of {chosen['__class__']} in {name}"


def _no_types():
    return node("builtins", "list", "ListNode", content=[])


def _tuple(*values):
    content = [json_node(value) for value in values]
    return node("builtins", "tuple", "TupleNode", content=content)


def outside(rng, folder):
    """A model that reads a file by its name, or a member with a name of the system."""
    secret = folder / "secret.txt"
    if rng.integers(2):
        model = CountVectorizer().fit(["a bb", "cc dd"])
        model.input = ["filename", "file", None, 3][rng.integers(4)]
        written(folder / "a.model", "CountVectorizer", skops.io.dumps(model))
        return f"input={model.input}"
    members, schema = unzipped(dumped("svc"))
    files = [one for one in nodes(schema) if "file" in one]
    name = [str(secret), "../secret.txt", "file://secret.txt"][rng.integers(3)]
    chosen = files[rng.integers(len(files))]
    if rng.integers(2):
        members[name] = members.pop(chosen["file"])
    chosen["file"] = name
    written(folder / "a.model", "SVC", zipped(members, schema))
    return f"a member {name[-20:]}"


def bomb(rng, folder):
    """A small file that unpacks to much, or takes long to read."""
    path = folder / "a.model"
    members, schema = unzipped(dumped("svc"))
    files = [one for one in nodes(schema) if "file" in one]
    name = files[rng.integers(len(files))]["file"]
    size = int(rng.integers(200, 1500))
    kind = rng.integers(14)
    data = None
    if kind == 0:
        data = _swollen(members, name, header("|u1", (size * MEGA,)), size)
    elif kind == 1:
        data = _swollen(members, "schema.json", b"", size, b" ")
    elif kind == 2:  # with an index that says less
        data = _lying(_swollen(members, name, header("|u1", (size * MEGA,)), size))
    elif kind == 3:  # one member, read by many nodes without an id
        members["big.npy"] = npy(np.zeros(4 * MEGA, np.uint8))
        big = node("numpy", "ndarray", "NdArrayNode", type="numpy", file="big.npy")
        schema["content"]["content"]["more_"] = node(
            "builtins", "list", "ListNode", content=[big] * 2000
        )
    elif kind == 4:  # a billion references
        inner = json_node(1)
        for key in range(1, 60):
            content = [inner, {"__id__": inner.get("__id__", 0)}]
            content[1] = content[1] if content[1]["__id__"] else inner
            inner = node("builtins", "list", "ListNode", content=content, __id__=key)
        schema["content"]["content"]["more_"] = inner
    elif kind == 5:  # many small nodes
        many = [node("numpy", "sin", "FunctionNode")] * int(rng.integers(1e5, 2e6))
        schema["content"]["content"]["more_"] = node(
            "builtins", "list", "ListNode", content=many
        )
    elif kind == 6:  # a long text in JSON in JSON
        text = "[" + "[]," * int(rng.integers(1e6, 2e7)) + "[]]"
        more = node("builtins", "str", "JsonNode", content=text)
        schema["content"]["content"]["more_"] = more
    elif kind == 7:  # an array without numbers
        shape = (10 ** int(rng.integers(6, 15)), 4)
        members[name] = header(
            ["<f8", "<U0", "|u1", "<U1000000"][rng.integers(4)], shape
        )
    elif kind == 8:  # deep
        deep = 10 ** int(rng.integers(3, 6))
        text = json.dumps(schema).replace('"SVC"', "[" * deep + "]" * deep, 1)
        data = zipped(members | {"schema.json": text.encode()})
    elif kind == 9:  # many members
        for i in range(int(rng.integers(1e4, 2e5))):
            members[f"{i}"] = b""
    elif kind == 10:  # the manifest
        lists = b"[" + b"[]," * int(rng.integers(1e6, 2e7)) + b"[]]"
        _outer(path, b'{"format": "labelscape-model", "version": 1, "a": %s}' % lists)
        return "lists in the manifest"
    elif kind == 11:
        blanks = b" " * (size * MEGA)
        _outer(path, blanks + b"{}", zipfile.ZIP_DEFLATED, is_lying=rng.integers(2))
        return "blanks in the manifest"
    elif kind == 12:  # an empty array of our own
        _archive_of_array(path, header("<U0", (10**12,)))
        return "an array of empty texts"
    else:  # a number of five million digits
        schema["content"]["content"]["C"]["content"] = "9" * 5 * MEGA
    if data is None:
        data = zipped(members, schema)
    written(path, "SVC", data)
    return f"bomb {kind}"


def _swollen(members, name, start, size, fill=b"\0"):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, content in members.items():
            if one != name:
                archive.writestr(one, content)
        with archive.open(name, "w") as target:
            target.write(start)
            for _ in range(size):
                target.write(fill * MEGA)
            target.write(members[name] if name == "schema.json" else b"")
    return file.getvalue()


def _lying(data):
    """Return a zip whose index declares ten bytes for each member."""
    data = bytearray(data)
    at = data.find(b"PK\1\2")
    while at >= 0:
        data[at + 24 : at + 28] = (10).to_bytes(4, "little")
        at = data.find(b"PK\1\2", at + 4)
    return bytes(data)


def _outer(path, manifest, compression=zipfile.ZIP_STORED, is_lying=False):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        archive.writestr("manifest.json", manifest)
        archive.comment = b"0" * 64
    data = _lying(file.getvalue()) if is_lying else file.getvalue()
    path.write_bytes(_archive.sealed(data[:-64]))


def _archive_of_array(path, data):
    node_of = {"class": "GLVQ", "parameters": {}, "state": {"classes_": None}}
    node_of["state"]["classes_"] = {"array": "arrays/0.npy"}
    path.write_bytes(_archive.pack(node_of, [np.zeros(1)]))
    members = Members(path)
    members["arrays/0.npy"] = data
    members.write(path)


def tree(rng, folder):
    """Nodes of a tree that lead elsewhere, or a tree of another size."""
    name = TREES[rng.integers(len(TREES))]
    members, schema = unzipped(dumped(name))
    trees = [one for one in nodes(schema) if one["__loader__"] == "TreeNode"]
    state = trees[rng.integers(len(trees))]
    content, args = state["content"]["content"], state["__reduce__"]["args"]["content"]
    kind = rng.integers(9)
    wild = [0, 1, -1, -2, 5, 10**4, 10**7, 10**12, -(10**12), 2**62]
    value = wild[rng.integers(len(wild))]
    file = content["nodes"]["file"]
    at = np.load(io.BytesIO(members[file]))
    words = ""
    if kind < 4:
        field = ("left_child", "right_child", "feature")[rng.integers(3)]
        rows = rng.choice(len(at), size=rng.integers(1, len(at) + 1), replace=False)
        at[field][rows if rng.integers(2) else 0] = value
        words = f"{field} {value}"
    elif kind == 4:
        at = at[: rng.integers(len(at))] if rng.integers(2) else at[::-1]
        values = content["values"]["file"]
        if rng.integers(2):
            members[values] = npy(np.load(io.BytesIO(members[values]))[: len(at)])
        words = f"{len(at)} nodes"
    elif kind == 5:
        args[0] = json_node(value)
        words = f"n_features {value}"
    elif kind == 6:
        args[2] = json_node(value)
        words = f"n_outputs {value}"
    elif kind == 7:
        key = ("node_count", "max_depth")[rng.integers(2)]
        content[key] = json_node(value)
        words = f"{key} {value}"
    else:
        state["content"] = node(
            "builtins", "dict", "DictNode", content={}, key_types=_no_types()
        )
        words = "no state"
    members[file] = npy(at)
    written(folder / "a.model", type(MODELS[name]).__name__, zipped(members, schema))
    return f"{name}: {words}"


def attribute(rng, folder):
    """A fitted attribute of any part of a model that no fit has made."""
    while True:
        name = list(MODELS)[rng.integers(len(MODELS))]
        model = fitted(name)
        ways = [way for way in places(model) if way[-1] != "tree_"]
        if not ways:  # its parts stand in lists
            continue
        way = ways[rng.integers(len(ways))]
        value = model
        for one in way:
            value = parts(value)[one]
        options = changes_of(value)
        what = list(options)[rng.integers(len(options))]
        try:
            new = options[what](value)
            if new is NOTHING or type(new).__module__.startswith("labelscape"):
                continue
            data = skops.io.dumps(put(model, way, new))
        except Exception:  # nothing of that kind can be done to it, or stored
            continue
        written(folder / "a.model", type(MODELS[name]).__name__, data)
        return f"{name}: {'.'.join(map(str, way))} {what}"


def mixture(rng, folder):
    """A model with an attribute of another model, or with a tree of another width."""
    names = list(MODELS)
    name, other = (names[i] for i in rng.choice(len(names), 2, replace=False))
    model, source = fitted(name), fitted(other)
    if rng.integers(2) and name in TREES:
        source = type(model)(**model.get_params(deep=False))
        wide = np.tile(X, 3)[:, : rng.integers(1, 13)]
        source.fit(wide, Y if rng.integers(2) else Y > 0)
    keys = vars(model).keys() | {"estimators_", "init_"}
    shared = sorted(keys & vars(source).keys()) or sorted(vars(source))
    shared = [key for key in shared if key.endswith("_")] or shared
    key = shared[rng.integers(len(shared))]
    vars(model)[key] = vars(source)[key]
    written(folder / "a.model", type(model).__name__, skops.io.dumps(model))
    return f"{name}: {key} of {other}"


def schema(rng, folder):
    """A schema in which a value is replaced, removed or exchanged."""
    name = list(MODELS)[rng.integers(len(MODELS))]
    members, tree_of = unzipped(dumped(name))
    own = nodes(tree_of)
    words = []
    for _ in range(rng.integers(1, 4)):
        one, two = (own[i] for i in rng.integers(len(own), size=2))
        kind = rng.integers(6)
        if kind == 0:
            before, after = deepcopy(one), deepcopy(two)
            one.clear(), two.clear()
            one.update(after), two.update(before)
        elif kind == 1:
            key = list(one)[rng.integers(len(one))] if one else None
            one.pop(key, None)
        elif kind == 2 and two:
            key = list(two)[rng.integers(len(two))]
            one[key] = deepcopy(two[key])
        elif kind == 3:
            one["content"] = [None, 1, "x", [], {}, [None]][rng.integers(6)]
        elif kind == 4:
            for key in ("__class__", "__module__"):
                one[key] = two.get(key)
        else:  # a reference to any other node, perhaps to itself
            one.clear()
            one["__id__"] = two.get("__id__", 5)
        words.append(str(kind))
    written(folder / "a.model", type(MODELS[name]).__name__, zipped(members, tree_of))
    return f"{name}: changes {' '.join(words)}"


def damage(rng, folder):
    """Bytes of the inner zip that are cut off, changed or moved."""
    name = list(MODELS)[rng.integers(len(MODELS))]
    data = dumped(name)
    at, n = int(rng.integers(len(data))), int(rng.integers(1, 200))
    kind = rng.integers(5)
    if kind == 0:
        data = data[:at]
    elif kind == 1:
        data = data[:at] + rng.bytes(n) + data[at + n :]
    elif kind == 2:
        data = data[:at] + data[at + n :]
    else:  # with the right checksums in the zip
        members, _ = unzipped(data)
        key = list(members)[rng.integers(len(members))]
        old = members[key]
        at = int(rng.integers(len(old)))
        members[key] = old[:at] + rng.bytes(n if kind == 3 else 1) + old[at + 1 :]
        data = zipped(members)
    written(folder / "a.model", type(MODELS[name]).__name__, data)
    return f"{name}: damage {kind}"


KINDS = {
    "memory": memory,
    "untrusted": untrusted,
    "outside": outside,
    "bomb": bomb,
    "tree": tree,
    "private": private,
    "attribute": attribute,
    "mixture": mixture,
    "schema": schema,
    "damage": damage,
}
