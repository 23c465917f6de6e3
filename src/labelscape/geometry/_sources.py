"""Where class probabilities come from: three sources with one face.

What a source learns are attributes of its metric, which model files keep; a source has
none of its own.
"""

from hashlib import sha256

import numpy as np

from labelscape._core.checks import check_intact
from labelscape._core.errors import InputError, InputTypeError
from labelscape._core.features import check_same_columns
from labelscape._core.points.arrays import as_numpy, moved, namespace_of, where_is
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.crossfit import CrossFit
from labelscape.geometry._lines import (
    Classifier,
    ClassifierLines,
    CrossFitEnds,
    ParzenLines,
    is_unfitted,
)
from labelscape.geometry._log_weights import class_shares, log_weights
from labelscape.geometry._parzen import is_labeled, parzen_estimate
from labelscape.geometry._tensor import difference_factor, posterior_factor
from labelscape.geometry.arrays.lines import ArrayLines
from labelscape.geometry.arrays.log_weights import ArrayParzen, compared_at


def source_of(metric):
    """Return where the probabilities of a metric come from, by its parameters."""
    if metric.estimator is None:
        return ParzenSource(metric)
    if metric.cross_fit is not None and is_unfitted(metric.estimator):
        return CrossFitSource(metric)
    return ClassifierSource(metric)


class ParzenSource:
    """A Parzen estimate of the labels."""

    # Whether only the ends of a line are known.
    has_only_ends = False

    def __init__(self, metric):
        self.metric = metric

    @property
    def learns_from_labels(self):
        """Whether it is made of the labels of the fitted objects."""
        return not is_labeled(self.metric.parzen_points)

    def check(self):
        """Raise if other parameters do not go with it."""

    def check_place(self, X):
        """Raise if objects are where it can not be asked."""
        if self.metric.method == "graph":
            check_no_tensor(X, "method='graph' looks for paths on the processor")

    def fit(self, X, y, groups, random_state):
        """Learn; return the own centre of each object, or None."""
        metric, place = self.metric, where_is(X)
        metric.classes_, metric._parzen, own = parzen_estimate(
            as_numpy(X),
            as_numpy(y),
            random_state,
            compared_at(*place),
            points=metric.parzen_points,
            selection=metric.parzen_selection,
            class_weight=metric.class_weight,
            bandwidth=metric.bandwidth,
            bandwidth_scale=metric.bandwidth_scale,
        )
        metric.bandwidth_ = metric._parzen.bandwidth
        metric.parzen_indices_ = moved(metric._parzen.indices, *place)
        return moved(own, *place) if own is not None and metric.exclude_self else None

    def recall(self, X):
        """Take missing points of the estimate from X, if it is the fitted table."""
        metric = self.metric
        if hasattr(metric, "_parzen"):
            return
        X, own = as_numpy(X), as_numpy(metric._own)
        is_table = digest(X) == metric._table and hasattr(metric, "_bare")
        known = metric._bare.with_objects(X, own) if is_table else None
        if known is None:
            raise saved_without_objects()
        metric._parzen = known

    def without_data(self):
        """Return what a file without the objects holds in place of attributes."""
        metric = self.metric
        if not hasattr(metric, "_parzen") or hasattr(metric, "_bare"):
            return {}
        if not (self.learns_from_labels and hasattr(metric, "_X")):
            return {"_parzen": metric._parzen}
        X, own = as_numpy(metric._X), as_numpy(metric._own)
        return {"_bare": metric._parzen.without_objects(X, own)}

    def lines(self, n_steps):
        """Return what measures lines."""
        if not hasattr(self.metric, "_parzen"):
            raise saved_without_objects()
        parzen, rule = self.metric._parzen, self.metric.rule
        if self.metric._place[0] is not None:
            return ArrayLines(ArrayParzen(*self.metric._place, parzen), n_steps, rule)
        # For pieces of another array, loops would have to be compiled anew.
        starts = np.ascontiguousarray(parzen.starts)
        ends = (starts[0], starts[-1]) == (0, len(parzen.points))
        is_intact = ends and len(parzen.log_counts) == len(parzen.points)
        rises = bool((np.diff(starts) >= 0).all())
        check_intact(is_intact and rises, "points and classes of the Parzen estimate")
        return ParzenLines(parzen._replace(starts=starts), n_steps, rule)

    def probabilities(self, X):
        """Return the class probabilities of new objects (n, C)."""
        parzen = self.metric._parzen
        if self.metric._place[0] is not None:
            there = ArrayParzen(*self.metric._place, parzen)
            return there.class_shares(there.log_weights(X))
        return class_shares(log_weights(X, parzen, 1).a, parzen.starts)

    def from_factor(self, X, function):
        """Return what a function makes of the factor G (b, C, d) of J, in blocks."""
        parzen = self.metric._parzen

        def block(rows):
            return function(posterior_factor(X[rows], parzen))

        size = len(self.metric.classes_) * X.shape[1] + 2 * len(parzen.sizes)
        return np.concatenate(map_blocks(block, row_blocks(len(X), 8 * size)))


