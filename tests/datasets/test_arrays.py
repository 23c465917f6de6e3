import io
import zipfile

import numpy as np
import pytest

from labelscape.datasets import read_table

X = np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 1.0], [5.0, 6.0, 1.0]])


def npy_bytes(array, **options):
    file = io.BytesIO()
    np.save(file, array, **options)
    return file.getvalue()


@pytest.mark.parametrize("array", [X, np.asfortranarray(X), X.astype(">f4")])
def test_a_matrix_in_a_npy_file_has_its_label_in_a_column(write, array):
    table = read_table(write(npy_bytes(array), "m.npy"), label=-1)
    np.testing.assert_array_equal(table.X, X[:, :2])
    assert table.feature_names == ["x1", "x2"]
    assert table.y.tolist() == [0, 1, 1]


def test_a_structured_array_has_names(write):
    array = np.array(
        [(1.0, b"a", "1970-01-02"), (2.0, b"b", "1970-01-03")],
        dtype=[("x", float), ("k", "S1"), ("d", "datetime64[D]")],
    )
    table = read_table(write(npy_bytes(array), "s.npy"), label="k", keep=["d"])
    assert table.feature_names == ["x", "d"]
    assert table.X.tolist() == [[1.0, 1.0], [2.0, 2.0]]
    assert table.y.tolist() == ["a", "b"]


def test_of_an_npz_file_X_is_the_matrix_and_y_the_labels(tmp_path):
    y = np.array(["a", "b", "a"])
    path = tmp_path / "t.npz"
    np.savez_compressed(path, X=X, y=y, split=y, feature_names=["p", "q", "r"], ids=y)
    table = read_table(path)
    assert table.feature_names == ["p", "q", "r"]
    assert table.y.tolist() == ["a", "b", "a"]
    assert table.ids is None
    other = read_table(path, label="split", id="ids")
    assert other.y.tolist() == other.ids.tolist() == ["a", "b", "a"]


def test_the_only_matrix_of_an_npz_file_may_have_any_name(tmp_path):
    np.savez(tmp_path / "t.npz", spectra=X)
    table = read_table(tmp_path / "t.npz")
    assert table.X.shape == (3, 3)
    assert table.y is None


def test_an_npz_file_without_a_matrix_is_told_how_to_save_one(tmp_path):
    np.savez(tmp_path / "t.npz", a=X, b=X)
    with pytest.raises(ValueError, match=r"no array 'X'.*np\.savez"):
        read_table(tmp_path / "t.npz")


def test_labels_and_names_must_be_as_many_as_rows_and_columns(tmp_path):
    path = tmp_path / "t.npz"
    np.savez(path, X=X, y=[1, 2])
    with pytest.raises(ValueError, match=r"'y' of 't.npz' has the shape \(2,\)"):
        read_table(path)
    np.savez(path, X=X, feature_names=["a"])
    with pytest.raises(ValueError, match="1 feature_names for 3 columns"):
        read_table(path)


def test_objects_in_a_file_are_refused_unread(write):
    content = npy_bytes(np.array([[1, "a"]], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="Python objects"):
        read_table(write(content, "o.npy"))


@pytest.mark.parametrize("shape", [(1_250_000_000, 1), (-3, 3), (2, 3), (4, 3)])
def test_a_header_is_not_believed_against_the_size_of_the_file(write, shape):
    file = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    file.write(X.tobytes())
    with pytest.raises(ValueError, match=r"declares an array of shape \("):
        read_table(write(file.getvalue(), "forged.npy"))


def test_an_archive_that_unpacks_into_gigabytes_is_refused_unread(tmp_path):
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("X.npy", npy_bytes(X))
    content = bytearray(path.read_bytes())
    at = content.index(b"PK\x01\x02") + 24  # the unpacked size in the directory
    content[at : at + 4] = (2**31).to_bytes(4, "little")
    path.write_bytes(content)
    with pytest.raises(ValueError, match="unlike any real table"):
        read_table(path)


@pytest.mark.parametrize("name", ["t.npy", "t.npz"])
def test_other_bytes_are_no_numpy_file(write, name):
    with pytest.raises(ValueError, match="not a readable"):
        read_table(write(b"neither of both", name))


def test_a_matrix_of_a_billion_empty_columns_is_refused_at_once(write):
    content = npy_bytes(np.zeros((0, 1_000_000_000)))
    with pytest.raises(ValueError, match=r"must have rows.*\(0, 1000000000\)"):
        read_table(write(content, "empty.npy"))


def test_an_array_of_other_than_two_dimensions_is_refused():
    with pytest.raises(ValueError, match="2 dimensions"):
        read_table(np.zeros(3))
    with pytest.raises(ValueError, match=r"complex numbers.*drop="):
        read_table(np.zeros((2, 2), dtype=complex))


@pytest.mark.parametrize("code", [0x110000, 0xFFFFFFFF, 0xD800, 0xDFFF])
@pytest.mark.parametrize("order", ["<", ">"])
def test_text_with_signs_that_do_not_exist_is_refused(write, code, order):
    text = npy_bytes(np.array([["a", "b"], ["c", "d"]], dtype=f"{order}U1"))
    last = np.array(code, dtype=f"{order}u4").tobytes()
    with pytest.raises(ValueError, match="text with invalid characters"):
        read_table(write(text[:-4] + last, "m.npy"))


def test_bytes_are_text_if_they_are_utf_8(write):
    def table(*words):
        records = [(i, word) for i, word in enumerate(words)]
        array = np.array(records, dtype=[("x", float), ("k", "S9")])
        return read_table(write(npy_bytes(array), "m.npy"), label="k")

    assert table("é".encode(), b"a", b"a").y.tolist() == ["é", "a", "a"]
    with pytest.raises(ValueError, match="'k' contains bytes that are not UTF-8"):
        table(b"\xe9", b"a", b"a")
