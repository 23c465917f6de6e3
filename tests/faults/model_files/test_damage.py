"""Damaged bytes raise one clear error: no crash, no hang, no code."""

from copy import deepcopy

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.faults.model_files.members import Members, Toy, loads_or_is_refused, refused

from labelscape._model_file import load, save
from labelscape._model_file._archive import sealed

MANY = settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@st.composite
def damaged(draw, data):
    at = draw(st.integers(0, len(data) - 1))
    kind = draw(st.sampled_from(["flip", "cut", "insert", "swap", "zeros"]))
    if kind == "flip":
        return (
            data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :]
        )
    if kind == "cut":
        return data[:at]
    if kind == "insert":
        return data[:at] + draw(st.binary(min_size=1, max_size=50)) + data[at:]
    n = draw(st.integers(1, 100))
    if kind == "zeros":
        return data[:at] + bytes(n) + data[at + n :]
    return (
        data[:at] + data[at + n : at + 2 * n] + data[at : at + n] + data[at + 2 * n :]
    )


@MANY
@given(choice=st.data())
def test_any_damage_is_found(choice, path):
    whole = path.read_bytes()
    data = choice.draw(damaged(whole))
    broken = path.with_name("broken")
    broken.write_bytes(data)
    if data == whole:
        assert load(broken).scale == 0.5
    else:
        refused(broken, "not a Labelscape model file")


@MANY
@given(choice=st.data())
def test_damage_under_a_right_seal_is_found_or_harmless(choice, path):
    broken = path.with_name("broken")
    data = choice.draw(damaged(path.read_bytes()[:-64]))
    broken.write_bytes(sealed(data))
    again = loads_or_is_refused(broken)
    if again is not None:
        save(again, broken)
        assert broken.read_bytes() == path.read_bytes()


TAGS = [
    *("float", "tuple", "dict", "scalar", "array", "objects", "sparse", "estimator"),
    *("record", "class", "parameters", "state", "shape", "items", "data"),
]
JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["<f8", "|O", "<U99999999", "arrays/0.npy", "Toy", "os"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(TAGS),
            inner,
            max_size=2,
        )
    ),
    max_leaves=6,
)


def places(node, above=()):
    """Return the path of every value in a JSON tree."""
    if isinstance(node, dict):
        inner = node.items()
    elif isinstance(node, list):
        inner = enumerate(node)
    else:
        inner = ()
    return [above] * bool(above) + [
        place for key, value in inner for place in places(value, (*above, key))
    ]


@MANY
@given(choice=st.data())
def test_any_manifest_gives_a_model_or_a_clear_error(choice, path):
    members = Members(path)
    manifest = deepcopy(members.manifest)
    *above, last = choice.draw(st.sampled_from(places(manifest)))
    node = manifest
    for key in above:
        node = node[key]
    if choice.draw(st.booleans()):
        node[last] = choice.draw(JSON_VALUES)
    else:
        del node[last]
    members.manifest = manifest
    members.write(path.with_name("broken"))
    assert type(loads_or_is_refused(path.with_name("broken"))) in (Toy, type(None))


@MANY
@given(data=st.binary(max_size=200), seal=st.booleans(), zip_like=st.booleans())
def test_arbitrary_bytes_are_refused(data, seal, zip_like, tmp_path):
    data = b"PK\x03\x04" * zip_like + data
    (tmp_path / "any").write_bytes(sealed(data) if seal else data)
    refused(tmp_path / "any", "Cannot load")
