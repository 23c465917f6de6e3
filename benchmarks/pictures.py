"""Pictures of the docs that need additional packages or large data.

    python -m benchmarks pictures [--only coins,figures,mnist] [--to docs/images]

coins : maps of noise with random labels by supervised UMAP and by the cross-fitted map,
    with held-out samples. Needs umap-learn.
figures : figures of the functions of ``labelscape.plotting``.
mnist : the map of all 70,000 digits by ``labelscape map``. Needs mnist.npz.
"""

import argparse
import os
import warnings
from io import BytesIO
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from labelscape import plotting
from labelscape.boundary import ClassifierMap
from labelscape.datasets import load, read_table
from labelscape.embeddings import CrossFittedTSNE
from labelscape.jobs import map_table
from labelscape.plotting import plot_map
from labelscape.prototypes import LiRaMLVQ, LocalLiRaMLVQ
from labelscape.quality import knn_accuracy

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))


def write(figure, path):
    """Write a figure in 256 colors, so that the file is small."""
    drawn = BytesIO()
    figure.savefig(drawn, dpi=100)
    Image.open(drawn).convert("RGB").quantize(256, kmeans=2).save(path, optimize=True)


def coins(path):
    """Draw both maps of noise: fitted samples above, held-out samples below."""
    import matplotlib.pyplot as plt
    from umap import UMAP

    rng = np.random.default_rng(0)
    X, X_new = rng.normal(size=(2, 300, 20))
    y, y_new = rng.choice(["heads", "tails"], size=(2, 300))
    models = {
        "supervised UMAP": UMAP(random_state=0, n_jobs=1),
        "cross-fitted": CrossFittedTSNE(focus=0.5, random_state=0),
    }
    figure, axes = plt.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for column, (name, model) in zip(axes.T, models.items(), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z = np.asarray(model.fit_transform(X, y == "tails"), dtype=float)
            Z_new = np.asarray(model.transform(X_new), dtype=float)
        seen = knn_accuracy(Z, y, 5)
        new = KNeighborsClassifier(5).fit(Z, y).score(Z_new, y_new)
        legend = "none" if name == "supervised UMAP" else "beside"
        title = f"{name}, fitted rows: {seen:.0%} correct"
        plot_map(Z, y, title=title, legend=legend, ax=column[0])
        title = f"{name}, held-out rows: {new:.0%} correct"
        plot_map(Z_new, y_new, title=title, legend="none", ax=column[1])
        print(f"{name}: fitted {seen:.2f}, new {new:.2f}")
    write(figure, path / "coin_flips.png")


def mnist(path):
    """Draw all digits, as in `labelscape map`."""
    import matplotlib.pyplot as plt

    arrays = np.load(DATA / "mnist.npz")
    frame = pd.DataFrame(arrays["X"].reshape(len(arrays["y"]), -1))
    frame.columns = [f"p{j}" for j in frame.columns]
    frame["digit"] = arrays["y"].astype(str)
    result = map_table(read_table(frame, label="digit"), judge=False)
    print(result.method, result.fitted_words, result.seconds)
    figure, ax = plt.subplots(figsize=(8, 7), layout="constrained")
    plot_map(result.embedding, result.table.y, title="MNIST, 70,000 digits", ax=ax)
    figure.savefig(path / "mnist.png", dpi=110)


def figures(path):
    """Draw the figures of the page on plotting, in few colors."""
    import matplotlib.pyplot as plt

    wine = load("wine")
    X, y = StandardScaler().fit_transform(wine.X), wine.y
    frame = pd.DataFrame(X, columns=wine.feature_names)
    model = LiRaMLVQ(random_state=0).fit(frame, y)
    local = LocalLiRaMLVQ(random_state=0).fit(frame, y)
    digits, digit = load("digits").X, load("digits").y
    svm = SVC().fit(digits[::2], digit[::2])
    picture = ClassifierMap(svm, random_state=0).fit(digits[::2])
    rng = np.random.default_rng(3)
    leaf = np.repeat(np.arange(40), 30)
    middles = 5 * np.indices((8, 5)).reshape(2, 40).T + rng.normal(size=(40, 2))
    leaves = middles[leaf] + 0.6 * rng.normal(size=(1200, 2))
    species = np.array([f"species {k + 1}" for k in leaf])
    drawn = {
        "discriminative_map": plotting.plot_discriminative_map(local, frame, y),
        "object_level": plotting.plot_prototype_map(
            model, frame.iloc[[83]], level="object"
        ),
        "relevances": plotting.plot_relevances(model),
        "distortion": plotting.plot_distortion(X, PCA(2).fit_transform(X)),
        "forty_classes": plotting.plot_map(leaves, species),
        "classifier_map": picture.plot(digits[1::2], digit[1::2]),
    }
    for name, figure in drawn.items():
        write(getattr(figure, "figure", figure), path / f"{name}.png")
    plt.close("all")


def main():
    parser = argparse.ArgumentParser(prog="benchmarks pictures")
    parser.add_argument("--only", default="coins,figures,mnist")
    parser.add_argument("--to", type=Path, default=Path("docs/images"))
    wish = parser.parse_args()
    for name in wish.only.split(","):
        {"coins": coins, "figures": figures, "mnist": mnist}[name](wish.to)


if __name__ == "__main__":
    main()
