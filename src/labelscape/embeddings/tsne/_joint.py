"""Plain distance and class probabilities in one set of coordinates.

The roots of cross-fitted probabilities stand on a sphere, where the chord between two
of them is the Fisher metric's distance of their ends (spec crossfit). They may be
sharpened there: within a class, objects then differ by their features, and hardly by
how sure the models are. Beside them stand the features themselves: two objects are far
apart if they differ in either.
"""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.points.spaces import Points
from labelscape._core.sampling import drawn_by_class
from labelscape._core.threads import one_blas_thread
from labelscape.embeddings.tsne._engine import (
    affinities,
    initial_places,
    n_tsne_neighbors,
    threads_for,
    usual_perplexity,
)
from labelscape.embeddings.tsne._places import paired, placed_among
from labelscape.quality import trustworthiness
from labelscape.quality._internal import Voters, balanced_accuracy

# At focus 1/2, from certainty of one class to certainty of another is so many times as
# far as to the tenth neighbour (times the root of 2).
STRENGTH = 4.0
NEIGHBOR = 10
# So many objects tell what is usual.
FEW = 1500

# How much the classes are to count is tried on this many objects.
TRIED_ON = 1000
# Of so few objects, a half is too few to judge by.
FEW_TRIED = 600
# Powers to which roots are taken, of few objects and of many. u ~ p⁴ tells more unseen
# objects apart where three classes overlap, and fewer where there are many classes.
SHARPNESSES, USUAL_SHARPNESS = (1, 8), (1,)
FOCUSES = (0.0, 0.2, 1 / 3, 0.5, 2 / 3)
# The best that loses no more than this of the trustworthiness without labels is taken.
MOST_LOST = 0.02
TRUST_NEIGHBORS, VOTES = 12, 5
LEAST_PERPLEXITY, LEAST_NEIGHBORS = 5.0, 3
# Steps of the first map, and of each that begins where the one before ended.
FIRST_STEPS, EARLY_STEPS, NEXT_STEPS = 200, 150, 120


class Trial(NamedTuple):
    """How a map of some objects turned out when the classes counted so much."""

    # From 0, plain distance, to 1, classes alone.
    focus: float
    # Share of objects that were placed as new ones whose neighbours on the map tell
    # their class, all classes alike.
    accuracy: float
    # Trustworthiness of the map.
    trust: float
    # Power to which the roots of probabilities were taken.
    sharpness: int = 1


def plain_unit(X):
    """Return the usual distance to the tenth neighbour; 1 if there is none."""
    some = X[:: -(-len(X) // FEW)]
    k = min(NEIGHBOR, len(some) - 1)
    distances = Points(some).kneighbors(k)[1]
    return float(np.median(distances[:, -1])) or float(distances.max()) or 1.0


def sharpened(U, sharpness):
    """Return roots (n, C) taken to a power, on the sphere again."""
    if sharpness == 1:
        return U
    V = U**sharpness
    return V / np.sqrt(np.sum(V * V, axis=1, keepdims=True))


def joint_coordinates(X, U, focus, unit):
    """Return the coordinates (n, d + C) of objects and the roots of what they are."""
    if focus == 1.0:
        return np.hstack([np.zeros_like(X), STRENGTH * U])
    return np.hstack([X / unit, STRENGTH * focus / (1.0 - focus) * U])


def tried_focuses(X, U, codes, unit, seed, n_jobs):
    """Return how maps of some objects turn out, one `Trial` for each focus.

    Others are placed on them as new objects; where there are few, both halves take both
    parts in turn, with roots of each sharpness.
    """
    if X.shape[1] > len(X):  # as many coordinates as objects, the same distances
        with one_blas_thread():
            X = np.linalg.qr(X.T, mode="r").T
    random_state = check_random_state(seed)
    some = drawn_by_class(codes, min(2 * TRIED_ON, len(X)), random_state)
    halves = [(some[::2], some[1::2]), (some[1::2], some[::2])]
    few = len(some) <= FEW_TRIED
    trials = []
    for sharpness in SHARPNESSES if few else USUAL_SHARPNESS:
        V = sharpened(U, sharpness)
        turns = [
            _tried(X, V, codes, unit, *half, random_state, n_jobs)
            for half in halves[: 2 if few else 1]
        ]
        found = np.mean(turns, axis=0).tolist()
        trials += [
            Trial(focus, *figures, sharpness)
            for focus, figures in zip(FOCUSES, found, strict=True)
        ]
    return trials


def _tried(X, U, codes, unit, fitted, new, random_state, n_jobs):
    """Return accuracy of new objects and trustworthiness for each focus.

    Each map begins where the one before ended: what is compared is what more weight on
    the classes does, not the luck of a start.
    """
    # As many times fewer neighbours: they are as far away as among all objects.
    share = len(fitted) / len(X)
    perplexity = max(LEAST_PERPLEXITY, share * usual_perplexity(len(X)))
    perplexity = min(perplexity, usual_perplexity(len(fitted)))
    n_neighbors = max(LEAST_NEIGHBORS, round(share * TRUST_NEIGHBORS))
    found, Z = [], None
    for focus in FOCUSES:
        A, B = (joint_coordinates(X[r], U[r], focus, unit) for r in (fitted, new))
        Z = _quick_map(A, Z, perplexity, random_state, n_jobs)
        places = placed_among(paired(A, Z, U[fitted].argmax(axis=1)), B)
        accuracy = _accuracy(Z, codes[fitted], places, codes[new])
        found.append((accuracy, _trust(X[fitted], Z, n_neighbors)))
    return found


def best_trial(trials):
    """Return what to take: the best for unseen objects that stays trustworthy.

    Of equal ones the largest focus: it shows more of the classes at no cost.
    """
    plain = trials[0].trust
    honest = [trial for trial in trials if trial.trust >= plain - MOST_LOST]
    return max(honest, key=lambda trial: (trial.accuracy, trial.focus))


def _quick_map(A, Z, perplexity, random_state, n_jobs):
    """Return a map (m, 2) of objects A, which begins at Z unless that is None."""
    from openTSNE import TSNEEmbedding
    from openTSNE.affinity import PrecomputedAffinities

    indices, distances = Points(A).kneighbors(n_tsne_neighbors(perplexity, len(A)))
    P = affinities(distances, indices, perplexity)
    begins = Z is None
    if begins:
        Z = initial_places("pca", A, P, 2, random_state, owner="FisherKernelTSNE")
    given = PrecomputedAffinities(P, normalize=False)
    tsne = TSNEEmbedding(Z, given, n_jobs=threads_for(len(A), n_jobs))
    if begins:
        tsne.optimize(EARLY_STEPS, exaggeration=12, inplace=True)
    tsne.optimize(FIRST_STEPS if begins else NEXT_STEPS, inplace=True)
    return np.array(tsne, dtype=np.float64)


def _accuracy(Z, codes, places, wanted):
    """Return how many of the placed objects their neighbours name rightly."""
    n_classes = codes.max() + 1
    voters = Voters(Z, codes, np.arange(len(Z)), n_classes, VOTES)
    return balanced_accuracy(voters.judge(places), wanted, n_classes)


def _trust(X, Z, n_neighbors):
    return trustworthiness(X, Z, n_neighbors=min(n_neighbors, (len(X) - 1) // 2))
