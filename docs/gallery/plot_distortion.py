"""
Where can this map be trusted?
==============================

A map of 64-dimensional images on a plane must be wrong somewhere. Here it is the view
of principal component analysis, which is as good as a straight view can be.
"""

from sklearn.decomposition import PCA

from labelscape.datasets import load
from labelscape.plotting import plot_distortion, plot_map
from labelscape.quality import report

digits = load("digits")
X, y = digits.X[:800], digits.y[:800]
Z = PCA(2, random_state=0).fit_transform(X)
_ = plot_map(Z, y, title="PCA of digits")

# %%
# How wrong is it? The report has the usual measures, each with what it means.

report(X, Z, y)

# %%
# And where?

_ = plot_distortion(X, Z)

# %%
# Pale points have the right neighbours. Orange ones have false neighbours: they lie
# where the plane folds several digits over each other, mostly in the middle. Blue ones
# would have been torn from their own neighbours; a straight view tears little.
#
# So the digits at the rim can be read off this map, and those in the middle cannot.
