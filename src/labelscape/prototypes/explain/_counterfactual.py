"""The smallest change of a sample that flips a nearest-prototype prediction.

The change moves the sample x into the region of other classes: to a point where some
*winner* (a prototype of another class, or of the target class) is at least as near as
every *rival* (prototype of the remaining classes). With a global metric, d_P(z) =
|Omega (z - P)|^2, the points where one winner P2 beats all rivals are a
polyhedron:

    cell(P2) = { z : a_P^T z <= b_P for all rivals P },   a_P = 2 Lambda (P - P2)

P2 need not beat the other winners: cells may overlap, and their union is the region of
the other classes. With one prototype per class, the change is a projection onto a
half-space.

In this file, t = (z - x) / scale on the features that may change. The length of t is
minimized, and a cell is ``A t <= -h`` with ``h_P = d_P2(x) - d_P(x)``, which is
positive if P is nearer than P2.
"""

from typing import NamedTuple

import numpy as np

from labelscape._core.checks import numbers_argument, numbers_in
from labelscape._core.errors import InputError, ParameterError
from labelscape._core.params import HUGE, TINY
from labelscape.prototypes.explain._polyhedron import ROUNDING, nearest_in_polyhedron


class Change(NamedTuple):
    """A changed sample that is predicted as another class."""

    point: np.ndarray
    distance: float  # length of the change, in units of ``scale``
    exact: bool  # whether no smaller one exists


class Moves(NamedTuple):
    """The allowed changes: t between ``low`` and ``high`` on the free features."""

    x: np.ndarray
    free: np.ndarray
    scale: np.ndarray
    low: np.ndarray
    high: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def point(self, t):
        """Return x moved by t, clipped to the limits."""
        z = np.empty((*np.shape(t)[:-1], len(self.x)))
        z[...] = self.x
        moved = z[..., self.free] + self.scale * t
        z[..., self.free] = np.clip(moved, self.lower, self.upper)
        return z

    def move(self, z):
        """Return the allowed part of the move to z."""
        t = (z[..., self.free] - self.x[self.free]) / self.scale
        return np.clip(t, self.low, self.high)


class Cell(NamedTuple):
    """Planes between a winner and its rivals, with normals of unit length."""

    rivals: np.ndarray  # (m,) rivals whose plane has a nonzero normal
    lengths: np.ndarray  # (m,) lengths of the normals before division
    h: np.ndarray  # (m,) distance of x from each plane, negative on the winner's side

    @property
    def bound(self):
        """Distance to the farthest plane, a lower bound of the distance to the cell."""
        return self.h.max(initial=0.0)


def smallest_change(
    x,
    prototypes,
    prototype_classes,
    *,
    own,
    classify,
    Omega=None,
    target=None,
    cutoff=np.inf,
    **limits,
):
    """Return the smallest change that flips a prediction, for a global metric."""
    x, prototypes = np.asarray(x, float), np.asarray(prototypes, float)
    moves = allowed_moves(x, **limits)
    winners, rivals = sides(prototype_classes, own, target)
    if moves is None or not len(winners):
        return None

    E, slopes = images_and_slopes(x, prototypes, Omega)
    slopes = slopes[:, moves.free] * moves.scale
    # Rounding errors of a coefficient that should be 0.
    sizes = None if Omega is None else np.abs(Omega)
    largest = 2.0 * _times(np.abs(E).max(axis=0), sizes)
    noise = ROUNDING * np.linalg.norm(largest[moves.free] * moves.scale)
    span = np.linalg.norm((prototypes - x)[:, moves.free] / moves.scale, axis=1).max()
    cells = [_cell(winner, rivals, slopes, noise, E) for winner in winners]
    bounds = np.array([np.inf if cell is None else cell.bound for cell in cells])

    # A winner that differs from a rival by rounding only may still win in some regions.
    is_distinct = not any(
        cell is None and _is_blurred(winner, rivals, slopes, noise, E)
        for winner, cell in zip(winners, cells, strict=True)
    )

    best = None
    for k in np.argsort(bounds, kind="stable"):
        cutoff = cutoff if best is None else best.distance
        if bounds[k] >= cutoff:
            break
        cell = cells[k]
        A = (slopes[cell.rivals] - slopes[winners[k]]) / cell.lengths[:, None]
        ties_lost = cell.rivals < winners[k]
        z, sure = _enter(
            A, cell.h, ties_lost, moves, span, cutoff, classify, own, target
        )
        if z is not None and _length(z, moves) < cutoff:
            best = Change(z, _length(z, moves), sure and is_distinct)
    return best


