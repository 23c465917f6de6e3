r"""The cost of all samples with its gradient, and the two solvers.

.. math:: E = \sum_i \omega_i \Phi(\mu_i) - \theta \log\det(\Omega\Omega^T) + \dots

Samples are summed in blocks, so that only one block needs memory besides the data.

**Jitter** (not in the paper). Without jitter, the cost favors directions in which
training samples vary little by chance. With noise of variance s² added to every
feature, expected distances are ``E |Omega (x + noise - w)|^2 = d + s^2 |Omega|^2``: the
difference of two distances does not change, but their sum grows, so the denominator of
mu becomes ``d_J + d_K + 2 s^2 |Omega|^2``. With s = 0, it is the paper's cost.
"""

from dataclasses import replace
from functools import reduce
from operator import iadd
from typing import NamedTuple

import numpy as np

from labelscape._core.numerics import minimize_lbfgs
from labelscape._core.rows.rows import missing_patterns
from labelscape._core.threads import map_blocks, one_blas_thread, row_blocks
from labelscape.prototypes.lvq._forms import Variables
from labelscape.prototypes.lvq._matrices import normalized

# Small enough for a block to stay in the cache between its two matrix products.
BLOCK_BYTES = 2 * 2**20
# Maximum number of partial sums over samples; each has the size of the model.
PIECES = 64


class Terms(NamedTuple):
    """The constants in the cost of one sample: see `_batch_kernels`."""

    slope: float
    blur: float
    tiny: float


class CostSettings(NamedTuple):
    """The settings of the cost."""

    slope: float = 0.0  # slope of the logistic Phi, 0 for the identity
    variance: float = 0.0  # s², variance of the jitter
    # Distances below this, relative to the size of the metric, are treated as 0.
    resolution: float = 0.0
    # Strength of the penalties on Omega and on local matrices.
    theta: float = 0.0
    local_theta: float = 0.0
    normalize_local: bool = True  # whether each local matrix has norm 1

    def terms(self, variables):
        """Return the `Terms`; the blur is the term of the jitter in ``d_J + d_K``."""
        size = variables.metric_size()
        return Terms(self.slope, 2.0 * self.variance * size, self.tiny(size))

    def tiny(self, size):
        """Return the largest sum of distances that is only a rounding error (A9)."""
        return max(1e-300, self.resolution * size)

    def online(self, variables):
        """Return the settings that `_sgd_kernels` need, in one type for all models."""
        thetas = self.theta, self.local_theta
        tiny = self.tiny(variables.metric_size())
        return self.slope, tiny, *thetas, self.normalize_local


class CostPoint(NamedTuple):
    """Cost, share of correct decisions (weighted) and gradient."""

    cost: float
    accuracy: float
    gradient: Variables


def evaluate(form, layout, rows, variables, settings):
    """Return cost, accuracy and gradient of a model on labeled rows."""
    raw = variables
    if variables.Psi is not None and settings.normalize_local:
        norms = np.sqrt(np.einsum("gms,gms->g", raw.Psi, raw.Psi))[:, None, None]
        variables = raw._replace(Psi=raw.Psi / norms)
    terms = settings.terms(variables)

    cost, accuracy, blur_slope, (dW, dOmega, dPsi) = rows.added(
        summed_slopes, form, layout, variables, terms
    )
    if variables.Omega is not None:
        # The blur is 2 s^2 |Omega|^2; with local matrices of norm 1, ``share`` of that.
        share = 1.0 if variables.Psi is None else 1.0 / len(variables.Omega)
        blur_gradient = 4.0 * settings.variance * share * variables.Omega
        dOmega = dOmega + blur_slope * blur_gradient
        if settings.theta > 0.0:
            penalty, slope = log_det_penalty(variables.Omega)
            cost += settings.theta * penalty
            dOmega += settings.theta * slope
    if variables.Psi is not None:
        if settings.local_theta > 0.0:
            for local, matrix in enumerate(variables.Psi):
                penalty, slope = log_det_penalty(matrix)
                cost += settings.local_theta * penalty
                dPsi[local] += settings.local_theta * slope
        if settings.normalize_local:
            # The normalization cancels the gradient along Psi itself.
            along = np.einsum("gms,gms->g", dPsi, variables.Psi)[:, None, None]
            dPsi = (dPsi - along * variables.Psi) / norms
    return CostPoint(cost, accuracy, Variables(dW, dOmega, dPsi))


