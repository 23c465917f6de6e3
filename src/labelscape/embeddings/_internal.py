"""Names of this package that other packages use but users do not."""

from labelscape.embeddings.tsne._base import usual_perplexity
from labelscape.embeddings.tsne._fisher import usual_metric
from labelscape.embeddings.weighted_mds._pairs import placed_among

__all__ = [
    "placed_among",
    "usual_metric",
    "usual_perplexity",
]
