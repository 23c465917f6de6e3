"""
A map of wine
=============

The data are thirteen chemical measurements of three cultivars of wine. Can a plane show
how the cultivars differ?

:class:`~labelscape.prototypes.LiRaMLVQ` learns a projection to two dimensions in which
each wine is close to the prototype of its own cultivar.
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
# The large marks are prototypes. The background color is the predicted class. The model
# classifies in this plane, so a wine on a background of another color is misclassified.
#
# The map is linear, so new wines can be placed on it without labels. How good is the
# map for held-out wines? Here, half of the wines are held out.

X_train, X_test, y_train, y_test = train_test_split(
    X, wine.y, test_size=0.5, stratify=wine.y, random_state=0
)
model.fit(X_train, y_train)
share = model.score(X_test, y_test)
_ = plot_discriminative_map(
    model, X_test, y_test, title=f"Held-out wines: {share:.1%} correct"
)

# %%
# The classes are closer to each other, and a few wines are on the wrong side of the
# decision boundary. The map will have this quality for new wines, too. The next example
# of the gallery tests the separation.
