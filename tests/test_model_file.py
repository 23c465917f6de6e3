"""A model file gives back the model, bit by bit, and replaces an old one safely."""

import errno
import hashlib
import inspect
import io
import json
import os
import stat
import struct
import subprocess
import sys
import warnings
import zipfile
from dataclasses import dataclass, is_dataclass
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin
from sklearn.cross_decomposition import CCA
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.utils.validation import check_is_fitted, validate_data

from labelscape._model_file import load, save
from labelscape._model_file._registry import ESTIMATORS, RECORDS, class_named


class Toy(ClassifierMixin, TransformerMixin, BaseEstimator):
    """Class means, and whatever else a test hangs on it."""

    _training_data = ("embedding_",)

    def __init__(self, scale=1.0, *, metric=None, callback=None, random_state=None):
        self.scale = scale
        self.metric = metric
        self.callback = callback
        self.random_state = random_state

    def fit(self, X, y):
        X = validate_data(self, X)
        self.classes_, index = np.unique(y, return_inverse=True)
        self.means_ = np.stack([X[index == c].mean(axis=0) for c in np.unique(index)])
        self.embedding_ = X[:, :2]
        return self

    def transform(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False)
        return self.scale * np.linalg.norm(X[:, None] - self.means_, axis=2)

    def predict(self, X):
        nearest = self.transform(X).argmin(axis=1)
        return self.classes_[nearest]


class Pair(NamedTuple):
    first: object
    second: object


@dataclass(frozen=True)
class Grid:
    labels: np.ndarray
    width: float


@pytest.fixture(autouse=True)
def _toys_are_registered(monkeypatch):
    monkeypatch.setitem(ESTIMATORS, "Toy", __name__)
    monkeypatch.setitem(RECORDS, "Pair", __name__)
    monkeypatch.setitem(RECORDS, "Grid", __name__)


@pytest.fixture
def toy():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return Toy(scale=0.1).fit(X, y.map({0: "setosa", 1: "versicolor", 2: "virginica"}))


def through_a_file(model, path, **options):
    save(model, path, **options)
    return load(path)


def with_state(value):
    model = Toy()
    model.state_ = value
    return model


def manifest_of(path):
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def assert_same(a, b):
    """Compare two values to the last bit, types and memory order included."""
    assert type(a) is type(b)
    if isinstance(a, np.ndarray):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert a.flags.writeable
        if a.dtype == object:
            assert_same(a.ravel().tolist(), b.ravel().tolist())
        else:
            assert a.tobytes() == b.tobytes()
            assert a.flags.f_contiguous == b.flags.f_contiguous or not b.flags.forc
    elif isinstance(a, np.generic):
        assert (a.dtype, a.tobytes()) == (b.dtype, b.tobytes())
    elif isinstance(a, float):
        assert struct.pack("d", a) == struct.pack("d", b)
    elif isinstance(a, list | tuple):
        assert len(a) == len(b)
        for left, right in zip(a, b, strict=True):
            assert_same(left, right)
    elif isinstance(a, dict):
        assert_same(list(a.items()), list(b.items()))
    elif sparse.issparse(a):
        assert a.shape == b.shape
        for part in ("data", "indices", "indptr"):
            assert_same(getattr(a, part), getattr(b, part))
    elif isinstance(a, BaseEstimator) or is_dataclass(a):
        rebuilt = getattr(a, "_rebuilt", ())
        assert_same(
            *({k: v for k, v in vars(m).items() if k not in rebuilt} for m in (a, b))
        )
    else:
        assert a == b


# What comes back


def test_a_loaded_model_predicts_and_transforms_to_the_last_bit(toy, tmp_path):
    X, _ = load_iris(return_X_y=True, as_frame=True)
    again = through_a_file(toy, tmp_path / "toy.model")

    check_is_fitted(again)
    assert again.transform(X).tobytes() == toy.transform(X).tobytes()
    assert (again.predict(X) == toy.predict(X)).all()
    assert again.n_features_in_ == 4
    assert_same(again.feature_names_in_, toy.feature_names_in_)
    assert again.get_params() == toy.get_params()


