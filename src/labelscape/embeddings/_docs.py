"""What the maps share, described once."""

from labelscape._core.points.spaces import METRIC_TEXTS

MAP_TEXTS = {
    "components": """
    n_components : int, default=2
        Dimensions of the map.""",
    "metric": METRIC_TEXTS["metric_of_map"],
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