class ClassifierSource:
    """A fitted classifier, or a function of objects."""

    has_only_ends = False
    learns_from_labels = False

    def __init__(self, metric):
        self.metric = metric

    @property
    def classifier(self):
        """What is asked."""
        return Classifier(self.metric.estimator)

    def check(self):
        """Raise if other parameters do not go with it."""
        if self.metric.rule != "sphere":
            raise InputError(
                f"rule={self.metric.rule!r} needs slopes of the probabilities, "
                "which an estimator does not give. Use rule='sphere' with it.",
                owner="FisherMetric",
                parameter="rule",
            )

    def check_place(self, X):
        """Raise if objects are where it can not be asked."""
        check_no_tensor(X, "an estimator is asked about arrays of NumPy")

    def fit(self, X, y, groups, random_state):
        """Look at what the classifier knows; return None, for nothing is left out."""
        metric, classifier = self.metric, self.classifier
        check_same_columns(metric, metric.estimator, called=classifier.called)
        n_classes = classifier.probabilities(X[:1]).shape[1]
        names = getattr(metric.estimator, "classes_", range(n_classes))
        metric.classes_ = np.asarray(names)
        metric._spread = X.std(axis=0, dtype=np.float64)

    def recall(self, X):
        """Do nothing: a classifier needs no fitted object."""

    def without_data(self):
        """Return nothing: no attribute is made of the objects alone."""
        return {}

    def lines(self, n_steps):
        """Return what measures lines."""
        return ClassifierLines(self.classifier, n_steps)

    def probabilities(self, X):
        """Return the class probabilities of new objects (n, C)."""
        return self.classifier.probabilities(X)

    def from_factor(self, X, function):
        """Return what a function makes of the factor G (b, C, d) of J, in blocks."""
        X = X.astype(np.float64)
        size = len(self.metric.classes_) * X.shape[1]
        # G and the list of its columns. A classifier need not bear two threads.
        blocks = row_blocks(len(X), 2 * 8 * size)
        classifier, spread = self.classifier, self.metric._spread
        factors = (difference_factor(X[rows], classifier, spread) for rows in blocks)
        return np.concatenate([function(G) for G in factors])


class CrossFitSource(ClassifierSource):
    """Classifiers that are fitted without the object they judge."""

    has_only_ends = True
    learns_from_labels = True

    @property
    def classifier(self):
        """What is asked about new objects."""
        return Classifier(self.metric.cross_fit_)

    def check(self):
        """Raise if other parameters do not go with it."""
        super().check()
        if self.metric.method == "graph":
            raise InputError(
                "method='graph' needs lines, and of cross-fitted classifiers only "
                "their ends are known. Use method='endpoint' with them.",
                owner="FisherMetric",
                parameter="method",
            )

    def fit(self, X, y, groups, random_state):
        """Learn; return the fold of each object."""
        metric = self.metric
        metric.cross_fit_ = CrossFit(
            metric.estimator,
            metric.cross_fit,
            random_state=random_state.randint(2**31 - 1),
        ).fit(X, y, groups)
        metric.classes_ = metric.cross_fit_.classes_
        metric._spread = X.std(axis=0, dtype=np.float64)
        return metric.cross_fit_.fold_

    def lines(self, n_steps):
        """Return what measures lines, which are as long as from end to end."""
        return CrossFitEnds(self.metric.cross_fit_)

    def probabilities(self, X):
        """Return the class probabilities of new objects (n, C)."""
        return self.metric.cross_fit_.predict_proba(X)


def check_no_tensor(X, reason):
    """Raise if X is a tensor, where only NumPy's arrays can be worked on."""
    if namespace_of(X) is not None:
        raise InputTypeError(
            f"{reason}, and X is {type(X).__module__}.{type(X).__name__}. Pass NumPy "
            "arrays.",
            owner="FisherMetric",
            parameter="X",
        )


def saved_without_objects():
    """Return the error for who asks for what only the objects can tell."""
    return InputError(
        "this needs the fitted objects, and the metric was saved without "
        "them. Use save(metric, path, include_data=True), or fit again.",
        owner="FisherMetric",
    )


def digest(X):
    """Return a text by which a table (n, d) is known again, in any precision."""
    found = sha256(repr(X.shape).encode())
    for rows in row_blocks(len(X), 8 * X.shape[1]):
        # Adding 0 turns -0.0 into 0.0: equal numbers, but other bytes.
        found.update((X[rows].astype(np.float64) + 0.0).tobytes())
    return found.hexdigest()
