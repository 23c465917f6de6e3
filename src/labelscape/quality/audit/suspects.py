"""The suspects: a ranking of all rows, and a list with a limited false-alarm rate.

The label g of a row with held-out probabilities p is modeled as a lapse (a random label
error) with probability e:

    P(g) = (1 - e) q_g + e sum_k q_k T(k, g),    q ~ p^a exp(b [k = argmax p]),

where T(k, g) is the share of lapses of class k that are labeled g. The share e, the
exponent a and the shift b maximize the likelihood (`Lapses`), T is learned from the
lapses (`confusions`), and the probability that a label is a lapse follows from Bayes'
rule. Rows are ranked by this probability. The list uses a probability that also depends
on how often classes are confused, and on single models (`Lapses.calibrated`).
"""

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq, minimize

from labelscape._core.threads import map_blocks, row_blocks
from labelscape._core.types import Bools, Floats, Ints
from labelscape._resampling.chance import LabelShuffle
from labelscape.quality.audit.crossings import Crossing
from labelscape.quality.audit.doubts import Doubts, doubts
from labelscape.quality.audit.opinions import blended

SIGNIFICANT, N_SHUFFLES = 0.05, 999  # significance level of signal in the labels
# With a larger share of wrong labels, no label can be checked against the others.
MOST_WRONG = 0.5
LIKELY_WRONG = 0.5  # a label that is more likely right than wrong is not listed
# Without a list, chances are computed with the lower end of the interval of the share
# of wrong labels, or with this share if it is larger.
USUAL = 0.01
# Classes are clearly separated if the natural chance of another class is below this
# multiple of the share of wrong labels; this is required for a share FLOOR of the rows.
BELOW, FLOOR = 0.25, 0.25
# The share of wrong labels is known if the lower end of its interval is above this
# multiple of it, and if there are this many different predictions, or half as many as
# rows: with three binary columns, rare combinations of values would look wrong.
KNOWN, ENOUGH = 0.2, 200
# The share of false alarms varies between tables by more than chance, most for rare
# errors. So the list aims at AIM + RISE e of the rate, at most MOST_AIM
# (docs/evidence_audit.md).
AIM, RISE, MOST_AIM = 0.3, 5.0, 0.8
# Coefficients of the log odds of a lapse (`Lapses.calibrated`), which were fitted to
# planted errors in half of the tables of `benchmarks everyday`.
START, SHARE, CONFUSED, LEAST_LIKELY, MOST_OWN = 0.81, 0.34, 0.74, 1.48, -1.04
# Added to probabilities of one model, and a limit of log odds; see `Lapses.calibrated`.
UNSURE, LEAST_OWN = 0.01, -1.0


class Discoveries(NamedTuple):
    """Rows ranked by suspicion, and the number of rows that are listed."""

    ranking: Ints  # (n,) all rows, most suspicious first
    n_flagged: int  # number of suspects, the first of them
    chance_wrong: Floats  # (n,) estimated chance that each label is wrong
    share: float  # share of wrong labels: the lower end of its interval
    expected_false: float  # mean chance that the label of a suspect is right
    can_tell: bool  # whether wrong labels can be distinguished from hard rows
    doubts: Doubts | None  # rows that look like another class; None if none is judged
    has_signal: bool  # whether the labels have signal
    crossing: Crossing | None  # labels that do not follow a gap between two classes


