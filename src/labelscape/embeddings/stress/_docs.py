"""What Sammon, CCA, DD-HDS and ClassiMap share, described once."""

from labelscape._core.spaces import METRIC_TEXTS

TEXTS = {
    "components": """
    n_components : int, default=2
        Dimensions of the map.""",
    "lambdas": """
    lambda_start, lambda_end : float, default=0.9 and 0.1
        How far a pair may be and still count, at the beginning and at the end, in units
        of twice the standard deviation of the dissimilarities. At 0.9 nearly all pairs
        count, at 0.1 only the closest few percent.""",
    "run": METRIC_TEXTS["metric_of_map"]
    + """
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        Where the map begins. "pca" is the best straight view: PCA scores, or classical
        MDS for other dissimilarities. The map of an array keeps its orientation; others
        are turned to their principal axes.""",
    "watch": """
    random_state : int, RandomState or None, default=None
        Seed of the order of the pivots, and of the random start.
    verbose : bool, default=False
        Whether to show a progress bar.""",
    "callback": """
    callback : callable or None, default=None
        Called 50 times during the pivots, and after each step of majorisation, with a
        dict of ``epoch``, ``lambda``, ``stress`` (at the last lambda, on 2000 objects
        at most) and ``embedding``. Returning ``True`` stops the fit.""",
    "pivots": """
    n_pivots : int or None, default=None
        Turns of the pivot rule. None: 50 for each object, but not more than 50,000 in
        all.
    max_iter : int, default=0
        Steps of majorisation that follow. They lower the stress a little, and each one
        visits all pairs.
    tol : float, default=1e-6
        Majorisation stops when three steps in a row change the stress by less than this
        part of it.""",
    "attributes": """
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    stress_ : float
        Weighted error of the map, divided by what it would be if all points lay in one
        place and weighed as on an exact map: 0 is exact. Of 2000 objects where there
        are more, unless majorisation has visited all pairs.
    loss_curve_ : list of float
        Stress after each epoch: those of the pivots only if ``callback`` or ``verbose``
        asked for it.
    n_iter_ : int
        Number of epochs: the stages of the pivots and the steps of majorisation.
    training_X_ : ndarray of shape (n_samples, n_features) or None
        The fitted objects, with which ``transform`` compares new ones. None if
        ``metric="precomputed"``.
    metric_ : object
        Only if ``metric`` is an object: its fitted copy.""",
}
