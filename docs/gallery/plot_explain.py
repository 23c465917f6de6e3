"""
Why this decision, and what would flip it?
==========================================

A model took a malignant tumour for a benign one. Why?

``explain`` takes one decision apart. To keep the tables short the model sees ten of
the thirty measurements.
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
# *Contributions* add up to the lead of the decision, exactly: the distance to the
# malignant prototype minus that to the benign one. Features with a positive sign spoke
# for "benign".
#
# *Change* is the smallest change of the whole object that leads to the other class. No
# smaller one exists.
#
# The figure shows where the two distances come from. A bar may point to the left:
# features that work together can take from each other.

_ = plot_comparison(model, x, show="contribution")

# %%
# The smallest change may be one that nobody can make. Say what is allowed: here only
# texture, in the units of the table.

fixed = X.columns != "worst texture"
changed = model.explain(x, fixed=fixed).counterfactual
print(f"texture from {x['worst texture']:.2f} to {changed[~fixed][0]:.2f}")
