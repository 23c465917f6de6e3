"""Base of the LVQ family, whose models differ in the distance."""

import copy
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_sample_weight

from labelscape._core.checks import check_X
from labelscape._core.errors import InputTypeError, ParameterError, shown
from labelscape._core.estimator import (
    AsInPaper,
    Printed,
    Progress,
    reports_to_callbacks,
)
from labelscape._core.learned import Learned, curve, optional, whole_numbers
from labelscape._core.params import (
    COMMON,
    array,
    check_params,
    either,
    finite,
    flag,
    instance,
    mapping,
    number,
    one_of,
    whole,
)
from labelscape._core.rows.answers import FOLLOWS, follow, to_numpy_state
from labelscape._core.rows.any_rows import rows_of
from labelscape._core.rows.device import check_array
from labelscape._core.rows.kinds import (
    as_numpy,
    check_in_memory,
    counts_of,
    namespace_of,
    to_numpy,
)
from labelscape._core.threads import one_blas_thread
from labelscape._resampling.label_signal import (
    MOST_COMPARED,
    warn_if_labels_say_nothing,
)
from labelscape.prototypes._base import ENOUGH, PrototypeClassifier, fitted_temperature
from labelscape.prototypes._distances import (
    PrototypeMetric,
    class_scores,
    nearest_of_all,
    prototype_classes,
)
from labelscape.prototypes.lvq._forms import Layout, Plain, Variables
from labelscape.prototypes.lvq._matrices import initial_prototypes
from labelscape.prototypes.lvq._training import (
    CostSettings,
    best_start,
    distances_of_incomplete,
    train_lbfgs,
    train_sgd,
)
from labelscape.prototypes.solvers import LBFGS, SGD

# A class may always have this many prototypes, and more if it has more samples.
MOST_PROTOTYPES = 10_000
SOLVERS = {"lbfgs": LBFGS(), "sgd": SGD()}


