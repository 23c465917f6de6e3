"""
Distances or neighbors?
=======================

Sammon's mapping preserves distances, and NE-XOM preserves neighborhoods. What is the
difference on a map of wine? A Shepard diagram shows each pair of samples by its
distance in the data and on the map.
"""

import matplotlib.pyplot as plt
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.embeddings import NEXOM, Sammon
from labelscape.plotting import plot_rank_curve, plot_shepard
from labelscape.quality import sammon_stress

X = StandardScaler().fit_transform(load("wine").X)
maps = {
    "Sammon": Sammon(random_state=0).fit_transform(X),
    "NE-XOM": NEXOM(random_state=0).fit_transform(X),
}
figure, axes = plt.subplots(1, 2, figsize=(9, 4.2), layout="constrained")
for ax, (name, Z) in zip(axes, maps.items(), strict=True):
    plot_shepard(X, Z, title=f"{name}, stress {sammon_stress(X, Z):.3f}", ax=ax)

# %%
# On both maps, near pairs are too near and far pairs are too far, because a plane
# cannot preserve distances in thirteen dimensions. Sammon's mapping has the lower
# stress, as expected. But its diagram has more points at the bottom: pairs that are
# close on the map and far apart in the data.
#
# So NE-XOM is better for small neighborhoods. The next figure shows how well the K
# nearest neighbors are preserved (0 is chance, 1 is perfect):

_ = plot_rank_curve(X, maps)

# %%
# For fifty neighbors and more, both maps are equally good. For the largest
# neighborhoods, Sammon's mapping is better.
