"""Honesty of supervised maps: what they make of noise, and of data with real classes.

    python -m benchmarks.honesty

898 x 50 Gaussian noise with two random labels, and wine. Supervised UMAP is run where
it is installed.
"""

import importlib.util
import os
import warnings
from time import perf_counter

import numpy as np
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape.embeddings import LFDA
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty


def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(898, 50)), rng.integers(2, size=898)


def wine():
    return load_wine(return_X_y=True)


def maps_for_noise():
    maps = {
        "NCA": NeighborhoodComponentsAnalysis(2, random_state=0),
        "LiRaMLVQ": LiRaMLVQ(random_state=0),
        "LFDA": LFDA(),
    }
    if importlib.util.find_spec("umap"):
        from umap import UMAP

        maps["supervised UMAP"] = UMAP(random_state=0, n_jobs=1)
    else:
        print("UMAP is not installed: pip install umap-learn to see it.")
    return maps


def maps_for_wine():
    return {
        "LDA": LinearDiscriminantAnalysis(),
        "LiRaMLVQ": make_pipeline(StandardScaler(), LiRaMLVQ(random_state=0)),
        "LFDA": make_pipeline(StandardScaler(), LFDA()),
    }


def table(title, maps, X, y):
    print(f"{title}: {X.shape[0]} x {X.shape[1]}, 5-NN accuracy, 5 splits, 20 shuffles")
    print(
        f"{'map':16}{'seen':>7}{'unseen':>8}{'gap':>8}{'null':>8}{'data':>7}{'p':>7}"
        f"{'time':>8}  verdict"
    )
    for name, model in maps.items():
        start = perf_counter()
        found = honesty(model, X, y, random_state=0, n_jobs=2)
        seconds = perf_counter() - start
        print(
            f"{name:16}{found.seen:7.3f}{found.unseen:8.3f}{found.gap:+8.3f}"
            f"{found.null:+8.3f}{found.original:7.3f}{found.p_value:7.3f}"
            f"{seconds:6.0f} s  {found.verdict.finding}"
        )
    print()


if __name__ == "__main__":
    # UMAP warns in the worker processes too, of seeds and of its own dependencies.
    os.environ["PYTHONWARNINGS"] = "ignore"
    warnings.simplefilter("ignore")
    table("Noise with random labels", maps_for_noise(), *noise())
    table("Wine", maps_for_wine(), *wine())
