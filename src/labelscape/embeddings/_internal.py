"""What other rooms ask of the maps, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.embeddings.landmarks._growth import (
    FIRST as FIRST_LANDMARKS,
)
from labelscape.embeddings.landmarks._growth import (
    N_LANDMARKS,
    Growth,
    Objects,
    grown_map,
)
from labelscape.embeddings.tsne._engine import usual_perplexity
from labelscape.embeddings.tsne._fisher import usual_metric
from labelscape.embeddings.tsne._joint import best_trial
from labelscape.embeddings.weighted_mds._landmarks import placed_among

__all__ = [
    "FIRST_LANDMARKS",
    "N_LANDMARKS",
    "Growth",
    "Objects",
    "best_trial",
    "grown_map",
    "placed_among",
    "usual_metric",
    "usual_perplexity",
]
