"""
Where to tear a globe
=====================

No plane shows a globe without error: some neighbours must part, or far places must come
together. Where it does not hurt is for the labels to say. Here these are the northern
and the southern half.
"""

import numpy as np

from labelscape.embeddings import ClassNeRV
from labelscape.plotting import compare_maps
from labelscape.quality import class_continuity, class_trustworthiness

rng = np.random.default_rng(0)
X = rng.standard_normal((500, 3))
X /= np.linalg.norm(X, axis=1, keepdims=True)
y = np.where(X[:, 0] > 0.0, "north", "south")

maps = {
    "lost neighbours cost": ClassNeRV(tau_intra=1.0, tau_inter=1.0),
    "false neighbours cost": ClassNeRV(tau_intra=0.0, tau_inter=0.0),
    "halves say which": ClassNeRV(tau_intra=1.0, tau_inter=0.0),
}
maps = {name: model.fit_transform(X, y) for name, model in maps.items()}
_ = compare_maps(maps, y)

# %%
# On the first two maps labels have no say, which is NeRV. If only lost neighbours cost,
# the globe is pressed flat, and far sides of it lie upon each other. If only false ones
# do, it is torn open wherever that is easiest. On the third,
# :class:`~labelscape.embeddings.ClassNeRV` with its defaults, false neighbours cost
# between the halves and lost ones inside each: it tears along the equator.
#
# In figures, 1 is best: false neighbours from the other half, and tears inside a half.

print("                        no false  no tears")
for name, Z in maps.items():
    trust, whole = class_trustworthiness(X, Z, y), class_continuity(X, Z, y)
    print(f"{name:22}{trust:10.3f}{whole:10.3f}")