STATES = {
    "nothing": None,
    "truth": [True, False, np.bool_(True)],
    "whole numbers": [0, -7, 2**200, np.int8(-3), np.uint64(2**64 - 1)],
    "floats": [0.1, -0.0, 1e300, 5e-324, np.inf, -np.inf, np.nan, -np.nan],
    "numpy floats": [
        np.float32(0.1),
        np.float64(np.nan),
        np.float16(2),
        np.complex64(1j),
    ],
    "text": [
        "",
        "é\n",
        "\ud800",
        "\x00",
        np.str_("größe"),
        np.str_(""),
        np.bytes_(b"a"),
    ],
    "dates": [np.datetime64("2020-02-29", "ns"), np.timedelta64(3, "h")],
    "containers": ([], (), {}, [(1, [2, {"a": (None,)}])]),
    "dict keys": {"a": 1, 1: 2, 2.5: 3, False: 4, None: 5, np.int64(9): 6, np.inf: 7},
    "labels": np.array(["a", 1, 2.5, True, None, np.nan, np.int64(3)], dtype=object),
    "a matrix of labels": np.array([["a", "b"], ["c", 1]], dtype=object),
    "one label": np.array("a", dtype=object),
    "no labels": np.empty((0, 3), dtype=object),
    "float32": np.arange(6, dtype=np.float32).reshape(2, 3),
    "fortran order": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "no order": np.arange(24.0).reshape(2, 3, 4)[:, ::2, ::-1],
    "no dimension": np.array(3.5),
    "empty": [np.empty(0), np.empty((0, 3), np.int8), np.empty((2, 0, 2), "U3")],
    "foreign bytes": np.arange(3, dtype=">f8"),
    "texts": np.array(["a", "bcd", ""]),
    "bytes": np.array([b"a", b"bcd"]),
    "truths": np.array([True, False]),
    "times": np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    "csr": sparse.random_array((4, 5), density=0.4, format="csr", rng=0),
    "csc": sparse.csc_matrix(np.eye(3, 2, dtype=np.float32)),
    "no entries": sparse.csr_matrix((3, 4)),
    "named tuple": Pair(1, np.arange(2)),
    "data class": {"grid": Grid(np.array([["a"]]), 0.5)},
    "estimator": [Toy(2.0), with_state(np.arange(3))],
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
def test_every_kind_of_state_comes_back_as_it_was(state, tmp_path):
    again = through_a_file(with_state(state), tmp_path / "toy.model")
    assert_same(again.state_, state)


def plain_values():
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=5)
        | hnp.arrays(hnp.scalar_dtypes(), ()).map(lambda array: array[()])
    )
    arrays = hnp.arrays(
        hnp.scalar_dtypes() | hnp.unicode_string_dtypes() | hnp.byte_string_dtypes(),
        hnp.array_shapes(min_dims=0, min_side=0, max_side=3),
    )
    return st.recursive(
        scalars | arrays,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.lists(inner, max_size=3).map(tuple)
            | st.dictionaries(scalars, inner, max_size=3)
        ),
        max_leaves=8,
    )


@settings(
    max_examples=100,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(state=plain_values())
def test_any_tree_of_plain_values_comes_back_as_it_was(state, tmp_path):
    again = through_a_file(with_state(state), tmp_path / "toy.model")
    assert_same(again.state_, state)


def test_a_nested_estimator_comes_back_fitted(toy, tmp_path):
    X, _ = load_iris(return_X_y=True, as_frame=True)
    again = through_a_file(Toy(metric=toy), tmp_path / "toy.model")
    assert again.metric.transform(X).tobytes() == toy.transform(X).tobytes()


def test_a_model_that_is_not_fitted_comes_back_not_fitted(tmp_path):
    again = through_a_file(Toy(scale=3), tmp_path / "toy.model")
    assert again.scale == 3
    with pytest.raises(NotFittedError):
        again.predict([[0.0]])


def test_a_callback_is_no_part_of_a_model(tmp_path):
    assert through_a_file(Toy(callback=print), tmp_path / "toy.model").callback is None


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "Toy"])
def test_every_estimator_comes_back_bit_by_bit(name, tmp_path):
    cls = class_named(name, ESTIMATORS)
    if cls is None:
        pytest.skip(f"{ESTIMATORS[name]}.{name} is not written yet")
    X, y = load_iris(return_X_y=True)
    X, y = X[::3], np.array(["setosa", "versicolor", "virginica"], object)[y[::3]]
    choices = {"random_state": 0, "max_iter": 5, "perplexity": 10}
    choices["embedder"] = _ours("Sammon")
    if name == "ClassifierMap":
        choices["classifier"] = _ours("GLVQ").fit(X, y)
    known = inspect.signature(cls).parameters
    model = cls(**{k: v for k, v in choices.items() if k in known})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # five iterations are few
        model.fit(X, y)

    again = through_a_file(model, tmp_path / "a.model", include_data=True)

    assert_same(again, model)
    for method in ("predict", "predict_proba", "decision_function", "transform"):
        if hasattr(model, method):
            assert_same(getattr(again, method)(X), getattr(model, method)(X))


