"""Fitted models of scikit-learn, and the bytes and files that hold them."""

import io
import json
import warnings
import zipfile
from functools import cache

import numpy as np
import skops.io
from sklearn.cluster import KMeans
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    IsolationForest,
    RandomForestClassifier,
)
from sklearn.linear_model import Lasso, LogisticRegression, SGDClassifier
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, SVR, NuSVC, OneClassSVM
from sklearn.tree import DecisionTreeClassifier

from labelscape._model_file import _archive

X, Y = load_iris(return_X_y=True)
X, Y = X[::2], Y[::2]
ENCODER = OneHotEncoder(
    min_frequency=3, handle_unknown="infrequent_if_exist", sparse_output=False
)
MODELS = {
    "tree": DecisionTreeClassifier(random_state=0),
    "forest": RandomForestClassifier(3, random_state=0),
    "extra trees": ExtraTreesClassifier(3, random_state=0),
    "boosted": GradientBoostingClassifier(n_estimators=3, random_state=0),
    "boosted zero": GradientBoostingRegressor(n_estimators=3, init="zero"),
    "isolation": IsolationForest(n_estimators=3, max_features=2, random_state=0),
    "ada": AdaBoostClassifier(n_estimators=3, random_state=0),
    "bagging": BaggingClassifier(SVC(), n_estimators=2, max_features=3),
    "svc": SVC(probability=False),
    "linear svc": SVC(kernel="linear"),
    "nu svc": NuSVC(nu=0.2),
    "svr": SVR(),
    "one class": OneClassSVM(),
    "neighbors": KNeighborsClassifier(3, algorithm="brute"),
    "weighted": KNeighborsClassifier(3, algorithm="brute", weights="distance"),
    "outliers": LocalOutlierFactor(novelty=True, algorithm="brute"),
    "k means": KMeans(3, n_init=1, random_state=0),
    "network": MLPClassifier((4,), max_iter=5, random_state=0, warm_start=True),
    "logistic": LogisticRegression(warm_start=True),
    "sgd": SGDClassifier(warm_start=True, random_state=0, average=True),
    "lasso": Lasso(warm_start=True),
    "one by one": OneVsRestClassifier(make_pipeline(StandardScaler(), SVC())),
    "columns": ColumnTransformer(
        [("s", StandardScaler(), [0, 1]), ("o", ENCODER, [2, 3])], sparse_threshold=0
    ),
    "union": FeatureUnion([("s", StandardScaler()), ("k", KMeans(2, n_init=1))]),
}


@cache
def dumped(name):
    """Return the bytes of skops for a fitted model."""
    return skops.io.dumps(fitted(name))


def fitted(name):
    from sklearn.base import clone

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(MODELS[name]).fit(X, Y)


def written(path, class_name, data):
    """Write a model file with a part for skops."""
    array = np.frombuffer(data, np.uint8)
    node = {"class": class_name, "skops": {"array": "arrays/0.npy"}}
    path.write_bytes(_archive.pack(node, [array]))


def unzipped(data):
    """Return the members of a zip by name, and its schema."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return members, json.loads(members["schema.json"])


def zipped(members, schema=None, compression=zipfile.ZIP_STORED):
    """Return a zip of members, with another schema if one is given."""
    if schema is not None:
        members = members | {"schema.json": json.dumps(schema).encode()}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()


def nodes(value, found=None):
    """Return all nodes of a schema."""
    found = [] if found is None else found
    if isinstance(value, dict):
        if "__loader__" in value:
            found.append(value)
        for inner in value.values():
            nodes(inner, found)
    elif isinstance(value, list):
        for inner in value:
            nodes(inner, found)
    return found


def node(module, name, loader="ObjectNode", **more):
    """Return a node of a schema."""
    return {"__class__": name, "__module__": module, "__loader__": loader} | more


def json_node(value):
    """Return a node for a plain value."""
    return node("builtins", "str", "JsonNode", content=json.dumps(value), is_json=True)


def npy(array):
    """Return the bytes of an array."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def header(descr, shape):
    """Return the header of an array whose numbers are missing."""
    file = io.BytesIO()
    described = {"descr": descr, "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_2_0(file, described)
    return file.getvalue()
