"""One fit of a map, and what the neighbours on it make of the objects."""

from typing import Any

from labelscape._core.columns.linear import linear_answers
from labelscape.quality._refits import new_places, own_map, seeded_clone
from labelscape.quality.certificate.problem import Fit, Judged, Problem
from labelscape.quality.certificate.scores import Voters

OWNER = "honesty"


def judged_by_fit(estimator: Any, problem: Problem, fit: Fit, k: int) -> Judged:
    """Fit a map to some objects; return what neighbours on it make of all."""
    fitted, unseen = fit.split
    X, codes, units = problem.X, fit.codes[fitted], problem.units[fitted]
    model = seeded_clone(estimator, fit.seed)
    Z = own_map(model, X[fitted], problem.classes[codes], units, owner=OWNER)
    Z_new = new_places(model, X[unseen], owner=OWNER)
    on_map = Voters(Z, codes, units, problem.n_classes, k)
    return Judged(
        seen=on_map.judge_themselves(),
        unseen=on_map.judge(Z_new),
        original=on_map._replace(Z=X[fitted]).judge(X[unseen]),
        linear=linear_answers(X[fitted], codes, X[unseen]),
    )
