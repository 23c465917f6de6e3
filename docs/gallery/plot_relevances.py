"""
Which features separate benign and malignant tumors?
====================================================

The data are thirty measurements of cell nuclei from benign and malignant tumors.
:class:`~labelscape.prototypes.GMLVQ` learns a metric together with its prototypes.
Which features does it use?
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
# How to read the figure, from right to left:
#
# *Eigenvalues*: only one direction matters. With two classes and one prototype each,
# the decision boundary is a plane, so only the direction across this plane matters.
#
# *Relevances*: the weight of each measurement in that direction. Relevances add up to
# 1, and can be compared because the features have one scale.
#
# *Off the diagonal*: which measurements work together. An orange pair matters most if
# both measurements differ from the prototype in the same direction, a violet pair if
# they differ in opposite directions.
#
# The relevance is divided among correlated features, and a fit to other samples may
# divide it differently. So check how stable the ranking is:

rng = np.random.default_rng(0)
drawn = []
for _ in range(20):
    rows = rng.choice(len(X), len(X))
    drawn.append(GMLVQ(random_state=0).fit(X.iloc[rows], table.y[rows]).relevances_)
spread = pd.DataFrame(drawn, columns=X.columns).quantile([0.1, 0.5, 0.9]).T
spread.sort_values(0.5, ascending=False).head(8).round(3)

# %%
# The columns are quantiles over twenty bootstrap samples. Texture and radius have the
# highest relevances. From sample to sample, these relevances differ by a factor of two
# to five. The order of the other features is not reliable.
