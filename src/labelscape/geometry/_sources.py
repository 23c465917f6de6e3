"""Sources of class probabilities for a metric: three classes with the same methods.

Fitted attributes are stored in the metric, so that model files include them; a source
has no attributes of its own.
"""

from functools import cached_property
from hashlib import sha256

import numpy as np

from labelscape._core.checks import check_intact, check_same_columns, check_X
from labelscape._core.errors import InputTypeError
from labelscape._core.points.distances import middle
from labelscape._core.rows.device import check_array, moved, same_table, where_is
from labelscape._core.rows.kinds import as_numpy, namespace_of
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.crossfit import CrossFit
from labelscape.geometry._device import ArrayDistances, ArrayLines, ArrayParzen
from labelscape.geometry._distances import GraphDistances, StraightDistances
from labelscape.geometry._lines import (
    Classifier,
    ClassifierLines,
    CrossFitEnds,
    ParzenLines,
    is_unfitted,
)
from labelscape.geometry._parzen import (
    class_shares,
    is_labeled,
    log_weights,
    parzen_estimate,
    refused,
)

NUMPY = (None, None)  # the place of NumPy arrays, see `where_is`
# Rules that devices support; others need NumPy arrays.
ON_DEVICES = ("straight", "endpoint", "sphere")


def source_of(metric):
    """Return the source of probabilities that the parameters of a metric select."""
    if metric.estimator is None:
        return ParzenSource(metric)
    if metric.cross_fit is not None and is_unfitted(metric.estimator):
        return CrossFitSource(metric)
    return ClassifierSource(metric)


class ParzenSource:
    """Probabilities from a Parzen estimate of the labels."""

    # Whether only the ends of a line have probabilities.
    has_only_ends = False

    def __init__(self, metric):
        self.metric = metric

    @property
    def learns_from_labels(self):
        """Whether the source uses the labels of the fitted samples."""
        return not is_labeled(self.metric.parzen_points)

    def check(self):
        """Raise an error if other parameters are not valid with this source."""

    def check_place(self, X):
        """Raise an error if this source cannot be used with the array library of X."""
        for name in ("method", "rule"):
            value = getattr(self.metric, name)
            if value not in ON_DEVICES:
                check_no_tensor(X, f"{name}={value!r} needs NumPy arrays")

    def fit(self, X, y, groups, random_state):
        """Fit the source; return each sample's own center, or None."""
        metric = self.metric
        estimate = parzen_estimate(metric, X, y, random_state)
        metric.classes_, metric._parzen, own = estimate
        metric.bandwidth_ = metric._parzen.bandwidth
        metric.parzen_indices_ = metric._parzen.indices
        return own if metric.exclude_self else None

    def recall(self, X):
        """Restore missing points of the estimate from X, if it is the fitted table."""
        metric = self.metric
        if hasattr(metric, "_parzen"):
            return
        X = as_numpy(X)
        is_table = digest(X) == metric._table and hasattr(metric, "_bare")
        known = metric._bare.with_samples(X, metric._own) if is_table else None
        if known is None:
            raise saved_without_samples()
        metric._parzen = known

    def without_data(self):
        """Return the attributes that replace the samples in a file without samples."""
        metric = self.metric
        if not hasattr(metric, "_parzen") or hasattr(metric, "_bare"):
            return {}
        if not (self.learns_from_labels and hasattr(metric, "_X")):
            return {"_parzen": metric._parzen}
        return {"_bare": metric._parzen.without_samples(metric._X, metric._own)}

    def lines(self, n_steps, place):
        """Return the object that computes lengths; None without the samples."""
        if not hasattr(self.metric, "_parzen"):
            raise saved_without_samples()
        parzen = self.metric._parzen
        if place[0] is not None:
            return ArrayLines(ArrayParzen(place[0], place[1], parzen), n_steps)
        # For slices of another array, loops would be compiled again.
        starts = np.ascontiguousarray(parzen.starts)
        ends = (starts[0], starts[-1]) == (0, len(parzen.points))
        is_intact = ends and len(parzen.log_counts) == len(parzen.points)
        rises = bool((np.diff(starts) >= 0).all())
        check_intact(is_intact and rises, "points and classes of the Parzen estimate")
        return ParzenLines(parzen._replace(starts=starts), n_steps, self.metric.rule)

    def probabilities(self, X, place):
        """Return the class probabilities of new samples (n, C)."""
        parzen = self.metric._parzen
        if place[0] is not None:
            there = ArrayParzen(place[0], place[1], parzen)
            return there.class_shares(there.log_weights(X))
        return class_shares(log_weights(X, parzen, 1).a, parzen.starts)

    def from_factor(self, X, function):
        """Apply a function to the factor G (b, C, d) of J, block by block."""
        parzen = self.metric._parzen

        def block(rows):
            return function(posterior_factor(X[rows], parzen))

        size = len(self.metric.classes_) * X.shape[1] + 2 * len(parzen.sizes)
        return np.concatenate(map_blocks(block, row_blocks(len(X), 8 * size)))


