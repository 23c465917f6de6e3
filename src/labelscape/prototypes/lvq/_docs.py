"""Parameters that all LVQ models share."""

TEXTS = {
    "prototypes": """
    prototypes_per_class : int or dict, default=1
        Number of prototypes of each class, or a dict from label to number. Classes that
        are not in the dict get 1.""",
    "common": """
    class_weight : dict or "balanced", optional
        Weight of each class. "balanced" gives all classes the same total weight.
    missing : {"error", "ignore"}, default="error"
        Treatment of missing values. "ignore" computes distances from the observed
        features, increased for the missing ones, and needs ``solver="lbfgs"``.
    prototype_init : {"auto", "random", "kmeans"} or ndarray, default="auto"
        Initial prototypes. "random" uses means of random thirds of the class, as
        in the paper; "kmeans" uses k-means centers of the class. An array of shape (l,
        n_features) gives prototypes sorted by class. "auto" is "random" for "sgd" and
        "kmeans" for "lbfgs".
    warm_start : bool, default=False
        Start from the result of the last fit.
    solver : "lbfgs", "sgd", LBFGS or SGD, default="lbfgs"
        "lbfgs" minimizes the cost of all training samples; "sgd" is the paper's online
        training. Use :class:`LBFGS` or :class:`SGD` for other settings, such as
        ``SGD(decay=1e-3)``. Where a parameter is "auto" or None, "sgd" uses the value
        of the paper; "lbfgs" uses the value with the best held-out accuracy in our
        measurements.
    max_iter : int, optional
        Maximum number of iterations. By default 100 for "lbfgs" and 1000 for "sgd".
    tol : float, default=1e-6
        "lbfgs" stops when the cost falls by at most ``tol * max(abs(cost), 1)``.
    learning_rate : float, default=0.01
        Learning rate of prototypes in the first epoch of "sgd" (eq. 18).
    early_stopping : {"best", "none"} or int, default="best"
        When to stop "sgd". "best" runs all epochs and keeps the epoch with the highest
        training accuracy, or in a tie the lowest cost. An int also keeps the
        best epoch, but stops after this many epochs without improvement. "none" keeps
        the last epoch.
    random_state : int, RandomState instance or None, default=None
        Seed of the start and of the order of the samples.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each iteration with a dict (``iteration`` or ``epoch``, ``loss``,
        ``accuracy``). Returning True ends the fit with the current result.""",
    "matrix": """
    regularization : float, default=0.0
        Strength theta of the penalty ``-theta log det(Omega Omega^T)``, which keeps the
        rows of the matrix linearly independent. This theta is half the theta of
        Schneider et al. (2010).
    matrix_init : str or ndarray, default="auto"
        Initial matrix: "random", "identity", "pca", "lda" or a given matrix.
        "auto" is "random" for "sgd", as in the paper. For "lbfgs" it is "lda", or
        "identity" if the matrix is square.""",
    "null_space": """
    null_space_correction : bool, default=False
        Project the rows of the learned matrix onto the span of the training samples,
        because other directions are not trained.""",
    "matrix_rate": """
    matrix_learning_rate : float, default=1e-3
        Learning rate of relevances or matrices for "sgd" (eq. 19).""",
    "local": """
    localization : {"class", "prototype"} or Localization, default="class"
        Whether the prototypes of a class share one local matrix. A
        :class:`Localization` also sets how the matrices are normalized, penalized and
        initialized.""",
    "attributes": """
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes, sorted by class.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Labels of the prototypes.
    metric_ : PrototypeMetric
        The distance of the fitted model, with functions that project samples and
        compute their distances to the prototypes.
    n_assigned_ : ndarray of shape (n_prototypes,)
        Number of training samples nearest to each prototype.
    loss_curve_, accuracy_curve_ : list of float
        Mean cost and training accuracy after each iteration.
    validation_curve_ : list of float
        Accuracy on the samples given to ``fit`` as ``validation``.
    n_iter_ : int
        Number of iterations.
    temperature_ : float
        Divisor of the decision function in ``predict_proba``.""",
    "matrix_attributes": """
    omega_ : ndarray of shape (n_components, n_features)
        The learned matrix in canonical form (eq. 8): most discriminative row first.
    relevance_matrix_ : ndarray of shape (n_features, n_features)
        ``omega_.T @ omega_``.
    relevances_ : ndarray of shape (n_features,)
        Relevance of each feature, the diagonal of ``relevance_matrix_``; the sum is
        1.""",
}
_TRAINING = ("matrix", "null_space", "matrix_rate", "common")
TEXTS["matrix_training"] = "".join(TEXTS[name] for name in _TRAINING)
