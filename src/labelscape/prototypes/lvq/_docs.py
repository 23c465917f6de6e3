"""The parameters that the LVQ family shares, described once."""

TEXTS = {
    "prototypes": """
    prototypes_per_class : int or dict, default=1
        Number of prototypes of each class, or a dict from label to number (classes that
        it does not name get 1).""",
    "common": """
    class_weight : dict or "balanced", optional
        How much the samples of each class count.
    missing : {"error", "ignore"}, default="error"
        "ignore": distances over the features that a sample has, scaled up by the
        share that is missing. Needs ``solver="lbfgs"``.
    prototype_init : {"auto", "random", "kmeans"} or ndarray, default="auto"
        "random": means of random thirds of the class, the paper's start; "kmeans":
        centers of k-means inside the class; or prototypes (l, n_features) sorted by
        class. "auto" is "random" for "sgd", "kmeans" for "lbfgs".
    warm_start : bool, default=False
        Start from the result of the last fit.
    solver : "lbfgs", "sgd", LBFGS or SGD, default="lbfgs"
        "lbfgs" minimizes the cost of all training samples; "sgd" is the paper's online
        training. :class:`LBFGS` and :class:`SGD` are the same with other settings, such
        as ``SGD(decay=1e-3)``. What is "auto" or None is the paper's choice under "sgd"
        and the one that generalized best in our measurements under "lbfgs".
    max_iter : int, optional
        Iterations at most: 100 for "lbfgs", 1000 epochs for "sgd".
    tol : float, default=1e-6
        "lbfgs" stops when the cost falls by less, relative to its size or to 1.
    learning_rate : float, default=0.01
        "sgd": step of the prototypes in the first epoch (eq. 18).
    early_stopping : {"best", "none"} or int, default="best"
        "sgd": "best" runs all epochs and keeps the one with the highest training
        accuracy (ties: the lower cost); a number stops after that many epochs without a
        better one and keeps the best; "none" keeps the last.
    random_state : int, RandomState instance or None, default=None
        Seed of the start and of the order of the samples.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each iteration with a dict (``iteration`` or ``epoch``, ``loss``,
        ``accuracy``). Returning True ends the fit, with the result so far.""",
    "matrix": """
    regularization : float, default=0.0
        Strength theta of the penalty ``-theta log det(Omega Omega^T)``, which keeps
        the directions from dying out. Half of what Schneider et al. (2010) call
        theta.
    matrix_init : str or ndarray, default="auto"
        Start of the matrix: "random", "identity", "pca", "lda" or numbers. "auto" is
        "random" for "sgd", as in the paper; for "lbfgs" it is "lda" or, with as many
        rows as features, "identity".""",
    "null_space": """
    null_space_correction : bool, default=False
        Project the rows of the learned matrix onto the span of the training samples:
        what it does outside was never trained.""",
    "matrix_rate": """
    matrix_learning_rate : float, default=1e-3
        "sgd": step of relevances or matrices (eq. 19).""",
    "local": """
    localization : {"class", "prototype"} or Localization, default="class"
        Whether the prototypes of a class share one local matrix. :class:`Localization`
        says more: how these matrices are normalized, penalized and started.""",
    "attributes": """
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes, sorted by class.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Their labels.
    metric_ : PrototypeMetric
        How the model measures: a record with the kind of metric, its factors, and
        functions for images and distances of samples.
    n_assigned_ : ndarray of shape (n_prototypes,)
        Number of training samples nearest to each prototype.
    loss_curve_, accuracy_curve_ : list of float
        Mean cost and training accuracy after each iteration.
    validation_curve_ : list of float
        Accuracy on held-out samples, where ``fit`` was given some.
    n_iter_ : int
        Number of iterations.
    temperature_ : float
        Unit of distance in ``predict_proba``.""",
    "matrix_attributes": """
    omega_ : ndarray of shape (n_components, n_features)
        The learned matrix in canonical form (eq. 8): most discriminative row first.
    relevance_matrix_ : ndarray of shape (n_features, n_features)
        ``omega_.T @ omega_``.
    relevances_ : ndarray of shape (n_features,)
        Its diagonal: how much each feature matters. They add up to 1.""",
}
_TRAINING = ("matrix", "null_space", "matrix_rate", "common")
TEXTS["matrix_training"] = "".join(TEXTS[name] for name in _TRAINING)
