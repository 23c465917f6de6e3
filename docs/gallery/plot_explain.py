"""
Why this decision, and what would change it?
============================================

A model classified a malignant tumor as benign. Why?

The method ``explain`` gives the reasons for one decision. To keep the tables short, the
model uses ten of the thirty measurements.
"""

import numpy as np
import pandas as pd
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.plotting import plot_comparison
from labelscape.prototypes import GMLVQ

table = load("breast_cancer")
X = pd.DataFrame(table.X, columns=table.feature_names).filter(like="worst")
X[:] = StandardScaler().fit_transform(X)
model = GMLVQ(random_state=0).fit(X, table.y)

missed = (model.predict(X) == "benign") & (table.y == "malignant")
x = X.iloc[np.flatnonzero(missed)[0]]
model.explain(x)

# %%
# *Contributions* add up exactly to the margin of the decision: the distance to the
# malignant prototype minus the distance to the benign prototype. Features with a
# positive contribution are evidence for "benign".
#
# *Change* is the smallest change of the sample that leads to the other class.
#
# The figure shows how the features contribute to both distances. A contribution can be
# negative if features are correlated in the learned metric.

_ = plot_comparison(model, x, show="contribution")

# %%
# The smallest change may not be possible in practice. Fix the features that cannot
# change. Here only the texture may change (in standardized units).

fixed = X.columns != "worst texture"
changed = model.explain(x, fixed=fixed).counterfactual
print(f"texture from {x['worst texture']:.2f} to {changed[~fixed][0]:.2f}")
