"""Draw the figures of the method pages, and write them to docs/images/methods.

By default, all figures are drawn. Arguments are the names of single figures.
"""

import sys
from io import BytesIO
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from PIL import Image
from sklearn.base import clone
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import TSNE
from sklearn.preprocessing import StandardScaler

from labelscape import embeddings as maps
from labelscape import plotting, quality
from labelscape.datasets import load, make_modes, make_xor
from labelscape.geometry import FisherMetric
from labelscape.prototypes import LiRaMLVQ, PushAndGrow

FOLDER = Path(__file__).parents[1] / "docs" / "images" / "methods"
rng = np.random.default_rng(0)
digits, tables = load("digits"), {name: load(name) for name in ("wine", "iris")}
data = {n: (StandardScaler().fit_transform(t.X), t.y) for n, t in tables.items()}
X = rng.standard_normal((400, 3))
X /= np.linalg.norm(X, axis=1, keepdims=True)
data["globe"] = X, np.where(X[:, 0] > 0.0, "north", "south")
y = np.array(["sick", "healthy"] * 150)
X = rng.standard_normal((300, 9))
X[y == "sick", 0] += rng.choice([-4.0, 4.0], 150)  # sick: a high or a low value
data["blood"] = X @ np.linalg.qr(rng.standard_normal((9, 9))).Q, y
nerv = [maps.ClassNeRV(**taus) for taus in ({"tau_inter": 1}, {"tau_intra": 0}, {})]
MAPS = {  # the name of the file, the data, and the maps to draw side by side
    "lvq": ("wine", PCA(2), LiRaMLVQ()),
    "lfda": ("blood", LinearDiscriminantAnalysis(), maps.LFDA(scaling="plain")),
    "classimap": ("wine", maps.Sammon(), maps.ClassiMap(p=2)),
    "class_nerv": ("globe", *nerv),
    "stress_maps": ("globe", maps.Sammon(), maps.CCA(), maps.DDHDS()),
    "xom": ("iris", maps.NEXOM(), maps.XOM(), maps.XOM(structure="disc")),
}


def fisher_metric(figure):
    """Draw lines of equal distance from one sample."""
    X, y = make_modes(400, random_state=0)
    grid = np.stack(np.meshgrid(*np.linspace(X.min(0), X.max(0), 90).T), axis=-1)
    fisher = FisherMetric(random_state=0).fit(X, y).pairwise(grid.reshape(-1, 2), X[:1])
    distances = np.linalg.norm(grid - X[0], axis=-1), fisher.reshape(90, 90)
    plotting.compare_maps({"Euclidean": X, "FisherMetric()": X}, y, figure=figure)
    for ax, D in zip(figure.axes, distances, strict=True):
        ax.contour(*np.moveaxis(grid, -1, 0), D, 8, colors="black", linewidths=0.8)
        ax.plot(*X[0], "k*", markersize=15)


def kernel_map(figure):
    """Draw a map of half of the digits, and the other half placed on this map."""
    X, y = digits.X[:1000], digits.y[:1000]
    model = maps.KernelMap(TSNE(random_state=0), random_state=0).fit(X[::2])
    left, right = figure.subplots(1, 2)
    plotting.plot_map(model.embedding_, y[::2], title="fitted", legend="none", ax=left)
    plotting.plot_map(model.transform(X[1::2]), y[1::2], title="new", ax=right)


def push_and_grow(figure):
    """Draw the first prototypes and the final ones."""
    X, y = make_xor(400, random_state=0)
    for ax, most in zip(figure.subplots(1, 2), (2, None), strict=True):
        model = PushAndGrow(max_prototypes=most).fit(X, y)
        W, labels = model.prototypes_, model.prototype_labels_
        drawn = {"prototypes": W, "prototype_labels": labels, "legend": "none"}
        drawn["title"] = f"{len(W)} prototypes: {model.score(X, y):.0%} correct"
        plotting.plot_map(X, y, regions=model.predict_proba, ax=ax, **drawn)


def correct_for(figure):
    """Draw shifted batches of digits on maps with and without correction."""
    X, y = digits.X[:600], digits.y[:600]
    batch = rng.integers(3, size=len(X))
    X = X + 15 * rng.standard_normal((3, X.shape[1]))[batch]
    maps_of = {
        title: maps.CrossFittedTSNE(random_state=0).fit_transform(X, y, correct_for=b)
        for title, b in {"no correction": None, "correct_for=batch": batch}.items()
    }
    names = np.array(["batch 1", "batch 2", "batch 3"])
    plotting.compare_maps(maps_of, names[batch], figure=figure)


def islands(figure):
    """Draw a map with the stability of its islands."""
    X, y, model = digits.X[:600], digits.y[:600], maps.KernelTSNE(random_state=0)
    ax = plotting.plot_map(Z := model.fit_transform(X), y, ax=figure.subplots())
    for found in quality.islands(model, X, y, embedding=Z, random_state=0):
        place = Z[found.members, 0].mean(), Z[found.members, 1].max() + 1.0
        ax.text(*place, f"{found.verdict} ({found.stability:.2f})", ha="center")


def side_by_side(figure, name, *models):
    """Draw maps of the same samples, with the code of each map as its title."""
    (X, y), Z = data[name], {}
    for model in models:
        seed = {"random_state": 0} if hasattr(model, "random_state") else {}
        Z[str(model)] = clone(model).set_params(**seed).fit_transform(X, y)
    plotting.compare_maps(Z, y, figure=figure)


OTHERS = "fisher_metric", "kernel_map", "push_and_grow", "correct_for", "islands"
for name in sys.argv[1:] or (*MAPS, *OTHERS):
    height, drawn = 5 if name == "islands" else 3.3, BytesIO()
    figure = plt.figure(figsize=(8, height), layout="constrained")
    side_by_side(figure, *MAPS[name]) if name in MAPS else globals()[name](figure)
    figure.savefig(drawn, dpi=120)
    few = Image.open(drawn).convert("RGB").quantize(256, kmeans=2)
    few.save(FOLDER / f"{name}.png", optimize=True)  # with few colors, for a small file
