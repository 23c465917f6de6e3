"""
What the Fisher metric preserves
================================

A supervised map should not simply sort samples by class. The data have three classes of
two groups each. One group of the first class overlaps completely with one group of the
second class. The example follows Fig. 1 of Hammer, Gisbrecht and Schulz (2013).

In the Fisher metric two samples are far apart if the class probabilities change between
them. :class:`~labelscape.embeddings.FisherMDS` draws these distances.
"""

import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

from labelscape.datasets import make_modes
from labelscape.embeddings import FisherMDS, FisherTSNE
from labelscape.geometry import FisherMetric
from labelscape.plotting import compare_maps

X, y = make_modes(600, random_state=0)
metric = FisherMetric(random_state=0)
maps = {
    "data": X,
    "Fisher MDS": FisherMDS(metric=metric, random_state=0).fit_transform(X, y),
    "Fisher t-SNE": FisherTSNE(metric=metric, random_state=0).fit_transform(X, y),
}
_ = compare_maps(maps, y)

# %%
# The maps still show six groups, and the two groups that overlap in the data overlap on
# the maps. Two numbers check this. The first is the number of groups of each class. The
# second is the share of neighbors that have another class, inside the overlap and
# elsewhere.


def n_groups(Z):
    """Count the groups that have at least 5% of their class."""
    count = 0
    for c in range(3):
        near = kneighbors_graph(Z[y == c], 10)
        group = connected_components(near.multiply(near.T), directed=False)[1]
        count += (np.bincount(group) >= 0.05 * np.sum(y == c)).sum()
    return count


def foreign_share(Z, rows):
    """Return the share of other classes among the neighbors of some samples."""
    nearest = NearestNeighbors(n_neighbors=10).fit(Z).kneighbors()[1]
    return np.mean(y[nearest[rows]] != y[rows, None])


# make_modes assigns classes and groups in turn.
overlap = (np.arange(600) // 3 % 2 == 1) & (y < 2)
maps["class labels"] = np.eye(3)[y] + np.random.default_rng(0).normal(0, 0.01, (600, 3))
print(f"{'':16}groups  foreign in the overlap  elsewhere")
for name, Z in maps.items():
    shares = foreign_share(Z, overlap), foreign_share(Z, ~overlap)
    print(f"{name:16}{n_groups(Z):6}{shares[0]:24.2f}{shares[1]:11.2f}")

# %%
# The last row is a map of the labels alone: one group per class, and no overlap.
