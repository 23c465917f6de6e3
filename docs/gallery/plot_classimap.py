"""
A supervised map that separates overlapping classes
===================================================

The data are three Gaussian classes with ten features. The classes overlap: the five
nearest neighbors in the data predict the right class for two of three samples.
"""

from labelscape.datasets import make_gaussians
from labelscape.embeddings import ClassiMap, Sammon
from labelscape.plotting import compare_maps
from labelscape.quality import (
    honesty,
    knn_accuracy,
    label_continuity,
    label_trustworthiness,
)

X, y = make_gaussians(400, n_features=10, separation=2.0, random_state=0)
maps = {
    "Sammon": Sammon(random_state=0).fit_transform(X),
    "ClassiMap": ClassiMap(random_state=0).fit_transform(X, y),
}
_ = compare_maps(maps, y)

# %%
# :class:`~labelscape.embeddings.ClassiMap` keeps each class together, and puts
# unavoidable errors between classes. So it shows three clusters where the data are one
# group. Two measures show the difference:

print("             5-NN  label trust.  label cont.")
print(f"data        {knn_accuracy(X, y, n_neighbors=5):.2f}")
for name, Z in maps.items():
    print(
        f"{name:10}  {knn_accuracy(Z, y, n_neighbors=5):.2f}"
        f"{label_trustworthiness(X, Z, y):14.2f}{label_continuity(X, Z, y):13.2f}"
    )

# %%
# *Label-continuity* falls when classes are farther apart on the map than they are in
# the data, as with ClassiMap here. *Label-trustworthiness* falls when classes are
# closer on the map than in the data.
#
# The test on held-out samples shows the difference, too:

honesty(ClassiMap(), X, y, n_splits=3, random_state=0)

# %%
# Use such a map to see the *shape* of classes that are known to be different. The map
# is no evidence that the classes are different.
