"""Sines and cosines of many angles at once, in one compiled loop."""

import numpy as np

from labelscape._core.jit import compiled

# Beyond this angle, the remainder of full turns is less accurate than 1e-9.
FAR = 1e7
TURN, PER_TURN = 2.0 * np.pi, 0.5 / np.pi
# A float64 of this size has no fraction: adding it rounds a number.
ROUNDS = 1.5 * 2.0**52


@compiled
def write_waves(angles, out):
    """Write the cosines and sines of angles (b, D) into ``out`` (b, 2 D), float32.

    If ``h`` is half of the angle (without whole turns), ``cos 2h = 1 - 2 sin^2 h`` and
    ``sin 2h = 2 sin h cos h``: the same formula for all angles, so the loop can use
    vector instructions. Taylor sums for ``|h| <= pi / 2`` are accurate to 1e-8.
    """
    n_waves = angles.shape[1]
    for i in range(angles.shape[0]):
        row, cosines, sines = angles[i], out[i, :n_waves], out[i, n_waves:]
        for j in range(n_waves):
            turns = (row[j] * PER_TURN + ROUNDS) - ROUNDS
            sines[j] = 0.5 * (row[j] - turns * TURN)
        for j in range(n_waves):
            h = sines[j]
            t = h * h
            s = np.float32(1 / 6227020800)
            c = np.float32(1 / 479001600)
            s = s * t - np.float32(1 / 39916800)
            c = c * t - np.float32(1 / 3628800)
            s = s * t + np.float32(1 / 362880)
            c = c * t + np.float32(1 / 40320)
            s = s * t - np.float32(1 / 5040)
            c = c * t - np.float32(1 / 720)
            s = s * t + np.float32(1 / 120)
            c = c * t + np.float32(1 / 24)
            s = s * t - np.float32(1 / 6)
            c = c * t - np.float32(1 / 2)
            s = h + h * t * s
            c = np.float32(1) + t * c
            cosines[j] = np.float32(1) - np.float32(2) * s * s
            sines[j] = np.float32(2) * s * c
