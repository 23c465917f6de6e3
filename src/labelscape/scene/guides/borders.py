"""Where objects would be another class: the nearest points of the border on a map."""

from typing import Any

import numpy as np

from labelscape.scene._inputs import Subject
from labelscape.scene._units import Matrix
from labelscape.scene.scene import SceneModel

# Maps of other libraries may take long to place a thousand objects.
QUICK = ("labelscape", "sklearn")


def is_quick(estimator: Any) -> bool:
    """Return whether a map places objects in no time."""
    return type(estimator).__module__.split(".")[0] in QUICK


def border_rows(model: Subject, record: SceneModel) -> Matrix | None:
    """Return explained objects after their smallest change, as the model sees them.

    Rows of NaN where no change makes it another class; None where the scene does not
    hold all features, so that changes are not known as a whole.
    """
    found = record.explanations
    if found is None or found.changes.shape[1] != model.shown.shape[1]:
        return None
    after = np.asarray(model.shown[found.objects], dtype=np.float64) + found.changes
    rows = np.array(model.units.seen(after), dtype=np.float64)
    rows[~np.isfinite(found.change_distances)] = np.nan
    return rows
