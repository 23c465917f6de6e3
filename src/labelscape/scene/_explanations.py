"""Explanations of the decisions for some objects: those worth asking about first."""

from inspect import signature
from typing import Any

import numpy as np

from labelscape.scene._classes import Classes
from labelscape.scene._inputs import Subject
from labelscape.scene._levels import spread_sample
from labelscape.scene._units import Matrix
from labelscape.scene.scene import Explanations

MOST_OBJECTS = 1000
# An explanation looks for the smallest change among all prototypes and features. With
# so many numbers to look at in all, those of a scene take a few seconds.
MOST_WORK, MOST_LOCAL_WORK = 3_000_000, 2_000
FEWEST_OBJECTS = 8
# The same for changes of whole categories: prototypes times columns of them.
MOST_CATEGORY_WORK = 6_000


def n_explained(subject: Subject, n: int) -> int:
    """Return how many of n objects are explained."""
    model = subject.prototypes
    most = MOST_LOCAL_WORK if model.metric_.kind == "local" else MOST_WORK
    at_most = most // model.prototypes_.size
    if subject.categories:
        n_choices = len(model.prototypes_) * len(subject.categories)
        at_most = min(at_most, MOST_CATEGORY_WORK // n_choices)
    return int(min(n, MOST_OBJECTS, max(FEWEST_OBJECTS, at_most)))


def chosen_objects(
    wrong: Matrix, certainty: Matrix, codes: Matrix, n_chosen: int, seed: int
) -> Matrix:
    """Return which objects to explain, ascending: half of them the doubtful ones.

    Errors come first, then what the model is least sure of. The other half is spread
    over the classes.
    """
    n = len(codes)
    if n <= n_chosen:
        return np.arange(n)
    doubtful = np.lexsort((certainty, ~wrong))[: n_chosen - n_chosen // 2]
    rest = np.setdiff1d(np.arange(n), doubtful)
    others = rest[spread_sample(codes[rest], n_chosen // 2, seed)]
    return np.sort(np.concatenate([doubtful, others]))


def explanations(
    subject: Subject, objects: Matrix, columns: Matrix, classes: Classes
) -> Explanations:
    """Return why a prototype model decides as it does for some objects."""
    X = subject.X
    assert X is not None
    known = _categories(subject)
    found = [subject.prototypes.explain(X[i], **known) for i in objects]
    stays = np.array([e.counterfactual is None for e in found])
    after = [e.x if e.counterfactual is None else e.counterfactual for e in found]
    changes = subject.units.shown(np.array(after)) - subject.shown[objects]
    changes[stays] = 0.0
    return Explanations(
        objects=objects.astype(np.uint32),
        contributions=np.array([e.contributions[columns] for e in found], np.float32),
        changes=changes[:, columns].astype(np.float32),
        change_distances=np.array(
            [e.counterfactual_distance for e in found], dtype=np.float32
        ),
        change_classes=classes.codes(
            np.array([e.counterfactual_prediction for e in found], dtype=object)
        ),
    )


def _categories(subject: Subject) -> dict[str, Any]:
    """Return the columns of categories, for a model that changes them as a whole."""
    takes = signature(subject.prototypes.explain).parameters
    if not subject.categories or "categories" not in takes:
        return {}
    return {"categories": subject.seen_categories}
