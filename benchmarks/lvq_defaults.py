"""Comparison of default settings: accuracy, spread over seeds, time, calibration.

The benchmark uses five-fold cross-validation on z-scored features, with three seeds.
Each setting is a row. The last two columns are the log-loss and the expected
calibration error (ten bins) of ``predict_proba`` for held-out samples.
"""

import time
import warnings

import numpy as np
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.prototypes import GMLVQ, LBFGS, LiRaMLVQ

SETS = [
    "wine", "breast_cancer", "iris", "ionosphere", "sonar", "diabetes",
    "balance-scale", "nci", "srbct", "segmentation_train", "digits",
]  # fmt: skip

SETTINGS = {
    "lbfgs (defaults)": {},
    "lbfgs, no jitter": {"solver": LBFGS(jitter=0.0)},
    "lbfgs, plain cost": {"solver": LBFGS(jitter=0.0, slope=0.0)},
    "lbfgs, random start": {"matrix_init": "random", "prototype_init": "random"},
    "sgd (the paper)": {"solver": "sgd"},
}


def calibration_error(p, y, classes):
    """Return the mean difference of confidence and accuracy over ten bins."""
    sure, right = p.max(axis=1), classes[p.argmax(axis=1)] == y
    bins = np.minimum((10 * sure).astype(int), 9)
    gaps = [
        abs(right[bins == b].mean() - sure[bins == b].mean()) * np.mean(bins == b)
        for b in np.unique(bins)
    ]
    return sum(gaps)


def cross_validated(make, X, y, seed):
    """Return accuracy, seconds per fit, log-loss and calibration error."""
    rows = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(X, y):
        scaler = StandardScaler().fit(X[train])
        model = make(seed)
        start = time.perf_counter()
        model.fit(scaler.transform(X[train]), y[train])
        seconds = time.perf_counter() - start
        p = model.predict_proba(scaler.transform(X[test]))
        rows.append(
            [
                model.score(scaler.transform(X[test]), y[test]),
                seconds,
                log_loss(y[test], p, labels=model.classes_),
                calibration_error(p, y[test], model.classes_),
            ]
        )
    return np.mean(rows, axis=0)


def main():
    warnings.simplefilter("ignore")  # constant features
    tables = [load(name) for name in SETS]
    print(f"{'':38}accuracy  spread  seconds  log-loss    ECE")
    for model in (LiRaMLVQ, GMLVQ):
        for setting, kwargs in SETTINGS.items():
            found = np.array(
                [
                    [
                        cross_validated(
                            lambda seed, m=model, k=kwargs: m(random_state=seed, **k),
                            table.X,
                            table.y,
                            seed,
                        )
                        for seed in range(3)
                    ]
                    for table in tables
                ]
            )  # (sets, seeds, 4)
            accuracy, seconds, loss, ece = found.mean(axis=(0, 1))
            spread = found[:, :, 0].std(axis=1).mean()
            print(
                f"{model.__name__:14}{setting:24}"
                f"{100 * accuracy:8.1f}{100 * spread:8.1f}"
                f"{seconds:9.3f}{loss:10.3f}{ece:7.3f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
