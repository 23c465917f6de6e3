"""Learning from a stream of data, in chunks."""

import copy
from dataclasses import replace
from typing import Self

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_X
from labelscape._core.errors import InputTypeError, shown
from labelscape._core.labels import (
    check_labels,
    check_sample_weight,
    checked_labels,
    label_array,
    not_one_each,
)
from labelscape._core.rows.answers import to_numpy_state
from labelscape._core.rows.kinds import namespace_of
from labelscape._core.rows.rows import Rows, equal_to_samples
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes._base import ENOUGH
from labelscape.prototypes._distances import prototype_classes
from labelscape.prototypes.lvq._estimator import LVQ
from labelscape.prototypes.lvq._forms import Variables
from labelscape.prototypes.lvq._matrices import initial_prototypes
from labelscape.prototypes.lvq._training import gradient_step
from labelscape.prototypes.solvers import SGD

BATCH = 64  # samples per step: up to 256, a summed step is nearly equal to single steps


class StreamLVQ(LVQ):
    """Base of the LVQ family, with ``partial_fit``."""

    def partial_fit(self, X, y, classes=None, sample_weight=None) -> Self:
        """Continue training with a chunk of a stream.

        Each call is one pass over the chunk in small batches, with the learning rates
        of ``solver="sgd"``, which fall from call to call. Matrices are trained from the
        first call on. Prototypes of a class are created when its first samples arrive.
        ``n_assigned_`` adds up the samples of all chunks; each chunk is assigned by the
        model that it updated. ``temperature_`` is a mean over the chunks.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Samples of this chunk.
        y : array-like of shape (n_samples,)
            Class labels of the samples.
        classes : array-like, optional
            All labels that can occur in any chunk. Required in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each sample.

        Returns
        -------
        self
        """
        self._learn_chunk(X, y, classes, sample_weight)
        return self

    def _learn_chunk(self, X, y, classes, sample_weight):
        self._check_params()
        if namespace_of(X) is not None:
            raise InputTypeError(
                "partial_fit takes NumPy arrays only. Convert X to a NumPy "
                "array, or call fit.",
                owner=type(self).__name__,
                parameter="X",
            )
        self._check_kind(X)
        to_numpy_state(self)
        # A failed fit may set classes, but no prototypes.
        learned = ("classes_", "n_iter_", "prototypes_")
        first = not all(hasattr(self, attribute) for attribute in learned)
        allow_nan = self.missing == "ignore"
        X = check_X(self, X, reset=first, allow_nan=allow_nan, accept_sparse=True)
        if first:
            if classes is None:
                raise self._error(
                    "classes must be given in the first call of partial_fit, with "
                    "all labels that may occur later.",
                    "classes",
                )
            self.classes_ = self._all_classes(classes)
            self.n_iter_, self.loss_curve_, self.accuracy_curve_ = 0, [], []
        elif classes is not None:
            labels = self._all_classes(classes)
            if not np.array_equal(labels, self.classes_):
                raise self._error(
                    f"classes are {labels.tolist()}, but were "
                    f"{self.classes_.tolist()} in the first call. In later calls, "
                    "do not pass classes, or use a new model.",
                    "classes",
                )
        rows = self._rows_of_batch(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        with one_blas_thread():
            settings, rows = self._prepared(rows)
            present, layout, variables = self._grown(rows, rng)
            previous = copy.copy(self)
            sgd = self._settings_of_solver if self._is_online else SGD()
            rates = self._rates(replace(sgd, matrix_epoch=1), self.n_iter_ + 1)
            order = rng.permutation(len(rows))
            rows = _renumbered(rows, present)
            cost = correct = 0.0
            for start in range(0, len(rows) if len(present) > 1 else 0, BATCH):
                batch = rows.chosen(np.sort(order[start : start + BATCH]))
                batch.shares = batch.shares * len(rows) / len(batch)
                variables, point = gradient_step(
                    self._form, layout, batch, variables, settings, rates
                )
                cost += point.cost * len(batch)
                correct += point.accuracy * len(batch)
            self.n_iter_ += 1
            self.loss_curve_.append(cost / len(rows))
            self.accuracy_curve_.append(correct / len(rows))
            self._finish(variables, layout, rows, rows.labels)
            if hasattr(previous, "prototypes_"):
                self._add_up(previous)

    def _rows_of_batch(self, X, y, sample_weight):
        """Return a batch as rows; it may lack some classes."""
        name = type(self).__name__
        codes = self._known_classes(y, X.shape[0])
        weights = check_sample_weight(sample_weight, len(codes), owner=name)
        if isinstance(self.class_weight, str):  # "balanced", in this batch
            here, number, counts = np.unique(
                codes, return_inverse=True, return_counts=True
            )
            weights = weights * self._class_factors(here, counts)[number]
        elif self.class_weight is not None:
            weights = weights * self._class_factors(self.classes_, None)[codes]
        if not weights.any():
            words = "all samples of this chunk have weight 0. Leave the chunk out."
            raise self._error(words, "sample_weight")
        present = weights > 0
        if not present.all():
            X, codes, weights = X[present], codes[present], weights[present]
        allow_nan = self.missing == "ignore"
        return Rows(
            X, self.classes_, codes, weights, None, None, name, allow_nan, is_part=True
        )

    def _known_classes(self, y, n_samples):
        """Return class indices of labels; raise an error for unknown labels."""
        name = type(self).__name__
        labels = label_array(y, owner=name)
        if labels.shape != (n_samples,):
            raise not_one_each("y", n_samples, labels.shape, owner=name, what="label")
        checked_labels(labels, owner=name)
        known = {label: c for c, label in enumerate(self.classes_.tolist())}
        distinct, inverse = np.unique(labels, return_inverse=True)
        for label in distinct.tolist():
            if label not in known:
                raise self._error(
                    f"y contains {label!r}, which is none of the classes {list(known)}."
                )
        return np.array([known[label] for label in distinct.tolist()])[inverse]

    def _all_classes(self, classes):
        """Return all labels that may occur in the stream, sorted."""
        name = type(self).__name__
        labels = label_array(classes, owner=name)
        if labels.ndim != 1:
            words = f"classes must be a list of labels, got {shown(classes)}."
            raise self._error(words, "classes")
        return check_labels(labels, len(labels), owner=name)[0]

    def _add_up(self, before):
        """Add counts of the model ``before``; average the temperatures."""
        samples = before.prototypes_[before._is_sample]
        self._is_sample |= equal_to_samples(self.prototypes_, samples)
        n_here, n_before = self.n_assigned_.sum(), before.n_assigned_.sum()
        known = np.isin(self.prototype_labels_, before.prototype_labels_)
        self.n_assigned_[known] += before.n_assigned_
        if len(np.unique(before.prototype_labels_)) < 2:  # nothing to separate
            n_before = 0
        share = n_here / (n_here + min(n_before, ENOUGH))
        self.temperature_ = float(
            before.temperature_ ** (1.0 - share) * self.temperature_**share
        )

    def _grown(self, rows, rng):
        """Return classes, layout and variables, extended by new classes of a chunk."""
        counts = self._counts(len(rows))
        known = np.empty(0, dtype=np.intp)
        if hasattr(self, "prototypes_"):
            known = np.unique(prototype_classes(self))
            layout, labels = self._layout(counts[known]), self.classes_[known]
            if not self._continues(layout, rows.shape[1], labels):
                raise self._error(
                    "partial_fit cannot change the number of prototypes or components "
                    "after the first call. Set prototypes_per_class, n_components and "
                    "localization as they were, or call fit."
                )
        new = np.setdiff1d(np.unique(rows.codes), known)
        present = np.union1d(known, new).astype(np.intp)
        layout = self._layout(counts[present])
        old = self._fitted_variables(rows.center) if len(known) else None
        if not len(new):
            return present, layout, old
        init = self._resolved("prototype_init")
        W = initial_prototypes(
            _of_classes(rows, new),
            counts[new],
            init if isinstance(init, str) else "kmeans",
            rng,
        )
        matrices = self._initial_matrices(_of_classes(rows, present), layout, rng)[0]
        if old is None:
            return present, layout, Variables(W, *matrices)
        # Old and new prototypes, sorted by class again; the shared matrix does not
        # change.
        owner = np.concatenate([np.repeat(c, counts[c]) for c in (known, new)])
        order = np.argsort(owner, kind="stable")
        fresh = np.isin(present[layout.classes], new)
        Psi = None
        if old.Psi is not None:
            n_rows, columns = old.Psi.shape[1:]
            Psi = np.zeros((len(matrices[1]), n_rows, columns))
            Psi[:, : matrices[1].shape[1]] = matrices[1]
            Psi[np.unique(layout.group[~fresh])] = old.Psi
        W = np.concatenate([old.W, W])[order]
        return present, layout, Variables(W, old.Omega, Psi)


def _of_classes(rows, classes):
    """Return the samples of some classes, renumbered from 0."""
    some = rows.chosen(np.flatnonzero(np.isin(rows.codes, classes)))
    return replace(_renumbered(some, classes), shares=(some.shares / some.shares.sum()))


def _renumbered(rows, classes):
    codes = np.searchsorted(classes, rows.codes)
    return replace(rows, labels=rows.labels[classes], codes=codes)