def smallest_change_local(
    x,
    prototypes,
    prototype_classes,
    slopes,
    *,
    own,
    classify,
    target=None,
    n_starts=5,
    max_iter=50,
    **limits,
):
    """Return a locally smallest change that flips the prediction, or None."""
    # If each prototype has its own metric, borders are quadrics. The search starts
    # where straight lines from x cross the border: toward the winners, and toward the
    # foot points of a few linearized problems. From each of the n_starts nearest
    # crossings, these steps are repeated: linearize all borders of the winner there,
    # project x onto the resulting polyhedron, and accept the crossing on the line to
    # this projection if it is nearer.
    x, prototypes = np.asarray(x, float), np.asarray(prototypes, float)
    moves = allowed_moves(x, **limits)
    winners, rivals = sides(prototype_classes, own, target)
    if moves is None or not len(winners):
        return None

    def flips(T):
        return flips_of(classify, moves.point(T), own, target)

    def foot(t, winner):
        """Return the move to the winner's cell, with borders linearized at t."""
        d, slope = slopes(moves.point(t))
        A = (slope[winner] - slope[rivals])[:, moves.free] * moves.scale
        t, _ = nearest_in_polyhedron(
            A, d[winner] - d[rivals] - A @ t, moves.low, moves.high
        )
        return t

    origin = moves.move(x)  # x itself, unless the limits exclude it
    if flips(origin[None])[0]:  # then the limits alone flip the prediction
        ends = [origin]
    else:
        ends = list(moves.move(prototypes[winners]))
        for winner in winners:
            t = origin
            for _ in range(3):
                t = foot(t, winner)
                if t is None:
                    break
                ends.append(t)
    starts = [_crossing(origin, end, 1.25, flips) for end in ends]
    if not any(t is not None for t in starts):  # no winner is nearest anywhere
        starts = [_crossing(origin, end, 1.0, flips) for end in _far(moves, ends)]
    starts = sorted((t for t in starts if t is not None), key=np.linalg.norm)

    best = None
    for t in starts[:n_starts]:
        for _ in range(max_iter):
            d = slopes(moves.point(t))[0]
            end = foot(t, winners[d[winners].argmin()])
            nearer = None if end is None else _nearer(origin, t, end, flips)
            if nearer is None:
                break
            t = nearer
        if best is None or np.linalg.norm(t) < np.linalg.norm(best):
            best = t
    if best is None:
        return None
    z = moves.point(best)
    return Change(z, _length(z, moves), False)


def images_and_slopes(x, prototypes, Omega=None):
    """Return images ``Omega (P - x)``, and negative gradients of their squares."""
    E = _times(prototypes - x, None if Omega is None else np.transpose(Omega))
    return E, 2.0 * _times(E, Omega)


def sides(prototype_classes, own, target=None):
    """Return the indices of the winners and the rivals (see the top of this file)."""
    prototype_classes = np.asarray(prototype_classes)
    if target is None:
        wins = prototype_classes != own
    elif target == own:
        raise ValueError(
            f"The sample is already in the target class {target}. Pass another target."
        )
    else:
        wins = prototype_classes == target
    return np.flatnonzero(wins), np.flatnonzero(~wins)


def allowed_moves(x, fixed=None, lower=None, upper=None, scale=None):
    """Return the allowed `Moves` of x; None if a fixed feature is outside a limit."""
    n_features = len(x)
    free = np.ones(n_features, dtype=bool)
    if fixed is not None:
        free[_indices(fixed, n_features)] = False
    lower = _per_feature("lower", -np.inf if lower is None else lower, n_features)
    upper = _per_feature("upper", np.inf if upper is None else upper, n_features)
    if not (lower <= upper).all():
        j = int(np.argmin(lower <= upper))
        raise InputError(
            f"The lower limit of a feature must not be above its upper limit, got "
            f"{lower[j]} and {upper[j]} for feature {j}.",
            parameter="lower",
        )
    has_room = (lower < np.inf) & (upper > -np.inf)
    if not has_room.all():
        j = int(np.argmin(has_room))
        raise InputError(
            f"The limits of a feature must allow a finite value, got {lower[j]} and "
            f"{upper[j]} for feature {j}. If there is no limit, omit lower and upper.",
            parameter="lower" if lower[j] == np.inf else "upper",
        )
    scale = _per_feature("scale", 1.0 if scale is None else scale, n_features)
    is_unit = np.isfinite(scale) & (scale > TINY)
    if not is_unit.all():
        j = int(np.argmin(is_unit))
        raise InputError(
            f"scale must be finite and above {TINY:g} for each feature, got "
            f"{scale[j]} for feature {j}. For a constant feature, use 1.",
            parameter="scale",
        )
    if ((x < lower) | (x > upper))[~free].any():
        return None
    s, lower, upper = scale[free], lower[free], upper[free]
    return Moves(x, free, s, (lower - x[free]) / s, (upper - x[free]) / s, lower, upper)


def _indices(fixed, n_features):
    """Return a mask of fixed features, given as a mask or as valid indices."""
    with numbers_in(fixed, owner="explain", name="fixed"):
        fixed = np.asarray(fixed)
    if not fixed.size:
        return []
    if fixed.dtype == bool:
        fits = fixed.shape == (n_features,)
    else:
        fits = fixed.dtype.kind in "iu" and ((fixed >= 0) & (fixed < n_features)).all()
    if not fits:
        raise InputError(
            f"fixed must contain {n_features} values that are True or False, or "
            f"indices of features from 0 to {n_features - 1}, got {fixed.tolist()}.",
            parameter="fixed",
        )
    return fixed


