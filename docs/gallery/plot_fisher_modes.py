"""
What the Fisher metric keeps
============================

A map that follows labels should not simply sort objects by them. Here are three classes
of two groups each; one group of the first class lies over one of the second, and no
label can tell these apart. This is Fig. 1 of Hammer, Gisbrecht and Schulz (2013).

In the Fisher metric two objects are far apart if the class probabilities change on the
way between them. :class:`~labelscape.embeddings.FisherMDS` draws these distances.
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
# Six groups remain six groups, and those that lay over each other still do. Is this
# more than an impression? Count the groups of each class: objects belong together if
# they are among each other's ten nearest of their class. And ask how many of the ten
# nearest neighbours in the overlap are of another class.


def n_groups(Z):
    """Count the groups that have at least 5 % of their class."""
    count = 0
    for c in range(3):
        near = kneighbors_graph(Z[y == c], 10)
        group = connected_components(near.multiply(near.T), directed=False)[1]
        count += (np.bincount(group) >= 0.05 * np.sum(y == c)).sum()
    return count


def foreign_share(Z, rows):
    """Return the share of other classes among the neighbours of some objects."""
    nearest = NearestNeighbors(n_neighbors=10).fit(Z).kneighbors()[1]
    return np.mean(y[nearest[rows]] != y[rows, None])


# make_modes deals out classes and groups in turn.
overlap = (np.arange(600) // 3 % 2 == 1) & (y < 2)
maps["class labels"] = np.eye(3)[y] + np.random.default_rng(0).normal(0, 0.01, (600, 3))
print(f"{'':16}groups  foreign in the overlap  elsewhere")
for name, Z in maps.items():
    shares = foreign_share(Z, overlap), foreign_share(Z, ~overlap)
    print(f"{name:16}{n_groups(Z):6}{shares[0]:24.2f}{shares[1]:11.2f}")

# %%
# The last row is what a map does that knows nothing but labels: one heap per class, and
# no doubt anywhere.
