"""
Distances or neighbours?
========================

Sammon's mapping looks for the best distances, NE-XOM for the best neighbourhoods. What
is the difference on a map of wine? A Shepard diagram shows each pair of objects by its
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
# Both keep near pairs too near and far pairs too far: thirteen dimensions do not fit
# into a plane without that. Sammon has the lower stress, as it should. But look along
# the bottom: more pairs are close on its map that are far apart in the data.
#
# So NE-XOM is ahead where neighbourhoods are small. The curve tells how many of the K
# nearest neighbours are kept, beyond what chance would keep:

_ = plot_rank_curve(X, maps)

# %%
# From fifty neighbours on there is nothing between them, and at the largest
# neighbourhoods Sammon is ahead.
