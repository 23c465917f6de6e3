"""The LVQ family once more, slowly: one object, one prototype, one formula at a time.

Written from the equations of Bunte et al. (2012) and our specification of them; it
shares no code with the library. A model is a dictionary: ``kind``, prototypes ``W``,
their classes ``c``, and what its kind adds: ``omega`` (a vector for GRLVQ, a matrix
for the others), ``local`` (a list of matrices) with ``group`` (which of them each
prototype uses). ``blur`` is the variance of the noise that jitter adds.
"""

import numpy as np


def linear_map(model, i):
    """A with d(w_i, x) = |A (x - w_i)|^2."""
    kind = model["kind"]
    if kind == "plain":
        return np.eye(model["W"].shape[1])
    if kind == "diagonal":
        return np.diag(model["omega"])
    if kind == "matrix":
        return model["omega"]
    if kind == "local":
        return model["local"][model["group"][i]]
    return model["local"][model["group"][i]] @ model["omega"]  # "shared"


def distance(model, i, x):
    """d(w_i, x) over the observed features of x, rescaled to all of them."""
    A, v = linear_map(model, i), x - model["W"][i]
    seen = ~np.isnan(v)
    return float(np.sum((A[:, seen] @ v[seen]) ** 2)) * len(v) / seen.sum()


def distances(model, X):
    return np.array(
        [[distance(model, i, x) for i in range(len(model["W"]))] for x in X]
    )


def winners(model, x, y):
    """J and K, the nearest prototypes of the own and of the other classes."""
    J = K = None
    d = [distance(model, i, x) for i in range(len(model["W"]))]
    for i, c in enumerate(model["c"]):  # a strict < : ties go to the lowest index
        if c == y and (J is None or d[i] < d[J]):
            J = i
        if c != y and (K is None or d[i] < d[K]):
            K = i
    return J, K, d[J], d[K]


def phi(m, slope):
    """The identity for slope 0, else the logistic function; and its slope."""
    if slope == 0.0:
        return m, 1.0
    value = 1.0 / (1.0 + np.exp(-slope * m))
    return value, slope * value * (1.0 - value)


def expected_rise(model):
    """How much noise in the features adds to every distance, on average.

    ``E |A (x + noise - w)|^2 = |A (x - w)|^2 + variance |A|^2``. Local matrices count
    as they start: with norm 1, or as ``I / sqrt(M)`` in a shared plane.
    """
    variance = model.get("blur", 0.0)
    kind = model["kind"]
    if kind == "plain":
        return variance * model["W"].shape[1]
    if kind == "local":
        return variance
    size = np.sum(model["omega"] ** 2)
    return variance * (size / len(model["omega"]) if kind == "shared" else size)


def rise_slope(model):
    """Slope of the expected rise in omega."""
    share = 1.0 / len(model["omega"]) if model["kind"] == "shared" else 1.0
    return 2.0 * model.get("blur", 0.0) * share * model["omega"]


def mu_and_gammas(d_J, d_K):
    """Relative distance difference and its slopes (eqs. 1, 11, 12)."""
    total = d_J + d_K
    if total <= 1e-300:
        return 0.0, 0.0, 0.0
    return (d_J - d_K) / total, 2.0 * d_K / total**2, -2.0 * d_J / total**2


def distance_slopes(model, i, x):
    """Slopes of d(w_i, x) in w_i and in its matrices (eqs. 10, 15, 21, 26 and 29)."""
    v = x - model["W"][i]
    kind = model["kind"]
    if kind == "plain":
        return {"w": -2.0 * v}
    if kind == "diagonal":
        omega = model["omega"]
        return {"w": -2.0 * omega**2 * v, "omega": 2.0 * omega * v**2}
    if kind == "matrix":
        omega = model["omega"]
        e = omega @ v
        return {"w": -2.0 * omega.T @ e, "omega": 2.0 * np.outer(e, v)}
    if kind == "local":
        own = linear_map(model, i)
        e = own @ v
        return {"w": -2.0 * own.T @ e, "local": 2.0 * np.outer(e, v)}
    omega, psi = model["omega"], model["local"][model["group"][i]]
    e = omega @ v
    f = psi @ e
    g = psi.T @ f
    return {
        "w": -2.0 * omega.T @ g,
        "omega": 2.0 * np.outer(g, v),
        "local": 2.0 * np.outer(f, e),
    }


def object_cost(model, x, y, slope=0.0):
    _, _, d_J, d_K = winners(model, x, y)
    rise = expected_rise(model)
    return phi(mu_and_gammas(d_J + rise, d_K + rise)[0], slope)[0]


def mean_cost(model, X, y, weights=None, slope=0.0):
    """E / n (eq. 1), or the weighted mean."""
    weights = np.ones(len(X)) if weights is None else weights
    costs = [object_cost(model, x, c, slope) for x, c in zip(X, y, strict=True)]
    return float(np.dot(weights, costs) / np.sum(weights))


def zeros_like_variables(model):
    grown = {"W": np.zeros_like(model["W"])}
    if "omega" in model:
        grown["omega"] = np.zeros_like(model["omega"])
    if "local" in model:
        grown["local"] = [np.zeros_like(m) for m in model["local"]]
    return grown


