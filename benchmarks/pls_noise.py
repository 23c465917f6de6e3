"""PLS-DA of noise: how often fitted scores are separated, and called real.

``python -m benchmarks pls_noise`` uses 200 tables of 40 x 2,000 with random labels,
``python -m benchmarks.pls_noise 1000`` uses 1000 tables.
"""

import sys
import warnings

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from labelscape.embeddings import PLSDA
from labelscape.quality import honesty, knn_accuracy


def main(n_tables: int = 200) -> None:
    """Print how often fitted scores separate noise, and are called real."""
    warnings.simplefilter("ignore")  # that labels cannot be predicted
    fitted, lines, held_out, q2, real = [], [], [], [], []
    for seed in range(n_tables):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(40, 2000)), rng.permutation(40) % 2
        model = PLSDA().fit(X, y)
        fitted.append(knn_accuracy(model.scores_, y))
        line = LinearDiscriminantAnalysis().fit(model.scores_, y)
        lines.append(line.score(model.scores_, y) == 1.0)
        held_out.append(knn_accuracy(model.held_out_scores_, y))
        q2.append(model.q2_)
        report = honesty(PLSDA(), X, y, random_state=seed)
        real.append(report.verdict.real in ("yes", "partly"))
    print(f"{n_tables} tables of 40 x 2,000 noise, random labels")
    print(f"fitted plot, tables that a line separates: {sum(lines)}")
    print(f"fitted plot, nearest neighbor of the same class: {np.mean(fitted):.3f}")
    print(f"  tables where all 40 are right: {np.mean(np.array(fitted) == 1.0):.3f}")
    print(f"held-out plot: {np.mean(held_out):.3f}; Q2: {np.mean(q2):.3f}")
    print(f"called real or partly real: {sum(real)} of {n_tables}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
