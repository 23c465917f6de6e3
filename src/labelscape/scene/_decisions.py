"""What a classifier says of each point, and how sure it is."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from labelscape.scene._subject import Subject


class Decisions(NamedTuple):
    """Labels (n,) that a classifier gives, and its certainty (n,) from 0 to 1."""

    labels: NDArray[Any]
    certainty: NDArray[np.float32]
    classes: list[Any]


def decisions(subject: Subject) -> Decisions:
    """Return what a classifier says of the points."""
    model = subject.prototypes
    if model is not None:
        labels = model.predict(subject.data)
        certainty = model.predict_proba(subject.data).max(axis=1)
        return Decisions(labels, certainty.astype(np.float32), model.classes_.tolist())
    from labelscape.boundary._classifier_output import Strength

    strength = Strength(subject.classifier)
    r = strength.values(subject.X)
    labels, certainty = strength.labels(r), strength.certainty(r)
    return Decisions(labels, certainty.astype(np.float32), strength.classes_.tolist())
