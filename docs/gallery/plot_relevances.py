"""
Which measurements tell a tumour?
=================================

Thirty measurements of cell nuclei, from tumours that are benign or malignant.
:class:`~labelscape.prototypes.GMLVQ` learns a metric together with its prototypes. What
does this metric look at?
"""

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.plotting import plot_relevances
from labelscape.prototypes import GMLVQ

table = load("breast_cancer")
X = pd.DataFrame(StandardScaler().fit_transform(table.X), columns=table.feature_names)
model = GMLVQ(random_state=0).fit(X, table.y)
_ = plot_relevances(model)

# %%
# Three things to see, from right to left.
#
# *Eigenvalues*: one direction does all the work. With two classes and one prototype
# each, the border is a plane, and a plane has one normal.
#
# *Relevances*: how much each measurement weighs in that direction. They add up to 1,
# and can be compared because the features have one scale.
#
# *Off the diagonal*: which measurements work together. Orange pairs count most when
# they differ in the same direction, violet ones when in opposite directions.
#
# Features that say the same share their relevance, and a fit to other data shares it
# differently. So look at how firm the order is before you rely on it:

rng = np.random.default_rng(0)
drawn = []
for _ in range(20):
    rows = rng.choice(len(X), len(X))
    drawn.append(GMLVQ(random_state=0).fit(X.iloc[rows], table.y[rows]).relevances_)
spread = pd.DataFrame(drawn, columns=X.columns).quantile([0.1, 0.5, 0.9]).T
spread.sort_values(0.5, ascending=False).head(8).round(3)

# %%
# The columns are quantiles over twenty samples. Texture and radius are at the top, and
# their shares vary two- to fivefold. About the order of the others these data say
# little.
