"""What the classifiers of paper 003 share, described once (see `lvq._docs`)."""

GROUP_TEXTS = {
    "growth": """
    tol : float, default=0.02
        Least gain in quality, a mean confidence from 0 to 1, that pays for another
        round of prototypes.
    max_prototypes : int, optional
        Largest number of prototypes, all classes together.""",
    "patience": """
    grow_patience : int, default=0
        Rounds to go on for without a gain of ``tol`` over the round before. The last
        model that was better than all before it by ``tol`` is returned. Classes that
        interleave like a checkerboard need 1 or 2; small data may overfit.
    accept : {"all", "one"}, default="all"
        Whether the splits of a round are accepted together, as in the paper, or each on
        its own, the most doubtful group first.""",
    "exact_limit": """
    exact_limit : int, default=5000
        Size of a group up to which its two farthest objects are found exactly before it
        is split. In larger ones two that are at least half as far apart will do.""",
    "rounds": """
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each round with a dict (``iteration``, ``loss``, ``quality``,
        ``n_prototypes``). Returning True ends the fit, with the result so far.""",
    "alpha_for_quality": """
    alpha : float, default=2.0
        How sharply confidence rises with the distance from the border, in units of the
        mean distance from the border between the class means. Read by ``quality_`` and
        `explain`; the prototypes do not depend on it.""",
    "history": """
    history_ : dict of ndarray
        ``quality`` and ``n_prototypes`` after each round, and whether it was
        ``accepted``.
    loss_curve_ : list of float
        ``1 - quality`` after each round.
    n_iter_ : int
        Number of rounds.""",
    "classes": """
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Labels of the prototypes.
    metric_ : PrototypeMetric
        How the model measures: a record with the kind of metric, its factors, and
        functions for images and distances of objects.""",
    "groups": """
    medoids_, typical_, hardest_ : ndarray of shape (n_prototypes,)
        Indices of training objects: of the members of each prototype the nearest to it,
        the one with the highest and the one with the lowest confidence.
    quality_ : float
        Mean confidence of the training objects (Def. 4.3).
    compression_ : float
        Training objects per prototype.
    alpha_ : float
        alpha in units of one over distance.
    temperature_ : float
        Unit of distance in ``predict_proba``.""",
    "reference": """
    H.-P. Kriegel, M. Schubert: Advanced Prototype Machines: Exploring Prototypes for
    Classification. SIAM International Conference on Data Mining.""",
}
