"""Fisher distances of many objects: asked for when needed, never n × n."""

from labelscape.embeddings._dissimilarities import GivenDissimilarities
from labelscape.geometry._for_maps import distances_among


class FisherDistances:
    """Distances among the objects that a metric was fitted to."""

    def __init__(self, metric):
        self.metric = metric

    def subset(self, index):
        """Return the distances of some of the objects, as a matrix."""
        return GivenDissimilarities(distances_among(self.metric, index))
