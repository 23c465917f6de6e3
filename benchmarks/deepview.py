"""ClassifierMap and DeepView for an SVC: seconds, predictions, agreement.

    python -m benchmarks deepview

1. ClassifierMap of 10,000 noisy copies of two thirds of scikit-learn's digits, to which
   the SVC is fitted, too. Agreement is the share of held-out samples that the picture
   shows with the class that the classifier predicts. It is measured for other copies of
   the same digits, and for copies of held-out digits, which is the fair measure. Then
   the time to invert a grid of 250,000 positions on this map.
2. DeepView (Schulz, Hinder and Hammer, IJCAI 2020), implemented from the paper with the
   settings of its authors, and ClassifierMap, for the same 400 digits with a grid of
   100 x 100. The distance of DeepView needs predictions for five points on the line
   between two samples, and for both ends. The authors' program predicts both ends of
   each of the six pieces; the second variant predicts each point once. DeepView cannot
   place new samples. As in its evaluation, a quarter of the samples at a time is held
   out from the inverse map only, but ClassifierMap has to place held-out digits.

Compilation is not included. Seconds of the clock and of the processor are printed.
UMAP must be installed: pip install umap-learn.
"""

import importlib.util
import sys
import warnings
from time import perf_counter, process_time

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.svm import SVC

from labelscape.boundary import ClassifierMap
from labelscape.boundary._classifier_output import ClassScores

COPIES, HELD_OUT, NOISE = 10_000, 4000, 2.0
# DeepView's settings: samples, points on a line, share of plain distance, cells along
# a side of the grid; shape of the kernels of the inverse map, steps and step size.
OBJECTS, BETWEEN, PLAIN, SIDE = 400, 5, 0.65, 100
KERNEL, STEPS, STEP = 500.0, 2000, 0.1
FOLDS = 4


def copies(X, y, n, rng):
    """Return n samples drawn from X, with noise, and their classes."""
    drawn = rng.integers(len(X), size=n)
    return X[drawn] + NOISE * rng.normal(size=(n, X.shape[1])), y[drawn]


def timed(function, *arguments):
    """Return a result, the seconds, and the processor seconds."""
    start, cpu = perf_counter(), process_time()
    result = function(*arguments)
    return result, perf_counter() - start, process_time() - cpu


def report(name, n, seconds, cpu, n_predictions, agreement):
    numbers = f"{n:8,}{seconds:9.1f}{cpu:11.1f}{n_predictions:13,}{agreement:11.3f}"
    print(f"{name:34}{numbers}", flush=True)


class DeepView:
    """DeepView: a map of samples, its inverse map, and the grid."""

    def __init__(self, classifier, thrifty):
        self.scores, self.thrifty = ClassScores(classifier), thrifty

    def fit(self, X):
        """Map X, and predict the class of each cell of the grid."""
        # Both use the probabilities that ClassifierMap computes.
        self.scores.sharpen(self.scores.values(X))
        self.labels = self.scores.labels(self.scores.values(X))
        self.places = self.mapped(X)
        low, high = self.places.min(axis=0), self.places.max(axis=0)
        axes = np.linspace(low - 0.1 * (high - low), high + 0.1 * (high - low), SIDE)
        grid = np.stack(np.meshgrid(*axes.T), axis=-1).reshape(-1, 2)
        self.regions = self.asked(inverse(self.places, X, grid))
        return self

    def mapped(self, X):
        """Return the positions (n, 2) of UMAP for the distances of DeepView."""
        from umap import UMAP

        lines, plain = self.lengths(X), cdist(X, X)
        D = (1.0 - PLAIN) * lines / lines.max() + PLAIN * plain / plain.max()
        umap = UMAP(n_neighbors=30, metric="precomputed", random_state=0, n_jobs=1)
        return umap.fit_transform(D)

    def lengths(self, X):
        """Return sums of roots of Jensen-Shannon divergences along lines."""
        n, D = len(X), np.zeros((len(X), len(X)))
        t = np.linspace(0.0, 1.0, BETWEEN + 2)[:, None, None]
        P = self.probabilities(X)
        for i in range(n - 1):
            line = (1.0 - t) * X[i] + t * X[i + 1 :]
            if self.thrifty:
                start, end = np.broadcast_to(P[i], (n - i - 1, P.shape[1])), P[i + 1 :]
                way = [start[None], self.probabilities(line[1:-1]), end[None]]
                way = np.concatenate(way)
                pieces = way[:-1], way[1:]
            else:
                pieces = self.probabilities(line[:-1]), self.probabilities(line[1:])
            D[i, i + 1 :] = np.sqrt(jensen_shannon(*pieces)).sum(axis=0)
        return D + D.T

    def probabilities(self, objects):
        """Return the probabilities (..., n_classes) of samples (..., n_features)."""
        P = self.scores.predict_proba(objects.reshape(-1, objects.shape[-1]))
        return P.reshape(*objects.shape[:-1], -1)

    def asked(self, objects):
        """Return the predicted classes of samples."""
        return self.scores.labels(self.scores.values(objects))

    def agreement(self, X):
        """Return the agreement for samples that are held out from the inverse map."""
        fold = np.arange(len(X)) % FOLDS
        shown = np.empty_like(self.labels)
        for k in range(FOLDS):
            kept, left = fold != k, fold == k
            again = inverse(self.places[kept], X[kept], self.places[left])
            shown[left] = self.asked(again)
        return np.mean(shown == self.labels)


