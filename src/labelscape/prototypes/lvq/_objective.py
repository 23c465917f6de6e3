r"""The cost of a whole training set, with its gradient: what L-BFGS minimises.

.. math:: E = \sum_i \omega_i \Phi(\mu_i) - \theta \log\det(\Omega\Omega^T) + \dots

Objects are taken in blocks, so the memory needed beside the data is that of a block.

**Jitter** (ours). A cost that only sees the training objects rewards a matrix for
resting on directions in which they happen to vary little. Objects blurred by noise of
variance s² in every feature have the expected distances
``E |Omega (x + noise - w)|^2 = d + s^2 |Omega|^2``: the difference of two distances
stays what it is and their sum grows, so the denominator of mu becomes
``d_J + d_K + 2 s^2 |Omega|^2``. With s = 0 it is the paper's cost.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.points.array_objects import ArrayObjects
from labelscape._core.points.sparse_objects import SparseObjects, chosen
from labelscape._core.threads import map_blocks, row_blocks
from labelscape.prototypes.lvq._forms import Variables
from labelscape.prototypes.lvq._initial import class_scatters, first_prototypes
from labelscape.prototypes.lvq.arrays.slopes import array_slopes

# Small enough for a block to stay in the cache between its two matrix products.
BLOCK_BYTES = 2 * 2**20


class Terms(NamedTuple):
    """The numbers in the cost of one object: see `_batch_kernels`."""

    slope: float
    blur: float
    tiny: float


class CostSettings(NamedTuple):
    """What the cost is made of besides the data.

    slope : slope of the logistic Phi, 0 for the identity.
    variance : s², variance of the jitter.
    resolution : distances below this, times the size of the metric, count as 0.
    theta, local_theta : strength of the penalties on Omega and on local matrices.
    normalize_local : whether each local matrix is kept at norm 1.
    """

    slope: float = 0.0
    variance: float = 0.0
    resolution: float = 0.0
    theta: float = 0.0
    local_theta: float = 0.0
    normalize_local: bool = True

    def terms(self, variables):
        """Return what the cost of an object depends on besides its distances.

        The blur is ``2 s^2 |Omega|^2``, what jitter adds to ``d_J + d_K``.
        """
        blur = 2.0 * self.variance * variables.metric_size()
        return Terms(self.slope, blur, self.tiny(variables))

    def tiny(self, variables):
        """Return which sum of distances is nothing but rounding (A9)."""
        return max(1e-300, self.resolution * variables.metric_size())


class TrainingSet(NamedTuple):
    """Objects, their centre, class indices, and weights that add up to 1.

    patterns : None, or a list of (rows, columns): objects grouped by which features
        they have, where some are missing.
    is_chunk : whether there are more objects than these, as in a stream. Then nothing
        is known about which features are constant.

    Its methods are what training asks of objects; those of a `ChunkedSet` and of an
    `ArraySet` are alike.
    """

    X: np.ndarray
    center: np.ndarray
    classes: np.ndarray
    weights: np.ndarray
    patterns: list | None = None
    is_chunk: bool = False

    def added(self, function, *model):
        """Return the sum of a function over all objects, of which it gets a set."""
        return function(self, *model)

    def once_each(self, step, variables, rng, *model):
        """Return variables after a step with each object, in a random order."""
        return step(self, variables, rng.permutation(len(self.X)), *model)

    def gathered(self):
        """Return a set of the same objects in NumPy's arrays: this one."""
        return self

    def thinned(self, most):
        """Return a set of at most so many objects, evenly spread over this one."""
        rows = slice(None, None, -(-len(self.X) // most))
        return self._replace(
            X=_compact(chosen(self.X, rows)),
            classes=self.classes[rows],
            weights=self.weights[rows],
            patterns=None if self.patterns is None else missing_patterns(self.X[rows]),
        )

    def weights_of(self, thinned, weights, most):
        """Return the weights that were given to objects of a thinned set."""
        return weights[:: -(-len(self.X) // most)]

    def largest(self):
        """Return the size of each feature, None: as these objects have it."""
        return

    def every(self, most):
        """Return the same, with weights that add up to 1."""
        some = self.thinned(most)
        return some._replace(weights=some.weights / some.weights.sum())

    def class_sizes(self, n_classes):
        """Return how many objects each class has."""
        return np.bincount(self.classes, minlength=n_classes)

    def first_prototypes(self, init, counts, rng):
        """Return prototypes of all classes as they start, "random" or "kmeans"."""
        return first_prototypes(self, init, counts, rng)

    def scatters(self, n_classes):
        """Return class means, class shares and the within-class covariance."""
        return class_scatters(self, n_classes)


def _compact(X):
    return X if isinstance(X, SparseObjects) else np.ascontiguousarray(X)


class Evaluation(NamedTuple):
    """Cost, share of correct decisions (weighted) and gradient."""

    cost: float
    accuracy: float
    gradient: Variables


def evaluate(form, layout, data, variables, settings):
    """Return cost, accuracy and gradient of a model on a training set."""
    raw = variables
    if variables.Psi is not None and settings.normalize_local:
        norms = np.sqrt(np.einsum("gms,gms->g", raw.Psi, raw.Psi))[:, None, None]
        variables = raw._replace(Psi=raw.Psi / norms)
    terms = settings.terms(variables)

    cost, accuracy, blur_slope, (dW, dOmega, dPsi) = data.added(
        summed_slopes, form, layout, variables, terms
    )
    if variables.Omega is not None:
        dOmega = dOmega + blur_slope * blur_gradient(variables, settings.variance)
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
            # The slope along Psi itself is undone by the normalisation.
            along = np.einsum("gms,gms->g", dPsi, variables.Psi)[:, None, None]
            dPsi = (dPsi - along * variables.Psi) / norms
    return Evaluation(cost, accuracy, Variables(dW, dOmega, dPsi))


def summed_slopes(data, form, layout, variables, terms):
    """Return what objects add to the cost and to its gradient, without penalties."""
    if isinstance(data.X, ArrayObjects):
        return array_slopes(data, form, layout, variables, terms)
    if data.patterns is None:
        return _slopes(form, layout, data, variables, terms)
    return _added(
        [
            _slopes_of_pattern(form, layout, data, variables, terms, *pattern)
            for pattern in data.patterns
        ]
    )


def measure(form, layout, data, variables, settings):
    """Return cost and accuracy of a model on complete objects, without the gradient."""
    terms = settings.terms(variables)
    cost, accuracy = data.added(_measured, form, layout, variables, terms)
    return float(cost), float(accuracy)


def _measured(data, form, layout, variables, terms):
    def block(rows):
        return form.slopes(
            data.X[rows],
            data.center,
            variables,
            layout,
            data.classes[rows],
            data.weights[rows],
            terms,
        )[:2]

    blocks = row_blocks(len(data.X), bytes_per_row(data.X, variables), BLOCK_BYTES)
    return np.sum(map_blocks(block, blocks), axis=0)


def blur_gradient(variables, variance):
    """Return the slope of the blur ``2 s^2 |Omega|^2`` along Omega."""
    share = 1.0 if variables.Psi is None else 1.0 / len(variables.Omega)
    return 4.0 * variance * share * variables.Omega


def log_det_penalty(Omega):
    """Return ``-log det(Omega Omega^T) + M log |Omega|^2`` and its gradient (A8).

    The second term makes the penalty free of scale, like the cost. Half of what
    Schneider et al. (2010) write: theirs is ``theta / 2``.
    """
    M = len(Omega)
    left, singular, right = np.linalg.svd(Omega, full_matrices=False)
    # A lost rank is infinitely bad; the floor keeps the line search in numbers.
    singular = np.maximum(singular, 1e-12 * max(singular[0], 1e-150))
    squared = np.sum(singular**2)
    penalty = -2.0 * np.log(singular).sum() + M * np.log(squared)
    gradient = -2.0 * (left / singular) @ right + 2.0 * M * Omega / squared
    return float(penalty), gradient


class _Part(NamedTuple):
    cost: float
    correct: float
    blur: float
    gradient: Variables


def _slopes(form, layout, data, variables, terms):
    """Return cost and gradient of complete objects, summed over blocks."""
    sparse = form.takes_sparse and isinstance(data.X, SparseObjects)

    def block(rows):
        X = data.X.part(rows) if sparse else data.X[rows]
        slopes = form.slopes(
            X,
            data.center,
            variables,
            layout,
            data.classes[rows],
            data.weights[rows],
            terms,
        )
        of_objects = form.of_objects(slopes.A, X, data.center)
        gradient = Variables(
            form.pull_back(slopes.E, variables),
            form.matrix_slope(of_objects, slopes.E, variables.W),
            slopes.Psi,
        )
        return _Part(slopes.cost, slopes.correct, slopes.blur, gradient)

    size = bytes_per_row(data.X, variables, sparse)
    return _added(map_blocks(block, row_blocks(len(data.X), size, BLOCK_BYTES)))


def _slopes_of_pattern(form, layout, data, variables, terms, rows, columns):
    """Return cost and gradient of objects that have the same features missing.

    mu compares two distances of one object, so the factor that makes up for its missing
    features cancels: it is enough to leave those features out, and to take their share
    off the blur.
    """
    share = len(columns) / data.X.shape[1]
    observed = data._replace(
        X=np.ascontiguousarray(data.X[np.ix_(rows, columns)]),
        center=data.center[columns],
        classes=data.classes[rows],
        weights=data.weights[rows],
    )
    terms = terms._replace(blur=share * terms.blur)
    part = _slopes(form, layout, observed, restricted(variables, columns), terms)
    return part._replace(
        blur=share * part.blur, gradient=spread_out(part.gradient, variables, columns)
    )


def _added(parts):
    """Return the sum of parts, added up in their order."""
    costs, corrects, blurs, gradients = zip(*parts, strict=True)
    gradient = Variables(
        *(
            None if slopes[0] is None else sum(slopes)
            for slopes in zip(*gradients, strict=True)
        )
    )
    return _Part(sum(costs), sum(corrects), sum(blurs), gradient)


def bytes_per_row(X, variables, sparse=False):
    """Return the size of what one object needs during an evaluation."""
    width = (len(variables.Omega) if sparse else 3 * X.shape[1]) + len(variables.W)
    if variables.Psi is not None:
        width += variables.Psi.shape[0] * variables.Psi.shape[1]
    return width * X.itemsize


# Objects with missing values: distances over the features that they have.


def missing_patterns(X):
    """Return (rows, columns) of each group of objects, None if nothing is missing."""
    observed = ~np.isnan(X)
    if observed.all():
        return None
    masks, pattern = np.unique(observed, axis=0, return_inverse=True)
    if not masks.any(axis=1).all():
        row = int(np.flatnonzero(~observed.any(axis=1))[0])
        raise ValueError(
            f"Object {row} has no value at all: every feature is missing. Leave it out."
        )
    return [
        (np.flatnonzero(pattern == index), np.flatnonzero(mask))
        for index, mask in enumerate(masks)
    ]


def restricted(variables, columns):
    """Return the variables that concern some of the features only."""
    Omega, Psi = variables.Omega, variables.Psi
    if Omega is not None:
        Omega = np.ascontiguousarray(Omega[..., columns])
    elif Psi is not None:
        Psi = np.ascontiguousarray(Psi[..., columns])
    return Variables(np.ascontiguousarray(variables.W[:, columns]), Omega, Psi)


def spread_out(gradient, variables, columns):
    """Return a gradient over some of the features as one over all, 0 elsewhere."""
    parts = []
    for whole, piece in zip(variables, gradient, strict=True):
        if whole is None or piece.shape == whole.shape:
            parts.append(piece)
            continue
        full = np.zeros(whole.shape)
        full[..., columns] = piece
        parts.append(full)
    return Variables(*parts)


def distances_of_incomplete(form, X, center, variables, layout):
    """Return distances over the observed features, scaled up for the missing ones."""
    D = np.empty((len(X), len(variables.W)), dtype=X.dtype)
    for rows, columns in missing_patterns(X) or [(slice(None), slice(None))]:
        part = np.ascontiguousarray(X[rows][:, columns])
        observed = form.distances(
            part,
            center[columns].astype(X.dtype),
            restricted(variables, columns),
            layout,
        )
        D[rows] = observed * (X.shape[1] / part.shape[1])
    return D
