"""
A map from few objects, with labels and without
===============================================

t-SNE of few objects shows groups badly. A few labels make up for the objects that are
missing: a tenth of the digits is fitted here, and all others are placed on the map
afterwards, without their labels. The paper's Fig. 2 and 3, with digits that come with
scikit-learn.
"""

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from labelscape.embeddings import FisherKernelTSNE, KernelTSNE
from labelscape.plotting import compare_maps

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(
    X, y, train_size=0.1, stratify=y, random_state=0
)
models = {
    "kernel t-SNE": KernelTSNE(random_state=0).fit(X_train),
    "Fisher kernel t-SNE": FisherKernelTSNE(random_state=0).fit(X_train, y_train),
}
_ = compare_maps({f"{n}, fitted": m.embedding_ for n, m in models.items()}, y_train)

# %%
# With labels it is easy to look good. What counts are the others:

_ = compare_maps({f"{n}, new": m.transform(X_test) for n, m in models.items()}, y_test)

# %%
# And in numbers: how often do the five nearest fitted digits name a new one rightly?


def right(fitted, new):
    """Return the share of new digits that their neighbours name rightly."""
    return KNeighborsClassifier(5).fit(fitted, y_train).score(new, y_test)


print(f"all 64 features      {right(X_train, X_test):.3f}")
for name, model in models.items():
    print(f"{name:20} {right(model.embedding_, model.transform(X_test)):.3f}")
