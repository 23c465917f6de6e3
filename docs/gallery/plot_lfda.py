"""
A class with two subgroups
==========================

Sick samples have either too much or too little of a substance, so the means of
sick and healthy samples are equal. Eight more measurements contain only noise.
"""

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from labelscape.embeddings import LFDA
from labelscape.plotting import compare_maps
from labelscape.quality import knn_accuracy

rng = np.random.default_rng(0)
y = np.array(["sick", "healthy"] * 200)
X = rng.standard_normal((400, 9))
X[y == "sick", 0] += rng.choice([-4.0, 4.0], 200)
X = X @ np.linalg.qr(rng.standard_normal((9, 9))).Q  # no feature shows it alone

maps = {
    "LDA": LinearDiscriminantAnalysis().fit_transform(X, y),
    "LFDA": LFDA(scaling="plain").fit_transform(X, y),
}
titled = {
    f"{name}, 5-NN {knn_accuracy(Z, y, n_neighbors=5):.0%}": Z
    for name, Z in maps.items()
}
_ = compare_maps(titled, y)

# %%
# LDA compares the means of the classes, which are the same here. LDA has only one
# direction, because there are two classes. :class:`~labelscape.embeddings.LFDA` keeps
# only those samples of a class together that are close to each other: the sick samples
# remain two groups, and both groups are separated from the healthy samples.
# ``scaling="plain"`` gives both axes the same scatter. By default, the second axis
# would be much shorter, because it does not separate the classes.
