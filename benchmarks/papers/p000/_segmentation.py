"""The segmentation data, and the runs that several figures show."""

from functools import cache

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from benchmarks.lvq_paper import LEFT_OUT, at_best_mean_epoch, fits, train_and_test
from benchmarks.papers._kept import kept
from benchmarks.papers._record import FIRST, seeds
from labelscape.prototypes import GMLVQ, LiRaMLVQ, LocalLiRaMLVQ

# The paper runs each model ten times; here there are five blocks of ten.
BLOCK, SEEDS, EPOCHS = 10, 50, 1000
SETTINGS = f"as_in_paper(), {EPOCHS} epochs, {SEEDS} seeds"
# The paper says "several values of M".
RANKS = (2, 3, 5, 8, 16)
FULL = 16


@cache
def data():
    """Return z-scored training samples with labels, then those of the test."""
    return train_and_test("segmentation_train.csv", "segmentation_test.csv", LEFT_OUT)


def per_class(many):
    """Return one prototype for each class, or two and three for windows."""
    labels = np.unique(data()[1]).tolist()
    return {c: 2 + (c == "window") if many else 1 for c in labels}


@kept
def runs(rank, many=False, local=False):
    """Return fitted models of a rank, each with its accuracies by epoch."""
    model = LocalLiRaMLVQ if local else GMLVQ if rank == FULL else LiRaMLVQ
    rows = {} if rank == FULL else {"n_components": rank}
    options = {"prototypes_per_class": per_class(many)} | rows
    return fits(model.as_in_paper, seeds(SEEDS), *data(), **options)


@kept
def early_stopped(rank, many=False):
    """Return mean accuracies at the epoch of the best training mean, and the epoch."""
    return at_best_mean_epoch(runs(rank, many))


@kept
def stopped_run(rank, many=False, seed=FIRST, epoch=None):
    """Return one run, ended at an epoch: None is that of the best training mean."""
    model = GMLVQ if rank == FULL else LiRaMLVQ
    rows = {} if rank == FULL else {"n_components": rank}
    X, y = data()[:2]
    return model.as_in_paper(
        prototypes_per_class=per_class(many),
        max_iter=epoch or int(early_stopped(rank, many)[2]),
        early_stopping="none",
        random_state=seed,
        **rows,
    ).fit(X, y)


@kept
def stopped_runs(rank, many=False):
    """Return all runs, ended at the epoch of the best training mean."""
    return [stopped_run(rank, many, seed) for seed in seeds(SEEDS)]


def in_blocks(some):
    """Return runs, or numbers of them, in blocks of as many as the paper has."""
    return [some[i : i + BLOCK] for i in range(0, SEEDS, BLOCK)]


def eigenvalues(model):
    """Return the eigenvalues of Lambda, the largest first."""
    return np.linalg.svd(model.omega_, compute_uv=False) ** 2


def draw_curves(ax, rank, many=False):
    """Draw mean accuracies on training and test samples by epoch."""
    models = runs(rank, many)
    for name, attribute in (
        ("training", "accuracy_curve_"),
        ("test", "validation_curve_"),
    ):
        mean = np.mean([getattr(m, attribute) for m in models], axis=0)
        ax.plot(np.arange(1, len(mean) + 1), mean, label=name)
    ax.axvline(early_stopped(rank, many)[2], color="0.7", linewidth=0.8)
    ax.set(title=f"M = {rank}", xlabel="epoch", ylabel="accuracy")
    ax.legend()


def draw_matrix(axes, model):
    """Draw diagonal, eigenvalues and the rest of Lambda, as in Figs. 1 and 5."""
    L = model.relevance_matrix_
    axes[0].bar(np.arange(1, len(L) + 1), np.diag(L))
    axes[0].set(title="diagonal elements", xlabel="feature")
    values = eigenvalues(model)
    axes[1].bar(np.arange(1, len(values) + 1), values)
    axes[1].set(title=f"eigenvalues, M = {len(values)}", xlabel="rank")
    axes[1].xaxis.set_major_locator(MaxNLocator(integer=True))
    rest = L - np.diag(np.diag(L))
    ends = (0.5, len(L) + 0.5)
    most = abs(rest).max()
    look = {"cmap": "RdBu_r", "vmin": -most, "vmax": most}
    image = axes[2].imshow(rest, extent=(*ends, *ends[::-1]), **look)
    axes[2].set(title="off-diagonal elements", xlabel="feature")
    axes[2].figure.colorbar(image, ax=axes[2])


def draw_ranks(ax, accuracies, title):
    """Draw mean, spread and range of accuracies (ranks, seeds) over the ranks."""
    means, stds = accuracies.mean(axis=1), accuracies.std(axis=1)
    ax.fill_between(
        RANKS, accuracies.min(axis=1), accuracies.max(axis=1), color="C0", alpha=0.2
    )
    ax.fill_between(RANKS, means - stds, means + stds, color="C0", alpha=0.3)
    ax.plot(RANKS, means, marker="o")
    for rank, mean in zip(RANKS, means, strict=True):
        ax.annotate(
            f"{mean:.1f}", (rank, mean), xytext=(0, 6), textcoords="offset points"
        )
    ax.margins(x=0.08)
    ax.set(title=title, xlabel="M", ylabel="test accuracy, %")


def new_figure(width, height):
    """Return an empty figure that no window waits for."""
    return Figure(figsize=(width, height), layout="constrained")
