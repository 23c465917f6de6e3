"""Names of this package that other packages use but users do not."""

from labelscape.quality.certificate.dependence import with_shown_places
from labelscape.quality.certificate.placed import score_placed_rows
from labelscape.quality.certificate.verdict import judge_classifier
from labelscape.quality.measures import point_scores
from labelscape.quality.measures.neighborhoods import both_spaces, neighborhoods

__all__ = [
    "both_spaces",
    "judge_classifier",
    "neighborhoods",
    "point_scores",
    "score_placed_rows",
    "with_shown_places",
]
