"""
Is the separation real?
=======================

The data are 600 samples of pure noise in 200 dimensions, with random labels: east,
north or west. Still, a supervised map shows three groups:
"""

import numpy as np
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
# In 200 dimensions, some directions separate 600 samples by random labels, and
# supervised methods find these directions. The map does not show that the groups are
# artifacts, but the test by :func:`~labelscape.quality.honesty` does. It fits the map
# to half of the samples, several times, and classifies the other half by its neighbors
# on the map.

honesty(LiRaMLVQ(), X, y, random_state=0)

# %%
# The accuracy for held-out samples is close to chance, and maps of shuffled labels look
# just as good. The next test is for wine, with real labels. Features are standardized
# first, so that the accuracy in the data also refers to standardized features:

wine = load("wine")
X = StandardScaler().fit_transform(wine.X)
honesty(LiRaMLVQ(), X, wine.y, random_state=0)

# %%
# Four common problems
# --------------------
# *Copies*: the labels are random, and every row occurs three times. Copies are not
# independent, so they stay together in all splits.

rng = np.random.default_rng(0)
X, y = rng.normal(size=(100, 10)), rng.integers(2, size=100)
found = honesty(LiRaMLVQ(), np.repeat(X, 3, axis=0), np.repeat(y, 3), random_state=0)
print(found.verdict, *found.notes, sep="\n")

# %%
# *Replicates*: 60 patients have four measurements each, and a random label per patient.
# Pass ``groups``, so that rows of one patient are never split. The test recognizes very
# similar measurements like these without ``groups``, but it does not recognize all
# replicates.

patient = np.repeat(np.arange(60), 4)
X = rng.normal(size=(60, 10))[patient] + 0.1 * rng.normal(size=(240, 10))
y = rng.integers(2, size=60)[patient]
print("240 rows:    ", honesty(LFDA(), X, y, random_state=0).verdict.real)
print("60 patients: ", honesty(LFDA(), X, y, groups=patient, random_state=0).verdict)

# %%
# *Class imbalance*: one class has only 3% of the rows, and is separated perfectly.
# Every class has the same weight, so rare classes matter.

y = rng.permutation(np.repeat(["common", "rare"], [388, 12]))
X = rng.normal(size=(400, 10)) + 2.5 * (y == "rare")[:, None]
found = honesty(LiRaMLVQ(), X, y, random_state=0)
print(found.verdict, found.by_class, sep="\n")

# %%
# *Data leakage*: in a sorted table, row numbers predict the classes. A warning names
# the column and its accuracy on held-out rows; the command line and the app do not use
# such a column.

X = np.column_stack([np.arange(300.0), rng.normal(size=(300, 5))])
y = np.repeat(["spring", "summer", "autumn"], 100)
names = ["row", "a", "b", "c", "d", "e"]
found = honesty(LiRaMLVQ(), X, y, feature_names=names, random_state=0)
print(*found.warnings, sep="\n")
