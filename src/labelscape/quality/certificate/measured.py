"""What follows from the fits: scores, chance, intervals, confusion."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from labelscape.quality.certificate.chance import (
    Interval,
    combined,
    split_p_value,
    unit_intervals,
)
from labelscape.quality.certificate.problem import Fit, Judged, Problem
from labelscape.quality.certificate.report import Scores
from labelscape.quality.certificate.scores import Tally
from labelscape.quality.certificate.verdict import Verdict, judged


class Measured:
    """What maps of parts of the data make of the objects, over all splits."""

    def __init__(self, problem: Problem, fits: Sequence[tuple[Fit, Judged]]) -> None:
        self.problem, self.fits = problem, fits
        by_neighbors, by_model = (
            np.nanmean(self._tally(name).recalls(problem.codes, problem.n_classes))
            for name in ("original", "linear")
        )
        self.is_linear = bool(by_model > by_neighbors)
        if self.is_linear:
            self.fits = [(fit, j._replace(original=j.linear)) for fit, j in fits]

    @cached_property
    def tallies(self) -> dict[str, Tally]:
        """How often each object was judged right: "seen", "unseen", "original"."""
        return {name: self._tally(name) for name in Scores._fields}

    def _tally(self, name: str) -> Tally:
        tally = Tally(*np.zeros((2, len(self.problem.codes)), dtype=np.intp))
        for fit, found in self.fits:
            part = fit.split.fitted if name == "seen" else fit.split.unseen
            tally.right[part] += getattr(found, name) == self.problem.codes[part]
            tally.tried[part] += 1
        return tally

    @cached_property
    def recalls(self) -> dict[str, NDArray[np.float64]]:
        """The share of each class that was judged right."""
        codes, n_classes = self.problem.codes, self.problem.n_classes
        return {name: t.recalls(codes, n_classes) for name, t in self.tallies.items()}

    @property
    def scores(self) -> Scores:
        """The balanced accuracies."""
        return Scores(*(float(np.nanmean(r)) for r in self.recalls.values()))

    @property
    def by_class(self) -> dict[object, float]:
        """The recall of each class for unseen objects, where chance is 0."""
        chance = 1.0 / self.problem.n_classes
        above = (self.recalls["unseen"] - chance) / (1.0 - chance)
        return dict(zip(self.problem.classes.tolist(), above.tolist(), strict=True))

    @property
    def confusion(self) -> NDArray[np.intp]:
        """The classes of unseen objects (rows), and what the map makes of them."""
        counts = np.zeros((self.problem.n_classes,) * 2, dtype=np.intp)
        for fit, found in self.fits:
            np.add.at(counts, (fit.codes[fit.split.unseen], found.unseen), 1)
        return counts

    def verdict(self, p_value: float, intervals: dict[str, Interval]) -> Verdict:
        """Return what follows from it all."""
        return judged(
            chance=1.0 / self.problem.n_classes,
            p_value=p_value,
            interval=intervals["unseen"],
            original_interval=intervals["original"],
            is_linear=self.is_linear,
            n_rows=len(self.problem.codes),
            **self.scores._asdict(),
        )

    def p_value(self, n_permutations: int, rng: RandomState) -> float:
        """Return how often labels that say nothing do as well on unseen objects."""
        problem = self.problem
        return combined(
            [
                split_p_value(
                    found.unseen,
                    fit.codes[fit.split.unseen],
                    problem.units[fit.split.unseen],
                    problem.n_classes,
                    n_permutations,
                    rng,
                )
                for fit, found in self.fits
            ]
        )

    def intervals(self, rng: RandomState) -> dict[str, Interval]:
        """Return 95 % intervals of the three scores, and of the gap."""
        problem = self.problem
        return unit_intervals(
            self.tallies, problem.codes, problem.units, problem.n_classes, rng
        )
