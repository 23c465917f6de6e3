"""The outlook: local linear patches of LGMLVQ, joined by charting (section 3.1)."""

import numpy as np
from scipy.linalg import eigh
from scipy.special import softmax

from benchmarks.lvq_paper import one_nn
from benchmarks.papers._kept import kept
from benchmarks.papers._record import FIRST, record, seeds
from benchmarks.papers._verdict import DROPPED, REACHED, Measured, claim, row
from benchmarks.papers.p000._segmentation import data, new_figure
from labelscape.plotting import plot_map
from labelscape.prototypes import LGMLVQ, LiRaMLVQ

SEEDS = 5
SHARPNESS = (1.0, 4.0)  # of responsibilities, in units of the mean distance


class Charted:
    """The map y(x) = sum_k r_k(x) (L_k x + o_k) of a fitted LGMLVQ.

    L_k are the two leading rows of each local matrix, in its canonical form, up to an
    affine map of the plane; r_k is the softmax of the distances to the prototypes.
    Brand (2003): the affine maps, of which offsets o_k are part, are those by which
    charts agree best where they overlap, for a map of unit covariance.
    """

    def __init__(self, model, X, sharpness):
        self.W = model.prototypes_
        self.L = [np.linalg.svd(one)[2][:2] for one in model.local_matrices_]
        self.Omega, self.sharpness = model.local_matrices_, sharpness
        D = self._distances(X)
        self.unit = np.mean(D.min(axis=1)) or 1.0
        R, U = self._parts(X)
        blocks = [(R[:, k, None] * U[k]).T @ U[k] for k in range(len(U))]
        size = U[0].shape[1]
        B = np.zeros((size * len(U),) * 2)
        for k, block in enumerate(blocks):
            B[k * size : (k + 1) * size, k * size : (k + 1) * size] = block
        V = self._joined(R, U)
        ridge = 1e-9 * np.trace(B) / len(B) * np.eye(len(B))
        # Charts agree if sum_k r_k |g_k u_k - y|^2 is small; constants agree always.
        vectors = eigh(V.T @ V, B + ridge)[1][:, ::-1]
        flat = V @ vectors
        self.G = vectors[:, np.argsort(flat.std(axis=0) < 1e-6, kind="stable")[:3]]
        spread = (V @ self.G).std(axis=0)
        self.G = self.G[:, spread > 1e-3 * spread.max()][:, :2]

    def _distances(self, X):
        gaps = [(X - w) @ one.T for w, one in zip(self.W, self.Omega, strict=True)]
        return np.stack([(gap**2).sum(axis=1) for gap in gaps], axis=1)

    def _parts(self, X):
        R = softmax(-self.sharpness * self._distances(X) / self.unit, axis=1)
        ones = np.ones((len(X), 1))
        U = [
            np.hstack([(X - w) @ L.T, ones])
            for w, L in zip(self.W, self.L, strict=True)
        ]
        return R, U

    @staticmethod
    def _joined(R, U):
        return np.hstack([R[:, k, None] * U[k] for k in range(len(U))])

    def transform(self, X):
        """Return places on the joined map."""
        return self._joined(*self._parts(X)) @ self.G


@kept
def accuracies():
    """Return the nearest neighbor's test accuracies of both maps (kinds, seeds)."""
    X, y, X_test, y_test = data()
    found = {"LiRaM LVQ": []} | {
        f"charted, r of sharpness {s:g}": [] for s in SHARPNESS
    }
    for seed in seeds(SEEDS):
        plane = LiRaMLVQ(random_state=seed).fit(X, y)
        local = LGMLVQ(random_state=seed).fit(X, y)
        charts = [Charted(local, X, sharpness) for sharpness in SHARPNESS]
        for name, one in zip(found, (plane, *charts), strict=True):
            found[name].append(one_nn(*placed(one, X, y, X_test, y_test))[1])
    return {name: np.array(values) for name, values in found.items()}


def placed(model, X, y, X_test, y_test):
    return model.transform(X), y, model.transform(X_test), y_test


def main():
    found = accuracies()
    plane = found.pop("LiRaM LVQ")
    best = max(found, key=lambda name: found[name].mean())
    gap = Measured.of(found[best] - plane)
    words = ", ".join(f"{name} {Measured.of(v).shown()}" for name, v in found.items())
    rows = [
        row(
            "local linear patches joined by charting",
            '"The global combination of these local linear patches by means of '
            'charting"',
            f"1-NN on test samples: {words}; LiRaM LVQ {Measured.of(plane).shown()}",
            f"LGMLVQ() and LiRaMLVQ(), {SEEDS} seeds; r: weights of the patches",
            REACHED if claim(gap) == REACHED else DROPPED,
        )
    ]
    X, y, X_test, y_test = data()
    figure = new_figure(6, 5)
    charted = Charted(LGMLVQ(random_state=FIRST).fit(X, y), X, SHARPNESS[0])
    plot_map(charted.transform(X_test), y_test, title=best, ax=figure.subplots())
    record("000", "Outlook: charting", rows, figure=figure)


if __name__ == "__main__":
    main()
