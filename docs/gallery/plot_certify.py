"""
Is this map real?
=================

A finished map from any program can be tested. This example tests five maps. Their
labels are random, come from clustering, or describe real groups. For each map, the test
answers the same three questions.
"""

# %%
# The first map was drawn from random labels, and not from the data. So the data cannot
# predict its positions.
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
# k-means finds two clusters in the same noise. The clusters are separated on a map, but
# there is no gap between them.
clusters = KMeans(2, n_init=3, random_state=0).fit_predict(X)
flat = PCA(2).fit_transform(X)
print(certify(X, flat, clusters, random_state=0).verdict)

# %%
# The next data set has 700 blood cells from the ``scanpy`` package, with its UMAP map
# and its Louvain clusters. The clusters were computed from the same features as the
# map.
folder = Path(find_spec("scanpy").origin).parent / "datasets"
with warnings.catch_warnings():  # of the format, which is an old one
    warnings.simplefilter("ignore")
    adata = anndata.read_h5ad(folder / "10x_pbmc68k_reduced.h5ad")
cells = np.asarray(adata.obsm["X_pca"], dtype=float)
umap = np.asarray(adata.obsm["X_umap"], dtype=float)
louvain = np.asarray(adata.obs["louvain"].astype(str))
print(certify(cells, umap, louvain, random_state=0).verdict)

# %%
# The next labels of the same cells are cell types, which were determined with
# antibodies. The cell types were not computed from these features, and the map
# separates them much less clearly.
types = np.asarray(adata.obs["bulk_labels"].astype(str))
by_antibodies = certify(cells, umap, types, random_state=0)
print(by_antibodies.verdict)

# %%
# Some positions are unreliable, because they cannot be predicted from the data. These
# are the five worst positions:
worst = by_antibodies.misplaced[:5]
print(worst, by_antibodies.place_errors[worst].round(2))

# %%
# In the last data set, two classes are five standard deviations apart, so there is a
# gap.
Y, kinds = planted_table(400, 6, 2, apart=5.0, random_state=0)
apart = PCA(2).fit_transform(Y)
print(certify(Y, apart, kinds, random_state=0).verdict)

# %%
# These are the five maps:
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
