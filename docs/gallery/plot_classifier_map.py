"""
The picture of a classifier
===========================

A support vector machine classifies handwritten digits in 64 dimensions. Where are its
decision regions, how confident are its predictions, and what is between the classes?

:class:`~labelscape.boundary.ClassifierMap` maps the samples to the plane, learns the
inverse mapping, and applies the classifier to the sample that belongs to each position.
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
# The points are held-out digits. A ring marks errors of the classifier: the point is in
# the region of its predicted class, and has the color of its true class. White lines
# are decision boundaries; pale colors mean low confidence; hatched regions have no data
# nearby, so the picture extrapolates there.
#
# How reliable is the picture? *Agreement* is the share of held-out digits that the
# picture shows in the region of their predicted class:

print(f"agreement on held-out digits {model.score(X_test):.3f}")
print(f"neighbor on the map          {model.nn_agreement(X_test):.3f}")
print(f"share far from data          {model.share_far_from_data_:.2f}")
print(f"number of predictions        {model.n_predictions_}")

# %%
# The inverse mapping gives a sample for any position. The next figure shows digits
# along a line across the map, from left to right, with their predicted classes. Between
# the clusters, the digits are mixtures that do not occur in the data.

Z = model.embedding_
ends = Z[[Z[:, 0].argmin(), Z[:, 0].argmax()]]
line = np.linspace(*ends, 12)
_, axes = plt.subplots(1, 12, figsize=(9, 1.2))
for ax, digit in zip(axes, model.inverse_transform(line), strict=True):
    ax.imshow(digit.reshape(8, 8), cmap="gray_r", vmin=0, vmax=16)
    ax.set_title(classifier.predict([digit])[0], fontsize=9)
    ax.axis("off")

# %%
# The next figure compares the predictions of another classifier on the same map:

forest = RandomForestClassifier(random_state=0).fit(X_train, y_train)
comparison = model.compare(forest, X_test)
_ = comparison.plot()

# %%
# The predictions differ for few digits. These digits are inside clusters and not at
# boundaries, because the map is made from the predictions of the first classifier,
# which is confident about these digits. The dark areas of the third map, between the
# clusters, are far from all digits.
