"""
Is this map real?
=================

Maps whose labels come from a coin, from clustering noise, from clustering cells, from
antibodies, and from groups that are there. Each gets the same three answers.
"""

# %%
# Random labels, and a map that was drawn from them. The data cannot predict the
# positions.
import warnings
from importlib.util import find_spec
from pathlib import Path

import anndata
import matplotlib.pyplot as plt
import numpy as np
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA

from labelscape.plotting import plot_map
from labelscape.quality import certify
from labelscape.testing import fake_map, planted_table

X, coin = planted_table(400, 6, 2, apart=0.0, random_state=0)
drawn = fake_map(X, coin, "islands", random_state=0)
print(certify(X, drawn, coin, random_state=0).verdict)

# %%
# k-means finds clusters in the same noise. They are separated, and there is no gap.
clusters = KMeans(2, n_init=3, random_state=0).fit_predict(X)
flat = PCA(2).fit_transform(X)
print(certify(X, flat, clusters, random_state=0).verdict)

# %%
# 700 blood cells of the ``scanpy`` package, with the UMAP and the Louvain
# clusters of its authors. The clusters were computed from the same features as the map.
folder = Path(find_spec("scanpy").origin).parent / "datasets"
with warnings.catch_warnings():  # of the format, which is an old one
    warnings.simplefilter("ignore")
    adata = anndata.read_h5ad(folder / "10x_pbmc68k_reduced.h5ad")
cells = np.asarray(adata.obsm["X_pca"], dtype=float)
umap = np.asarray(adata.obsm["X_umap"], dtype=float)
louvain = np.asarray(adata.obs["louvain"].astype(str))
print(certify(cells, umap, louvain, random_state=0).verdict)

# %%
# The same map and cells with cell types, which come from cells that were sorted by
# antibodies. They were not computed from this map, and the map shows much less of them.
types = np.asarray(adata.obs["bulk_labels"].astype(str))
by_antibodies = certify(cells, umap, types, random_state=0)
print(by_antibodies.verdict)

# %%
# Positions that the data cannot predict, the worst first. They are unreliable.
worst = by_antibodies.misplaced[:5]
print(worst, by_antibodies.place_errors[worst].round(2))

# %%
# Between classes that are five standard deviations apart, there is a gap.
Y, kinds = planted_table(400, 6, 2, apart=5.0, random_state=0)
apart = PCA(2).fit_transform(Y)
print(certify(Y, apart, kinds, random_state=0).verdict)

# %%
figure, axes = plt.subplots(1, 5, figsize=(15, 3.2), layout="constrained")
maps = (
    ("coin flips", drawn, coin),
    ("k-means on noise", flat, clusters),
    ("cells, Louvain clusters", umap, louvain),
    ("cells, antibodies", umap, types),
    ("a gap", apart, kinds),
)
for ax, (title, Z, y) in zip(axes, maps, strict=True):
    plot_map(Z, np.asarray(y), title=title, ax=ax, legend="none")
