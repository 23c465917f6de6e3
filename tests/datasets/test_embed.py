"""Texts and pictures as vectors of an installed model."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from labelscape.cli.main import app
from labelscape.datasets import Reading, read_table
from labelscape.jobs import kept_map, map_table, place_rows

GOOD, BAD = ["good", "fine", "nice"], ["bad", "poor", "awful"]
WORDS = [*GOOD, *BAD]


def counted(texts):
    """Return how often each of a few words is in each text: a tiny model."""
    return np.array([[text.split().count(w) for w in WORDS] for text in texts])


def reviews(n=24):
    rng = np.random.default_rng(0)
    kinds = [(GOOD, BAD)[i % 2] for i in range(n)]
    texts = [f"the {' '.join(rng.choice(k, 3))} film" for k in kinds]
    kind = ["pro" if i % 2 == 0 else "con" for i in range(n)]
    return pd.DataFrame({"review": texts, "stars": rng.normal(size=n), "kind": kind})


@pytest.fixture
def small_model(monkeypatch):
    """Replace wordllama by a tiny model; return how it was loaded."""
    loads = []

    def load(config, *, cache_dir, disable_download):
        loads.append((config, disable_download))
        return SimpleNamespace(embed=counted)

    module = ModuleType("wordllama")
    module.__file__ = __file__
    module.WordLlama = SimpleNamespace(load=load)
    monkeypatch.setitem(sys.modules, "wordllama", module)
    return loads


def read(frame, **options):
    return read_table(frame, "kind", text="review", embed="wordllama", **options)


def test_texts_become_vectors_beside_other_features(small_model):
    frame = reviews()
    table = read(frame)
    assert table.texts.tolist() == frame["review"].tolist()
    assert table.encoder.vectors == {
        "review (wordllama)": [f"review (wordllama)[{j}]" for j in range(len(WORDS))]
    }
    assert table.feature_names[0] == "stars"
    np.testing.assert_array_equal(table.X[:, 1:], counted(frame["review"]))
    assert small_model == [("l2_supercat", True)]  # and nothing is downloaded


def test_a_row_without_a_text_is_missing(small_model):
    frame = reviews()
    frame.loc[3, "review"] = None
    with pytest.raises(ValueError, match="review"):
        read(frame)
    table = read(frame, missing="impute")
    expected = np.delete(counted(frame["review"].fillna("")), 3, axis=0).mean(axis=0)
    np.testing.assert_allclose(table.X[3, 1:], expected)


def test_new_texts_are_placed_by_the_same_model(small_model):
    kept = kept_map(map_table(read(reviews()), "lda", judge=False))
    new = pd.DataFrame({"review": ["the awful poor film"], "stars": [0.0]})
    assert place_rows(kept, new).placement.predictions.tolist() == ["con"]
    again = place_rows(kept, new, reading=Reading(missing_values=("-",)))
    assert again.placement.predictions.tolist() == ["con"]


def test_the_command_line_embeds_texts(small_model, tmp_path):
    file, page = tmp_path / "reviews.csv", tmp_path / "page.html"
    reviews().to_csv(file, index=False)
    options = ["--label", "kind", "--text", "review", "--embed", "wordllama"]
    more = ["-m", "lda", "--no-honesty", "-o", str(page)]
    result = CliRunner().invoke(app, ["map", str(file), *options, *more])
    assert result.exit_code == 0, result.output
    assert "24 rows, 7 features" in result.output
    assert "--embed" in CliRunner().invoke(app, ["map", "--help"]).output


def test_pictures_of_a_folder_become_vectors(tmp_path, monkeypatch):
    Image = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    for i in range(70):  # more than one batch
        folder = tmp_path / "pictures" / ("dark", "light")[i % 2]
        folder.mkdir(parents=True, exist_ok=True)
        pixels = np.full((8, 8), 10 + i + 100 * (i % 2), dtype=np.uint8)
        Image.fromarray(pixels).save(folder / f"{i:02}.png")
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = lambda name, local_files_only: SimpleNamespace(
        encode=lambda pictures: [np.asarray(one)[0, :2] for one in pictures]
    )
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)
    table = read_table(tmp_path / "pictures", embed="sentence-transformers:clip")
    assert table.X[:, 0].tolist() == [10.0 + i + 100 * (i % 2) for i in range(70)]
    listed = pd.DataFrame(
        {"file": table.ids, "kind": table.y, "size": np.arange(70) % 7}
    )
    listed.to_csv(tmp_path / "pictures" / "list.csv", index=False)
    same = read_table(
        tmp_path / "pictures" / "list.csv",
        "kind",
        image="file",
        embed="sentence-transformers:clip",
    )
    np.testing.assert_array_equal(same.X[:, 1:], table.X)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("os:system", r"there is no model 'os:system'\. Pass wordllama"),
        ("timm:local-dir:/tmp/x", "there is no model"),
        ("sentence-transformers:/tmp/x", "there is no model"),
        ("sentence-transformers:x", r"needs sentence-transformers .*pip install"),
    ],
)
def test_models_that_are_not_there_are_refused(model, message, monkeypatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ValueError, match=message):
        read_table(reviews(), "kind", text="review", image="review", embed=model)


def test_a_model_without_weights_on_this_machine_is_refused(small_model, monkeypatch):
    def load(config, *, cache_dir, disable_download):
        raise FileNotFoundError("no weights, and downloads are disabled")

    monkeypatch.setattr(sys.modules["wordllama"].WordLlama, "load", load)
    with pytest.raises(ValueError, match=r"\(no weights.*nothing is downloaded"):
        read(reviews())


def test_a_model_needs_something_to_embed(small_model):
    with pytest.raises(ValueError, match=r"features from a column.*text or image"):
        read_table(reviews(), "kind", embed="wordllama")


def test_a_model_must_return_a_row_for_each_text(small_model, monkeypatch):
    monkeypatch.setattr(
        sys.modules["wordllama"].WordLlama,
        "load",
        lambda *_, **__: SimpleNamespace(embed=lambda texts: np.zeros(3)),
    )
    with pytest.raises(ValueError, match=r"shape \(3,\) for 24 items"):
        read(reviews())


def test_wordllama_separates_reviews():
    pytest.importorskip("wordllama", reason="wordllama is not installed")
    table = read(reviews())
    assert table.X.shape == (24, 257)
    result = map_table(table, "pca", judge=False)
    assert result.quality.knn_accuracy_original > 0.9
