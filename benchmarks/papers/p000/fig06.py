"""Fig. 6: running times of NCA and of the LVQ variants by the number of samples."""

from time import process_time

import numpy as np

from benchmarks.papers._record import FIRST, record
from benchmarks.papers._verdict import holds, row
from benchmarks.papers.p000._segmentation import data, new_figure
from labelscape.embeddings import NCA
from labelscape.prototypes import SGD, LiRaMLVQ, LocalLiRaMLVQ

SIZES = (420, 840, 1680, 2310)
EPOCHS = 100
HALFWAY = 1.6  # an exponent above halfway from linear to quadratic


def everything():
    """Return all samples of both sets, in a random order."""
    X, y, X_test, y_test = data()
    order = np.random.default_rng(FIRST).permutation(len(y) + len(y_test))
    return np.concatenate([X, X_test])[order], np.concatenate([y, y_test])[order]


def contenders():
    """Return models by name; LVQ is timed over as many epochs for all sizes."""
    online = {"max_iter": EPOCHS, "random_state": FIRST, "solver": SGD(matrix_epoch=1)}
    for count in (1, 2):
        for model in (LiRaMLVQ, LocalLiRaMLVQ):
            name = f"{model.__name__}, ppc = {count}"
            yield name, model.as_in_paper(prototypes_per_class=count, **online)
    for length in (5, 10):
        nca = NCA.as_in_paper(max_iter=length, random_state=FIRST)
        yield f"NCA, l = {length}", nca


def seconds_of(model, X, y):
    """Return the processor time of a fit."""
    start = process_time()
    model.fit(X, y)
    return process_time() - start


def main():
    X, y = everything()
    times = {}
    for name, model in contenders():
        seconds_of(model, X[: SIZES[0]], y[: SIZES[0]])  # compile first
        times[name] = [seconds_of(model, X[:n], y[:n]) for n in SIZES]
    growth = {
        name: float(np.polyfit(np.log(SIZES[1:]), np.log(found[1:]), 1)[0])
        for name, found in times.items()
    }
    lvq = max(value for name, value in growth.items() if "LVQ" in name)
    nca = min(value for name, value in growth.items() if "NCA" in name)
    sizes = f"{SIZES[1]} to {SIZES[-1]} samples, M = 2"
    rows = [
        row(
            '"computation time grows linearly ... using the LVQ approaches"',
            1,
            round(lvq, 2),
            f"{sizes}; largest exponent of the time; reached if below {HALFWAY}",
            holds(lvq < HALFWAY),
        ),
        row(
            '"the complexity of NCA grows quadratically"',
            2,
            round(nca, 2),
            f"{sizes}; smallest exponent of the time; reached if above {HALFWAY}",
            holds(nca > HALFWAY),
            "each processor time is that of one fit",
        ),
    ]
    figure = new_figure(7, 5)
    ax = figure.subplots()
    for name, found in times.items():
        ax.plot(
            SIZES,
            found,
            marker="o",
            linestyle=":" if "NCA" in name else "-",
            label=name,
        )
    ax.set(
        xlabel="training samples",
        ylabel="processor time, s",
        xscale="log",
        yscale="log",
    )
    ax.set_xticks(SIZES, [str(n) for n in SIZES])
    ax.minorticks_off()
    ax.set(title=f"LVQ: {EPOCHS} epochs; NCA: l iterations")
    ax.legend()
    record("000", "Fig. 6", rows, figure=figure)


if __name__ == "__main__":
    main()
