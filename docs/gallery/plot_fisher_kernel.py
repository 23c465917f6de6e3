"""
A map of few samples, with and without labels
=============================================

With few samples, t-SNE separates groups poorly. Labels can improve the separation.
Here, the map is fitted to a tenth of the digits, and the other digits are placed on it
without their labels. The example follows Fig. 2 and 3 of Hammer, Gisbrecht and Schulz
(2013), with the digits of scikit-learn.
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
# On a supervised map, fitted samples often look well separated, even if the labels are
# random. So look at held-out samples:

_ = compare_maps({f"{n}, new": m.transform(X_test) for n, m in models.items()}, y_test)

# %%
# These are the accuracies for held-out digits, predicted from the five nearest fitted
# digits:


def right(fitted, new):
    """Return the accuracy of five neighbors for held-out digits."""
    return KNeighborsClassifier(5).fit(fitted, y_train).score(new, y_test)


print(f"all 64 features      {right(X_train, X_test):.3f}")
for name, model in models.items():
    print(f"{name:20} {right(model.embedding_, model.transform(X_test)):.3f}")
