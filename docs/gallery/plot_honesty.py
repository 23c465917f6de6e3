"""
Is the separation real?
=======================

Here are 600 points of pure noise in 200 dimensions. A die decided whether a point is
called east, north or west. Yet a supervised map finds three groups:
"""

import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load, make_noise
from labelscape.plotting import plot_map
from labelscape.prototypes import LiRaMLVQ
from labelscape.quality import honesty

X, y = make_noise(600, n_features=200, n_classes=3, random_state=0)
y = np.array(["east", "north", "west"])[y]
model = LiRaMLVQ(random_state=0).fit(X, y)
_ = plot_map(model.transform(X), y, title="Noise with random labels")

# %%
# In 200 dimensions there is always a direction in which 600 points happen to part as
# their labels say. Any supervised method finds it. The picture does not show that the
# groups mean nothing; :func:`~labelscape.quality.honesty` does. It fits the map to half
# of the points, looks at the neighbours of the other half, and does the same with
# shuffled labels.

honesty(LiRaMLVQ(), X, y, random_state=0)

# %%
# New points fall anywhere on the map, and shuffled labels look as good as the given
# ones. The same question for wine, whose labels do mean something:

wine = load("wine")
honesty(make_pipeline(StandardScaler(), LiRaMLVQ()), wine.X, wine.y, random_state=0)
