"""Displayed columns on the pages of all commands."""

import numpy as np
import pytest

PIXEL = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\0\0\0\0:~\x9bU"
    b"\0\0\0\nIDATx\x9cc`\0\0\0\2\0\1H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82"
)


@pytest.fixture
def photos(tmp_path):
    """Write a table with a donor, a comment and a picture for each row."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "leaf.png").write_bytes(PIXEL)
    lines = ["kind,height,width,donor,note,photo"]
    for i in range(24):
        kind, height = ("oak", i % 5) if i < 12 else ("fir", 7 + i % 7)
        photo = "leaf.png" if i % 2 else ""
        lines.append(f"{kind},{height},{i % 3},d{i % 4},seen on day {i},{photo}")
    path = tmp_path / "data" / "leaves.csv"
    path.write_text("\n".join(lines))
    return path


LOOK = ("--label", "kind", "--show", "donor", "--text", "note", "--image", "photo")
QUICK = {
    "map": ("-m", "lda", "--no-honesty", "--no-audit"),
    "audit": ("-m", "lda", "--no-honesty"),
    "compare": ("-m", "pca,lda", "--no-honesty"),
    "classify": ("-c", "logistic"),
}


@pytest.mark.parametrize("verb", QUICK)
def test_pages_show_texts_and_pictures_and_learn_nothing_from_them(
    run, photos, shown, verb
):
    done = run(verb, photos, *LOOK, *QUICK[verb], "-o", "page.html")
    assert done.exit_code == 0, done.output
    scene = shown("page.html")
    assert [feature.name for feature in scene.features] == ["height", "width"]
    assert scene.texts[3] == "seen on day 3"
    assert [column.name for column in scene.columns] == ["donor"]
    sizes = np.diff(scene.images.offsets).tolist()
    assert sizes == [0, len(PIXEL)] * 12


def test_a_picture_that_is_not_there_is_told_before_the_fit(run, photos):
    (photos.parent / "leaf.png").unlink()
    done = run("map", photos, *LOOK)
    assert done.exit_code == 2
    assert "Image column 'photo' contains 'leaf.png' in line 3" in done.stderr


def test_options_that_contradict_each_other_are_named(run, photos):
    done = run("map", photos, *LOOK, "--drop", "donor")
    assert done.exit_code == 2
    assert "--drop and --show both select the column 'donor'" in done.stderr
