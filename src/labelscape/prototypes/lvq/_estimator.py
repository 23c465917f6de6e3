"""The estimator behind GLVQ, GRLVQ, GMLVQ, LGMLVQ, LiRaM LVQ and localized LiRaM LVQ.

The models differ in their form of distance; everything else is here, once.
"""

import copy
from functools import partial
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight

from labelscape._core.checks import (
    check_labels,
    check_sample_weight,
    check_X,
    checked_labels,
    exact_labels,
    label_array,
)
from labelscape._core.chunks.recognition import check_in_memory, is_chunked
from labelscape._core.chunks.shipping import bare
from labelscape._core.errors import (
    InputError,
    InputTypeError,
    ParameterError,
    Setting,
    shown,
)
from labelscape._core.fits.callbacks import tells_callbacks
from labelscape._core.fits.learned import Learned, curve, optional, whole_numbers
from labelscape._core.fits.papers import AsInPaper, Printed
from labelscape._core.fits.progress import Progress
from labelscape._core.label_signal import warn_if_labels_say_nothing
from labelscape._core.points.array_objects import array_of, checked_objects
from labelscape._core.points.arrays import namespace_of, to_numpy
from labelscape._core.points.following import as_tag, bring_back
from labelscape._core.points.sparse_objects import chosen, objects_in, objects_near
from labelscape._core.rules import (
    COMMON,
    array,
    check_params,
    either,
    finite,
    flag,
    mapping,
    number,
    one_of,
    whole,
)
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes._base import (
    PrototypeClassifier,
    class_scores,
    nearest_of_all,
    prototype_classes,
    stand_on_objects,
)
from labelscape.prototypes._metric import PrototypeMetric
from labelscape.prototypes._temperature import ENOUGH, fitted_temperature
from labelscape.prototypes.lvq._forms import Layout, Plain, Variables
from labelscape.prototypes.lvq._initial import initial_prototypes, weighted_moments
from labelscape.prototypes.lvq._objective import (
    CostSettings,
    TrainingSet,
    distances_of_incomplete,
    missing_patterns,
)
from labelscape.prototypes.lvq._stream import StreamLearning
from labelscape.prototypes.lvq._train import (
    Schedule,
    best_start,
    train_lbfgs,
    train_sgd,
)
from labelscape.prototypes.lvq.arrays.learning import ArrayLearning
from labelscape.prototypes.lvq.arrays.slopes import distances_of_array
from labelscape.prototypes.lvq.chunked.learning import ChunkLearning

# So many prototypes of a class are always allowed, and more where there are objects.
MOST_PROTOTYPES = 10_000


