"""
Labels decide where a map is torn
=================================

No flat map shows a globe without errors: some neighbors are separated, or distant
points are close together. With labels, you can choose where these errors are. Here, the
labels are the northern and the southern half of the globe.
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
    "penalize lost neighbors": ClassNeRV(tau_intra=1.0, tau_inter=1.0),
    "penalize false neighbors": ClassNeRV(tau_intra=0.0, tau_inter=0.0),
    "penalize by class": ClassNeRV(tau_intra=1.0, tau_inter=0.0),
}
maps = {name: model.fit_transform(X, y) for name, model in maps.items()}
_ = compare_maps(maps, y)

# %%
# The first two maps do not use the labels (this is NeRV). If only lost neighbors are
# penalized, the globe is flattened, and opposite sides overlap. If only false neighbors
# are penalized, the globe is torn without regard to the halves. The third map is
# :class:`~labelscape.embeddings.ClassNeRV` with its defaults: false neighbors between
# the halves and lost neighbors inside each half are penalized, so the globe is torn
# along the equator.
#
# Two measures show this difference (1 is best). The first measure is lower if there are
# false neighbors from the other half. The second measure is lower if neighbors inside a
# half are separated.

print("                          no false  no tears")
for name, Z in maps.items():
    trust, whole = class_trustworthiness(X, Z, y), class_continuity(X, Z, y)
    print(f"{name:24}{trust:10.3f}{whole:10.3f}")
