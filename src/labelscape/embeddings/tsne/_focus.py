"""The choice of focus: how much a map shows of the features and of the classes."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.points.spaces import Points
from labelscape._core.threads import one_blas_thread
from labelscape._resampling.sampling import drawn_by_class
from labelscape._resampling.voters import Voters, balanced_accuracy
from labelscape.embeddings.tsne._base import (
    affinities,
    initial_places,
    n_tsne_neighbors,
    usual_perplexity,
)
from labelscape.embeddings.tsne._descent import Descent
from labelscape.embeddings.tsne._joint import (
    LEAST_POINTS,
    joint_coordinates,
    sharpened,
    without_copies,
)
from labelscape.embeddings.tsne._pairs import paired, placed_among
from labelscape.quality import trustworthiness

TRIED_ON = 1000  # number of samples used to try values of focus
FEW_TRIED = 600  # with fewer samples than this, both halves are used for testing
# Powers of the square roots, for few samples and for many. The power 8 (u ~ p⁴) is more
# accurate on held-out samples if three classes overlap, but less with many classes.
SHARPNESSES, USUAL_SHARPNESS = (1, 8), (1,)
FOCUSES = (0.0, 0.2, 1 / 3, 0.5, 2 / 3)
# The most accurate trial that loses at most this much trustworthiness is chosen.
MOST_LOST = 0.02
# If this map is less accurate than the models by more than this number, a larger loss
# is allowed.
MOST_HIDDEN = 0.15
TRUST_NEIGHBORS, VOTES = 12, 5
LEAST_PERPLEXITY, LEAST_NEIGHBORS = 5.0, 3
# Iterations of the first map, of its early exaggeration, and of each later map.
FIRST_STEPS, EARLY_STEPS, NEXT_STEPS = 200, 150, 120


class Trial(NamedTuple):
    """Accuracy and trustworthiness of a map of a part of the samples, for one focus."""

    focus: float  # from 0 (features only) to 1 (classes only)
    # Balanced accuracy of neighbors on the map, for held-out samples.
    accuracy: float
    trust: float  # trustworthiness of the map
    sharpness: int = 1  # power of the square roots of probabilities


def tried_focuses(X, U, codes, unit, seed, n_jobs):
    """Return a `Trial` for each focus, from maps of a part of the samples."""
    if X.shape[1] > len(X):  # as many coordinates as samples, with the same distances
        with one_blas_thread():
            X = np.asarray(np.linalg.qr(X.T, mode="r")).T
    random_state = check_random_state(seed)
    some = drawn_by_class(codes, min(2 * TRIED_ON, len(X)), random_state)
    some = some[np.argsort(codes[some], kind="stable")]  # half of each class
    halves = [(some[::2], some[1::2]), (some[1::2], some[::2])]
    few = len(some) <= FEW_TRIED
    trials = []
    for sharpness in SHARPNESSES if few else USUAL_SHARPNESS:
        V = sharpened(U, sharpness)
        turns = [
            _tried(X, V, codes, unit, *half, random_state, n_jobs)
            for half in halves[: 2 if few else 1]
        ]
        means = np.mean(turns, axis=0).tolist()
        trials += [
            Trial._make((focus, *figures, sharpness))
            for focus, figures in zip(FOCUSES, means, strict=True)
        ]
    return trials


def _tried(X, U, codes, unit, fitted, new, random_state, n_jobs):
    """Return accuracy and trustworthiness for each focus, from successive maps."""
    # With fewer samples, fewer neighbors are within the same distance.
    share = len(fitted) / len(X)
    perplexity = max(LEAST_PERPLEXITY, share * usual_perplexity(len(X)))
    n_neighbors = max(LEAST_NEIGHBORS, round(share * TRUST_NEIGHBORS))
    n_neighbors = min(n_neighbors, (len(fitted) - 1) // 2)
    results, Z = [], None
    for focus in FOCUSES:
        A, B = (joint_coordinates(X[r], U[r], focus, unit) for r in (fitted, new))
        Z = _quick_map(A, Z, perplexity, random_state, n_jobs)
        places = placed_among(paired(A, Z, U[fitted].argmax(axis=1)), B)
        # The nearest fitted samples on the map vote for the class.
        n_classes, own = codes[fitted].max() + 1, np.arange(len(Z))
        voters = Voters(Z, codes[fitted], own, n_classes, VOTES)
        accuracy = balanced_accuracy(voters.judge(places), codes[new], n_classes)
        trust = trustworthiness(X[fitted], Z, n_neighbors=n_neighbors)
        results.append((accuracy, trust))
    return results


def best_trial(trials, U, codes):
    """Return the most accurate trustworthy trial; in a tie, that of largest focus."""
    least = trials[0].trust - MOST_LOST
    trustworthy = [trial for trial in trials if trial.trust >= least]
    best = max(trustworthy, key=lambda trial: (trial.accuracy, trial.focus))
    known = balanced_accuracy(U.argmax(axis=1), codes, U.shape[1])
    if best.accuracy >= known - MOST_HIDDEN:
        return best
    # With categorical features, distances contain little information, and a trustworthy
    # map may lose the classes.
    enough = max(trial.accuracy for trial in trials) - MOST_LOST
    accurate = [trial for trial in trials if trial.accuracy >= enough]
    return max(accurate, key=lambda trial: trial.trust)


def _quick_map(A, Z, perplexity, random_state, n_jobs):
    """Return a quick map (m, 2) of samples A, started at Z if it is given."""
    first, copy = without_copies(A, LEAST_POINTS)
    A, Z = A[first], None if Z is None else Z[first]
    perplexity = min(perplexity, usual_perplexity(len(A)))
    indices, distances = Points(A).kneighbors(n_tsne_neighbors(perplexity, len(A)))
    P = affinities(distances, indices, perplexity)
    begins = Z is None
    if begins:
        Z = initial_places("pca", A, P, 2, random_state, owner="FisherKernelTSNE")
    points = Descent(Z, P, n_jobs)
    with one_blas_thread():
        if begins:
            points.run(EARLY_STEPS, 12)
        points.run(FIRST_STEPS if begins else NEXT_STEPS)
    return points.places[copy]
