from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from tests.scene.cases import iris
from tests.scene.fixture import wine_scene
from tests.scene.reader import read

from labelscape.prototypes import GLVQ
from labelscape.scene import Scene, _features, decode, encode
from labelscape.scene._internal import scene_of
from labelscape.scene.scene import Scaled, Texts


@pytest.fixture(scope="module")
def scene():
    return wine_scene()


def assert_same(one, two):
    """Compare two records part by part, arrays to the last bit."""
    assert type(one) is type(two)
    if isinstance(one, np.ndarray):
        assert one.dtype == two.dtype
        assert_array_equal(one, two)
    elif isinstance(one, tuple):
        assert len(one) == len(two)
        for a, b in zip(one, two, strict=True):
            assert_same(a, b)
    elif is_dataclass(one):
        for field in fields(one):
            assert_same(getattr(one, field.name), getattr(two, field.name))
    else:
        assert one == two


def test_what_is_written_is_read_again(scene):
    assert_same(decode(encode(scene)), scene)


def test_the_same_scene_gives_the_same_bytes(scene):
    assert encode(scene) == encode(decode(encode(scene)))


def test_a_reader_that_knows_only_the_format_finds_everything(scene):
    tree = read(encode(scene))
    assert list(tree) == [field.name for field in fields(Scene)]
    assert tree["title"] == scene.title
    assert tree["classes"] == list(scene.classes)
    assert tree["ids"][:2] == ["<script>alert(1)</script>", ""]
    assert tree["labels"] == scene.labels.tolist()
    assert_allclose(tree["maps"][0]["positions"], scene.maps[0].positions)
    assert_allclose(tree["features"][3]["values"], scene.features[3].values)
    assert_allclose(
        tree["model"]["prototypes"]["values"], scene.model.prototypes.values
    )
    assert tree["maps"][0]["regions"]["labels"] == scene.maps[0].regions.labels.tolist()
    assert [light["state"] for light in tree["maps"][0]["honesty"]["lights"]] == [
        "good",
        "good",
        "fair",
    ]
    assert_allclose(tree["maps"][0]["honesty"]["rows"][0]["value"], 1.0)
    assert tree["images"] is None
    assert tree["maps"][1]["honesty"]["real"] == "untested"
    assert tree["maps"][1]["judged_right"] is None


def test_numbers_in_16_bits_are_read_by_the_format():
    X = np.array([[0.0, 1.0, np.nan, 3.0]], dtype=np.float32).T
    scene = scene_of(np.zeros((4, 2)), X, quality=False)
    codes = np.array([0, 21845, 65535, 65534], dtype=np.uint16)
    feature = replace(scene.features[0], values=Scaled(codes, 0.0, 3.0))
    tree = read(encode(replace(scene, features=(feature,))))
    values = tree["features"][0]["values"]
    assert values[2] is None
    assert_allclose(values[:2] + values[3:], [0, 1, 3], atol=3e-5)


def test_a_number_that_is_not_one_becomes_null(scene):
    regions = replace(scene.maps[0].regions, share_far=np.nan, agreement=np.inf)
    changed = replace(scene, maps=(replace(scene.maps[0], regions=regions),))
    tree = read(encode(changed))
    assert tree["maps"][0]["regions"]["share_far"] is None
    assert tree["maps"][0]["regions"]["agreement"] is None


def test_arrays_of_other_types_are_refused(scene):
    with pytest.raises(TypeError, match=r"uint8, uint16.*got int64"):
        encode(replace(scene, labels=scene.labels.astype(np.int64)))


def test_big_endian_arrays_are_turned_round(scene):
    turned = replace(scene, certainty=scene.certainty.astype(">f4"))
    assert_array_equal(decode(encode(turned)).certainty, scene.certainty)


def test_texts_of_any_kind_come_back():
    words = ["", "<b>&amp;</b>", "日本 🍷", "a\x00b\n", "\ud800 alone"]
    texts = Texts.of(words)
    assert len(texts) == 5
    assert [texts[i] for i in range(4)] == words[:4]
    assert texts[4] == "? alone"
    assert len(Texts.of([])) == 0


def test_a_million_points_take_less_than_20_mb():
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(1_000_000, 2))
    y = rng.integers(0, 40, len(Z))
    data = encode(scene_of(Z, None, y))
    assert len(data) < 20e6
    assert_array_equal(decode(data).labels, y)


def test_many_points_have_features_in_16_bits():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_001, 3))
    X[7, 1] = np.nan
    scene = decode(encode(scene_of(X[:, [0, 2]], X, quality=False)))
    values = scene.features[1].values
    assert isinstance(values, Scaled)
    step = (values.high - values.low) / 65534
    assert_allclose(values.numbers, X[:, 1], atol=0.51 * step, rtol=1e-6)


def test_many_points_have_distances_and_certainty_in_16_bits(monkeypatch):
    monkeypatch.setattr(_features, "MANY_POINTS", 100)
    X, y = iris(150)
    model = GLVQ(random_state=0).fit(X, y)
    scene = decode(encode(scene_of(model, X, y, quality=False, regions=False)))
    known = model.decision_function(X)
    for stored, wanted in (
        (scene.model.class_distances, -known),
        (scene.certainty, model.predict_proba(X).max(axis=1)),
    ):
        assert isinstance(stored, Scaled)
        assert stored.numbers.shape == wanted.shape
        step = (stored.high - stored.low) / 65534
        assert_allclose(stored.numbers, wanted, atol=0.51 * step, rtol=1e-6)
    tree = read(encode(scene))
    assert_allclose(
        tree["model"]["class_distances"], scene.model.class_distances.numbers, rtol=1e-6
    )


def test_a_class_without_prototypes_is_missing_in_16_bits(monkeypatch):
    monkeypatch.setattr(_features, "MANY_POINTS", 1)
    found = _features.stored(np.array([[1, np.inf], [3, np.inf]], dtype=np.float32))
    np.testing.assert_array_equal(found.numbers, [[1, np.nan], [3, np.nan]])
    assert (found.low, found.high) == (1, 3)


@pytest.mark.parametrize(
    ("n_groups", "dtype"),
    [(254, "uint8"), (255, "uint16"), (65_534, "uint16"), (65_535, "uint32")],
)
def test_indices_take_no_more_bytes_than_they_need(n_groups, dtype):
    none = np.iinfo(np.uint32).max
    found = _features.members(np.array([0, n_groups - 1, none], np.uint32), n_groups)
    assert found.dtype == dtype
    assert found.tolist() == [0, n_groups - 1, np.iinfo(dtype).max]


def test_255_classes_need_two_bytes():
    Z = np.zeros((300, 2))
    few = scene_of(Z, None, np.arange(300) % 254)
    assert few.labels.dtype == np.uint8
    many = decode(encode(scene_of(Z, None, np.arange(300) % 255)))
    assert many.labels.dtype == np.uint16
    assert many.labels[254] == 254
    assert len(many.classes) == 255


def test_no_labels_and_missing_labels_are_told_apart():
    X, y = iris(12)
    assert scene_of(X[:, :2], X, quality=False).labels is None
    y = y.astype(object)
    y[[0, 5]] = None, float("nan")
    labels = scene_of(X[:, :2], X, y, quality=False).labels
    assert_array_equal(np.flatnonzero(labels == 255), [0, 5])
