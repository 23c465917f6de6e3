"""Wrong labels as lapses: labels that disagree however sure the models are.

Let p be the class probabilities of a row, from models that never saw it. With a chance
of e its label is a lapse, and otherwise it is drawn from the tempered probabilities q:

    P(g) = (1 - e) q(g) + e sum_k q(k) T(k, g)
    q(k) ~ exp(a log p(k) + b [k is the likeliest])

T(k, g) is the share of class k among whose lapses the label g is given. Where classes
overlap, q accounts for labels that disagree; where they are clearly separated, q does
not, and what still disagrees is a lapse. So e is identified by the rows that the models
are sure of, and the chance that the label of a single row is wrong is

    e sum_k q(k) T(k, g) / P(g).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq, minimize

# Probabilities below this are not known.
LEAST = 1e-3
# So many lapses of each class are taken to be spread over all other classes, besides
# those that were seen.
SPREAD = 10.0
# Rounds in which T is learned from the lapses.
ROUNDS = 3
# Standard deviations of the priors of log a and of b: held-out probabilities are nearly
# calibrated.
TEMPERED, SHIFTED = 1.4, 0.1
# Held-out probabilities are not too sure of themselves, and more often not sure enough:
# wrong labels among those that models were fitted to make them so.
LEAST_A, MOST_A = 1.0, 8.0
# The largest share of lapses that is considered, and where the search for it starts.
MOST, STARTS = 0.6, (0.01, 0.2)
# The lower end of the share of lapses has a log-likelihood that is lower by this: that
# of an interval of 95 %.
CAREFUL = 1.92


class Fit(NamedTuple):
    """A share of lapses with the tempering that goes with it."""

    # The share of lapses.
    e: float
    # Exponent of the probabilities, and shift of the likeliest class.
    a: float
    b: float
    # The log-likelihood, with the priors of a and b.
    fit: float


class Lapses:
    """The model of lapses for some rows."""

    def __init__(
        self,
        p: NDArray[np.float64],
        codes: NDArray[np.intp],
        weights: NDArray[np.float64],
    ) -> None:
        self._log_p, self._codes, self._weights = np.log(p + LEAST), codes, weights
        self._likely = p.argmax(axis=1)
        self._rows, self._n_classes = np.arange(len(p)), p.shape[1]
        learned = [self._learned(wrong) for wrong in (0.0 * weights, weights)]
        self._given = max(learned, key=lambda pair: pair[0])[1]

    def _learned(self, wrong) -> tuple[float, NDArray[np.float64]]:
        """Return the fit with T learned from lapses, and T, from a guess of them."""
        for _ in range(ROUNDS):
            self._given = confusions(self._likely, self._codes, wrong, self._n_classes)
            best = self.best()
            wrong = self._weights * self.chances(best)
        return best.fit, self._given

    def best(self) -> Fit:
        """Return the most likely share of lapses."""
        return max((self._fitted(start) for start in STARTS), key=lambda one: one.fit)

    def low(self, best: Fit) -> Fit:
        """Return the lower end of the interval of the share of lapses."""
        enough = best.fit - CAREFUL

        def excess(e: float) -> float:
            return self._fitted(e, best, fixed=True).fit - enough

        if best.e == 0.0 or excess(0.0) >= 0.0:
            return self._fitted(0.0, best, fixed=True)
        lowest = brentq(excess, 0.0, best.e, xtol=1e-3 * best.e)
        return self._fitted(float(lowest), best, fixed=True)

    def odds(self, fit: Fit) -> NDArray[np.float64]:
        """Return the log odds of each label to be a lapse, at equal shares."""
        q = self._tempered(fit.a, fit.b)
        lapse = (q * self._given).sum(axis=1)
        return np.log(lapse + 1e-300) - np.log(q[self._rows, self._codes] + 1e-300)

    def chances(self, fit: Fit) -> NDArray[np.float64]:
        """Return the chance of each label to be a lapse."""
        if fit.e == 0.0:
            return np.zeros(len(self._codes))
        known = np.log(fit.e) - np.log1p(-fit.e)
        return 1.0 / (1.0 + np.exp(-np.clip(self.odds(fit) + known, -700, 700)))

    def sureness(self, fit: Fit) -> NDArray[np.float64]:
        """Return the tempered probability of the likeliest class of each row."""
        return self._tempered(fit.a, fit.b)[self._rows, self._likely]

    def _fitted(self, e: float, near: Fit | None = None, *, fixed: bool = False) -> Fit:
        """Return the fit with the largest likelihood, at a share e or from there."""
        x = [0.0, 0.0, e] if near is None else [np.log(near.a), near.b, e]
        share = (e, e) if fixed else (0.0, MOST)
        bounds = [(np.log(LEAST_A), np.log(MOST_A)), (-2.0, 2.0), share]
        found = minimize(self._loss, x, jac=True, method="L-BFGS-B", bounds=bounds)
        log_a, b, share = found.x
        return Fit(float(share), float(np.exp(log_a)), float(b), -float(found.fun))

    def _loss(self, x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the negative log-likelihood and its gradient in log a, b and e."""
        log_a, b, e = x
        a, rows, codes = np.exp(log_a), self._rows, self._codes
        q = self._tempered(a, b)
        lapsed = q * self._given
        own, lapse = q[rows, codes], lapsed.sum(axis=1)
        P = (1.0 - e) * own + e * lapse + 1e-12
        mean = (q * self._log_p).sum(axis=1)
        by_a = (1.0 - e) * own * (self._log_p[rows, codes] - mean)
        by_a += e * ((lapsed * self._log_p).sum(axis=1) - lapse * mean)
        top = q[rows, self._likely]
        by_b = (1.0 - e) * own * ((codes == self._likely) - top)
        by_b += e * (lapsed[rows, self._likely] - lapse * top)
        w = self._weights
        loss = -float((w * np.log(P)).sum())
        loss += 0.5 * ((log_a / TEMPERED) ** 2 + (b / SHIFTED) ** 2)
        slope = [
            -a * (w * by_a / P).sum() + log_a / TEMPERED**2,
            -(w * by_b / P).sum() + b / SHIFTED**2,
            -(w * (lapse - own) / P).sum(),
        ]
        return loss, np.array(slope)

    def _tempered(self, a: float, b: float) -> NDArray[np.float64]:
        logits = a * self._log_p
        logits[self._rows, self._likely] += b
        logits -= logits.max(axis=1, keepdims=True)
        q = np.exp(logits)
        return q / q.sum(axis=1, keepdims=True)


def confusions(likely, codes, wrong, n_classes):
    """Return T(k, g) of each class k, for the label g that each row has (n, C).

    Learned from labels that are wrong with some chance. That of the row itself is not
    counted: it would speak for the error that it may be.
    """
    others = 1.0 - np.eye(n_classes)
    wrong = np.where(likely == codes, 0.0, wrong)
    counts = SPREAD / (n_classes - 1) * others
    np.add.at(counts, (likely, codes), wrong)
    totals = counts.sum(axis=1)
    given = (counts / totals[:, None]).T[codes]
    rows = np.flatnonzero(likely != codes)
    k, own = likely[rows], wrong[rows]
    given[rows, k] = (counts[k, codes[rows]] - own) / (totals[k] - own)
    return given