def summed_slopes(rows, form, layout, variables, terms):
    """Return the cost summed over samples and its gradient, without penalties."""
    given = rows, form, layout, variables, terms
    if rows.on_device:
        from labelscape.prototypes.lvq._device import device_slopes

        return device_slopes(*given)
    if rows.patterns is None:
        parts = [_slopes(*given)]
    else:
        parts = [_slopes_of_pattern(*given, *pattern) for pattern in rows.patterns]
    cost, correct, blur, *slopes = _added(parts)
    return cost, correct, blur, Variables(*slopes)


def measure(form, layout, rows, variables, settings):
    """Return cost and accuracy of a model on complete samples, without the gradient."""
    terms = settings.terms(variables)
    cost, accuracy = rows.added(_measured, form, layout, variables, terms)
    return float(cost), float(accuracy)


def _measured(rows, form, layout, variables, terms):
    def block(which):
        X = rows.block(which)
        return _slopes_of_block(rows, which, X, form, layout, variables, terms)[:2]

    blocks = row_blocks(len(rows), bytes_per_row(rows, variables), BLOCK_BYTES)
    return np.sum(map_blocks(block, blocks), axis=0)


def _slopes_of_block(rows, which, X, form, layout, variables, terms):
    codes, shares = rows.codes[which], rows.shares[which]
    return form.slopes(X, rows.center, variables, layout, codes, shares, terms)


def log_det_penalty(Omega):
    """Return ``-log det(Omega Omega^T) + M log |Omega|^2`` and its gradient (A8)."""
    # The second term makes the penalty independent of scale, like the cost.
    M = len(Omega)
    left, singular, right = np.linalg.svd(Omega, full_matrices=False)
    # The loss of a rank has infinite cost; the floor keeps the line search finite.
    singular = np.maximum(singular, 1e-12 * max(singular[0], 1e-150))
    squared = np.sum(singular**2)
    penalty = -2.0 * np.log(singular).sum() + M * np.log(squared)
    gradient = -2.0 * (left / singular) @ right + 2.0 * M * Omega / squared
    return float(penalty), gradient