def discoveries(
    members, codes, units, is_judged, rate, random_state, groups=None, crossing=None
):
    """Rank rows by the odds that their labels are wrong, and list the first ones."""
    # members are the held-out probabilities (n, C) of each model by its name. Shapes:
    # codes (n,), units (n,), is_judged (n,); groups (n,) of units, or None.
    p, by_unit = blended(members), 1.0 / np.bincount(units)[units]
    looked = doubts(members, p, codes, is_judged * by_unit)
    signal = classes_with_signal(p, codes, units, random_state, groups)
    has_signal = bool(signal.any())
    is_judged = is_judged & (signal[codes] if has_signal else True)
    lapses = Lapses(p, codes, is_judged * by_unit)
    best = lapses.best()
    low = lapses.low(best)
    is_doubted = is_judged & (p.argmax(axis=1) != codes)

    def is_separated(fit, share):
        clear = 1.0 - lapses.sureness(fit)[is_judged] < BELOW * share
        return bool(len(clear)) and clear.mean() >= FLOOR

    usual = low if low.e >= USUAL else best._replace(e=USUAL)
    chance = np.where(is_doubted, lapses.chances(usual), 0.0)
    ranking = np.lexsort((-chance, ~is_doubted, ~is_judged))
    n_flagged = 0
    predicted = members["crossfit"][is_judged].round(6)
    has_enough = len(np.unique(predicted, axis=0)) >= min(ENOUGH, len(predicted) / 2)
    is_known = has_enough and KNOWN * best.e < low.e and best.e < MOST_WRONG
    if has_signal and is_known and is_separated(best, best.e):
        sure = np.where(is_doubted, lapses.calibrated(best, members, is_judged), 0.0)
        likely_wrong = np.where(sure >= LIKELY_WRONG, sure, 0.0)
        order = ranking[np.argsort(-likely_wrong[ranking], kind="stable")]
        n_flagged = listed(sure[order], rate * min(AIM + RISE * best.e, MOST_AIM))
        if n_flagged:
            ranking, chance = order, sure
    # An empty list means that labels are right only if hardly any rows look like
    # another class, if labels follow the gaps between classes, and if the data can be
    # explained without a single wrong label.
    is_clear = looked is not None and not looked.are_too_many and crossing is None
    is_clear = is_clear and low.e * (is_judged * by_unit).sum() < 1.0
    can_tell = n_flagged > 0 or (has_signal and is_clear)
    return Discoveries(
        ranking,
        n_flagged,
        chance,
        low.e,
        float(1.0 - chance[ranking[:n_flagged]].mean()) if n_flagged else 0.0,
        bool(can_tell),
        looked,
        has_signal,
        crossing,
    )


def listed(chances, rate):
    """Return the largest m with ``(1 / m) sum_{i <= m} (1 - chance_i) <= rate``."""
    false = np.cumsum(1.0 - chances) / np.arange(1, len(chances) + 1)
    lengths = np.flatnonzero((false <= rate) & (chances >= LIKELY_WRONG)) + 1
    return int(lengths[-1]) if len(lengths) else 0


def classes_with_signal(p, codes, units, random_state, groups=None):
    """Return classes whose held-out rows are recognized better than by chance."""
    # The sum of probabilities of a class in its rows is compared with sums for labels
    # shuffled between units, within groups. All classes together must be significant.
    n_classes = p.shape[1]
    rows = np.arange(len(codes))

    def recognized(labels):
        cells = labels + n_classes * np.arange(len(labels))[:, None]
        size = n_classes * len(labels)
        sums = np.bincount(cells.ravel(), p[rows, labels].ravel(), minlength=size)
        each = sums.reshape(-1, n_classes)
        return np.column_stack([each, each.sum(axis=1)])

    actual = recognized(codes[None, :])
    shuffle = LabelShuffle(codes, units, groups)
    # With many classes, a class is significant only below a p-value of 1 / N_SHUFFLES.
    n_shuffles = max(N_SHUFFLES, round(2 * n_classes / SIGNIFICANT))
    shuffled = shuffle.scores(recognized, n_shuffles, random_state)
    as_good = (shuffled >= actual - 1e-9).sum(axis=0)
    chance = (1.0 + as_good) / (1.0 + n_shuffles)
    return (chance[:-1] * n_classes <= SIGNIFICANT) & (chance[-1] <= SIGNIFICANT)


