"""
How many prototypes does a class need?
======================================

:class:`~labelscape.prototypes.PushAndGrow` starts with one prototype per class. It
splits groups with low confidence, and keeps a split if the mean confidence rises by at
least 0.02. This example fits three species of iris:
"""

import matplotlib.pyplot as plt
from sklearn.preprocessing import minmax_scale

from labelscape.datasets import load, make_xor
from labelscape.plotting import plot_growth, plot_prototype_map
from labelscape.prototypes import PushAndGrow

iris = load("iris")
X = minmax_scale(iris.X)
model = PushAndGrow().fit(X, iris.y)
_ = plot_growth(model)

# %%
# The split (hollow mark) was rejected: one prototype per species is enough, and the
# model classifies 95% of the flowers correctly. In the XOR data, each class is in two
# opposite corners, so a single prototype would be in the middle:

_ = plot_growth(PushAndGrow().fit(*make_xor(400, random_state=0)))

# %%
# A prototype model can be shown at three levels. The first level shows the data, and
# does not use the labels for the positions. The second level shows the classes, with
# some flowers among the prototypes:

figure, axes = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
plot_prototype_map(model, X, iris.y, level="data", ax=axes[0])
_ = plot_prototype_map(model, X[::3], level="classes", ax=axes[1])

# %%
# The last level shows one decision, for the versicolor flower with the lowest
# confidence. Distances from this flower, in the middle, are exact. The flower is
# closer to the prototype of virginica, so it is misclassified.

versicolor = list(model.prototype_labels_).index("versicolor")
_ = plot_prototype_map(model, X[model.hardest_[versicolor]], level="object")
