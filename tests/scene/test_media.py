import numpy as np
import pytest
from numpy.testing import assert_array_equal

from labelscape.scene import decode, encode
from labelscape.scene._internal import scene_of

Z = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
FILES = {
    "a.png": b"\x89PNG\r\n\x1a\n rest",
    "b.jpg": b"\xff\xd8\xff\xe0 rest",
    "c.gif": b"GIF89a rest",
    "d.webp": b"RIFF\x00\x00\x00\x00WEBP rest",
}


def shown(**options):
    return decode(encode(scene_of(Z, **options)))


def test_texts_and_ids_may_be_anything():
    scene = shown(ids=[7, "<script>", None], texts=["ä", float("nan"), ""])
    assert [scene.ids[i] for i in range(3)] == ["7", "<script>", ""]
    assert [scene.texts[i] for i in range(3)] == ["ä", "", ""]


def test_thumbnails_are_kept_as_they_are_if_they_are_bytes():
    pixels = np.arange(3 * 4 * 5 * 3, dtype=np.uint8).reshape(3, 4, 5, 3)
    assert_array_equal(shown(thumbnails=pixels).thumbnails.pixels, pixels)


def test_other_thumbnails_are_spread_over_all_greys():
    pixels = np.linspace(-2.0, 2.0, 12).reshape(3, 2, 2)
    found = shown(thumbnails=pixels).thumbnails.pixels
    assert found.shape == (3, 2, 2, 1)
    assert (found.min(), found.max()) == (0, 255)
    assert not shown(thumbnails=np.ones((3, 2, 2))).thumbnails.pixels.any()


def test_images_are_read_from_their_files(tmp_path):
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
        images = shown(images=[None, tmp_path / name, str(tmp_path / name)]).images
        assert images.offsets.tolist() == [0, 0, len(data), 2 * len(data)]
        assert images.bytes.tobytes() == 2 * data


def test_what_is_no_image_is_refused(tmp_path, monkeypatch):
    (tmp_path / "page.png").write_bytes(b"<svg onload='alert(1)'/>")
    with pytest.raises(ValueError, match=r"row 1, .*page.png, is not a PNG, JPEG"):
        shown(images=[None, tmp_path / "page.png", None])
    with pytest.raises(ValueError, match=r"row 0 cannot be read: .*none.png"):
        shown(images=[tmp_path / "none.png", None, None])
    (tmp_path / "a.png").write_bytes(FILES["a.png"])
    monkeypatch.setattr("labelscape.scene._features.MOST_IMAGE_BYTES", 20)
    with pytest.raises(ValueError, match="first 2 of 3 points take over 0 MB"):
        shown(images=[tmp_path / "a.png"] * 3)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"texts": ["a"]}, "texts must have one entry for each of the 3 points, got 1"),
        ({"images": []}, "images must have one entry"),
        ({"thumbnails": np.ones((2, 4, 4))}, "thumbnails must have one entry"),
        ({"thumbnails": np.ones((3, 4))}, r"must be an array of shape .* got \(3, 4\)"),
        ({"thumbnails": np.ones((3, 4, 4, 2))}, r"got \(3, 4, 4, 2\)"),
        ({"thumbnails": np.full((3, 4, 4), np.nan)}, "contain NaN"),
    ],
)
def test_what_does_not_fit_the_points_is_refused(options, words):
    with pytest.raises(ValueError, match=words):
        shown(**options)


def test_thumbnails_that_are_too_large_are_refused(monkeypatch):
    monkeypatch.setattr("labelscape.scene._features.MOST_PIXEL_BYTES", 20)
    with pytest.raises(ValueError, match="Make them smaller"):
        shown(thumbnails=np.ones((3, 4, 4)))


def test_pixels_given_as_images_are_refused_with_the_name_of_thumbnails():
    with pytest.raises(ValueError, match="Pass pixels as thumbnails="):
        shown(images=np.zeros((3, 8, 8)))