LEAST = 1e-3  # added to probabilities, which are less precise than this
# Prior of T: this many lapses of each class, spread over all other classes.
SPREAD = 10.0
AT_ONCE = 1000  # number of rows whose likelihood is computed at a time
ROUNDS = 3  # iterations in which T is learned from the lapses
# Standard deviations of the priors of log a and of b: held-out probabilities are nearly
# calibrated.
TEMPERED, SHIFTED = 1.4, 0.1
# Bounds of a: with wrong labels in the training rows, models are less certain.
LEAST_A, MOST_A = 1.0, 8.0
# The largest share of lapses, and the start of the search.
MOST, STARTS = 0.6, (0.01, 0.2)
# Decrease of the log-likelihood at the lower end of the interval of the share.
CAREFUL = 1.0


class LapseFit(NamedTuple):
    """A share of lapses with its exponent and shift."""

    e: float  # the share of lapses
    # Exponent of the probabilities, and shift of the most likely class.
    a: float
    b: float
    fit: float  # the log-likelihood, with the priors of a and b


class Lapses:
    """The model of lapses (random label errors) for some rows."""

    def __init__(self, p: Floats, codes: Ints, weights: Floats) -> None:
        self._log_p, self._codes, self._weights = np.log(p + LEAST), codes, weights
        self._likely = p.argmax(axis=1)
        self._rows, self._n_classes = np.arange(len(p)), p.shape[1]
        learned = [self._learned(wrong) for wrong in (0.0 * weights, weights)]
        self._given = max(learned, key=lambda pair: pair[0])[1]

    def _learned(self, wrong) -> tuple[float, Floats]:
        """Return the log-likelihood and T, from initial error probabilities."""
        for _ in range(ROUNDS):
            self._given = confusions(self._likely, self._codes, wrong, self._n_classes)
            best = self.best()
            wrong = self._weights * self.chances(best)
        return best.fit, self._given

    def best(self) -> LapseFit:
        """Return the most likely fit of all starts."""
        return max(map_blocks(self._fitted, STARTS), key=lambda one: one.fit)

    def low(self, best: LapseFit) -> LapseFit:
        """Return the fit at the lower end of the interval of the share of lapses."""
        enough = best.fit - CAREFUL

        def excess(e: float) -> float:
            return self._fitted(e, best, fixed=True).fit - enough

        if best.e == 0.0 or excess(0.0) >= 0.0:
            return self._fitted(0.0, best, fixed=True)
        lowest = brentq(excess, 0.0, best.e, xtol=1e-3 * best.e)
        return self._fitted(float(lowest), best, fixed=True)

    def odds(self, fit: LapseFit) -> Floats:
        """Return the log odds that each label is a lapse, for e = 0.5."""
        q = self._tempered(fit.a, fit.b)
        lapse = (q * self._given).sum(axis=1)
        return np.log(lapse + 1e-300) - np.log(q[self._rows, self._codes] + 1e-300)

    def chances(self, fit: LapseFit) -> Floats:
        """Return the chance that each label is a lapse."""
        if fit.e == 0.0:
            return np.zeros(len(self._codes))
        known = np.log(fit.e) - np.log1p(-fit.e)
        return 1.0 / (1.0 + np.exp(-np.clip(self.odds(fit) + known, -700, 700)))

    def calibrated(
        self, fit: LapseFit, members: dict[str, Floats], is_judged: Bools
    ) -> Floats:
        """Return the calibrated chance c that each label g is a lapse.

        With k the most likely class of a row, L = sum_k q(k) T(k, g), p_j the
        probabilities of model j, and m(k, g) the mean of q(g) over rows with the most
        likely class k,

            logit c = START + SHARE log(e) + CONFUSED log(e L / m(k, g))
                    + LEAST_LIKELY log(min_j p_j(k)) + MOST_OWN log(max_j p_j(g)),

        and c = 0 if log(e L / ((1 - e) q(g))) is at most LEAST_OWN.
        """
        rows, codes, likely = self._rows, self._codes, self._likely
        q = self._tempered(fit.a, fit.b)
        confused = np.zeros((self._n_classes, self._n_classes))
        np.add.at(confused, likely[is_judged], q[is_judged])
        counts = np.bincount(likely[is_judged], minlength=self._n_classes)
        confused /= np.maximum(counts, 1)[:, None]
        lapse = np.log(fit.e * (q * self._given).sum(axis=1) + 1e-12)
        own = lapse - np.log((1.0 - fit.e) * q[rows, codes] + 1e-12)
        by_classes = lapse - np.log(confused[likely, codes] + 1e-4)
        least_likely = np.min([p[rows, likely] for p in members.values()], axis=0)
        most_own = np.max([p[rows, codes] for p in members.values()], axis=0)
        logit = START + SHARE * np.log(fit.e) + CONFUSED * np.clip(by_classes, -10, 10)
        logit += LEAST_LIKELY * np.log(least_likely + UNSURE)
        logit += MOST_OWN * np.log(most_own + UNSURE)
        return np.where(own > LEAST_OWN, 1.0 / (1.0 + np.exp(-logit)), 0.0)

    def sureness(self, fit: LapseFit) -> Floats:
        """Return the adjusted probability of the most likely class of each row."""
        return self._tempered(fit.a, fit.b)[self._rows, self._likely]

    def _fitted(
        self, e: float, near: LapseFit | None = None, *, fixed: bool = False
    ) -> LapseFit:
        """Return the most likely fit; e is the fixed or initial share of lapses."""
        x = [0.0, 0.0, e] if near is None else [np.log(near.a), near.b, e]
        share = (e, e) if fixed else (0.0, MOST)
        bounds = [(np.log(LEAST_A), np.log(MOST_A)), (-2.0, 2.0), share]
        fitted = minimize(self._loss, x, jac=True, method="L-BFGS-B", bounds=bounds)
        log_a, b, share = fitted.x
        return LapseFit(
            float(share), float(np.exp(log_a)), float(b), -float(fitted.fun)
        )

    def _loss(self, x: Floats) -> tuple[float, Floats]:
        """Return the negative log-likelihood and its gradient in log a, b and e."""
        log_a, b, e = x
        a, blocks = np.exp(log_a), row_blocks(len(self._codes), 1, AT_ONCE)
        parts = map_blocks(lambda rows: self._sums(rows, a, b, e), blocks)
        fit, by_a, by_b, by_e = np.sum(parts, axis=0).tolist()
        loss = 0.5 * ((log_a / TEMPERED) ** 2 + (b / SHIFTED) ** 2) - fit
        slope = [-a * by_a + log_a / TEMPERED**2, -by_b + b / SHIFTED**2, -by_e]
        return loss, np.array(slope)

    def _sums(self, some: slice, a: float, b: float, e: float) -> list[float]:
        """Return the log-likelihood of some rows, and its derivatives in a, b and e."""
        log_p, codes, likely = self._log_p[some], self._codes[some], self._likely[some]
        rows, w = self._rows[: len(codes)], self._weights[some]
        q = self._tempered(a, b, some)
        lapsed = q * self._given[some]
        own, lapse = q[rows, codes], lapsed.sum(axis=1)
        P = (1.0 - e) * own + e * lapse + 1e-12
        mean = (q * log_p).sum(axis=1)
        by_a = (1.0 - e) * own * (log_p[rows, codes] - mean)
        by_a += e * ((lapsed * log_p).sum(axis=1) - lapse * mean)
        top = q[rows, likely]
        by_b = (1.0 - e) * own * ((codes == likely) - top)
        by_b += e * (lapsed[rows, likely] - lapse * top)
        slopes = [(w * by / P).sum() for by in (by_a, by_b, lapse - own)]
        return [(w * np.log(P)).sum(), *slopes]

    def _tempered(self, a: float, b: float, some: slice = slice(None)) -> Floats:
        logits = a * self._log_p[some]
        logits[self._rows[: len(logits)], self._likely[some]] += b
        logits -= logits.max(axis=1, keepdims=True)
        q = np.exp(logits)
        return q / q.sum(axis=1, keepdims=True)


def confusions(likely, codes, wrong, n_classes):
    """Return T(k, g) (n, C) for each class k and the label g of each row."""
    # The row itself is not counted, because it would support its own error.
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
