"""Certify: maps of noise, fitted maps, clusterings, planted gaps, misplaced points.

    python -m benchmarks certify [fakes] [honest] [clusters] [gaps] [lost] [time] [N]

Without arguments, all parts are run. N is the number of repetitions of each case. At
most 5% of maps that show only labels (fakes) may be called real, and at most 5% of the
pairs of clusters of data without gaps. Planted gaps of 5 sd must be detected.
"""

import sys
import warnings
from collections import defaultdict
from time import perf_counter, process_time

import numpy as np
from scipy.optimize import minimize
from scipy.spatial.distance import cdist
from sklearn.cluster import (
    HDBSCAN,
    AgglomerativeClustering,
    Birch,
    BisectingKMeans,
    KMeans,
    SpectralClustering,
)
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.manifold import TSNE
from sklearn.metrics import roc_auc_score
from sklearn.mixture import GaussianMixture

from labelscape.datasets import load
from labelscape.quality import certify, honesty
from labelscape.quality.certificate.gaps import find_gaps
from labelscape.testing import FAKES, fake_map, planted_table

# Tests of gaps begin with this seed, because lower seeds were used to choose the rule.
FRESH = 200


def shares(title, counts):
    """Print the share of each count."""
    for name, (hits, tried) in counts.items():
        print(f"{title:10} {name:24} {hits:5} of {tried:5} = {hits / tried:.3f}")


def fakes(times):
    """Test maps of noise that were separated by labels in ten ways."""
    counts = defaultdict(lambda: [0, 0])
    for seed in range(times or 200):
        rng = np.random.default_rng(seed)
        n, d, k = rng.integers([60, 2, 2], [400, 30, 6])
        X, y = planted_table(int(n), int(d), int(k), apart=0.0, random_state=seed)
        for way in FAKES:
            Z = fake_map(X, y, way, random_state=seed)
            real = certify(X, Z, y, random_state=seed).verdict.real
            for name in (way, "all"):
                counts[name][0] += real in ("yes", "partly")
                counts[name][1] += 1
    shares("fakes", counts)


def honest(times):
    """Compare certify with honesty, which fits maps again."""
    counts = defaultdict(lambda: [0, 0])
    sets = [load(name) for name in ("iris", "wine", "breast_cancer")]
    tables = [(table.X, table.y) for table in sets]
    for seed in range(times or 100):
        rng = np.random.default_rng(seed)
        n, d, k = rng.integers([150, 3, 2], [400, 30, 5])
        apart = float(rng.choice([0.0, 1.0, 2.0, 3.0, 5.0]))
        X, y = planted_table(int(n), int(d), int(k), apart, random_state=seed)
        X, y = tables[seed] if seed < len(tables) else (X, y)
        X = (X - X.mean(axis=0)) / X.std(axis=0)
        q = min(2, len(np.unique(y)) - 1)
        for name, model in (
            ("PCA", PCA(2)),
            ("LDA", LinearDiscriminantAnalysis(n_components=q)),
            ("t-SNE", TSNE(random_state=seed, max_iter=500)),
        ):
            Z = np.asarray(model.fit_transform(X, y), dtype=np.float64)
            one = certify(X, Z, y, random_state=seed).verdict.real
            other = honesty(model, X, y, n_refits=0, random_state=seed).verdict.real
            counts[f"{name}, same verdict"][0] += one == other
            counts[f"{name}, {other}: {one}"][0] += 1
            counts[f"{name}, real or not"][0] += (one in "yes partly") == (
                other in "yes partly"
            )
            for key in ("same verdict", f"{other}: {one}", "real or not"):
                counts[f"{name}, {key}"][1] += 1
    shares("honest", counts)


def clouds(n, seed):
    """Return six kinds of data without gaps."""
    rng, d = np.random.default_rng(seed), [2, 5, 10, 30][seed % 4]
    angle = rng.uniform(0, 2 * np.pi, n)
    ring = np.c_[3 * np.cos(angle), 3 * np.sin(angle), np.zeros((n, d - 2))]
    return {
        "normal": rng.normal(size=(n, d)),
        "uniform": rng.uniform(size=(n, d)),
        "correlated": rng.normal(size=(n, d)) @ rng.normal(size=(d, d)),
        "tails": rng.normal(size=(n, d)) / np.sqrt(rng.chisquare(4, (n, 1)) / 4),
        "ring": ring + 0.3 * rng.normal(size=(n, d)),
        "plane": rng.normal(size=(n, 2)) * [1.0, 0.5],
    }