class ClassifierSource:
    """Probabilities from a fitted classifier, or a function of samples."""

    has_only_ends = False
    learns_from_labels = False

    def __init__(self, metric):
        self.metric = metric

    @property
    def classifier(self):
        """The classifier with checked probabilities."""
        return Classifier(self.metric.estimator)

    def check(self):
        if self.metric.rule != "sphere":
            raise refused(
                f"rule={self.metric.rule!r} needs gradients of the probabilities, "
                "which an estimator does not have. Use rule='sphere' with it.",
                parameter="rule",
            )

    def check_place(self, X):
        check_no_tensor(X, "an estimator takes only NumPy arrays")

    def fit(self, X, y, groups, random_state):
        """Store the classes of the classifier; return None, as there are no centers."""
        metric, classifier = self.metric, self.classifier
        check_same_columns(metric, metric.estimator, called=classifier.called)
        n_classes = classifier.probabilities(X[:1]).shape[1]
        names = getattr(metric.estimator, "classes_", range(n_classes))
        metric.classes_ = np.asarray(names)
        metric._spread = X.std(axis=0, dtype=np.float64)

    def recall(self, X):
        """Do nothing: a classifier needs no fitted sample."""

    def without_data(self):
        return {}

    def lines(self, n_steps, place):
        return ClassifierLines(self.classifier, n_steps)

    def probabilities(self, X, place):
        return self.classifier.probabilities(X)

    def from_factor(self, X, function):
        X = X.astype(np.float64)
        size = len(self.metric.classes_) * X.shape[1]
        # Memory for G and the list of its columns. A classifier may not be thread-safe.
        blocks = row_blocks(len(X), 2 * 8 * size)
        classifier, spread = self.classifier, self.metric._spread
        factors = (difference_factor(X[rows], classifier, spread) for rows in blocks)
        return np.concatenate([function(G) for G in factors])


class CrossFitSource(ClassifierSource):
    """Probabilities from cross-fitted classifiers."""

    has_only_ends = True
    learns_from_labels = True

    @property
    def classifier(self):
        """The classifier with probabilities of new samples."""
        return Classifier(self.metric.cross_fit_)

    def check(self):
        super().check()
        if self.metric.method == "graph":
            raise refused(
                "method='graph' needs probabilities between samples, but cross-fitted "
                "classifiers give them only at samples. Use method='endpoint'.",
                parameter="method",
            )

    def fit(self, X, y, groups, random_state):
        """Fit the source; return the fold of each sample."""
        metric = self.metric
        metric.cross_fit_ = CrossFit(
            metric.estimator,
            metric.cross_fit,
            random_state=random_state.randint(2**31 - 1),
        ).fit(X, y, groups)
        if isinstance(metric.estimator, str):
            metric.cross_fit_ = metric.cross_fit_._keeping_better(X, y)
        metric.classes_ = metric.cross_fit_.classes_
        metric._spread = X.std(axis=0, dtype=np.float64)
        return metric.cross_fit_.fold_

    def lines(self, n_steps, place):
        return CrossFitEnds(self.metric.cross_fit_)

    def probabilities(self, X, place):
        return self.metric.cross_fit_.predict_proba(X)