def _ours(name):
    cls = class_named(name, ESTIMATORS)
    return None if cls is None else cls()


# What a file holds


def test_training_data_stay_out_unless_asked_for(toy, tmp_path):
    path = tmp_path / "toy.model"
    assert not hasattr(through_a_file(toy, path), "embedding_")
    assert manifest_of(path)["model"]["left_out"] == ["embedding_"]

    again = through_a_file(toy, path, include_data=True)
    assert_same(again.embedding_, toy.embedding_)
    assert manifest_of(path)["model"]["left_out"] == []


def test_training_data_of_a_nested_estimator_stay_out_too(toy, tmp_path):
    again = through_a_file(Toy(metric=toy), tmp_path / "toy.model")
    assert not hasattr(again.metric, "embedding_")


def test_the_arrays_can_be_read_with_numpy_alone(toy, tmp_path):
    save(toy, tmp_path / "toy.model")
    state = manifest_of(tmp_path / "toy.model")["model"]["state"]
    with zipfile.ZipFile(tmp_path / "toy.model") as archive:
        member = io.BytesIO(archive.read(state["means_"]["array"]))
    assert_same(np.load(member, allow_pickle=False), toy.means_)


def test_the_file_ends_in_the_checksum_of_all_before(toy, tmp_path):
    save(toy, tmp_path / "toy.model")
    data = (tmp_path / "toy.model").read_bytes()
    assert hashlib.sha256(data[:-64]).hexdigest().encode() == data[-64:]


def test_the_same_model_gives_the_same_bytes(toy, tmp_path):
    save(toy, tmp_path / "a")
    save(through_a_file(toy, tmp_path / "b", include_data=True), tmp_path / "c")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "c").read_bytes()


def test_a_limited_rank_model_of_784_features_takes_less_than_a_megabyte(tmp_path):
    rng = np.random.default_rng(0)
    model = with_state({"omega": rng.random((2, 784)), "w": rng.random((10, 784))})
    save(model, tmp_path / "liram.model")
    assert (tmp_path / "liram.model").stat().st_size < 100_000


# What can not be saved


class SubToy(Toy):
    pass


def itself():
    values = []
    values.append(values)
    return values


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Toy(metric=lambda a, b: 0), r"Toy\.metric is <function .* set_params"),
        (Toy(metric=LogisticRegression()), r"Toy\.metric is LogisticRegression\(\)"),
        (Toy(metric=CCA()), r"Toy\.metric is CCA\(\)"),
        (Toy(metric=SubToy()), r"Toy\.metric is SubToy\(\)"),
        (Toy(random_state=np.random.default_rng(0)), r"set_params\(random_state=0\)"),
        (Toy(random_state=np.random.RandomState(0)), r"Toy\.random_state is a random"),
        (with_state([1, {"a": {1, 2}}]), r"Toy\.state_\[1\]\['a'\] is \{1, 2\}"),
        (with_state(np.array([[], object()], object)), "an object in Toy.state_ is"),
        (with_state({(1, 2): 3}), r"a key of Toy.state_ is \(1, 2\)"),
        (with_state(np.zeros(2, "f8,i4")), "Toy.state_ is an array of dtype"),
        (with_state(np.array(["a"], np.dtypes.StringDType())), r"astype\(str\)"),
        (with_state(np.ma.masked_array([1], [True])), "of type numpy.ma.MaskedArray"),
        (with_state(sparse.coo_array((2, 2))), "Toy.state_ is .*coo"),
        (with_state(np.zeros(1, "f8,i4")[0]), "Toy.state_ is .* of type numpy.void"),
        (with_state(slice(3)), r"Toy.state_ is slice"),
        (with_state(itself()), "contains itself"),
        (LogisticRegression(), "must be an estimator of Labelscape, got .*Logistic"),
        (SubToy(), "must be an estimator of Labelscape, got .*SubToy"),
        (CCA(), "must be an estimator of Labelscape, got .*cross_decomposition"),
    ],
)
def test_what_a_file_can_not_hold_is_named_and_nothing_is_written(
    model, words, tmp_path
):
    with pytest.raises(TypeError, match=words):
        save(model, tmp_path / "toy.model")
    assert not list(tmp_path.iterdir())


