"""Learning from arrays of other libraries: the same fit, of objects on their device."""

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels, check_sample_weight, check_X
from labelscape._core.errors import InputError, InputTypeError
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.points.array_objects import ArrayObjects, checked_objects
from labelscape._core.points.arrays import as_numpy, namespace_of, to_numpy
from labelscape._core.points.following import follow
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes.lvq.arrays.training_set import ArraySet, class_sizes

# Of so many objects at most it is asked whether labels mean anything.
ASKED = 20_000


class ArrayLearning:
    """Adds arrays of PyTorch and its kin to what the LVQ family is fitted to.

    What is learned are NumPy's arrays, because it is small, and others go on with it:
    model files, plots, explanations. What is said of objects follows them.
    """

    def _fit_arrays(self, X, y, sample_weight, validation):
        """Fit as `fit` does, with sums on the device in place of compiled loops."""
        self._check_solver_of_arrays()
        owner = type(self).__name__
        objects = checked_objects(self, X, reset=True)
        n = len(objects)
        self.classes_, classes = _coded(objects, y, owner=owner)
        weights = None
        if sample_weight is not None:
            weights = as_numpy(sample_weight)
            weights = check_sample_weight(weights, n, owner=owner)
        if self.class_weight is not None:
            weights = self._weights_by_class(weights, to_numpy(classes))
        objects, classes, weights = self._of_some_weight(objects, classes, weights)
        total = float(to_numpy(objects.xp.sum(weights)))

        rng = check_random_state(self.random_state)
        layout = self._layout(self._counts(len(objects)))
        with one_blas_thread():
            data = _around_center(objects, classes, weights / total)
            if self._is_map(objects.shape[1]):
                some = data.every(ASKED).gathered()
                warn_if_labels_say_nothing(
                    some.X, some.classes, owner=owner, stacklevel=5
                )
            spread = float(np.mean(data.variances()))
            settings = self._settings(spread, objects.dtype)
            if validation is not None:
                validation = self._beside(objects, validation)
            self._learn(data, total, layout, settings, rng, validation)
        follow(self, objects.array)
        return self

    def _takes_arrays(self):
        return self.solver == "lbfgs" and self.missing == "error"

    def _check_solver_of_arrays(self):
        if self._takes_arrays():
            return
        raise InputTypeError(
            "arrays of other libraries than NumPy need solver='lbfgs' and "
            "missing='error', which are sums over all objects. Use them, or pass X "
            "as an array of NumPy.",
            owner=type(self).__name__,
            parameter="X",
        )

    def _check_no_array(self, X):
        if namespace_of(X) is not None:
            raise InputTypeError(
                "partial_fit takes a few objects at a time, for which a device has no "
                "use. Pass the chunk as an array of NumPy, or call fit.",
                owner=type(self).__name__,
                parameter="X",
            )

    def _weights_by_class(self, weights, classes):
        """Return weights (n,) multiplied by those of the classes."""
        counts = np.bincount(classes, minlength=len(self.classes_))
        factors = self._class_factors(self.classes_, counts)[classes]
        return factors if weights is None else weights * factors

    def _of_some_weight(self, objects, classes, weights):
        """Return objects, classes and weights (float64), without those of weight 0."""
        xp = objects.xp
        if weights is None:
            ones = xp.ones(len(objects), dtype=xp.float64, device=objects.device)
            return objects, classes, ones
        if not (there := weights > 0).all():
            rows = xp.asarray(np.flatnonzero(there), device=objects.device)
            objects, classes = objects.chosen(rows), xp.take(classes, rows)
            weights = weights[there]
        counts = class_sizes(xp, classes, len(self.classes_))
        if not counts.all():
            raise InputError(
                f"all objects of class {self.classes_[counts == 0].tolist()[0]!r} "
                "have weight 0. Leave them out, or give them a weight.",
                owner=type(self).__name__,
            )
        return objects, classes, objects.frame.double.array(weights)

    def _beside(self, objects, validation):
        """Return held-out objects where the others are."""
        if not isinstance(validation, tuple | list) or len(validation) != 2:
            return validation  # refused by who uses it
        X, y = validation
        if namespace_of(X) is None:
            X = objects.frame.array(check_X(self, X, reset=False))
        return X, as_numpy(y)


def _coded(objects: ArrayObjects, y, *, owner):
    """Return the sorted classes, and class indices (n,) beside the objects."""
    xp, n = objects.xp, len(objects)
    labels = y if namespace_of(y) is xp else as_numpy(y)
    if not (_are_whole(xp, labels) and tuple(labels.shape) == (n,)):
        classes, codes = check_labels(as_numpy(y), n, owner=owner)
        return classes, xp.asarray(codes, device=objects.device)
    labels = xp.asarray(labels, device=objects.device)
    distinct, codes = xp.unique_inverse(labels)
    # Three of each: scikit-learn wonders if there are as many classes as objects.
    distinct = np.repeat(to_numpy(distinct), 3)
    return check_labels(distinct, len(distinct), owner=owner)[0], codes


def _are_whole(xp, labels):
    """Return whether labels are whole numbers, which any device can sort."""
    if namespace_of(labels) is xp:
        return xp.isdtype(labels.dtype, "signed integer")
    return isinstance(labels, np.ndarray) and labels.dtype in (np.int64, np.int32)


def _around_center(objects: ArrayObjects, classes, shares):
    """Return the set of objects, about their centre."""
    zero = ArraySet(objects, np.zeros(objects.shape[1]), classes, shares)
    center = zero.mean()[0].astype(objects.dtype)
    return ArraySet(objects, center, classes, shares)