def _slopes(rows, form, layout, variables, terms):
    """Return the sums of cost, correct, blur and slopes over blocks of samples."""
    take = rows.part if form.takes_sparse else rows.block
    size = bytes_per_row(rows, variables, form.takes_sparse)

    def block(which):
        codes, shares = rows.codes[which], rows.shares[which]
        model = variables, layout, codes, shares, terms
        return form.sums(take(which), rows.center, *model)

    def piece(which):
        blocks = row_blocks(which.stop - which.start, size, BLOCK_BYTES)
        starts = [which.start + one.start for one in blocks]
        return _added(map(block, map(slice, starts, [*starts[1:], which.stop])))

    budget = max(BLOCK_BYTES, -(-len(rows) * size // PIECES))
    sums = _added(map_blocks(piece, row_blocks(len(rows), size, budget)))
    return *sums[:3], *form.gradient(sums, variables)


def _slopes_of_pattern(rows, form, layout, variables, terms, which, columns):
    """Return cost and gradient of samples that have the same features missing."""
    # mu compares two distances of one sample, so the factor for its missing features
    # cancels: omit those features, and reduce the blur by their share.
    share = len(columns) / rows.shape[1]
    some = rows.chosen(which)
    observed = replace(
        some,
        X=np.ascontiguousarray(some.X[:, columns]),
        center=rows.center[columns],
        allow_nan=False,
    )
    terms = terms._replace(blur=share * terms.blur)
    cost, correct, blur, *slopes = _slopes(
        observed, form, layout, restricted(variables, columns), terms
    )
    return cost, correct, share * blur, *spread_out(slopes, variables, columns)


def _added(parts):
    """Return the sum of tuples of numbers and arrays, added in order."""

    def add(a, b):
        return [None if x is None else iadd(x, y) for x, y in zip(a, b, strict=True)]

    return reduce(add, parts)


def bytes_per_row(rows, variables, takes_sparse=False):
    """Return the bytes of memory that an evaluation needs per sample."""
    width = len(variables.W)
    if not takes_sparse:
        width += 3 * rows.shape[1]
    elif rows.is_sparse:
        width += len(variables.Omega)
    else:
        width += len(variables.Omega) + rows.shape[1]
    if variables.Psi is not None:
        width += variables.Psi.shape[0] * variables.Psi.shape[1]
    return width * rows.dtype.itemsize


# Samples with missing values: distances over the observed features.


def restricted(variables, columns):
    """Return the variables restricted to some features."""
    Omega, Psi = variables.Omega, variables.Psi
    if Omega is not None:
        Omega = np.ascontiguousarray(Omega[..., columns])
    elif Psi is not None:
        Psi = np.ascontiguousarray(Psi[..., columns])
    return Variables(np.ascontiguousarray(variables.W[:, columns]), Omega, Psi)


def spread_out(gradient, variables, columns):
    """Return the gradient for all features: 0 for those outside ``columns``."""
    parts = []
    for variable, slope in zip(variables, gradient, strict=True):
        if variable is not None and slope.shape != variable.shape:
            of_some, slope = slope, np.zeros(variable.shape)
            slope[..., columns] = of_some
        parts.append(slope)
    return Variables(*parts)


def distances_of_incomplete(form, X, center, variables, layout):
    """Return distances over observed features, increased for the missing features."""
    D = np.empty((len(X), len(variables.W)), dtype=X.dtype)
    for rows, columns in missing_patterns(X) or [(slice(None), slice(None))]:
        part = np.ascontiguousarray(X[rows][:, columns])
        known = center[columns].astype(X.dtype), restricted(variables, columns)
        D[rows] = form.distances(part, *known, layout) * (X.shape[1] / part.shape[1])
    return D


# A few iterations on some samples show which of several starts is best.
TRIAL_ITERATIONS, TRIAL_SAMPLES = 25, 5000


class Trained(NamedTuple):
    """Result of a solver, with cost and accuracy after each iteration."""

    variables: Variables
    loss_curve: list[float]
    accuracy_curve: list[float]
    n_iter: int


def train_lbfgs(
    form, layout, rows, variables, settings, *, max_iter, tol, progress, on_step=None
):
    """Minimize the cost of all samples, which does not depend on the norm of Omega."""
    losses, accuracies = [], []
    latest = {}

    def objective(vector):
        point = evaluate(form, layout, rows, variables.unpacked(vector), settings)
        # L-BFGS reports a point that it evaluated last or a few steps ago.
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


def best_start(form, layout, rows, starts, settings):
    """Return the start with the lowest cost after a few iterations on some samples."""
    sample = rows.every(TRIAL_SAMPLES)

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
    rows,
    variables,
    settings,
    rates,
    *,
    max_iter,
    early_stopping,
    rng,
    progress,
    on_step=None,
):
    """Train with one sample at a time; each epoch has a new random order."""
    losses, accuracies = [], []
    best, best_key, best_epoch = variables, (-np.inf, -np.inf), 0
    variables = variables.copied()
    for epoch in range(1, max_iter + 1):
        variables = rows.once_each(
            _epoch, variables, rng, form, layout, settings, len(rows), rates(epoch)
        )
        cost, accuracy = measure(form, layout, rows, variables, settings)
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


def gradient_step(form, layout, rows, variables, settings, rates):
    """Return the variables after one online step, and the cost before the step."""
    point = evaluate(form, layout, rows, variables, settings)
    n = len(rows)
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


def _epoch(rows, variables, order, form, layout, settings, n_samples, rates):
    # One memory layout, because compiling loops for another one takes seconds.
    X = np.require(rows.X, requirements=["C", "W"])
    samples = (X, rows.center, rows.codes, order, rows.shares * n_samples)
    with one_blas_thread():
        WT, norm = form.epoch(samples, variables, layout, settings, rates)
    trained = variables._replace(W=np.ascontiguousarray(WT.T))
    _check_finite(trained, norm)
    return trained


def _check_finite(variables, norm):
    if norm > 1e-150 and all(
        np.isfinite(part).all() for part in variables if part is not None
    ):
        return
    raise FloatingPointError(
        "Training diverged: a matrix became "
        f"{'zero' if norm <= 1e-150 else 'infinite'}. Lower learning_rate and "
        "matrix_learning_rate, and scale the features (StandardScaler)."
    )