def clusterers(k, seed):
    """Return eight clustering methods."""
    return {
        "k-means": KMeans(k, n_init=2, random_state=seed),
        "bisecting k-means": BisectingKMeans(k, random_state=seed),
        "Gaussian mixture": GaussianMixture(k, reg_covar=1e-3, random_state=seed),
        "spectral": SpectralClustering(
            k, affinity="nearest_neighbors", random_state=seed
        ),
        "Ward": AgglomerativeClustering(k),
        "average linkage": AgglomerativeClustering(k, linkage="average"),
        "Birch": Birch(n_clusters=k, threshold=0.3),
        "HDBSCAN": HDBSCAN(min_cluster_size=10, copy=True),
    }


def found(X, y, seed):
    """Return whether there is a gap, for each pair of neighbors."""
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) < 2:
        return []
    rng, units = np.random.RandomState(seed), np.arange(len(X))
    return [gap.kind == "gap" for gap in find_gaps(X, codes, units, classes, rng)]


def clusters(times):
    """Test clusters of data without gaps; noise rows of HDBSCAN are a class."""
    counts = defaultdict(lambda: [0, 0])
    for seed in range(FRESH, FRESH + (times or 40)):
        for kind, X in clouds(400, seed).items():
            for name, model in clusterers([3, 5, 8][seed % 3], seed).items():
                gaps = found(X, model.fit_predict(X), seed)
                for key in (kind, name, "all"):
                    counts[key][0] += sum(gaps)
                    counts[key][1] += len(gaps)
    shares("clusters", counts)


def gaps(times):
    """Test two normal classes, some standard deviations apart, also 1 : 20."""
    counts = defaultdict(lambda: [0, 0])
    for apart in (4.0, 5.0, 6.0):
        for n, rare in ((200, 1), (400, 1), (1050, 20), (2100, 20), (6300, 20)):
            for seed in range(FRESH, FRESH + (times or 40)):
                rng, d = np.random.default_rng(seed), [2, 10, 30][seed % 3]
                y = (np.arange(n) % (rare + 1) == 0).astype(int)
                X = rng.normal(size=(n, d))
                X[:, 0] += apart * y
                name = f"{apart:g} sd, {n} rows, 1 : {rare}"
                counts[name][0] += any(found(X, y, seed))
                counts[name][1] += 1
    shares("gaps", counts)


def lost(times):
    """Compare AUROC and seconds of certify, scDEED and LOO-map for misplaced points.

    We implemented the formulas of Xia, Lee and Li (Nature Communications 2024) and of
    Liu, Ma and Zhong (Nature Communications 2025): the scores of points only, without
    the permuted map of scDEED, which determines its thresholds.
    """
    scores, seconds = defaultdict(list), defaultdict(list)
    for seed in range(times or 10):
        X, y = planted_table(200, 10, 4, 4.0, random_state=seed)
        Z = TSNE(perplexity=PERPLEXITY, random_state=seed).fit_transform(X) * 1.0
        rng = np.random.default_rng(seed)
        wrong = rng.choice(len(X), 10, replace=False)
        Z[wrong] = Z[rng.permutation(len(X))[:10]]
        truth = np.isin(np.arange(len(X)), wrong)
        for name, score in (
            ("certify", _errors),
            ("scDEED", _deed),
            ("LOO-map, perturbation", _perturbation),
            ("LOO-map, singularity", _singularity),
        ):
            start = process_time()
            scores[name].append(roc_auc_score(truth, score(X, Z, y)))
            seconds[name].append(process_time() - start)
    for name, values in scores.items():
        time = np.mean(seconds[name])
        print(f"lost       {name:24} AUROC {np.mean(values):.3f}  {time:.2f} s")


PERPLEXITY = 30.0


def _errors(X, Z, y):
    return certify(X, Z, y, random_state=0).place_errors


