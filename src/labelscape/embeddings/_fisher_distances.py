"""Fisher distances of many objects: asked for when needed, never n × n."""

from labelscape.embeddings._dissimilarities import GivenDissimilarities


class FisherDistances:
    """Distances among the objects that a metric was fitted to."""

    def __init__(self, metric):
        self.metric = metric

    def subset(self, index):
        """Return the distances of some of the objects, as a matrix."""
        return GivenDissimilarities(self.metric._among(index))
