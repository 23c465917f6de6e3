"""From probabilities of pairs of classes to those of all classes.

Wu, Lin and Weng (2004), their second method, which libsvm uses: p minimises

    sum_i sum_{j != i} (r_ji p_i - r_ij p_j)^2   where   sum_i p_i = 1

and so solves ``[Q e; e^T 0] [p; b] = [0; 1]`` with ``Q_ii = sum_{j != i} r_ji^2`` and
``Q_ij = -r_ji r_ij``. libsvm stops its iteration early; here the system is solved.
"""

import numpy as np


def coupled_probabilities(P):
    """Pass from ``r_ij`` (n, n_pairs), i < j, to class probabilities (n, C)."""
    n_classes = int((1 + np.sqrt(1 + 8 * P.shape[1])) / 2)
    first, second = np.triu_indices(n_classes, 1)
    r = np.zeros((len(P), n_classes, n_classes))
    r[:, first, second], r[:, second, first] = P, 1.0 - P
    system = np.zeros((len(P), n_classes + 1, n_classes + 1))
    system[:, :-1, :-1] = -r * r.transpose(0, 2, 1)
    diagonal = np.arange(n_classes)
    system[:, diagonal, diagonal] = np.square(r).sum(axis=1)
    system[:, :-1, -1] = system[:, -1, :-1] = 1.0
    right = np.zeros((n_classes + 1, 1))
    right[-1] = 1.0
    p = np.linalg.solve(system, right[None])[:, :-1, 0]

    def back(R):
        # The system is symmetric: v = its solution for R, and R.dp = -v.(dQ p).
        padded = np.concatenate([R, np.zeros((len(R), 1))], axis=1)
        v = np.linalg.solve(system, padded[:, :, None])[:, :-1, 0]
        pi, pj, vi, vj = p[:, first], p[:, second], v[:, first], v[:, second]
        # With r = r_ij and r_ji = 1 - r: dQ_ii = -2 (1 - r), dQ_jj = 2 r,
        # dQ_ij = -(1 - 2 r).
        return (
            2.0 * (1.0 - P) * vi * pi
            - 2.0 * P * vj * pj
            + (1.0 - 2.0 * P) * (vi * pj + vj * pi)
        )

    return p, back
