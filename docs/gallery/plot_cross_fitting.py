"""
Coin flips
==========

Twenty features of pure noise, and labels by the toss of a coin. A map that shows two
groups here has made them itself.
"""

import warnings

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from labelscape.embeddings import ClassNeRV, FisherKernelTSNE
from labelscape.geometry import FisherMetric
from labelscape.plotting import compare_maps
from labelscape.quality import knn_accuracy

rng = np.random.default_rng(0)
X, X_new = rng.normal(size=(2, 300, 20))
y, y_new = rng.choice(["heads", "tails"], size=(2, 300))

models = {
    "ClassNeRV": ClassNeRV(),
    "cross-fitted": FisherKernelTSNE(
        metric=FisherMetric(estimator="auto"), focus=0.5, random_state=0
    ),
}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that these labels say nothing, as both notice
    maps = {name: model.fit_transform(X, y) for name, model in models.items()}
_ = compare_maps(maps, y)

# %%
# Labels tell ClassNeRV which false neighbours to avoid, and so it parts what is the
# same. On the second map nothing is known of an object's class but what models say that
# never saw it, and they know nothing.
#
# New tosses show it: one map in two promises what it can not keep.

print("neighbours agree     fitted  new")
for name, model in models.items():
    votes = KNeighborsClassifier(5).fit(maps[name], y)
    new = votes.score(model.transform(X_new), y_new)
    print(f"{name:18}{knn_accuracy(maps[name], y, 5):9.2f}{new:5.2f}")

# %%
# Supervised UMAP on the same tosses beside the cross-fitted map, fitted objects above
# and new ones below. For those it was fitted to, neighbours agree for all; for new ones
# they agree as often as chance has it. (Drawn by ``python -m benchmarks pictures``.)
#
# .. image:: /images/coin_flips.png
#    :alt: Supervised UMAP makes two groups of coin flips, the cross-fitted map none.
#    :width: 640

# %%
# Where labels say something, it is seen as well as they say it, for fitted and for new
# objects alike: half of the digits, and the other half placed without labels.

from sklearn.datasets import load_digits  # noqa: E402

X, y = load_digits(return_X_y=True)
old, new = slice(0, None, 2), slice(1, None, 2)
model = models["cross-fitted"].set_params(focus="auto").fit(X[old] / 16, y[old])
_ = compare_maps({"fitted": model.embedding_}, y[old])

# %%

_ = compare_maps({"new, without labels": model.transform(X[new] / 16)}, y[new])

# %%
# And what ``labelscape map`` makes of all 70,000 digits of MNIST, in one command.
#
# .. image:: /images/mnist.png
#    :alt: The ten digits of MNIST as ten islands.
#    :width: 640
