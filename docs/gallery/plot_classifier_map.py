"""
The picture of a classifier
===========================

A support vector machine tells handwritten digits apart, in 64 dimensions. What does it
decide where, how sure is it, and what lies between the classes?

:class:`~labelscape.boundary.ClassifierMap` maps the objects to the plane, learns the
way back, and asks the classifier about the object that belongs at each place.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from labelscape.boundary import ClassifierMap

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, train_size=700, stratify=y, random_state=0
)
classifier = SVC().fit(X_train, y_train)
model = ClassifierMap(classifier, random_state=0).fit(X_train)
_ = model.plot(X_test, y_test)

# %%
# The points are digits that neither the classifier nor the map has seen. A ring marks
# those that the classifier gets wrong: they stand where it says they belong, with the
# colour of what they are. White lines are its borders; where the colour is pale it is
# not sure; where the ground is hatched there are no data, and the picture is a guess.
#
# How far to believe it? The share of unseen digits that the picture shows with the
# class that the classifier gives them, and how much of the grid is far from all data:

print(f"agreement on unseen digits   {model.score(X_test):.3f}")
print(f"neighbour on the map         {model.nn_agreement(X_test):.3f}")
print(f"share far from data          {model.share_far_from_data_:.2f}")
print(f"predictions asked for        {model.n_predictions_}")

# %%
# The way back gives an object for any place. These are digits along a line across the
# map, from its left to its right end, with what the classifier says of each. Between
# the islands they are mixtures that nobody would write.

Z = model.embedding_
ends = Z[[Z[:, 0].argmin(), Z[:, 0].argmax()]]
line = np.linspace(*ends, 12)
_, axes = plt.subplots(1, 12, figsize=(9, 1.2))
for ax, digit in zip(axes, model.inverse_transform(line), strict=True):
    ax.imshow(digit.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
    ax.set_title(classifier.predict([digit])[0], fontsize=9)
    ax.axis("off")

# %%
# Another classifier on the same map: where do the two disagree?

forest = RandomForestClassifier(random_state=0).fit(X_train, y_train)
comparison = model.compare(forest, X_test)
_ = comparison.plot()

# %%
# They say different things of few digits. These stand among the others and not at
# borders, because the map follows the first classifier: to it they are clear. What the
# third map shows in the dark between the islands is ground on which neither of them has
# ever seen a digit.
