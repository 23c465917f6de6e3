"""What the maps share, described once."""

MAP_TEXTS = {
    "components": """
    n_components : int, default=2
        Dimensions of the map.""",
    "metric": """
    metric : {"euclidean", "precomputed"}, callable or object, default="euclidean"
        How objects differ. "precomputed": X is a symmetric matrix of dissimilarities. A
        function of two objects. An object with ``fit`` and ``pairwise`` such as
        ``FisherMetric()``; a fitted copy is kept in ``metric_``.""",
    "seed": """
    random_state : int, RandomState or None, default=None
        Seed of all that is drawn at random.""",
    "verbose": """
    verbose : bool, default=False
        Whether to show a progress bar.""",
    "fitted_metric": """
    metric_ : object
        Only if ``metric`` is an object: its fitted copy.""",
}
