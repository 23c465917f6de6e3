"""Pictures of the docs that need other packages or large data.

    python -m benchmarks pictures [--only coins,mnist] [--to docs/images]

coins : labels by the toss of a coin, mapped by supervised UMAP and by the cross-fitted
    map, with held-out samples. Needs umap-learn.
mnist : what ``labelscape map`` makes of all 70,000 digits. Needs mnist.npz.
"""

import argparse
import os
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier

from labelscape.datasets import read_table
from labelscape.embeddings import CrossFittedTSNE
from labelscape.jobs import map_table
from labelscape.plotting import plot_map
from labelscape.quality import knn_accuracy

DATA = Path(os.environ.get("LABELSCAPE_DATA", "../shared/data"))


def coins(path):
    """Draw both maps of pure noise: fitted samples above, held-out ones below."""
    import matplotlib.pyplot as plt
    from umap import UMAP

    rng = np.random.default_rng(0)
    X, X_new = rng.normal(size=(2, 300, 20))
    y, y_new = rng.choice(["heads", "tails"], size=(2, 300))
    models = {
        "supervised UMAP": UMAP(random_state=0, n_jobs=1),
        "cross-fitted": CrossFittedTSNE(focus=0.5, random_state=0),
    }
    figure, axes = plt.subplots(2, 2, figsize=(8, 8), layout="constrained")
    for column, (name, model) in zip(axes.T, models.items(), strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            Z = np.asarray(model.fit_transform(X, y == "tails"), dtype=float)
            Z_new = np.asarray(model.transform(X_new), dtype=float)
        seen = knn_accuracy(Z, y, 5)
        new = KNeighborsClassifier(5).fit(Z, y).score(Z_new, y_new)
        plot_map(Z, y, title=f"{name}: neighbors agree for {seen:.0%}", ax=column[0])
        plot_map(Z_new, y_new, title=f"held-out samples: {new:.0%}", ax=column[1])
        print(f"{name}: fitted {seen:.2f}, new {new:.2f}")
    figure.savefig(path / "coin_flips.png", dpi=100)


def mnist(path):
    """Draw all digits as `labelscape map` does."""
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


def main():
    parser = argparse.ArgumentParser(prog="benchmarks pictures")
    parser.add_argument("--only", default="coins,mnist")
    parser.add_argument("--to", type=Path, default=Path("docs/images"))
    wish = parser.parse_args()
    for name in wish.only.split(","):
        {"coins": coins, "mnist": mnist}[name](wish.to)


if __name__ == "__main__":
    main()
