"""The content of model files, and values that they cannot contain."""

import hashlib
import io
import zipfile

import numpy as np
import pytest
from scipy import sparse
from tests.model_file.toys import (
    Toy,
    assert_same,
    manifest_of,
    through_a_file,
    with_state,
)

from labelscape._model_file import save


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
        (Toy(metric=SubToy()), r"Toy\.metric is SubToy\(\)"),
        (Toy(random_state=np.random.default_rng(0)), r"set_params\(random_state=0\)"),
        (Toy(random_state=np.random.RandomState(0)), r"Toy\.random_state is a random"),
        (with_state([1, {"a": {1, 2}}]), r"Toy\.state_\[1\]\['a'\] is \{1, 2\}"),
        (with_state(np.array([[], object()], object)), "an object in Toy.state_ is"),
        (with_state(np.zeros(2, "f8,i4")), "Toy.state_ is an array of dtype"),
        (with_state(np.array(["a"], np.dtypes.StringDType())), r"astype\(str\)"),
        (with_state(np.ma.masked_array([1], [True])), "of type numpy.ma.MaskedArray"),
        (with_state(sparse.coo_array((2, 2))), "Toy.state_ is .*coo"),
        (with_state(np.zeros(1, "f8,i4")[0]), "Toy.state_ is .* of type numpy.void"),
        (with_state(slice(3)), r"Toy.state_ is slice"),
        (with_state(itself()), "contain the model itself"),
        (SubToy(), "must be an estimator of .*, got .*SubToy"),
    ],
)
def test_what_a_file_can_not_hold_is_named_and_nothing_is_written(
    model, words, tmp_path
):
    with pytest.raises(TypeError, match=words):
        save(model, tmp_path / "toy.model")
    assert not list(tmp_path.iterdir())
