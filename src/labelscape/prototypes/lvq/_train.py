"""The two ways to train: the paper's online schedule, and L-BFGS on the whole cost."""

from typing import NamedTuple

import numpy as np

from labelscape._core.optimize import decayed, minimize_lbfgs
from labelscape._core.threads import one_blas_thread
from labelscape.prototypes.lvq._forms import Variables
from labelscape.prototypes.lvq._initial import normalized
from labelscape.prototypes.lvq._objective import evaluate, measure

# Which of several starts is best shows early, and on a part of the objects.
TRIAL_ITERATIONS, TRIAL_OBJECTS = 25, 5000


class Rates(NamedTuple):
    """How far prototypes and matrices move in one epoch; whether steps are capped."""

    prototypes: float
    matrices: float
    local: float
    clip: bool


class Schedule(NamedTuple):
    """Rates of the online training (eqs. 18 and 19).

    rate, matrix_rate : rates of prototypes and of matrices when these begin to learn.
    decay : both fall as ``1 / (1 + t decay)``.
    matrix_epoch : epoch in which matrices begin to learn, t_M.
    clip : whether steps are capped.
    matrix_decay : how matrices' rates fall, None: as those of prototypes.
    local_rate, local_decay : those of local matrices, None: as of the shared one.
    """

    rate: float
    matrix_rate: float
    decay: float
    matrix_epoch: int
    clip: bool
    matrix_decay: float | None = None
    local_rate: float | None = None
    local_decay: float | None = None

    def at(self, epoch):
        """Return the rates of an epoch, counted from 1."""
        matrix_decay = _first(self.matrix_decay, self.decay)
        local_rate = _first(self.local_rate, self.matrix_rate)
        local_decay = _first(self.local_decay, matrix_decay)
        return Rates(
            decayed(self.rate, self.decay, epoch - 1),
            self._of_matrices(self.matrix_rate, matrix_decay, epoch),
            self._of_matrices(local_rate, local_decay, epoch),
            self.clip,
        )

    def _of_matrices(self, rate, decay, epoch):
        waited = epoch - self.matrix_epoch
        return decayed(rate, decay, waited) if waited >= 0 else 0.0


def _first(value, otherwise):
    return otherwise if value is None else value


class Trained(NamedTuple):
    """What a solver found, with cost and accuracy after each iteration."""

    variables: Variables
    loss_curve: list
    accuracy_curve: list
    n_iter: int


def train_lbfgs(
    form, layout, data, variables, settings, *, max_iter, tol, progress, on_step=None
):
    """Minimise the whole cost. Omega's length is free: the cost is blind to it."""
    losses, accuracies = [], []
    latest = {}

    def objective(vector):
        point = evaluate(form, layout, data, variables.unpacked(vector), settings)
        # L-BFGS reports a point that it has evaluated last or a few steps ago.
        latest[point.cost] = point.accuracy
        return point.cost, point.gradient.packed()

    def after(vector, cost):
        accuracy = latest.get(cost, np.nan)
        latest.clear()
        losses.append(cost)
        accuracies.append(accuracy)
        if on_step is not None:
            latest_variables = variables.unpacked(vector)
            if latest_variables.Psi is not None and settings.normalize_local:
                Psi = normalized(latest_variables.Psi)
                latest_variables = latest_variables._replace(Psi=Psi)
            on_step(Trained(latest_variables, losses[:], accuracies[:], len(losses)))
        return progress.step(iteration=len(losses), loss=cost, accuracy=accuracy)

    with one_blas_thread():
        start = variables.packed()
        minimum = minimize_lbfgs(
            objective, start, max_iter=max_iter, tol=tol, on_iteration=after
        )
    if not losses:  # the start is a minimum already
        after(minimum.x, minimum.value)
    return Trained(variables.unpacked(minimum.x), losses, accuracies, len(losses))


def best_start(form, layout, data, starts, settings):
    """Return the most promising of several starts.

    Each gets a few iterations on a part of the objects; the lowest cost wins.
    """
    sample = data.every(TRIAL_OBJECTS)

    def objective(vector):
        point = evaluate(form, layout, sample, starts[0].unpacked(vector), settings)
        return point.cost, point.gradient.packed()

    with one_blas_thread():
        tried = [
            minimize_lbfgs(objective, start.packed(), max_iter=TRIAL_ITERATIONS)
            for start in starts
        ]
    best = min(range(len(tried)), key=lambda k: tried[k].value)
    return starts[0].unpacked(tried[best].x)


def train_sgd(
    form,
    layout,
    data,
    variables,
    settings,
    schedule,
    *,
    max_iter,
    early_stopping,
    rng,
    progress,
    on_step=None,
):
    """Train with one object at a time, each once per epoch in a fresh random order.

    ``early_stopping``: "best" runs all epochs and returns the one with the highest
    training accuracy (ties: the lower cost), a number stops after so many epochs
    without a better one, "none" returns the last.
    """
    losses, accuracies = [], []
    best, best_key, best_epoch = variables, (-np.inf, -np.inf), 0
    variables = variables.copied()
    for epoch in range(1, max_iter + 1):
        variables = data.once_each(
            _epoch,
            variables,
            rng,
            form,
            layout,
            settings,
            len(data.X),
            schedule.at(epoch),
        )
        cost, accuracy = measure(form, layout, data, variables, settings)
        losses.append(cost)
        accuracies.append(accuracy)
        if on_step is not None:
            on_step(Trained(variables, losses[:], accuracies[:], epoch))
        key = (accuracy, -cost)
        if early_stopping == "none" or key > best_key:
            best, best_key, best_epoch = variables.copied(), key, epoch
        stop = progress.step(epoch, cost, epoch=epoch, accuracy=accuracy)
        waited = epoch - best_epoch
        if stop or (not isinstance(early_stopping, str) and waited >= early_stopping):
            break
    return Trained(best, losses, accuracies, epoch)


def gradient_step(form, layout, data, variables, settings, rates):
    """Take one step along the summed gradient of a small batch of objects.

    The step of the online rule, for several objects at once. Returns the new
    variables and the evaluation at the old ones.
    """
    point = evaluate(form, layout, data, variables, settings)
    n = len(data.X)
    W = variables.W - rates.prototypes * n * point.gradient.W
    Omega, Psi = variables.Omega, variables.Psi
    if Omega is not None:
        Omega = normalized(Omega - rates.matrices * n * point.gradient.Omega)
    if Psi is not None:
        Psi = Psi - rates.local * n * point.gradient.Psi
        if settings.normalize_local:
            Psi = normalized(Psi)
    stepped = Variables(W, Omega, Psi)
    _check_finite(stepped, 1.0)
    return stepped, point


def _epoch(data, variables, order, form, layout, settings, n_objects, rates):
    # One layout for the compiled loops: each other would be compiled anew, in seconds.
    X = np.require(data.X, requirements=["C", "W"])
    weights = data.weights * n_objects
    sequence = (X, data.center, data.classes, order, weights)
    with one_blas_thread():
        WT, norm = form.epoch(sequence, variables, layout, settings, rates)
    trained = variables._replace(W=np.ascontiguousarray(WT.T))
    _check_finite(trained, norm)
    return trained


def _check_finite(variables, norm):
    if norm > 1e-150 and all(
        np.isfinite(part).all() for part in variables if part is not None
    ):
        return
    raise FloatingPointError(
        "Training left the range of numbers: a matrix became "
        f"{'zero' if norm <= 1e-150 else 'infinite'}. Lower learning_rate and "
        "matrix_learning_rate, and bring the features to one scale (StandardScaler)."
    )
