"""
Random labels: which map shows false groups?
============================================

The data are twenty features of pure noise, with random labels. Any separation on a map
of these data is an artifact of the method.
"""

import warnings

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from labelscape.embeddings import ClassNeRV, CrossFittedTSNE
from labelscape.plotting import compare_maps
from labelscape.quality import knn_accuracy

rng = np.random.default_rng(0)
X, X_new = rng.normal(size=(2, 300, 20))
y, y_new = rng.choice(["heads", "tails"], size=(2, 300))

models = {
    "ClassNeRV": ClassNeRV(),
    "cross-fitted": CrossFittedTSNE(focus=0.5, random_state=0),
}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # both warn that the labels carry no signal
    maps = {name: model.fit_transform(X, y) for name, model in models.items()}
_ = compare_maps(maps, y)

# %%
# ClassNeRV uses the label of each sample, so it separates noise. The cross-fitted map
# uses only predictions of models that were fitted without the sample, and these
# predictions are no better than chance.
#
# New samples show the difference:

print("5-NN accuracy        fitted  new")
for name, model in models.items():
    votes = KNeighborsClassifier(5).fit(maps[name], y)
    new = votes.score(model.transform(X_new), y_new)
    print(f"{name:18}{knn_accuracy(maps[name], y, 5):9.2f}{new:5.2f}")

# %%
# The next figure compares supervised UMAP and the cross-fitted map on the same data.
# Fitted samples are in the upper row, and new samples in the lower row. On the map by
# supervised UMAP, the neighbors of all fitted samples have the right class. For new
# samples, the accuracy is no better than chance. The figure was drawn by ``python -m
# benchmarks pictures``.
#
# .. image:: /images/coin_flips.png
#    :alt: Supervised UMAP shows two groups of random labels, the cross-fitted map none.
#    :width: 640

# %%
# If the features predict the labels, the cross-fitted map shows this for fitted and for
# new samples. Here, the map is fitted to half of the digits, and the other digits are
# placed without labels.

from sklearn.datasets import load_digits  # noqa: E402

X, y = load_digits(return_X_y=True)
old, new = slice(0, None, 2), slice(1, None, 2)
model = models["cross-fitted"].set_params(focus="auto").fit(X[old] / 16, y[old])
_ = compare_maps({"fitted": model.embedding_}, y[old])

# %%

_ = compare_maps({"new, without labels": model.transform(X[new] / 16)}, y[new])

# %%
# The next figure is a cross-fitted map of all 70,000 digits of MNIST, made by the
# command ``labelscape map``:
#
# .. image:: /images/mnist.png
#    :alt: The ten digits of MNIST as ten islands.
#    :width: 640
