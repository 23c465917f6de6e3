"""
Curved decision boundaries
==========================

Three sensors, A, B and C, have six channels each. Which sensor does a reading come
from? The readings of A and B vary strongly, each in its own direction. A and B have the
same mean, so a straight boundary cannot separate A and B. (The data are generated.)
"""

import matplotlib.pyplot as plt
import numpy as np

from labelscape.plotting import plot_discriminative_map
from labelscape.prototypes import LiRaMLVQ, LocalLiRaMLVQ

rng = np.random.default_rng(0)
y = np.repeat(["sensor A", "sensor B", "sensor C"], 150)
X = 0.5 * rng.standard_normal((450, 6))
X[y == "sensor A", 0] += rng.normal(0.0, 3.0, 150)
X[y == "sensor B", 1] += rng.normal(0.0, 3.0, 150)
X[y == "sensor C", :2] += 3.0

figure, axes = plt.subplots(1, 2, figsize=(9.5, 4), layout="constrained")
for ax, model in zip(axes, (LiRaMLVQ(), LocalLiRaMLVQ()), strict=True):
    model.set_params(random_state=0).fit(X, y)
    legend = "none" if ax is axes[0] else "beside"
    plot_discriminative_map(model, X, y, legend=legend, ax=ax)

# %%
# With one metric for all classes the boundaries are straight, and the model finds a
# single useful direction.
#
# :class:`~labelscape.prototypes.LocalLiRaMLVQ` gives each class its own metric inside
# the common plane. A reading that is far from the mean in one direction is then close
# to the sensor that varies in this direction, and far from the other sensors. The
# boundaries are quadratic curves, which the figure shows exactly.
#
# These are the weights of the two axes of the map, for each sensor:

for name, Psi in zip(model.classes_, model.local_matrices_, strict=True):
    print(name, (Psi**2).sum(axis=0).round(2))

# %%
# The metric of a sensor ignores the axis along which this sensor varies.