def test_a_model_that_is_mostly_objects_is_refused_before_load_would(
    monkeypatch, tmp_path
):
    monkeypatch.setattr("labelscape._model_file._archive.LARGEST_MANIFEST", 2000)
    labels = np.array([f"label {i}" for i in range(1000)], dtype=object)
    with pytest.raises(ValueError, match="rather than as an array of objects"):
        save(with_state(labels), tmp_path / "toy.model")


# How it is written


def test_a_missing_folder_is_named(toy, tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no folder '.*missing' .*Create it"):
        save(toy, tmp_path / "missing" / "toy.model")


def test_the_path_may_be_text(toy, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(toy, "toy.model")
    assert load("toy.model").scale == toy.scale


def fail_with(error):
    def fail(*_):
        raise error

    return fail


class FullDisk:
    """A file that takes a few bytes and then has no room left."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def write(self, data):
        self.file.write(data[:100])
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("step", "error"),
    [
        ("os.fsync", OSError(errno.EIO, "Input/output error")),
        ("os.fsync", KeyboardInterrupt()),
        ("os.replace", OSError(errno.EACCES, "Permission denied")),
        ("shutil.copymode", MemoryError()),
    ],
)
def test_a_failure_while_writing_leaves_the_old_file_whole(
    toy, step, error, tmp_path, monkeypatch
):
    path = tmp_path / "toy.model"
    save(Toy(scale=7), path)
    monkeypatch.setattr(f"labelscape._model_file._atomic.{step}", fail_with(error))
    with pytest.raises(type(error)):
        save(toy, path)
    assert load(path).scale == 7
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file_whole(toy, tmp_path, monkeypatch):
    path = tmp_path / "toy.model"
    save(Toy(scale=7), path)
    with monkeypatch.context() as patch:
        really_open = type(path).open
        patch.setattr(type(path), "open", lambda *a: FullDisk(really_open(*a)))
        with pytest.raises(OSError, match="No space left"):
            save(toy, path)
    assert load(path).scale == 7
    assert list(tmp_path.iterdir()) == [path]


def test_a_system_that_can_not_sync_folders_still_saves(toy, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "labelscape._model_file._atomic.os.open", fail_with(PermissionError())
    )
    assert through_a_file(toy, tmp_path / "toy.model").scale == toy.scale


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_permissions_are_those_of_a_new_file_or_of_the_old_one(toy, tmp_path):
    (tmp_path / "usual").touch()
    save(toy, tmp_path / "new")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode

    (tmp_path / "new").chmod(0o640)
    save(toy, tmp_path / "new")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name != "posix", reason="links need no rights on POSIX")
def test_a_link_stays_a_link(toy, tmp_path):
    (tmp_path / "link").symlink_to("target")
    save(toy, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert load(tmp_path / "target").scale == toy.scale


def test_importing_labelscape_does_not_import_model_files():
    code = "import labelscape, sys; sys.exit('labelscape._model_file' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_pipeline_of_a_scaler_and_a_model_is_kept(tmp_path):
    from sklearn.decomposition import PCA
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from labelscape.embeddings import LFDA

    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), LFDA()).fit(X, y)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    foreign = make_pipeline(StandardScaler(), PCA(2)).fit(X)
    with pytest.raises(TypeError, match="PCA"):
        save(foreign, tmp_path / "m")