def _deed(X, Z, _):
    """Return how unreliable each point is: minus the correlation of two lists.

    These are the sorted distances of the point on the map to its nearest half of the
    points in the data, and to its nearest half on the map.
    """
    D, E = cdist(X, X), cdist(Z, Z)
    half = slice(1, len(X) // 2 + 1)
    one = np.take_along_axis(E, np.argsort(D, axis=1), axis=1)[:, half]
    other = np.sort(E, axis=1)[:, half]
    return np.array([-np.corrcoef(a, b)[0, 1] for a, b in zip(one, other, strict=True)])


def _kernel(squares, beta):
    """Return exp(-beta d2), scaled so that the value of the nearest point is 1."""
    return np.exp(-beta * (squares - squares.min(axis=1, keepdims=True)))


def _betas(squares):
    """Return the widths for a perplexity of rows; distances to themselves are inf."""
    low, high = np.full((2, len(squares), 1), [[[-20.0]], [[20.0]]])
    for _ in range(50):
        beta = np.exp((low + high) / 2.0)
        p = _kernel(squares, beta)
        p /= p.sum(axis=1, keepdims=True)
        entropy = -np.sum(p * np.log(np.maximum(p, 1e-300)), axis=1, keepdims=True)
        is_wide = entropy > np.log(PERPLEXITY)
        low, high = (
            np.where(is_wide, np.log(beta), low),
            np.where(is_wide, high, np.log(beta)),
        )
    return beta


def _similarities(squares, beta):
    """Return t-SNE's P: symmetric, with a sum of 1."""
    P = _kernel(squares, beta)
    P /= P.sum(axis=1, keepdims=True)
    return (P + P.T) / (2.0 * len(P))


def _own_loss(z, others, p, rest):
    """Return the loss of t-SNE for one position, with gradient and curvature.

    L(z) = 2 sum_j p_j log(1 + |z - z_j|^2) + log(rest + 2 sum_j 1 / (1 + |z - z_j|^2))
    """
    r = z - others
    q = 1.0 / (1.0 + np.square(r).sum(axis=1))
    total, pull = rest + 2.0 * q.sum(), np.square(q) @ r
    slope = 4.0 * ((p * q) @ r - pull / total)
    isotropic = (p @ q - np.square(q).sum() / total) * np.eye(2)
    outer = (r.T * (2.0 * p * q**2 - 4.0 * q**3 / total)) @ r
    curvature = 4.0 * (isotropic - outer) - 16.0 * np.outer(pull, pull) / total**2
    return -2.0 * p @ np.log(q) + np.log(total), slope, curvature


def _loss_and_slope(*given):
    return _own_loss(*given)[:2]


def _left_out(Z):
    """Yield each point, the others, and the sum of t-SNE over pairs of others."""
    kernel = 1.0 / (1.0 + cdist(Z, Z, "sqeuclidean"))
    total = kernel.sum() - len(Z)
    for i in range(len(Z)):
        rest = total - 2.0 * (kernel[i].sum() - 1.0)
        yield i, np.delete(np.arange(len(Z)), i), rest


def _squares(X):
    squares = cdist(X, X, "sqeuclidean")
    np.fill_diagonal(squares, np.inf)
    return squares


def _singularity(X, Z, _):
    """Return 1 / the smallest curvature of the loss at each position."""
    squares = _squares(X)
    P, scores = _similarities(squares, _betas(squares)), []
    for i, others, rest in _left_out(Z):
        *_, curvature = _own_loss(Z[i], Z[others], P[i, others], rest)
        scores.append(1.0 / np.linalg.eigvalsh(curvature)[0])
    return np.array(scores)


def _perturbation(X, Z, _):
    """Return the maximum movement of each point on the map for a movement of 1 in data.

    Points move along both directions of the first three principal axes. Searches for
    the least loss start at the old position and at the positions of the two most
    similar points. The widths of other points are constant.
    """
    squares, scores = _squares(X), []
    betas = _betas(squares)
    axes = PCA(3, random_state=0).fit(X).components_
    for i, others, rest in _left_out(Z):
        moves = []
        for direction in np.concatenate([axes, -axes]):
            new = squares.copy()
            new[i, others] = np.square(X[others] - X[i] - direction).sum(axis=1)
            new[others, i] = new[i, others]
            beta = betas.copy()
            beta[i] = _betas(new[[i]])[0]
            p = _similarities(new, beta)[i, others]
            starts = [i, *others[np.argsort(-p)[:2]]]
            tried = [
                minimize(
                    _loss_and_slope,
                    Z[start],
                    args=(Z[others], p, rest),
                    jac=True,
                    method="BFGS",
                    options={"maxiter": 100},
                )
                for start in starts
            ]
            best = min(tried, key=lambda one: one.fun)
            moves.append(np.linalg.norm(best.x - Z[i]))
        scores.append(max(moves))
    return np.array(scores)


def time(_):
    """Print the time for 100,000 rows with 50 features."""
    X, y = planted_table(100_000, 50, 8, 3.0, random_state=0)
    Z = PCA(2).fit_transform(X)
    certify(X[:500], Z[:500], y[:500])  # compiles
    start, used = perf_counter(), process_time()
    verdict = certify(X, Z, y, random_state=0).verdict
    wall, used = perf_counter() - start, process_time() - used
    print(f"time       {verdict.real}: {wall:.1f} s, {used:.1f} s of processor time")


PARTS = {part.__name__: part for part in (fakes, honest, clusters, gaps, lost, time)}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    words = sys.argv[1:]
    repeats = next((int(word) for word in words if word.isdigit()), None)
    for part in [word for word in words if word in PARTS] or PARTS:
        PARTS[part](repeats)
