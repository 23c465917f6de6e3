"""
Where is this map reliable?
===========================

A map of images with 64 features on a plane must have errors. The map in this example is
made by principal component analysis (PCA).
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
# How large are the errors? The report has the usual measures and their meanings.

report(X, Z, y)

# %%
# Where are the errors?

_ = plot_distortion(X, Z)

# %%
# Pale points have the right neighbors. Orange points have false neighbors: several
# digits overlap there, mostly in the middle. Blue points are far from their true
# neighbors; a linear map has few of them.
#
# So this map is reliable for the digits at its edge, and not for the digits in the
# middle.
