"""Learning from a stream: one chunk of objects after the other."""

from typing import NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from labelscape._core.checks import check_labels, check_sample_weight, label_array
from labelscape._core.errors import InputError, shown
from labelscape._core.points.following import bring_back
from labelscape._core.points.sparse_objects import chosen
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes._base import prototype_classes, stand_on_objects
from labelscape.prototypes._temperature import ENOUGH
from labelscape.prototypes.lvq._forms import Variables
from labelscape.prototypes.lvq._initial import initial_prototypes
from labelscape.prototypes.lvq._objective import missing_patterns
from labelscape.prototypes.lvq._train import gradient_step

# Objects per step: up to 256 the summed step ends where single steps do.
BATCH = 64


class SoFar(NamedTuple):
    """Labels of prototypes, how many objects are nearest to each, and temperature."""

    labels: np.ndarray
    n_assigned: np.ndarray
    temperature: float


class StreamLearning:
    """Adds ``partial_fit`` to the LVQ family."""

    def partial_fit(self, X, y, classes=None, sample_weight=None):
        """Go on learning from a chunk of a stream.

        Each call is one pass over the chunk in small batches, with the rates of
        ``solver="sgd"``; they fall from call to call. Matrices learn from the first
        call on. A class gets its prototypes when its first objects come.
        ``n_assigned_`` counts the objects of all chunks, each by what was learned when
        it came, and ``temperature_`` is a mean over them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Objects of this chunk.
        y : array-like of shape (n_samples,)
            Their labels.
        classes : array-like, optional
            All labels that may ever come. Needed in the first call.
        sample_weight : array-like of shape (n_samples,), optional
            How much each object counts.

        Returns
        -------
        self
        """
        self._check_params()
        self._check_no_array(X)
        bring_back(self)
        # A fit that failed half-way leaves classes, but no prototypes.
        learned = ("classes_", "n_iter_", "prototypes_")
        first = not all(hasattr(self, attribute) for attribute in learned)
        X = self._check_training(X, reset=first)
        name = type(self).__name__
        if first:
            if classes is None:
                raise InputError(
                    "classes must be given in the first call of partial_fit: "
                    "all labels that may ever come.",
                    owner=name,
                    parameter="classes",
                )
            self.classes_ = _all_classes(classes, name)
            self.n_iter_, self.loss_curve_, self.accuracy_curve_ = 0, [], []
        elif classes is not None:
            self._check_same_classes(classes)
        indices = self._known_classes(y, len(X))
        weights = self._weights_of_chunk(sample_weight, y, indices)
        there = weights > 0  # an object of weight 0 is not there
        if not there.all():
            X, indices, weights = chosen(X, there), indices[there], weights[there]
        rng = check_random_state(self.random_state)
        with one_blas_thread():
            settings, data = self._prepared(X, indices, weights, is_chunk=True)

            present, layout, variables = self._grown(data, rng)
            held, known = self._objects_held(), self._so_far()
            rates = self._schedule()._replace(matrix_epoch=1).at(self.n_iter_ + 1)
            order = rng.permutation(len(X))
            here = np.searchsorted(present, data.classes).astype(np.intp)
            cost = correct = 0.0
            for start in range(0, len(X) if len(present) > 1 else 0, BATCH):
                rows = np.sort(order[start : start + BATCH])
                batch = data._replace(
                    X=data.X[rows],
                    classes=here[rows],
                    weights=data.weights[rows] * len(X) / len(rows),
                    patterns=missing_patterns(data.X[rows]),
                )
                variables, before = gradient_step(
                    self._form, layout, batch, variables, settings, rates
                )
                cost += before.cost * len(rows)
                correct += before.accuracy * len(rows)
            self.n_iter_ += 1
            self.loss_curve_.append(cost / len(X))
            self.accuracy_curve_.append(correct / len(X))
            self._finish(
                variables,
                layout,
                data._replace(classes=here),
                self.classes_[present],
                weights,
            )
            if len(held):
                self._is_object |= stand_on_objects(self.prototypes_, held)
            if known is not None:
                self._add_up(known)
        return self

    def _check_same_classes(self, classes):
        """Raise if other classes are given than in the first call."""
        name = type(self).__name__
        given = _all_classes(classes, name)
        if not np.array_equal(given, self.classes_):
            raise InputError(
                f"classes are {given.tolist()}, and were {self.classes_.tolist()} "
                "before. Leave them out after the first call, or begin with a new "
                "model.",
                owner=name,
                parameter="classes",
            )

    def _weights_of_chunk(self, sample_weight, y, indices):
        """Return the weights of a chunk, in which not every class needs to be."""
        if self.class_weight is None or isinstance(self.class_weight, str):
            weights = self._weights(sample_weight, y, len(indices))
        else:
            name = type(self).__name__
            weights = check_sample_weight(sample_weight, len(indices), owner=name)
            weights = weights * self._class_factors(self.classes_, None)[indices]
        if not weights.any():
            raise InputError(
                "all objects of this chunk have weight 0. Leave the chunk out.",
                owner=type(self).__name__,
                parameter="sample_weight",
            )
        return weights

    def _so_far(self):
        """Return what the chunks before have shown, None before the first."""
        if not hasattr(self, "prototypes_"):
            return None
        return SoFar(self.prototype_labels_, self.n_assigned_, self.temperature_)

    def _add_up(self, before):
        """Make counts and temperature those of all chunks, not only of the last.

        One chunk may have few objects, or of one class alone. The model moves, so that
        no more than the last objects that make a temperature precise count.
        """
        n_here, n_before = self.n_assigned_.sum(), before.n_assigned.sum()
        known = np.isin(self.prototype_labels_, before.labels)
        self.n_assigned_[known] += before.n_assigned
        if len(np.unique(before.labels)) < 2:  # nothing was to be told apart
            n_before = 0
        share = n_here / (n_here + min(n_before, ENOUGH))
        self.temperature_ = float(
            before.temperature ** (1.0 - share) * self.temperature_**share
        )

    def _objects_held(self):
        """Return the prototypes that were objects of the chunks before."""
        if not (hasattr(self, "prototypes_") and hasattr(self, "_is_object")):
            return ()
        return self.prototypes_[self._is_object]

    def _grown(self, data, rng):
        """Return present classes, layout and variables after a chunk's new classes."""
        counts = self._counts(len(data.X))
        known = (
            np.unique(prototype_classes(self))
            if hasattr(self, "prototypes_")
            else np.empty(0, dtype=np.intp)
        )
        if len(known):
            self._check_shape(known, counts, data.X.shape[1])
        new = np.setdiff1d(np.unique(data.classes), known)
        present = np.union1d(known, new).astype(np.intp)
        layout = self._layout(counts[present])
        old = self._fitted_variables(data.center) if len(known) else None
        if not len(new):
            return present, layout, old
        init = self._resolved("prototype_init")
        W = initial_prototypes(
            _objects_of(data, new),
            counts[new],
            init if isinstance(init, str) else "kmeans",
            self.classes_[new],
            rng,
        )
        matrices = self._initial_matrices(_objects_of(data, present), layout, rng)[0]
        if old is None:
            return present, layout, Variables(W, *matrices)
        # Old and new prototypes, sorted by class again; the shared matrix stays.
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

    def _check_shape(self, known, counts, n_features):
        """Raise unless the model has the shape that its parameters ask for."""
        layout, labels = self._layout(counts[known]), self.classes_[known]
        if not self._continues(layout, n_features, labels):
            raise InputError(
                "the number of prototypes or components has changed since the last "
                "call, and partial_fit can not change what is there. Set "
                "prototypes_per_class, n_components and localization as they were, or "
                "call fit.",
                owner=type(self).__name__,
            )


def _all_classes(classes, owner):
    """Return all labels that may ever come, sorted."""
    labels = label_array(classes, owner=owner)
    if labels.ndim != 1:
        raise InputError(
            f"classes must be a list of labels, got {shown(classes)}.",
            owner=owner,
            parameter="classes",
        )
    return check_labels(labels, len(labels), owner=owner)[0]


def _objects_of(data, classes):
    """Return the objects of some classes, which are then numbered from 0."""
    rows = np.flatnonzero(np.isin(data.classes, classes))
    return data._replace(
        X=chosen(data.X, rows),
        classes=np.searchsorted(classes, data.classes[rows]),
        weights=data.weights[rows] / data.weights[rows].sum(),
    )
