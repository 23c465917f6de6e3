"""What other rooms ask of the maps, and no user does.

The door between the rooms: they import from here, and nothing else that is private.
"""

from labelscape.embeddings.tsne._engine import usual_metric, usual_perplexity
from labelscape.embeddings.tsne._joint import best_trial
from labelscape.embeddings.weighted_mds._pairs import placed_among

__all__ = [
    "best_trial",
    "placed_among",
    "usual_metric",
    "usual_perplexity",
]
