"""Folders of pictures, with a folder for each class."""

import os
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app
from labelscape.datasets import describe_columns, read_table
from labelscape.datasets.files import images
from labelscape.datasets.files.images import pictures_to_show
from labelscape.jobs import kept_map, map_table, place_rows

Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
SIDE = 16


def drawn(seed, bright, n_colors=0, side=32):
    """Return a picture whose left or right half is bright."""
    shape = (side, side, n_colors) if n_colors else (side, side)
    pixels = np.random.default_rng(seed).integers(0, 60, shape).astype(np.uint8)
    half = slice(0, side // 2) if bright == "left" else slice(side // 2, side)
    pixels[:, half] += 150
    return pixels


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "pictures"
    for seed in range(24):
        kind = ("left", "right")[seed % 2]
        (root / kind).mkdir(parents=True, exist_ok=True)
        Image.fromarray(drawn(seed, kind)).save(root / kind / f"{seed:02}.png")
    (root / "left" / "notes.txt").write_text("not a picture")
    return root


def by_blocks(pixels):
    """Return the mean of each block of pixels, by hand."""
    step = pixels.shape[0] // SIDE
    grid = np.zeros((SIDE, SIDE, *pixels.shape[2:]))
    for i in range(SIDE):
        for j in range(SIDE):
            block = pixels[i * step : (i + 1) * step, j * step : (j + 1) * step]
            grid[i, j] = block.mean(axis=(0, 1))
    return grid.ravel() / 255.0


def test_folders_are_classes_files_are_ids_and_pixels_are_features(folder):
    table = read_table(folder)
    assert table.name == "pictures"
    assert table.y.tolist() == ["left", "right"] * 12
    assert table.ids.tolist()[:3] == ["left/00.png", "right/01.png", "left/02.png"]
    assert table.images[0] == folder / "left" / "00.png"
    assert table.encoder.vectors == {"pixels": table.feature_names}
    np.testing.assert_allclose(table.X[0], by_blocks(drawn(0, "left")), atol=1e-6)


def test_one_picture_in_color_makes_all_of_three_colors(folder):
    pixels = drawn(50, "right", n_colors=3)
    Image.fromarray(pixels).save(folder / "right" / "99.png")
    table = read_table(folder)
    assert table.X.shape[1] == 3 * SIDE**2
    # Pillow rounds colors to whole numbers, once for each direction.
    np.testing.assert_allclose(table.X[-1], by_blocks(pixels), atol=1.01 / 255)
    gray = by_blocks(drawn(1, "right"))  # the first one
    np.testing.assert_allclose(table.X[0], np.repeat(gray, 3), atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "factor"),
    [("u2", 257), ("i4", 1), ("i4", 257), ("f4", 1), ("f4", 257), ("f4", 1 / 255)],
)
def test_all_bit_depths_have_one_scale(folder, kind, factor):
    pixels = [drawn(60 + i, "left") for i in range(3)]
    for i, one in enumerate(pixels):
        deep = (one.astype(np.float64) * factor).astype(kind)
        Image.fromarray(deep).save(folder / "left" / f"deep{i}.tif")
    table = read_table(folder)
    row = table.ids.tolist().index("left/deep0.tif")
    np.testing.assert_allclose(table.X[row], by_blocks(pixels[0]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("odd", [-1.0, 4e27, np.nan])
def test_float_pictures_without_a_usual_range_are_refused(folder, odd):
    pixels = np.full((20, 20), 0.5, dtype=np.float32)
    pixels[3, 3] = odd
    Image.fromarray(pixels).save(folder / "left" / "odd.tif")
    with pytest.raises(ValueError, match=r"'odd\.tif' has gray values from .* 16 bits"):
        read_table(folder)


def test_a_pipe_is_no_picture(folder):
    os.mkfifo(folder / "left" / "95.png")
    with pytest.raises(ValueError, match=r"'95\.png' is not a file"):
        read_table(folder)


def test_links_stay_in_the_folder(folder, tmp_path):
    (folder / "left" / "inside.png").symlink_to(folder / "left" / "00.png")
    assert len(read_table(folder).X) == 25
    loop = folder / "left" / "loop.png"
    loop.symlink_to(loop)
    with pytest.raises(ValueError, match=r"'loop\.png' is not a file"):
        read_table(folder)
    loop.unlink()
    outside = tmp_path / "outside.png"
    Image.fromarray(drawn(1, "left")).save(outside)
    (folder / "left" / "94.png").symlink_to(outside)
    with pytest.raises(ValueError, match=r"94\.png' is a link that leads out of"):
        read_table(folder)


def test_a_small_file_with_many_pixels_is_not_decoded(folder):
    Image.new("1", (13_000, 13_000)).save(folder / "left" / "93.png")
    with pytest.raises(ValueError, match=r"13,000 × 13,000 pixels, .* 50,000,000"):
        read_table(folder)


def test_other_formats_are_not_read_under_the_name_of_a_picture(folder):
    start = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n"
    (folder / "left" / "92.png").write_bytes(start)
    with pytest.raises(ValueError, match=r"'92\.png' is not a readable picture"):
        read_table(folder)


def test_a_picture_is_turned_upright(folder):
    exif = Image.Exif()
    exif[0x0112] = 3  # upside down
    pixels = drawn(70, "left")
    Image.fromarray(pixels).save(folder / "right" / "97.png", exif=exif)
    np.testing.assert_allclose(
        read_table(folder).X[-1], by_blocks(pixels[::-1, ::-1]), atol=1e-6
    )


def test_columns_of_a_folder_are_described(folder):
    roles = {column.name: column.role for column in describe_columns(folder)}
    assert roles == {"class": "label", "file": "id", "pixels": "feature"}


def test_new_pictures_are_placed_by_the_same_pixels(folder, tmp_path):
    kept = kept_map(map_table(read_table(folder), "lda", judge=False))
    new = tmp_path / "new" / "unknown"
    new.mkdir(parents=True)
    Image.fromarray(drawn(80, "right", side=48)).save(new / "a.png")
    placed = place_rows(kept, new.parent)
    assert placed.placement.predictions.tolist() == ["right"]


def test_a_damaged_picture_is_named(folder):
    (folder / "left" / "96.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    with pytest.raises(ValueError, match=r"'96\.png' is not a readable picture"):
        read_table(folder)


def test_a_folder_without_pictures_is_refused(tmp_path):
    with pytest.raises(ValueError, match="in one subfolder per class"):
        read_table(tmp_path)


def test_light_pictures_are_shown_as_files_and_heavy_ones_small(folder, monkeypatch):
    table = read_table(folder)
    files = [*table.images, None]
    assert table.pictures(1) == {"images": files, "thumbnails": None}
    monkeypatch.setattr(images, "_MOST_BYTES", 10_000)
    shown = pictures_to_show(files)
    assert shown["images"] is None
    assert shown["thumbnails"].shape == (25, 16, 16, 3)
    left, right = shown["thumbnails"][0][:, :7], shown["thumbnails"][0][:, 9:]
    assert left.min() > right.max()
    assert (shown["thumbnails"][-1] == 255).all()  # without a picture


def test_pictures_that_browsers_cannot_show_are_made_small(tmp_path):
    path = tmp_path / "deep.tif"
    Image.fromarray(np.full((9, 20), 7, dtype=np.uint16)).save(path)
    assert pictures_to_show([path])["thumbnails"].shape == (1, 64, 64, 3)


def test_the_command_line_maps_a_folder(folder, tmp_path):
    page = tmp_path / "page.html"
    options = ["-m", "lda", "--no-honesty", "-o", str(page)]
    result = CliRunner().invoke(app, ["map", str(folder), *options])
    assert result.exit_code == 0, result.output
    assert "24 rows, 256 features, 2 classes" in result.output
    assert page.is_file()


def test_a_folder_of_pictures_may_have_the_name_of_a_data_set(folder, monkeypatch):
    (folder.parent / "iris").mkdir()
    monkeypatch.chdir(folder.rename(folder.with_name("wine")).parent)
    options = ["-m", "lda", "--no-honesty", "-o", "page.html"]
    for data, rows in (("wine", "24 rows"), ("iris", "150 rows")):
        result = CliRunner().invoke(app, ["map", data, *options])
        assert rows in result.output, result.output


def test_classes_are_spread_over_the_rows(folder):
    for i in range(24):  # three times as many as of the other class
        Image.fromarray(drawn(i, "left")).save(folder / "left" / f"more{i}.png")
    is_left = read_table(folder).y == "left"
    first, second = np.flatnonzero(is_left).mean(), np.flatnonzero(~is_left).mean()
    assert abs(first - second) <= 1
    assert [is_left[k : k + 12].sum() for k in range(0, 48, 12)] == [9] * 4


def test_without_pillow_the_extra_is_named(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install \"labelscape\[images\]\""):
        read_table(folder)