def jensen_shannon(p, q):
    p, q = p + 1e-10, q + 1e-10
    middle = (p + q) / 2.0
    both = p * np.log(p / middle) + q * np.log(q / middle)
    return np.maximum(both.sum(axis=-1) / 2.0, 0.0)


def inverse(places, X, new):
    """Return samples at new positions: weighted means of the fitted samples."""
    a = KERNEL / np.ptp(places, axis=0).mean()

    def weights(at):
        W = 1.0 / (1.0 + a * cdist(at, places, "sqeuclidean"))
        return W / W.sum(axis=1, keepdims=True)

    W, stands_for = weights(places), X.copy()
    for _ in range(STEPS):
        stands_for -= STEP * W.T @ (W @ stands_for - X)
    return weights(new) @ stands_for


def many_objects(classifier, X, others, unseen):
    model = ClassifierMap(classifier, random_state=0)
    _, seconds, cpu = timed(model.fit, X)
    asked = model.n_predictions_
    report("ClassifierMap", len(X), seconds, cpu, asked, model.score(unseen))
    print(f"  other copies of fitted digits: agreement {model.score(others):.3f}")
    print(
        f"  neighbour on the map, unseen:            {model.nn_agreement(unseen):.3f}"
    )
    low, high = model.embedding_.min(axis=0), model.embedding_.max(axis=0)
    axes = np.linspace(low, high, 500)
    grid = np.stack(np.meshgrid(*axes.T), axis=-1).reshape(-1, 2)
    _, grid_seconds, grid_cpu = timed(model.inverse_transform, grid)
    kernels = len(model.inverse_.centers)
    print(
        f"  {len(grid):,} places inverted, {kernels} kernels: {grid_seconds:.2f} s, "
        f"{grid_cpu:.2f} s of processors",
        flush=True,
    )
    return seconds, cpu


def few_objects(classifier, X, unseen):
    """Return seconds and processor seconds of ClassifierMap and of DeepView."""
    ours = ClassifierMap(classifier, resolution=SIDE, random_state=0)
    ours.fit(X[:100])  # compile
    _, *our_time = timed(ours.fit, X)
    asked = ours.n_predictions_
    report("ClassifierMap", len(X), *our_time, asked, ours.score(unseen))
    times = {}
    for name, thrifty in (("as published", False), ("asked once a point", True)):
        theirs = DeepView(classifier, thrifty).fit(X[:100])  # compile
        theirs.scores.n_predictions = 0
        _, *times[name] = timed(theirs.fit, X)
        asked = theirs.scores.n_predictions
        agreement = theirs.agreement(X)
        report(f"DeepView, {name}", len(X), *times[name], asked, agreement)
    return our_time, times


def main():
    if importlib.util.find_spec("umap") is None:
        sys.exit("DeepView is built on UMAP, which is not installed: umap-learn.")
    rng = np.random.default_rng(0)
    X, y = load_digits(return_X_y=True)
    known, never_seen, *labels = train_test_split(
        X, y, train_size=2 / 3, stratify=y, random_state=0
    )
    fitted, y_fitted = copies(known, labels[0], COPIES, rng)
    others, _ = copies(known, labels[0], HELD_OUT, rng)
    unseen, y_unseen = copies(never_seen, labels[1], HELD_OUT, rng)
    classifier = SVC().fit(fitted, y_fitted)
    print(
        f"SVC with {len(classifier.support_)} support vectors, right on "
        f"{classifier.score(unseen, y_unseen):.3f} of unseen digits\n"
    )
    columns = f"{'objects':>8}{'seconds':>9}{'processor':>11}{'predictions':>13}"
    print(f"{'':34}{columns}{'agreement':>11}")
    many = many_objects(classifier, fitted, others, unseen)
    few = known[:OBJECTS] + NOISE * rng.normal(size=(OBJECTS, X.shape[1]))
    ours, theirs = few_objects(classifier, few, unseen)
    print(f"\n{'ClassifierMap is faster, times':44}{'seconds':>9}{'processor':>11}")
    share = np.array(many) / COPIES * OBJECTS
    for name, found in theirs.items():
        for text, time in (("the same objects", ours), ("per object", share)):
            ratio = np.divide(found, time)
            print(f"{f'{text}, DeepView {name}':44}{ratio[0]:9.1f}{ratio[1]:11.1f}")


if __name__ == "__main__":
    # UMAP warns about seeds, given distances, and its dependencies.
    warnings.simplefilter("ignore")
    main()
