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
from labelscape.embeddings import LFDA
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
# of the points, several times, and looks at the neighbours of the other half.

honesty(LiRaMLVQ(), X, y, random_state=0)

# %%
# New points fall anywhere on the map, and a map of shuffled labels looks as good. The
# same question for wine, whose labels do mean something:

wine = load("wine")
honesty(make_pipeline(StandardScaler(), LiRaMLVQ()), wine.X, wine.y, random_state=0)

# %%
# Four tables that people really have
# -----------------------------------
# *Random labels, and every row three times*: a copy of a row is no new evidence, so
# copies stay together in all splits.

rng = np.random.default_rng(0)
X, y = rng.normal(size=(100, 10)), rng.integers(2, size=100)
found = honesty(LiRaMLVQ(), np.repeat(X, 3, axis=0), np.repeat(y, 3), random_state=0)
print(found.verdict, *found.notes, sep="\n")

# %%
# *60 patients, four measurements each, and a random label per patient*: say which rows
# belong together, or the certificate believes that 240 patients agree.

patient = np.repeat(np.arange(60), 4)
X = rng.normal(size=(60, 10))[patient] + 0.1 * rng.normal(size=(240, 10))
y = rng.integers(2, size=60)[patient]
print("240 rows:    ", honesty(LFDA(), X, y, random_state=0).verdict.real)
print("60 patients: ", honesty(LFDA(), X, y, groups=patient, random_state=0).verdict)

# %%
# *A class of 3 % that is told apart perfectly*: every class counts the same, so a rare
# one is not drowned by the others.

y = rng.permutation(np.repeat(["common", "rare"], [388, 12]))
X = rng.normal(size=(400, 10)) + 2.5 * (y == "rare")[:, None]
found = honesty(LiRaMLVQ(), X, y, random_state=0)
print(found.verdict, found.by_class, sep="\n")

# %%
# *A row counter in a sorted table*: it tells the classes, and means nothing. It is
# named, with the share of new objects that it alone tells; the command line and the app
# leave it out from the start.

X = np.column_stack([np.arange(300.0), rng.normal(size=(300, 5))])
y = np.repeat(["spring", "summer", "autumn"], 100)
names = ["row", "a", "b", "c", "d", "e"]
found = honesty(LiRaMLVQ(), X, y, feature_names=names, random_state=0)
print(*found.warnings, sep="\n")
