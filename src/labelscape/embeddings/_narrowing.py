"""What CCA, DD-HDS and ClassiMap share: weights that narrow with lambda."""

from labelscape._core.checks import number
from labelscape.embeddings._stress_family import StressMap
from labelscape.embeddings._weighting import falling_weights


class NarrowingMap(StressMap):
    """Base of the maps whose weights fall by F, around less and less of each object.

    A subclass says by ``_kind`` which number of a pair F is taken of.
    """

    weighting = "normal"

    def __init__(
        self,
        n_components=2,
        *,
        p=1,
        lambda_start=0.9,
        lambda_end=0.1,
        metric="euclidean",
        init="pca",
        n_pivots=None,
        max_iter=0,
        tol=1e-6,
        random_state=None,
        verbose=False,
        callback=None,
    ):
        self.n_components = n_components
        self.p = p
        self.lambda_start = lambda_start
        self.lambda_end = lambda_end
        self.metric = metric
        self.init = init
        self.n_pivots = n_pivots
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state
        self.verbose = verbose
        self.callback = callback

    def _rules(self):
        rules = super()._rules()
        return {**rules, "lambda_start": number(above=0), "lambda_end": number(above=0)}

    def _weights(self, labels, spread):
        weights = falling_weights(self._kind, labels, spread, self.weighting)
        return weights, weights
