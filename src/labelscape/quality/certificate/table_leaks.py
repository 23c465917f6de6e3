"""What gives the labels of a table away, where no map has been judged."""

from collections.abc import Sequence

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality.certificate.leaks import Judgement, Leak, find_leaks
from labelscape.quality.certificate.problem import Problem

# A table is judged as a map is by default.
N_SPLITS, HALF, VOTERS, N_PERMUTATIONS = 5, 0.5, 5, 999


def leaks_of_table(
    problem: Problem,
    rows: NDArray[np.intp],
    names: Sequence[str],
    original: float,
    rng: RandomState,
) -> list[Leak]:
    """Return features and an order of rows that give the labels away.

    ``rows`` are the numbers of the objects in their table, ``original`` is the balanced
    accuracy for unseen objects by all features.
    """
    if problem.why_not:
        return []
    splits = [problem.split(HALF, rng) for _ in range(N_SPLITS)]
    k = problem.n_voters(VOTERS, splits)
    judgement = Judgement(problem.codes, problem.units, problem.n_classes, k, splits)
    return find_leaks(problem.X, rows, names, judgement, original, N_PERMUTATIONS, rng)
