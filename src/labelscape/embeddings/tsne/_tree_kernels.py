"""The forces of t-SNE and gradient steps, as compiled loops.

Distant points repel as cells of a quadtree (Barnes and Hut 1986, van der Maaten
2014). Points are sorted along a Z-order curve, so that a cell is a range of points. A
few successive points share one traversal of the tree: a cell is treated as one mass for
all of them if it is small relative to its distance from their bounding box.
"""

import numpy as np

from labelscape._core.jit import compiled

BITS = 30  # number of times that the square around all points is halved
DIGIT = 10  # bits of a key sorted at once; 11 are slower for few points
GROUP = 16  # number of points that share a traversal
FEWEST = 8  # cells with so few points are not divided
TINY = 1e-300  # smallest sum of all q, for points extremely far apart
MOMENTUM, LONGEST = 0.8, 5.0  # momentum; longest step


@compiled
def z_order_keys(Z):
    """Return keys of points (n, 2) along a Z-order curve, and the side of their square.

    A key is an integer with the interleaved bits of both coordinates.
    """
    low, side = np.empty(2), 0.0
    for q in range(2):
        least = most = Z[0, q]
        for i in range(1, len(Z)):
            least, most = min(least, Z[i, q]), max(most, Z[i, q])
        low[q], side = least, max(side, most - least)
    unit = 2.0**BITS / side if side > 0.0 else 0.0
    keys, last = np.empty(len(Z), np.uint64), np.uint64(2**BITS - 1)
    for i in range(len(Z)):
        key = np.uint64(0)
        for q in range(2):
            bits = min(np.uint64((Z[i, q] - low[q]) * unit), last)
            # Spread the bits: a zero between any two of them.
            bits = (bits | (bits << np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
            bits = (bits | (bits << np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
            bits = (bits | (bits << np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
            bits = (bits | (bits << np.uint64(2))) & np.uint64(0x3333333333333333)
            bits = (bits | (bits << np.uint64(1))) & np.uint64(0x5555555555555555)
            key |= bits << np.uint64(q)
        keys[i] = key
    return keys, side


@compiled
def sorted_by_digits(keys):
    """Return the stable order of keys, and the keys in this order."""
    n = len(keys)
    order, next_order, next_keys = np.arange(n), np.empty(n, np.int64), keys.copy()
    ends = np.empty(2**DIGIT, np.int64)
    for at in range(0, 2 * BITS, DIGIT):
        shift, last = np.uint64(at), np.uint64(2**DIGIT - 1)
        ends[:] = 0
        for key in keys:
            ends[(key >> shift) & last] += 1
        total = 0
        for digit in range(len(ends)):
            ends[digit], total = total, total + ends[digit]
        for i in range(n):
            digit = (keys[i] >> shift) & last
            next_order[ends[digit]], next_keys[ends[digit]] = order[i], keys[i]
            ends[digit] += 1
        order, next_order, keys, next_keys = next_order, order, next_keys, keys
    return order, keys


@compiled
def tree_of(Z):
    """Return the order of points along the curve, the sorted points, and the cells."""
    keys, side = z_order_keys(Z)
    order, keys = sorted_by_digits(keys)
    sorted_Z = Z[order]
    return order, sorted_Z, cells_of(keys, sorted_Z, side)


@compiled
def cells_of(keys, Z, side):
    """Return the cells of sorted points, as arrays of ranges and masses.

    A cell comes before the cells inside it. ``ranges`` (m, 3) contains the first point
    of each cell, the point after its last, and the next cell outside. ``masses`` (m, 4)
    contains the center of mass of each cell, its number of points and its squared side,
    or 0 if the cell is not divided.
    """
    n = len(keys)
    ranges, masses = np.empty((2 * n, 3), np.int64), np.zeros((2 * n, 4))
    parent = np.empty(2 * n, np.int64)
    waiting = np.empty((3 * BITS + 4, 3), np.int64)
    waiting[0] = 0, n, -1
    n_waiting, m = 1, 0
    while n_waiting:
        n_waiting -= 1
        a, b, parent[m] = waiting[n_waiting]
        ranges[m, 0], ranges[m, 1], ranges[m, 2] = a, b, 1
        different = keys[a] ^ keys[b - 1]
        if b - a > FEWEST and different:
            shift = np.uint64(0)  # of the two bits that divide the smallest such cell
            while different >> (shift + np.uint64(2)):
                shift += np.uint64(2)
            masses[m, 3] = (side / 2.0 ** (BITS - 1 - shift // np.uint64(2))) ** 2
            last = b
            for quarter in range(3, -1, -1):
                first = a
                if quarter:
                    least = ((keys[a] >> (shift + np.uint64(2))) << np.uint64(2)) | (
                        np.uint64(quarter)
                    )
                    first = a + np.searchsorted(keys[a:last], least << shift)
                if first < last:
                    waiting[n_waiting] = first, last, m
                    n_waiting += 1
                last = first
        else:
            for i in range(a, b):
                masses[m, 0] += Z[i, 0]
                masses[m, 1] += Z[i, 1]
            masses[m, 2] = b - a
        m += 1
    for i in range(m - 1, 0, -1):
        masses[parent[i], :3] += masses[i, :3]
        ranges[parent[i], 2] += ranges[i, 2]
    for i in range(m):
        masses[i, :2] /= masses[i, 2]
        ranges[i, 2] += i
    return ranges[:m], masses[:m]


@compiled
def forces(parts, step, tree, Z, P, angle, has_error, pull, push, sums):
    """Write attraction and repulsion of some parts of the points, and their sums.

    Each part has ``step`` points: a range of ``order`` for repulsion, and a range of
    point numbers for attraction.
    """
    order, sorted_Z, cells = tree
    for part in range(*parts):
        first, last = part * step, min((part + 1) * step, len(Z))
        sums[part, 0] = repel(first, last, order, sorted_Z, cells, angle, push)
        sums[part, 1] = attract(first, last, Z, P, has_error, pull)


@compiled
def repel(first, last, order, sorted_Z, cells, angle, out):
    """Write sum_j q_ij² (z_i - z_j) of a range of points; return the sum of q_ij.

    q_ij = 1 / (1 + |z_i - z_j|²), and j runs over all other points.
    """
    ranges, masses = cells
    listed = np.empty((3, len(sorted_Z)), np.float32)
    x, y = np.zeros(GROUP, np.float32), np.zeros(GROUP, np.float32)
    total, sums, forces = 0.0, np.empty(GROUP), np.empty((2, GROUP), np.float32)
    for a in range(first, last, GROUP):
        b = min(a + GROUP, last)
        center = sorted_Z[(a + b) // 2]
        count = _listed_masses(a, b, sorted_Z, ranges, masses, angle, center, listed)
        for i in range(a, b):
            x[i - a] = sorted_Z[i, 0] - center[0]
            y[i - a] = sorted_Z[i, 1] - center[1]
        _add_masses(x, y, listed[:, :count], sums, forces)
        for i in range(a, b):
            out[order[i], 0], out[order[i], 1] = forces[0, i - a], forces[1, i - a]
            total += sums[i - a] - 1.0  # without the point itself
    return total


@compiled
def attract(first, last, Z, P, has_error, out):
    """Write sum_j p_ij q_ij (z_i - z_j) of some points; return sum p_ij log(p_ij/q_ij).

    ``P`` contains the arrays of a sparse matrix. The sum is 0 unless ``has_error``.
    """
    starts, columns, p = P
    divergence = 0.0
    for i in range(first, last):
        row = slice(starts[i], starts[i + 1])
        out[i, 0], out[i, 1] = _attraction(Z[i, 0], Z[i, 1], Z, columns[row], p[row])
        if has_error:
            divergence += _divergence(Z[i, 0], Z[i, 1], Z, columns[row], p[row])
    return divergence


@compiled
def _listed_masses(a, b, Z, ranges, masses, angle, center, listed):
    """List the masses that repel points a to b, relative to center; return how many."""
    low_x = high_x = Z[a, 0]
    low_y = high_y = Z[a, 1]
    for i in range(a + 1, b):
        low_x, high_x = min(low_x, Z[i, 0]), max(high_x, Z[i, 0])
        low_y, high_y = min(low_y, Z[i, 1]), max(high_y, Z[i, 1])
    count, cell, least = 0, 0, angle * angle
    while cell < len(ranges):
        start, end, following = ranges[cell]
        x, y, mass, size = masses[cell]
        if size == 0.0:
            for j in range(start, end):
                listed[0, count] = Z[j, 0] - center[0]
                listed[1, count] = Z[j, 1] - center[1]
                listed[2, count] = 1.0
                count += 1
            cell = following
            continue
        dx = max(low_x - x, 0.0, x - high_x)
        dy = max(low_y - y, 0.0, y - high_y)
        # A cell with one of these points inside is always opened.
        if size < least * (dx * dx + dy * dy) and (end <= a or start >= b):
            listed[0, count], listed[1, count] = x - center[0], y - center[1]
            listed[2, count] = mass
            count += 1
            cell = following
        else:
            cell += 1
    return count


@compiled
def _add_masses(x, y, listed, sums, forces):
    """Write the sums of q, q² (x - x_j) and q² (y - y_j) over the listed masses."""
    one = np.float32(1.0)
    sums[:], forces[:] = 0.0, 0.0
    # Partial sums of several points are fast without reordering by the compiler.
    for t in range(listed.shape[1]):
        at_x, at_y, mass = listed[0, t], listed[1, t], listed[2, t]
        for i in range(GROUP):
            dx, dy = x[i] - at_x, y[i] - at_y
            q = one / (one + dx * dx + dy * dy)
            sums[i] += mass * q
            forces[0, i] += mass * q * q * dx
            forces[1, i] += mass * q * q * dy


@compiled
def _attraction(x, y, Z, columns, p):
    """Return the attraction of a point at x, y."""
    force_x = force_y = 0.0
    for t in range(len(p)):
        dx, dy = x - Z[columns[t], 0], y - Z[columns[t], 1]
        force = p[t] / (1.0 + dx * dx + dy * dy)
        force_x += force * dx
        force_y += force * dy
    return force_x, force_y


@compiled
def _divergence(x, y, Z, columns, p):
    """Return the sum of p log(p / q) of a point at x, y."""
    divergence = 0.0
    for t in range(len(p)):
        dx, dy = x - Z[columns[t], 0], y - Z[columns[t], 1]
        if p[t] > 0.0:
            divergence += p[t] * np.log(p[t] * (1.0 + dx * dx + dy * dy))
    return divergence


@compiled
def descend(n_iter, Z, gains, update, P, angle, rate):
    """Run some iterations on one thread, moving the points in place."""
    pull, push = np.empty_like(Z), np.empty_like(Z)
    for _ in range(n_iter):
        order, sorted_Z, cells = tree_of(Z)
        total = repel(0, len(Z), order, sorted_Z, cells, angle, push)
        attract(0, len(Z), Z, P, False, pull)
        move(Z, pull - push / max(total, TINY), gains, update, rate)


@compiled
def move(Z, slopes, gains, update, rate):
    """Move the points by one step, with momentum and a gain for each coordinate.

    Gains grow where the gradient keeps its sign (Jacobs 1988, van der Maaten 2008).
    """
    center = np.zeros(2)
    for i in range(len(Z)):
        for q in range(2):
            before, slope = update[i, q], slopes[i, q]
            is_same = (before > 0.0) == (slope > 0.0) and (before < 0.0) == (slope < 0)
            gain = 0.8 * gains[i, q] + 0.01 if is_same else gains[i, q] + 0.2
            gains[i, q] = gain
            update[i, q] = MOMENTUM * before - rate * gain * slope
        length = np.sqrt(update[i, 0] ** 2 + update[i, 1] ** 2)
        share = LONGEST / length if length > LONGEST else 1.0
        for q in range(2):
            update[i, q] *= share
            Z[i, q] += update[i, q]
            center[q] += Z[i, q]
    center /= len(Z)
    for i in range(len(Z)):
        for q in range(2):
            Z[i, q] -= center[q]