class LVQ(AsInPaper, ChunkLearning, ArrayLearning, StreamLearning, PrototypeClassifier):
    """Base of the LVQ family: what its models share.

    A model writes out its constructor, with the parameters of `GLVQ` among its own.
    """

    _keeps: ClassVar = (
        "The plane in which the model measures distances to its prototypes."
    )

    _form: ClassVar[Plain]  # the distance of the model
    # What "auto" and None stand for: as in the paper with solver="sgd", and as was
    # measured best (docs/lvq.md) with solver="lbfgs".
    _paper: ClassVar = {
        "slope": 0.0,
        "jitter": 0.0,
        "prototype_init": "random",
        "max_iter": 1000,
    }
    _measured: ClassVar = {
        "slope": 5.0,
        "jitter": 0.3,
        "prototype_init": "kmeans",
        "max_iter": 100,
    }

    # The rates, and the start of matrices, are the paper's by default under "sgd".
    _in_paper: ClassVar = {
        "solver": Printed(
            "sgd", "L-BFGS is many times faster, and the seed hardly matters."
        ),
        "max_iter": Printed(
            _paper["max_iter"], "L-BFGS converges sooner than online training."
        ),
        "slope": Printed(
            _paper["slope"], "A logistic cost counts the objects near a border most."
        ),
        "jitter": Printed(
            _paper["jitter"], "Blurred objects keep a matrix from resting on noise."
        ),
        "prototype_init": Printed(
            _paper["prototype_init"],
            "Centres of k-means are no accident, and part prototypes of one class.",
        ),
    }

    _rules: ClassVar = COMMON | {
        "prototypes_per_class": either(whole(1), mapping()),
        "slope": either(number(0.0, vanishing=False), one_of("auto")),
        "jitter": either(number(0.0), one_of("auto")),
        "class_weight": either(one_of("balanced", None), mapping()),
        "missing": one_of("error", "ignore"),
        "prototype_init": either(one_of("auto", "random", "kmeans"), array(2)),
        "warm_start": flag(),
        "solver": one_of("lbfgs", "sgd"),
        "max_iter": either(whole(1), one_of(None)),
        "tol": number(0.0),
        "learning_rate": finite(above=0.0),
        "early_stopping": either(one_of("best", "none"), whole(1)),
        "sgd_params": either(mapping(), one_of(None)),
    }
    _learned: ClassVar[Learned] = {
        "n_assigned_": whole_numbers("prototypes"),
        "loss_curve_": curve(),
        "accuracy_curve_": curve(),
        "validation_curve_": optional(curve()),
        "n_iter_": whole(0),
    }
    # The keys of sgd_params: what each is by default, and what it may be.
    _sgd_defaults: ClassVar[dict[str, Any]] = {"decay": 1e-4, "clip_step": False}
    _sgd_rules: ClassVar = {"decay": number(0.0), "clip_step": flag()}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "ignore"
        tags.input_tags.sparse = self._takes_sparse()
        tags.array_api_support = as_tag(self._takes_arrays())
        return tags

    @tells_callbacks
    def fit(self, X, y, sample_weight=None, validation=None):
        """Learn prototypes, and the metric where the model has one.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Objects, with features on one scale. A sparse matrix stays sparse, and needs
            ``solver="lbfgs"``. An array or data frame of Dask stays where it is; y and
            weights may be chunked as well. So does a tensor of PyTorch, which needs
            ``solver="lbfgs"``, too.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            How much each object counts.
        validation : tuple (X, y), optional
            Held-out objects. They play no part in training; their accuracy after each
            iteration is kept in ``validation_curve_``.

        Returns
        -------
        self
        """
        self._check_params()
        bring_back(self)
        if is_chunked(X):
            return self._fit_chunks(X, y, sample_weight, validation)
        if namespace_of(X) is not None:
            return self._fit_arrays(X, y, sample_weight, validation)
        X = self._check_training(X, reset=True)
        self.classes_, classes = check_labels(y, len(X), owner=type(self).__name__)
        weights = self._weights(sample_weight, y, len(X))
        # An object of weight 0 is not there: not for the start, not for the rest.
        there = weights > 0
        if not there.all():
            X, classes, weights = chosen(X, there), classes[there], weights[there]
        counts = np.bincount(classes, minlength=len(self.classes_))
        if not counts.all():
            empty = self.classes_[counts == 0].tolist()
            raise InputError(
                f"all objects of class {empty[0]!r} have weight "
                "0. Leave them out, or give them a weight.",
                owner=type(self).__name__,
            )

        if self._is_map(X.shape[1]):
            warn_if_labels_say_nothing(X, classes, owner=type(self).__name__)

        rng = check_random_state(self.random_state)
        layout = self._layout(self._counts(len(X)))
        with one_blas_thread():
            settings, data = self._prepared(X, classes, weights)
            self._learn(data, weights, layout, settings, rng, validation)
        return self

    def _learn(self, data, weights, layout, settings, rng, validation):
        """Train from the best start, and keep what was learned."""
        starts = self._starts(data, layout, rng)
        trained = self._train(layout, data, starts, settings, rng, validation)
        self._keep(trained, layout, data, weights)

    def _is_map(self, n_features):
        """Return whether the model shows objects in fewer dimensions than they have."""
        return False

    def _check_params(self):
        """Raise if a parameter breaks its rule, or two do not go together."""
        check_params(self)
        self._check_sgd_params()
        if self.solver == "sgd" and self._resolved("jitter") > 0.0:
            raise InputError(
                "jitter needs solver='lbfgs'. Use it, or leave "
                "jitter at 'auto', which is 0 here.",
                owner=type(self).__name__,
                parameter="jitter",
            )
        if self.missing == "ignore" and self.solver == "sgd":
            raise InputError(
                "missing='ignore' needs solver='lbfgs'. Use "
                "it, or impute the missing values first.",
                owner=type(self).__name__,
                parameter="missing",
            )

    def _check_sgd_params(self):
        for key, value in (self.sgd_params or {}).items():
            rule = self._sgd_rules.get(key)
            if rule is None:
                known = ", ".join(map(repr, self._sgd_rules))
                problem = f" may have the keys {known}; got {shown(key)}."
            elif not rule.holds(value):
                problem = f"[{key!r}] must be {rule.wanted}, got {shown(value)}."
            else:
                continue
            raise InputError(
                Setting("sgd_params"),
                problem,
                owner=type(self).__name__,
                parameter="sgd_params",
            )

    def _check_training(self, X, reset):
        allow_nan, sparse = self.missing == "ignore", self._takes_sparse()
        if hasattr(X, "tocsr") and not sparse:
            raise InputTypeError(
                "a sparse X needs solver='lbfgs' and missing='error'. Use them, or "
                "pass X.toarray().",
                owner=type(self).__name__,
                parameter="X",
            )
        X = check_X(self, X, reset=reset, allow_nan=allow_nan, accept_sparse=sparse)
        return objects_in(X)

    def _takes_sparse(self):
        return self.solver == "lbfgs" and self.missing == "error"

    def _check_new(self, X):
        if namespace_of(X) is not None:
            return checked_objects(self, X, reset=False).array
        allow_nan = self.missing == "ignore"
        return check_X(self, X, reset=False, accept_sparse=True, allow_nan=allow_nan)

    def _resolved(self, parameter):
        """Return a parameter, or what "auto" stands for under the chosen solver."""
        value = getattr(self, parameter)
        if value is None or (isinstance(value, str) and value == "auto"):
            return (self._paper if self.solver == "sgd" else self._measured)[parameter]
        return value

    def _weights(self, sample_weight, y, n_samples):
        weights = check_sample_weight(
            sample_weight, n_samples, owner=type(self).__name__
        )
        if self.class_weight is not None:
            weights = weights * self._class_weights(exact_labels(y))
            self._check_class_weights(weights)
        return weights

    def _check_class_weights(self, weights):
        if weights.min() < 0:
            raise InputError(
                f"class_weight must not be negative, got {shown(self.class_weight)}.",
                owner=type(self).__name__,
                parameter="class_weight",
            )

    def _class_weights(self, labels):
        try:
            return compute_sample_weight(self.class_weight, labels)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"class_weight must give a number to each class: {error}",
                owner=type(self).__name__,
                parameter="class_weight",
            ) from None

    def _prepared(self, X, classes, weights, is_chunk=False):
        """Return the settings of the cost, and the training set around its centre."""
        patterns = missing_patterns(X) if self.missing == "ignore" else None
        if patterns is None:
            center, spread = weighted_moments(X, weights)
        else:
            center, spread = self._moments_of_incomplete(X, weights, is_chunk)
        data = TrainingSet(
            X,
            center.astype(X.dtype),
            classes.astype(np.intp),
            weights / weights.sum(),
            patterns,
            is_chunk,
        )
        return self._settings(float(np.mean(spread)), X.dtype), data

    def _settings(self, spread, dtype):
        """Return the settings of the cost of objects with a variance."""
        resolution = max(1e-15, 100.0 * np.finfo(dtype).eps ** 2) * spread
        settings = self._cost_settings(self._resolved("jitter") ** 2 * spread)
        return settings._replace(resolution=resolution)

    def _moments_of_incomplete(self, X, weights, is_chunk):
        """Return mean and variance of each feature over the objects that have it."""
        observed = ~np.isnan(X)
        shares = weights @ observed
        if not is_chunk:
            self._check_shares(shares)
        shares[shares == 0.0] = 1.0
        center = weights @ np.where(observed, X, 0.0) / shares
        return center, weights @ np.where(observed, X - center, 0.0) ** 2 / shares

    def _check_shares(self, shares):
        """Raise if a feature has no value, by the weights of those that have it."""
        if not shares.all():
            raise InputError(
                f"column {int(shares.argmin())} has no value at "
                "all: every object lacks it. Leave the column out.",
                owner=type(self).__name__,
            )

    def _cost_settings(self, variance):
        """Return what the cost is made of, with the variance of the jitter."""
        return CostSettings(slope=float(self._resolved("slope")), variance=variance)

    def _counts(self, n_samples):
        """Return the number of prototypes of each class, before they take memory."""
        counts, most = self._wanted_counts(), max(MOST_PROTOTYPES, n_samples)
        if max(counts) > most:
            raise InputError(
                f"prototypes_per_class must be at most {most} for {n_samples} "
                f"objects, got {max(counts)}.",
                owner=type(self).__name__,
                parameter="prototypes_per_class",
            )
        return np.array(counts)

    def _wanted_counts(self):
        wanted = self.prototypes_per_class
        if not isinstance(wanted, dict):
            return [int(wanted)] * len(self.classes_)
        name = type(self).__name__
        known = set(self.classes_.tolist())
        for label, count in wanted.items():
            if label not in known:
                raise InputError(
                    f"prototypes_per_class names {label!r}, which is not among "
                    f"the classes {self.classes_.tolist()}.",
                    owner=name,
                    parameter="prototypes_per_class",
                )
            if not whole(1).holds(count):
                raise InputError(
                    "prototypes_per_class must be a whole number of at least "
                    f"1, got {count!r} for class {label!r}.",
                    owner=name,
                    parameter="prototypes_per_class",
                )
        return [int(wanted.get(label, 1)) for label in self.classes_.tolist()]

    def _layout(self, counts):
        """Return which prototypes belong to which class and matrix."""
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        return Layout(first, self._groups(first))

    def _groups(self, first):
        return np.zeros(first[-1], dtype=np.intp)

    def _starts(self, data, layout, rng):
        """Return the variables from which training may start, the usual ones first."""
        if self.warm_start and self._continues(layout, data.X.shape[1], self.classes_):
            # Equal to those of the last fit, and perhaps of another type.
            self.prototype_labels_ = self.classes_[layout.classes]
            return [self._fitted_variables(data.center)]
        W = initial_prototypes(
            data,
            np.diff(layout.first),
            self._resolved("prototype_init"),
            self.classes_,
            rng,
        )
        matrices = self._initial_matrices(data, layout, rng)
        return [Variables(W, Omega, Psi) for Omega, Psi in matrices]

    def _continues(self, layout, N, labels):
        """Return whether the last fit learned a model of the same shape.

        ``labels`` are the classes of the layout.
        """
        wanted, labels = (len(layout.group), N), labels[layout.classes]
        return self._shape("prototypes_") == wanted and np.array_equal(
            getattr(self, "prototype_labels_", None), labels
        )

    def _shape(self, attribute):
        """Return the shape of a fitted array, None if there is none."""
        return getattr(getattr(self, attribute, None), "shape", None)

    def _initial_matrices(self, data, layout, rng):
        """Return pairs (Omega, Psi) from which training may start."""
        return [(None, None)]

    def _train(self, layout, data, starts, settings, rng, validation):
        variables = starts[0]
        if len(starts) > 1:
            variables = best_start(self._form, layout, data, starts, settings)
        iterations = int(self._resolved("max_iter"))
        bar = Progress.of(self, iterations)
        note = None
        if validation is not None:
            note = self._watched(validation, data.center, layout)

        def watch(trained):
            bar.state = partial(self._state, trained, layout, data)
            if note is not None:
                note(trained.variables)

        problem = (self._form, layout, data, variables, settings)
        on_step = watch if bar.watched or note is not None else None
        common = {"max_iter": iterations, "progress": bar, "on_step": on_step}
        with bar:
            if self.solver == "lbfgs":
                return train_lbfgs(*problem, tol=self.tol, **common)
            return train_sgd(
                *problem,
                self._schedule(),
                early_stopping=self.early_stopping,
                rng=rng,
                **common,
            )

    def _watched(self, validation, center, layout):
        """Return a function that notes the accuracy on held-out objects."""
        if not isinstance(validation, tuple | list) or len(validation) != 2:
            raise ParameterError(
                type(self).__name__, "validation", validation, "a pair (X, y)"
            )
        X, y = validation
        check_in_memory(X, owner=type(self).__name__, name="validation")
        if namespace_of(X) is None:
            X, measure = check_X(self, X, reset=False), self._form.distances
        else:
            X, measure = self._check_new(X), partial(distances_of_array, self._form)
        classes = self._known_classes(y, X.shape[0])
        owner = layout.classes
        self.validation_curve_ = []

        def note(variables):
            nearest = to_numpy(nearest_of_all(measure(X, center, variables, layout)))
            self.validation_curve_.append(float(np.mean(owner[nearest] == classes)))

        return note

    def _schedule(self):
        """Return the rates of the online training; here there is no matrix to learn."""
        sgd = self._sgd()
        return Schedule(
            rate=self.learning_rate,
            matrix_rate=0.0,
            decay=sgd["decay"],
            matrix_epoch=1,
            clip=sgd["clip_step"],
        )

    def _sgd(self):
        """Return ``sgd_params`` with their defaults."""
        return self._sgd_defaults | (self.sgd_params or {})

    def _known_classes(self, y, n_samples):
        """Return class indices of labels that must all be known already."""
        labels = label_array(y, owner=type(self).__name__)
        if labels.shape != (n_samples,):
            raise InputError(
                f"X has {n_samples} objects but y has shape "
                f"{labels.shape}. Give one label per object.",
                owner=type(self).__name__,
            )
        checked_labels(labels, owner=type(self).__name__)
        known = {label: c for c, label in enumerate(self.classes_.tolist())}
        distinct, inverse = np.unique(labels, return_inverse=True)
        for label in distinct.tolist():
            if label not in known:
                raise InputError(
                    f"y holds {label!r}, which is not among the classes {list(known)}.",
                    owner=type(self).__name__,
                )
        return np.array([known[label] for label in distinct.tolist()])[inverse]

    def _keep(self, trained, layout, data, weights):
        """Keep what a fit has learned, and how it went."""
        self._finish(trained.variables, layout, data, self.classes_, weights)
        self.loss_curve_ = trained.loss_curve
        self.accuracy_curve_ = trained.accuracy_curve
        self.n_iter_ = trained.n_iter

    def _state(self, trained, layout, data):
        """Return the attributes of a model that has learned so far, for callbacks."""
        model = copy.copy(self)
        model._keep(trained, layout, data, data.weights)
        return vars(model)

    def _finish(self, variables, layout, data, labels, weights):
        """Keep what was learned, in the form that users see."""
        center = data.center.astype(np.float64)
        self.prototypes_ = (variables.W + center).astype(data.X.dtype)
        self.prototype_labels_ = labels[layout.classes]
        self._keep_matrices(variables, layout, data)
        metric = self._metric()
        self.n_assigned_ = data.added(_assigned, bare(self))
        self._is_object = data.added(_objects_among, self.prototypes_, data.largest())
        some = data.thinned(ENOUGH)
        class_distances = metric.by_blocks(array_of(some.X), self._class_distances)
        self.temperature_ = fitted_temperature(
            class_scores(to_numpy(class_distances)),
            np.searchsorted(self.classes_, labels)[to_numpy(some.classes)],
            data.weights_of(some, weights, ENOUGH),
        )

    def _keep_matrices(self, variables, layout, data):
        """Keep the learned metric; a plain model has none."""

    def _fitted_variables(self, center):
        """Return what was learned, with prototypes relative to a center."""
        W = self.prototypes_.astype(np.float64) - center
        return Variables(W, *self._matrices())

    def _matrices(self):
        """Return the fitted Omega and Psi in double precision."""
        return None, None

    def _metric(self):
        _, counts = np.unique(prototype_classes(self), return_counts=True)
        layout = self._layout(counts)
        center = self.prototypes_.mean(axis=0)
        variables = self._fitted_variables(center)

        def compared(X):
            if namespace_of(X) is not None:
                return distances_of_array(self._form, X, center, variables, layout)
            if self.missing == "ignore" and np.isnan(X).any():
                return distances_of_incomplete(self._form, X, center, variables, layout)
            return self._form.distances(X, center.astype(X.dtype), variables, layout)

        return PrototypeMetric(
            self._form.kind,
            self.prototypes_,
            is_squared=True,
            compared=compared,
            shared=variables.Omega,
            local=variables.Psi,
            local_of=None if variables.Psi is None else layout.group,
            allow_nan=self.missing == "ignore",
        )


def _assigned(data, model):
    """Return how many objects are nearest to each prototype."""
    nearest = model._metric().by_blocks(array_of(data.X), nearest_of_all)
    return np.bincount(to_numpy(nearest), minlength=len(model.prototypes_))


def _objects_among(data, prototypes, largest):
    """Return which prototypes are objects."""
    return stand_on_objects(prototypes, objects_near(data.X, prototypes), largest)
