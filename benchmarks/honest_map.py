"""FisherKernelTSNE and supervised UMAP for held-out digits.

    python -m benchmarks honest_map [SPLITS]

Half of scikit-learn's digits are fitted with labels, and the other half is placed
without labels (898 and 899 digits, ten splits by default). For the held-out digits, the
table shows the accuracy of five neighbors among the fitted digits, on the map and in
the data, and trustworthiness with 10 neighbors. All parameters are defaults. UMAP is
included if it is installed.
"""

import importlib.util
import sys
import warnings
from time import process_time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier

from labelscape.embeddings import FisherKernelTSNE, KernelTSNE
from labelscape.quality import knn_accuracy, trustworthiness

FITTED = 898
# Minimum results, and minimum differences from supervised UMAP.
FLOORS = {"unseen": 0.98, "trust": 0.97, "lead": 0.015}


def maps():
    """Return maps by name."""
    found = {
        "FisherKernelTSNE": FisherKernelTSNE(random_state=0),
        "KernelTSNE, no labels": KernelTSNE(random_state=0),
    }
    if importlib.util.find_spec("umap"):
        from umap import UMAP

        found["supervised UMAP"] = UMAP(random_state=0, n_jobs=1)
    else:
        print("UMAP is not installed. Run pip install umap-learn to compare it.")
    return found


def judged(model, X, y, X_new, y_new):
    """Return accuracies of fitted and held-out digits, trustworthiness, and seconds."""
    start = process_time()
    Z = np.asarray(model.fit(X, y).embedding_, dtype=float)
    Z_new = np.asarray(model.transform(X_new), dtype=float)
    seconds = process_time() - start
    unseen = KNeighborsClassifier(5).fit(Z, y).score(Z_new, y_new)
    trust = trustworthiness(X_new, Z_new, 10)
    return knn_accuracy(Z, y, 5), unseen, trust, seconds


def main(n_splits):
    X, y = load_digits(return_X_y=True)
    models = maps()
    found = {name: [] for name in models}
    raw = []
    for seed in range(n_splits):
        fitted, new, y_fitted, y_new = train_test_split(
            X, y, train_size=FITTED, stratify=y, random_state=seed
        )
        raw.append(KNeighborsClassifier(5).fit(fitted, y_fitted).score(new, y_new))
        for name, model in models.items():
            found[name].append(judged(model, fitted, y_fitted, new, y_new))
    print(f"digits, {FITTED} fitted, {len(X) - FITTED} unseen, {n_splits} splits")
    columns = (
        f"{'seen':>8}{'unseen':>8}{'worst':>8}{'trust':>8}{'worst':>8}{'CPU s':>8}"
    )
    print(f"{'5-NN':24}{columns}")
    print(f"{'raw space':24}{'':8}{np.mean(raw):8.3f}{np.min(raw):8.3f}")
    for name, rows in found.items():
        seen, unseen, trust, seconds = np.array(rows).T
        print(
            f"{name:24}{seen.mean():8.3f}{unseen.mean():8.3f}{unseen.min():8.3f}"
            f"{trust.mean():8.3f}{trust.min():8.3f}{seconds.mean():8.1f}"
        )
    judge({name: np.array(rows) for name, rows in found.items()})


def judge(found):
    """Print which minimum results are reached, and the error of the difference."""
    _, unseen, trust, _ = found["FisherKernelTSNE"].T
    print(f"\nunseen {unseen.mean():.4f}, wanted {FLOORS['unseen']} or more")
    print(f"trustworthiness {trust.mean():.4f}, wanted {FLOORS['trust']} or more")
    if "supervised UMAP" in found:
        leads = unseen - found["supervised UMAP"][:, 1]
        error = leads.std(ddof=1) / np.sqrt(len(leads))
        print(
            f"lead over UMAP {leads.mean():+.4f}, standard error {error:.4f}, wanted "
            f"{FLOORS['lead']:+} or more"
        )


if __name__ == "__main__":
    # UMAP warns about seeds and its dependencies.
    warnings.simplefilter("ignore")
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
