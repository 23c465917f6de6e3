"""
Is this map real?
=================

Three tests: random labels, labels that come from clustering noise, and real classes.
"""

# %%
# Random labels, and a map that was drawn from them. The data cannot predict the
# positions.
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
# Classes that are five standard deviations apart.
Y, kinds = planted_table(400, 6, 2, apart=5.0, random_state=0)
apart = PCA(2).fit_transform(Y)
print(certify(Y, apart, kinds, random_state=0).verdict)

# %%
figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), layout="constrained")
maps = (("coin flips", drawn, coin), ("k-means on noise", flat, clusters))
for ax, (title, Z, y) in zip(axes, (*maps, ("a gap", apart, kinds)), strict=True):
    plot_map(Z, np.asarray(y), title=title, ax=ax)
