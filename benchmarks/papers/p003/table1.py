"""Table 1: accuracy of Push and Grow beside eight others, in ten folds."""

import numpy as np

from benchmarks.pag_tables import ACCURACY, ACCURACY_COLUMNS, UNSCALED
from benchmarks.papers._record import record
from benchmarks.papers._verdict import (
    MISSED,
    REACHED,
    Measured,
    at_least,
    claim,
    holds,
    row,
    same,
    worst,
)
from benchmarks.papers.p003._tables import (
    SETTINGS,
    counted,
    gaps_to,
    judged,
    names,
    on_folds,
)

RIVALS = ACCURACY_COLUMNS[1:]
# Claims of section 6.2 that count sets. Three of its fourteen are not public.
BEATEN = {
    "ICF": '"On 10 out of 14 data sets PAG outperformed ICF"',
    "k-means": '"on 9 out of 14 data sets PAG offered better accuracy than" k-means',
    "LVQaG": '"PAG performed better than LVQaG on 11 out of 14 data sets"',
}
NEIGHBORS = ("LVQaG", "ICF", "k-means", "centroid", "kNN")


def of_sets():
    """Return a row for each set: Push and Grow against its printed accuracy."""
    rows = []
    for name in names():
        printed = f"{ACCURACY[name][0]:.1f}"
        ours = Measured.of(judged(name, "PAG")[0], printed_runs=1)
        verdict, tried = at_least(printed, ours), ""
        if verdict == MISSED:
            best = on_folds(name)
            tried = (
                "if alpha and scaler are chosen on the reported folds, the accuracy is "
                f"{best:.1f}"
            )
        what = f"{name}, PAG"
        rows.append(row(what, printed, ours.shown(), SETTINGS, verdict, tried))
    return rows


def of_rivals():
    """Return a row for each rival: on which sets it is as printed."""
    rows = []
    for rival in RIVALS:
        column = ACCURACY_COLUMNS.index(rival)
        verdicts, words = [], []
        for name in names():
            printed = f"{ACCURACY[name][column]:.1f}"
            ours = Measured.of(judged(name, rival)[0], printed_runs=1)
            verdicts.append(same(printed, ours))
            if verdicts[-1] != REACHED:
                words.append(f"{name} {ours.value:.1f} / {printed}")
        count = verdicts.count(REACHED)
        ours = (
            f"on {count} of 11; other sets, ours / printed: {', '.join(words)}"
            if words
            else "on all"
        )
        what = f"{rival}, accuracies as printed"
        tried = (
            "the paper does not describe folds and coding of features, and the grid of "
            "parameters is ours"
        )
        settings = SETTINGS + ("; always scaled to [0, 1]" if rival in UNSCALED else "")
        settings += "; CART in place of J48" if rival == "tree" else ""
        rows.append(row(what, "on 11 sets", ours, settings, worst(verdicts), tried))
    return rows


def printed_wins(rivals):
    """Return on how many of the public sets Push and Grow is printed as best."""
    columns = [ACCURACY_COLUMNS.index(rival) for rival in rivals]
    return sum(one[0] >= max(one[c] for c in columns) for one in ACCURACY.values())


def claims():
    """Return what the text concludes from the table."""
    tried = "the parameters of all methods are chosen by inner folds"
    wins = printed_wins(RIVALS)
    words, verdict = counted(gaps_to(RIVALS), wins)
    best = '"For 5 datasets, PAG offered the best performance compared to all 8 other"'
    rows = [row(best, f"{wins} of these 11", words, SETTINGS, verdict, tried)]
    for rival, said in BEATEN.items():
        wanted = printed_wins([rival])
        words, verdict = counted(gaps_to([rival]), wanted)
        rows.append(row(said, f"{wanted} of these 11", words, SETTINGS, verdict, tried))
    words, verdict = counted(gaps_to(["centroid"]), len(names()))
    always = '"simple centroids ... always provided a lesser accuracy for any"'
    rows.append(row(always, "11 of 11", words, SETTINGS, verdict, tried))
    return [*rows, *of_means(tried)]


def of_means(tried):
    """Return the rows of means over all sets, and of who wins most."""
    means = {
        m: np.mean([judged(n, m)[0] for n in names()], axis=0) for m in ACCURACY_COLUMNS
    }
    rival = max(NEIGHBORS, key=lambda m: means[m].mean())
    gap = Measured.of(means["PAG"] - means[rival])
    listed = ", ".join(f"{m} {means[m].mean():.1f}" for m in ("PAG", *NEIGHBORS))
    winners = [
        max(ACCURACY_COLUMNS, key=lambda m: judged(n, m)[0].mean()) for n in names()
    ]
    wins = {m: winners.count(m) for m in ACCURACY_COLUMNS}
    more = [m for m in wins if wins[m] > wins["PAG"]]
    won = ", ".join(f"{m} {count}" for m, count in wins.items() if count)
    return [
        row(
            '"PAG provided the best classification performance for all NN-based" '
            "methods",
            "best of six",
            f"mean over the sets: {listed}",
            SETTINGS,
            claim(gap),
            tried,
        ),
        row(
            '"only support vector machines dominated more problems"',
            "SVM alone",
            f"number of sets where a method is best: {won}",
            SETTINGS,
            holds(set(more) <= {"SVM"}),
            tried,
        ),
    ]


def main():
    record("003", "Table 1", of_sets() + of_rivals())
    record("003", "Table 1, conclusions", claims())


if __name__ == "__main__":
    main()