class Backend:
    """A fitted metric for one array library and device, with its samples."""

    def __init__(self, metric, place):
        self.metric, self.place = metric, place

    @cached_property
    def distances(self):
        """The object that computes distances."""
        metric = self.metric
        lines = metric._source.lines(metric.n_steps_, self.place)
        known = lines, metric.epsilon_, metric._center
        if metric.method == "graph":
            return GraphDistances(*known, lambda: self.fitted, metric.n_neighbors)
        kind = StraightDistances if self.place == NUMPY else ArrayDistances
        ends = metric.method == "endpoint" or metric._source.has_only_ends
        return kind(*known, ends)

    @cached_property
    def table(self):
        """The fitted samples; None if they were not saved."""
        return self.here(getattr(self.metric, "_X", None))

    @cached_property
    def fitted(self):
        """The fitted samples, prepared for distances."""
        if self.table is None:
            raise saved_without_samples()
        return self.distances.points(self.table, self.here(self.metric._own))

    def here(self, A):
        """Return an array, or None, on the device of the samples."""
        return None if A is None else moved(A, *self.place)

    def points(self, X):
        """Return X prepared for distances, as fitted samples if X equals them."""
        if X is None or X is self.table:
            return self.fitted
        X, own = self.checked(X), None
        # Own centers are matched by index. This is only safe for the complete table: a
        # single row may be a fitted sample or only equal to one.
        if self.table is not None:
            if same_table(X, self.table):
                return self.fitted
        # A metric that was saved without the samples can still recognize their table.
        elif getattr(self.metric, "_table", None) == digest(as_numpy(X)):
            own = self.here(self.metric._own)
            own = None if own is None or own.shape[0] != X.shape[0] else own
        return self.distances.points(X, own)

    def checked(self, X):
        """Return checked samples; if X is the fitted table, restore Parzen points."""
        if where_is(X) != self.place:  # the second table uses the device of the first
            X = self.here(check_X(self.metric, as_numpy(X), reset=False))
        X = check_array(self.metric, X, reset=False)
        self.metric._source.recall(X)
        return X


def check_no_tensor(X, reason):
    """Raise an error if X is a tensor and only NumPy arrays are supported."""
    if namespace_of(X) is not None:
        raise InputTypeError(
            f"{reason}, but X is {type(X).__module__}.{type(X).__name__}. Pass NumPy "
            "arrays.",
            owner="FisherMetric",
            parameter="X",
        )


def saved_without_samples():
    """Return the error for methods that need fitted samples, which were not saved."""
    return refused(
        "this method needs the fitted samples, but the metric was saved without "
        "them. Use save(metric, path, include_data=True), or fit again.",
    )


def digest(X):
    """Return a text that identifies a table (n, d), in any precision."""
    hashed = sha256(repr(X.shape).encode())
    for rows in row_blocks(len(X), 8 * X.shape[1]):
        # Adding 0 turns -0.0 into 0.0: the numbers are equal, but not their bytes.
        hashed.update((X[rows].astype(np.float64) + 0.0).tobytes())
    return hashed.hexdigest()


# The factor G of the Fisher matrix: J = G^T G at each sample.

# Step size of central differences, relative to a feature's standard deviation.
DIFFERENCE = 1e-3


def posterior_factor(X, parzen):
    """Return G (n, C, d) with ``J = G^T G``: sqrt(p(c|x)) times gradients of log p."""
    # G_c = sqrt(p(c|x)) b(x, c) / s^2, b = E[q | x, c] - E[q | x]
    weights = np.exp(log_weights(X, parzen, 1).a)
    weights /= weights.sum(axis=1, keepdims=True)
    classes = zip(parzen.starts[:-1], parzen.starts[1:], strict=True)
    # Far from the origin, differences would lose digits.
    Q = parzen.points - middle(parzen.points)
    with one_blas_thread():
        overall = weights @ Q
        G = np.zeros((len(X), len(parzen.starts) - 1, Q.shape[1]))
        for c, (start, stop) in enumerate(classes):
            share = weights[:, start:stop].sum(axis=1)
            there = share > 0.0  # a class whose weight underflowed contributes nothing
            mean = weights[there, start:stop] @ Q[start:stop] / share[there, None]
            G[there, c] = np.sqrt(share[there, None]) * (mean - overall[there])
    G /= parzen.bandwidth**2
    return G


def difference_factor(X, classifier, scale):
    """Return G (n, C, d) with ``J = G^T G`` by central differences."""
    # G = 2 grad sqrt(p); ``scale`` (d,) is the spread of each feature, 0
    # if constant.
    columns = []
    for k in range(X.shape[1]):
        step = np.zeros(X.shape[1])
        step[k] = DIFFERENCE * (scale[k] or 1.0)
        up = np.sqrt(classifier.probabilities(X + step))
        down = np.sqrt(classifier.probabilities(X - step))
        columns.append((up - down) / step[k])
    return np.stack(columns, axis=2)
