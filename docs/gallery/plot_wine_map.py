"""
A map of wine
=============

Three cultivars of wine, thirteen chemical measurements. Can a plane show how the
cultivars differ?

:class:`~labelscape.prototypes.LiRaMLVQ` learns a projection to two dimensions in which
each wine is near the prototype of its own cultivar.
"""

from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.plotting import plot_discriminative_map
from labelscape.prototypes import LiRaMLVQ

wine = load("wine")
X = StandardScaler().fit_transform(wine.X)
model = LiRaMLVQ(random_state=0).fit(X, wine.y)
_ = plot_discriminative_map(model, X, wine.y)

# %%
# The large marks are prototypes. The colour of the ground is the decision of the
# model, which it takes in this very plane: a wine on ground of another colour is
# misclassified.
#
# The plane is a linear view, so new wines have a place on it, without a label. How good
# is it for wines that it has not seen? Half of them are held out here.

X_train, X_test, y_train, y_test = train_test_split(
    X, wine.y, test_size=0.5, stratify=wine.y, random_state=0
)
model.fit(X_train, y_train)
share = model.score(X_test, y_test)
_ = plot_discriminative_map(
    model, X_test, y_test, title=f"Unseen wines: {share:.1%} right"
)

# %%
# The classes are a little nearer to each other, and a few wines stand across the
# border: this is what the map is worth. The next example makes a measure of it.