def object_gradient(model, x, y, slope=0.0):
    """Slope of Phi(mu(x)) in every parameter, by the chain rule."""
    gradient = zeros_like_variables(model)
    J, K, d_J, d_K = winners(model, x, y)
    rise = expected_rise(model)
    mu, gamma_J, gamma_K = mu_and_gammas(d_J + rise, d_K + rise)
    outer = phi(mu, slope)[1]
    for i, gamma in ((J, gamma_J), (K, gamma_K)):
        slopes = distance_slopes(model, i, x)
        gradient["W"][i] += outer * gamma * slopes["w"]
        if "omega" in slopes:
            both = slopes["omega"] + rise_slope(model)
            gradient["omega"] += outer * gamma * both
        if "local" in slopes:
            gradient["local"][model["group"][i]] += outer * gamma * slopes["local"]
    return gradient


def mean_gradient(model, X, y, weights=None, slope=0.0):
    weights = np.ones(len(X)) if weights is None else weights
    total = zeros_like_variables(model)
    for x, c, weight in zip(X, y, weights / np.sum(weights), strict=True):
        one = object_gradient(model, x, c, slope)
        total["W"] += weight * one["W"]
        if "omega" in total:
            total["omega"] += weight * one["omega"]
        if "local" in total:
            for have, more in zip(total["local"], one["local"], strict=True):
                have += weight * more
    return total


def penalty(matrix, theta):
    """-theta (log det(A A^T) - M log |A|^2), the scale-free form."""
    M = len(matrix)
    log_det = np.linalg.slogdet(matrix @ matrix.T)[1]
    return -theta * (log_det - M * np.log(np.sum(matrix**2)))


def penalty_gradient(matrix, theta):
    """-2 theta ((A^+)^T - M A / |A|^2)."""
    M = len(matrix)
    return -2.0 * theta * (np.linalg.pinv(matrix).T - M * matrix / np.sum(matrix**2))


def rates(t, *, a1, da1, a2, da2, a3, da3, t_M):
    """Learning rates of epoch t = 1, 2, ... (eqs. 18 and 19, and alpha_3 of eq. 31)."""
    prototypes = a1 / (1.0 + (t - 1) * da1)
    if t < t_M:
        return prototypes, 0.0, 0.0
    return prototypes, a2 / (1.0 + (t - t_M) * da2), a3 / (1.0 + (t - t_M) * da3)


def copied(model):
    copy = dict(model)
    for name in ("W", "omega"):
        if name in model:
            copy[name] = np.array(model[name])
    if "local" in model:
        copy["local"] = [np.array(m) for m in model["local"]]
    return copy


def largest_factor(model, i):
    """A bound of the largest eigenvalue of A^T A: the norms of its factors."""
    kind = model["kind"]
    if kind == "plain":
        return 1.0
    if kind == "diagonal":
        return np.max(model["omega"] ** 2)
    size = 1.0
    if "omega" in model:
        size *= np.sum(model["omega"] ** 2)
    if "local" in model:
        size *= np.sum(model["local"][model["group"][i]] ** 2)
    return size


def sgd_step(model, x, y, a1, a2, a3, *, theta=0.0, local_theta=0.0, clip=False,
             slope=0.0, weight=1.0, normalize_local=True):  # fmt: skip
    """One online update in place: slopes at the old parameters, then all steps."""
    old = copied(model)
    J, K, d_J, d_K = winners(old, x, y)
    mu, gamma_J, gamma_K = mu_and_gammas(d_J, d_K)
    outer = weight * phi(mu, slope)[1]
    for i, gamma in ((J, gamma_J), (K, gamma_K)):
        slopes = distance_slopes(old, i, x)
        step = a1 * outer * gamma
        if clip:
            step = min(step, 1.0 / (2.0 * largest_factor(old, i)))
        model["W"][i] -= step * slopes["w"]
        if "omega" in slopes:
            model["omega"] -= a2 * outer * gamma * slopes["omega"]
        if "local" in slopes:
            model["local"][model["group"][i]] -= a3 * outer * gamma * slopes["local"]
    if a2 > 0.0 and "omega" in old:
        if theta > 0.0:
            model["omega"] -= a2 * penalty_gradient(old["omega"], theta)
        model["omega"] /= np.linalg.norm(model["omega"])
    if a3 > 0.0 and "local" in old:
        for g in (model["group"][J], model["group"][K]):
            if local_theta > 0.0:
                model["local"][g] -= a3 * penalty_gradient(old["local"][g], local_theta)
            if normalize_local:
                model["local"][g] /= np.linalg.norm(model["local"][g])


def canonical(omega):
    """Rows sqrt(lambda_k) v_k^T from the eigenpairs of Lambda, signed (eq. 8)."""
    M = len(omega)
    values, vectors = np.linalg.eigh(omega.T @ omega)
    rows = []
    for k in np.argsort(-values, kind="stable")[:M]:
        v = vectors[:, k]
        v = v * np.sign(v[np.argmax(np.abs(v))])
        rows.append(np.sqrt(max(values[k], 0.0)) * v)
    return np.array(rows)


def central_difference(function, parameter, step=1e-6):
    """Slope of function() in the entries of an array that it reads."""
    slope = np.zeros_like(parameter)
    for index in np.ndindex(parameter.shape):
        kept = parameter[index]
        parameter[index] = kept + step
        up = function()
        parameter[index] = kept - step
        down = function()
        parameter[index] = kept
        slope[index] = (up - down) / (2.0 * step)
    return slope