def _per_feature(name, values, n_features):
    """Return one number per feature, from an array or from one number for all."""
    is_one = np.isscalar(values) or getattr(values, "ndim", 1) == 0
    values = numbers_argument("explain", name, [values] if is_one else values)
    if not is_one and values.shape != (n_features,):
        raise InputError(
            f"{name} must be one number, or one for each of the {n_features} features, "
            f"got an array of shape {values.shape}.",
            parameter=name,
        )
    if (extreme := np.isfinite(values) & (np.abs(values) > HUGE)).any():
        wanted = f"below {HUGE:g} in absolute value"
        raise ParameterError("explain", name, float(values[extreme][0]), wanted)
    return np.broadcast_to(values, n_features)


def _cell(winner, rivals, slopes, noise, E):
    """Return the winner's cell; None if a rival is nearer everywhere."""
    lengths = np.linalg.norm(slopes[rivals] - slopes[winner], axis=1)
    h = ((E[winner] - E[rivals]) * (E[winner] + E[rivals])).sum(axis=1)

    flat = lengths <= noise
    even = np.abs(h) <= ROUNDING * (E**2).sum(axis=1).max()
    # A rival that is a copy of the winner ties with it: the lower index wins.
    if (flat & np.where(even, winner > rivals, h > 0)).any():
        return None
    return Cell(rivals[~flat], lengths[~flat], h[~flat] / lengths[~flat])


def _is_blurred(winner, rivals, slopes, noise, E):
    """Whether a rival is almost, but not exactly, a copy of the winner."""
    lengths = np.linalg.norm(slopes[rivals] - slopes[winner], axis=1)
    return bool(((lengths <= noise) & (E[rivals] != E[winner]).any(axis=1)).any())


def _enter(A, h, ties_lost, moves, span, cutoff, classify, own, target):
    """Return a small flipping move into a cell, and whether no smaller one exists."""
    border, sure = nearest_in_polyhedron(A, h, moves.low, moves.high)
    if border is None or np.linalg.norm(border) >= cutoff:
        return None, True
    distance = np.linalg.norm(border)
    # Move the planes inward by a margin. Extending the line to the point might cross
    # another plane. If the limits leave no space (they may end exactly on a border),
    # use ties that the winner wins.
    for inwards in (np.ones(len(h)), ties_lost):
        margin = max(1e-9 * distance, 1e-15 * span)
        while margin <= max(distance, span):
            t, certain = nearest_in_polyhedron(
                A, h + margin * inwards, moves.low, moves.high
            )
            if t is None:
                break
            z = moves.point(t)
            if flips_of(classify, z[None], own, target)[0]:
                # With a large margin, a nearer point may exist.
                is_short = margin <= max(1e-6 * distance, 1e-6 * span)
                return z, sure and certain and is_short
            margin *= 10.0
    return None, True


def flips_of(classify, Z, own, target):
    """Return a mask of samples Z in class ``target``, or in any class but ``own``."""
    classes = np.asarray(classify(Z))
    return classes != own if target is None else classes == target


def _crossing(origin, end, reach, flips):
    """Return the first flipping move on the line from origin to end, or None."""
    # The line is extended beyond the end, to ``reach`` times its length. First, 64
    # moves are tried, then 64 between the last two, five times: 64^-5 is 1e-9.
    before, behind = 0.0, reach
    for _ in range(5):
        parts = np.linspace(before, behind, 65)[1:]
        first = _first(flips, origin + parts[:, None] * (end - origin))
        if first is None:
            return None
        before, behind = parts[first - 1] if first else before, parts[first]
    return origin + behind * (end - origin)


def _first(flips, T):
    """Return the index of the first move that flips the prediction, or None."""
    # BLAS rounds the distances of one sample differently from those of many.
    for k in np.flatnonzero(flips(T)):
        if flips(T[k][None])[0]:
            return int(k)
    return None


def _far(moves, ends):
    """Return moves along each feature, up to a hundred times longer than ``ends``."""
    span = max((np.linalg.norm(end) for end in ends), default=0.0) or 1.0
    axes = np.vstack([np.eye(len(moves.scale)), -np.eye(len(moves.scale))])
    lengths = span * np.array([1.0, 10.0, 100.0])
    return np.clip(
        np.vstack([length * axes for length in lengths]), moves.low, moves.high
    )


def _nearer(origin, t, end, flips):
    """Return a flipping move toward ``end`` that is shorter than t, or None."""
    for part in (1.0, 0.5, 0.25, 0.1, 0.03, 0.01):
        crossing = _crossing(origin, t + part * (end - t), 1.25, flips)
        nearer = (1 - 1e-8) * np.linalg.norm(t)
        if crossing is not None and np.linalg.norm(crossing) < nearer:
            return crossing
    return None


def _length(z, moves):
    return float(np.linalg.norm((z - moves.x)[moves.free] / moves.scale))


def _times(V, F):
    """Return ``V F``, with F given as a matrix, as its diagonal, or as None for I."""
    if F is None:
        return V
    return V * F if np.ndim(F) == 1 else V @ F
