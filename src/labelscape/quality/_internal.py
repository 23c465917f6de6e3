"""What other rooms ask of quality, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.quality._intervals import (
    half_width,
    interval,
    point_scores,
    precise,
    reach,
)
from labelscape.quality._neighborhoods import Neighborhoods, neighborhoods
from labelscape.quality._refits import places, seeded_clone, with_transform
from labelscape.quality._report import MEANINGS
from labelscape.quality._spaces import both_spaces
from labelscape.quality.certificate.classifier_verdict import (
    ClassifierVerdict,
    judged_classifier,
)
from labelscape.quality.certificate.problem import Problem, units_per_class
from labelscape.quality.certificate.scores import (
    Voters,
    balanced_accuracy,
    vote_weights,
)
from labelscape.quality.certificate.splits import (
    LabelShuffle,
    Split,
    draw_split,
    some_units,
    unit_classes,
)
from labelscape.quality.certificate.table_leaks import leaks_of_table
from labelscape.quality.certificate.units import row_hashes, units_of
from labelscape.quality.certificate.whole import judged_whole

__all__ = [
    "MEANINGS",
    "ClassifierVerdict",
    "LabelShuffle",
    "Neighborhoods",
    "Problem",
    "Split",
    "Voters",
    "balanced_accuracy",
    "both_spaces",
    "draw_split",
    "footnote",
    "half_width",
    "interval",
    "judged_classifier",
    "judged_whole",
    "leaks_of_table",
    "neighborhoods",
    "neighborhoods_of",
    "places",
    "point_scores",
    "precise",
    "reach",
    "row_hashes",
    "seeded_clone",
    "some_units",
    "unit_classes",
    "units_of",
    "units_per_class",
    "vote_weights",
    "with_transform",
]


def footnote(report):
    """Return the sentence below the table of a report: of what its numbers tell."""
    return report._footnote()


def neighborhoods_of(report):
    """Return what a report counted point by point, so that nobody counts it again."""
    return report._points
