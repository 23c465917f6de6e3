"""Names of this package that other packages use but users do not."""

from labelscape.embeddings.tsne._engine import usual_metric, usual_perplexity
from labelscape.embeddings.weighted_mds._pairs import placed_among

__all__ = [
    "placed_among",
    "usual_metric",
    "usual_perplexity",
]
