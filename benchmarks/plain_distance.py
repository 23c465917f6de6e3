"""Choice of the weight of the plain distance in the metric of a Fisher map.

    python -m benchmarks plain_distance [SPLITS]

Half of each set is fitted with labels, and half is placed without labels. The table
shows the accuracy of 5 fitted neighbors on the map for held-out samples, and their
trustworthiness (10 neighbors). Features are standardized, or divided by 16 for digits.
The perplexity is 30, or a quarter of the number of fitted samples if that is less.
"""

import sys
import warnings

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.embeddings import FisherKernelTSNE, KernelTSNE
from labelscape.geometry import FisherMetric
from labelscape.quality import trustworthiness

SETS = ("digits", "wine", "breast_cancer", "iris", "satellite")
SHARES = (0.1, 0.3, 1.0)
ROWS = 1800


def some_of(name):
    """Return a set with scaled features, and labels."""
    table = load(name)
    X, y = table.X, table.y
    if len(X) > ROWS:
        X, _, y, _ = train_test_split(X, y, train_size=1000, stratify=y, random_state=0)
    X = X / 16.0 if name == "digits" else StandardScaler().fit_transform(X)
    return X, y


def judged(model, X, y, X_new, y_new):
    """Return accuracy and trustworthiness of held-out samples."""
    if model is None:
        return KNeighborsClassifier(5).fit(X, y).score(X_new, y_new), np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Z_new = model.fit(X, y).transform(X_new)
    accuracy = KNeighborsClassifier(5).fit(model.embedding_, y).score(Z_new, y_new)
    return accuracy, trustworthiness(X_new, Z_new, 10)


def models(n):
    """Return the columns of the table."""
    options = {"perplexity": min(30, n // 4), "random_state": 0}
    found = {"raw": None, "t-SNE": KernelTSNE(**options)}
    for share in SHARES:
        metric = FisherMetric(regularization=share, random_state=0)
        found[str(share)] = FisherKernelTSNE(metric=metric, **options)
    return found


def main(n_splits):
    print(f"{'data':15}" + "".join(f"{name:>14}" for name in models(100)))
    for name in SETS:
        X, y = some_of(name)
        rows = []
        for seed in range(n_splits):
            parts = train_test_split(X, y, test_size=0.5, stratify=y, random_state=seed)
            X_fit, X_new, y_fit, y_new = parts
            found = models(len(X_fit)).values()
            rows.append([judged(m, X_fit, y_fit, X_new, y_new) for m in found])
        means = np.mean(rows, axis=0)
        cells = [f"{a:.3f}" + ("" if np.isnan(t) else f" / {t:.3f}") for a, t in means]
        print(f"{name:15}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