@dataclass(eq=False, repr=False, kw_only=True)
class LVQ(AsInPaper, PrototypeClassifier):
    """The fit of the LVQ family; a model adds parameters, or changes a default."""

    prototypes_per_class: int | dict[Any, int] = field(default=1, kw_only=False)
    # Weights of samples.
    class_weight: Any = None
    missing: str = "error"
    # Start of the training.
    prototype_init: Any = "auto"
    warm_start: bool = False
    # Course of the training.
    solver: str | LBFGS | SGD = "lbfgs"
    max_iter: int | None = None
    tol: float = 1e-6
    # Only for online training.
    learning_rate: float = 0.01
    early_stopping: str | int = "best"
    # As in all estimators.
    random_state: Any = None
    verbose: bool = False
    callback: Any = None

    _keeps: ClassVar = (
        "Shows the plane in which the model measures distances to its prototypes."
    )

    _takes_chunks = True  # samples of Dask remain on their workers
    _form: ClassVar[Plain]  # the distance of the model
    # Values of "auto" and None: those of the paper with solver="sgd", and the best
    # measured values (docs/lvq.md) with solver="lbfgs".
    _paper: ClassVar = {"prototype_init": "random", "max_iter": 1000}
    _measured: ClassVar = {"prototype_init": "kmeans", "max_iter": 100}

    # With "sgd", rates, cost and the start of matrices are the paper's by default.
    _in_paper: ClassVar = {
        "solver": Printed(
            "sgd",
            "L-BFGS is many times faster and depends less on the seed. It trains with "
            "a logistic cost (slope 5), which gives most weight to samples near a "
            "border, and with noise (jitter 0.3), which reduces overfitting.",
        ),
        "max_iter": Printed(
            _paper["max_iter"], "L-BFGS converges sooner than online training."
        ),
        "prototype_init": Printed(
            _paper["prototype_init"],
            "Centers of k-means are reproducible, and differ within a class.",
        ),
    }

    _rules: ClassVar = COMMON | {
        "prototypes_per_class": either(whole(1), mapping()),
        "class_weight": either(one_of("balanced", None), mapping()),
        "missing": one_of("error", "ignore"),
        "prototype_init": either(one_of("auto", "random", "kmeans"), array(2)),
        "warm_start": flag(),
        "solver": either(one_of(*SOLVERS), instance(LBFGS, SGD)),
        "max_iter": either(whole(1), one_of(None)),
        "tol": number(0.0),
        "learning_rate": finite(above=0.0),
        "matrix_learning_rate": finite(0.0),
        "early_stopping": either(one_of("best", "none"), whole(1)),
    }
    _learned: ClassVar[Learned] = {
        "n_assigned_": whole_numbers("prototypes"),
        "loss_curve_": curve(),
        "accuracy_curve_": curve(),
        "validation_curve_": optional(curve()),
        "n_iter_": whole(0),
    }

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "ignore"
        tags.input_tags.sparse = self._is_batch
        tags.array_api_support = FOLLOWS and self._is_batch
        return tags

    @reports_to_callbacks
    def fit(self, X, y, sample_weight=None, validation=None) -> Self:
        """Learn the prototypes, and the metric if the model has one.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
            Samples, with features on one scale. A sparse matrix stays sparse. A Dask
            array or data frame stays chunked; y and weights may be chunked as well. A
            PyTorch tensor stays on its device. Sparse matrices and tensors need
            ``solver="lbfgs"``.
        y : array-like of shape (n_samples,)
            Class labels.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each sample.
        validation : tuple (X, y), optional
            Held-out samples, which are not used for training. Accuracy on these samples
            after each iteration is stored in ``validation_curve_``.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, validation)

    def _fit(self, X, y, sample_weight, validation, correct_for=None):
        """Fit the model; ``correct_for`` removes nuisance directions first."""
        self._check_params()
        self._check_kind(X)
        rows = rows_of(
            self,
            X,
            y,
            sample_weight,
            class_factors=None if self.class_weight is None else self._class_factors,
            allow_nan=self.missing == "ignore",
            accept_sparse=True,
        )
        self.classes_ = rows.labels
        rows = self._corrected(rows, correct_for, sample_weight)
        if self._is_map(rows.shape[1]):
            some, owner = rows.sampled(MOST_COMPARED), type(self).__name__
            warn_if_labels_say_nothing(some.X, some.codes, owner=owner, stacklevel=5)
        rng = check_random_state(self.random_state)
        layout = self._layout(self._counts(len(rows)))
        with one_blas_thread():
            settings, rows = self._prepared(rows)
            starts = self._starts(rows, layout, rng)
            trained = self._train(layout, rows, starts, settings, rng, validation)
            self._keep(trained, layout, rows)
        if rows.on_device:
            follow(self, X)
        return self

    def _corrected(self, rows, correct_for, sample_weight):
        """Return the rows for training; some models can correct for batches."""
        return rows

    def _is_map(self, n_features):
        """Return whether the model projects samples to fewer dimensions."""
        return False

    def _check_params(self):
        """Raise an error for invalid parameters or combinations."""
        check_params(self)
        if self.missing == "ignore" and self._is_online:
            raise self._error(
                "missing='ignore' needs solver='lbfgs'. Use this solver, or impute the "
                "missing values first.",
                "missing",
            )

    def _check_kind(self, X):
        """Raise an error if the solver does not support the type of X."""
        is_sparse, on_device = hasattr(X, "tocsr"), namespace_of(X) is not None
        if self._is_batch or not (is_sparse or on_device):
            return
        kind = "a sparse X" if is_sparse else "an array that is not a NumPy array"
        remedy = "X.toarray()" if is_sparse else "a NumPy array"
        raise InputTypeError(
            f"{kind} needs solver='lbfgs' and missing='error'. Use these "
            f"settings, or pass {remedy}.",
            owner=type(self).__name__,
            parameter="X",
        )

    @property
    def _is_batch(self):
        """Whether each step uses all samples, and missing values are refused."""
        return not self._is_online and self.missing == "error"

    def _check_new(self, X):
        if namespace_of(X) is not None:
            return check_array(self, X, reset=False)
        allow_nan = self.missing == "ignore"
        return check_X(self, X, reset=False, accept_sparse=True, allow_nan=allow_nan)

    def _resolved(self, parameter):
        """Return a parameter, with "auto" and None replaced by a value."""
        value = getattr(self, parameter)
        if value is None or (isinstance(value, str) and value == "auto"):
            return (self._paper if self._is_online else self._measured)[parameter]
        return value

    @property
    def _settings_of_solver(self):
        """The settings of the solver, which may be given by name."""
        return SOLVERS[self.solver] if isinstance(self.solver, str) else self.solver

    @property
    def _is_online(self):
        return isinstance(self._settings_of_solver, SGD)

    def _class_factors(self, labels, counts):
        """Return the factors that multiply the sample weights of each class."""
        if isinstance(self.class_weight, str):  # "balanced"
            return counts.sum() / (len(labels) * np.maximum(counts, 1))
        try:
            factors = compute_sample_weight(self.class_weight, labels)
        except (TypeError, ValueError) as error:
            words = f"class_weight must give a number to each class: {error}"
            raise self._error(words, "class_weight") from None
        if factors.min() < 0:
            raise self._error(
                f"class_weight must not be negative, got {shown(self.class_weight)}.",
                "class_weight",
            )
        return factors

    def _prepared(self, rows):
        """Return the settings of the cost, and the centered rows."""
        center, variances = rows.moments()
        spread = float(np.mean(variances))
        resolution = max(1e-15, 100.0 * np.finfo(rows.dtype).eps ** 2) * spread
        jitter = 0.0 if self._is_online else self._settings_of_solver.jitter
        settings = self._cost_settings(jitter**2 * spread)
        return settings._replace(resolution=resolution), rows.about(center)

    def _cost_settings(self, variance):
        """Return the settings of the cost, with the variance of the jitter."""
        return CostSettings(float(self._settings_of_solver.slope), variance)

    def _counts(self, n_samples):
        """Return the number of prototypes of each class, after a check."""
        wanted, labels = self.prototypes_per_class, self.classes_.tolist()
        if not isinstance(wanted, dict):
            wanted = dict.fromkeys(labels, wanted)
        known = set(labels)
        for label, count in wanted.items():
            if label not in known:
                raise self._error(
                    f"prototypes_per_class contains {label!r}, which is not among "
                    f"the classes {labels}.",
                    "prototypes_per_class",
                )
            if not whole(1).holds(count):
                raise self._error(
                    "prototypes_per_class must be a whole number of at least "
                    f"1, got {count!r} for class {label!r}.",
                    "prototypes_per_class",
                )
        counts = [int(wanted.get(label, 1)) for label in labels]
        if max(counts) > (most := max(MOST_PROTOTYPES, n_samples)):
            raise self._error(
                f"prototypes_per_class must be at most {most} for {n_samples} "
                f"samples, got {max(counts)}.",
                "prototypes_per_class",
            )
        return np.array(counts)

    def _layout(self, counts):
        """Return the class and the matrix of each prototype."""
        first = np.concatenate([[0], np.cumsum(counts)]).astype(np.intp)
        return Layout(first, self._groups(first))

    def _groups(self, first):
        return np.zeros(first[-1], dtype=np.intp)

    def _starts(self, rows, layout, rng):
        """Return the starting points to try, the default one first."""
        if self.warm_start:
            to_numpy_state(self)
        if self.warm_start and self._continues(layout, rows.shape[1], self.classes_):
            # Equal to the labels of the last fit, but maybe of another type.
            self.prototype_labels_ = self.classes_[layout.classes]
            return [self._fitted_variables(rows.center)]
        counts, init = np.diff(layout.first), self._resolved("prototype_init")
        W = initial_prototypes(rows, counts, init, rng)
        matrices = self._initial_matrices(rows, layout, rng)
        return [Variables(W, Omega, Psi) for Omega, Psi in matrices]

    def _continues(self, layout, N, labels):
        """Return whether the last fit had the same prototype layout and labels."""
        wanted, labels = (len(layout.group), N), labels[layout.classes]
        return self._shape("prototypes_") == wanted and np.array_equal(
            self.prototype_labels_, labels
        )

    def _shape(self, attribute):
        """Return the shape of a fitted array; None if there is no array."""
        return getattr(getattr(self, attribute, None), "shape", None)

    def _initial_matrices(self, rows, layout, rng):
        """Return the initial matrices (Omega, Psi) to try."""
        return [(None, None)]

    def _train(self, layout, rows, starts, settings, rng, validation):
        variables = starts[0]
        if len(starts) > 1:
            variables = best_start(self._form, layout, rows, starts, settings)
        iterations = int(self._resolved("max_iter"))
        bar = Progress.of(self, iterations)
        validate = self._validating(validation, rows, layout)

        def watch(trained):
            bar.state = partial(self._state, trained, layout, rows)
            if validate is not None:
                validate(trained.variables)

        problem = (self._form, layout, rows, variables, settings)
        on_step = watch if bar.watched or validate is not None else None
        common = {"max_iter": iterations, "progress": bar, "on_step": on_step}
        with bar:
            if not self._is_online:
                return train_lbfgs(*problem, tol=self.tol, **common)
            return train_sgd(
                *problem,
                partial(self._rates, self._settings_of_solver),
                early_stopping=self.early_stopping,
                rng=rng,
                **common,
            )

    def _validating(self, validation, rows, layout):
        """Return a function that appends the held-out accuracy to its curve."""
        if validation is None:
            return None
        if not isinstance(validation, tuple | list) or len(validation) != 2:
            raise ParameterError(
                type(self).__name__, "validation", validation, "a pair (X, y)"
            )
        X, y = validation
        check_in_memory(X, owner=type(self).__name__, name="validation")
        check = check_X if namespace_of(X) is None else check_array
        X = check(self, X, reset=False)
        if rows.on_device:
            X = rows.frame.array(X)
        measure, center = self._distances, rows.center
        classes = self._known_classes(as_numpy(y), X.shape[0])
        owner = layout.classes
        self.validation_curve_: list[float] = []

        def validate(variables):
            nearest = to_numpy(nearest_of_all(measure(X, center, variables, layout)))
            self.validation_curve_.append(float(np.mean(owner[nearest] == classes)))

        return validate

    def _rates(self, sgd, epoch):
        """Return the learning rates of an epoch of online training."""
        of_matrices = getattr(self, "matrix_learning_rate", 0.0)
        return sgd._rates(epoch, self.learning_rate, of_matrices)

    def _keep(self, trained, layout, rows):
        """Store the result of a fit, and its curves."""
        self._finish(trained.variables, layout, rows, self.classes_)
        self.loss_curve_ = trained.loss_curve
        self.accuracy_curve_ = trained.accuracy_curve
        self.n_iter_ = trained.n_iter

    def _state(self, trained, layout, rows):
        """Return the attributes of the model fitted so far, for callbacks."""
        model = copy.copy(self)
        model._keep(trained, layout, rows)
        return vars(model)

    def _finish(self, variables, layout, rows, labels):
        """Store the fitted attributes in the form that users see."""
        center = rows.center.astype(np.float64)
        self.prototypes_ = (variables.W + center).astype(rows.dtype)
        self.prototype_labels_ = labels[layout.classes]
        self._keep_matrices(variables, layout, rows)
        self.n_assigned_ = rows.added(_assigned, self)
        self._is_sample = rows.among(self.prototypes_)
        some = rows.thinned(ENOUGH)
        distances = self._metric().by_blocks(some.X, self._class_distances)
        self.temperature_ = fitted_temperature(
            class_scores(distances),
            np.searchsorted(self.classes_, labels)[to_numpy(some.codes)],
            some.given_weights,
        )

    def _keep_matrices(self, variables, layout, rows):
        """Store the learned metric; plain models have no metric to store."""

    def _fitted_variables(self, center):
        """Return the fitted variables, with prototypes relative to a center."""
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

        return PrototypeMetric(
            self._form.kind,
            self.prototypes_,
            is_squared=True,
            compared=lambda X: self._distances(X, center, variables, layout),
            shared=variables.Omega,
            local=variables.Psi,
            local_of=None if variables.Psi is None else layout.group,
            allow_nan=self.missing == "ignore",
        )

    def _distances(self, X, center, variables, layout):
        """Return the distances (b, l) of checked samples to all prototypes."""
        if namespace_of(X) is not None:
            from labelscape.prototypes.lvq._device import device_distances

            return device_distances(self._form, X, center, variables, layout)
        if self.missing == "ignore" and np.isnan(X).any():
            return distances_of_incomplete(self._form, X, center, variables, layout)
        return self._form.distances(X, center.astype(X.dtype), variables, layout)


def _assigned(rows, model):
    """Return the number of samples that are nearest to each prototype."""
    nearest = model._metric().by_blocks(rows.X, nearest_of_all)
    return counts_of(nearest, len(model.prototypes_))
