"""The parameters that the LVQ family shares, described once, in themes.

What is learned; how it starts; how it is trained; what only online training uses; and
what every estimator has.
"""

TEXTS = {
    "prototypes": """
    prototypes_per_class : int or dict, default=1
        Number of prototypes of each class, or a dict from label to number (classes that
        it does not name get 1).""",
    "cost": """
    slope : float or "auto", default="auto"
        Slope of the logistic function in the cost; 0 is the identity. "auto" is 0 for
        "sgd" and 5 for "lbfgs".
    jitter : float or "auto", default="auto"
        Train as if every object were blurred, by noise of this size relative to the
        spread of the features. It keeps a matrix from resting on directions in which
        the training objects happen to vary little. "auto" is 0 for "sgd", 0.3 for
        "lbfgs".
    class_weight : dict or "balanced", optional
        How much the objects of each class count.
    missing : {"error", "ignore"}, default="error"
        "ignore": distances over the features that an object has, scaled up by the
        share that is missing. Needs ``solver="lbfgs"``.""",
    "start": """
    prototype_init : {"auto", "random", "kmeans"} or ndarray, default="auto"
        "random": means of random thirds of the class, the paper's start; "kmeans":
        centres of k-means inside the class; or prototypes (l, n_features) sorted by
        class. "auto" is "random" for "sgd", "kmeans" for "lbfgs".""",
    "warm_start": """
    warm_start : bool, default=False
        Start from the result of the last fit.""",
    "training": """
    solver : {"lbfgs", "sgd"}, default="lbfgs"
        "lbfgs" minimises the cost of the whole training set; "sgd" is the paper's
        online training. What is "auto" or None is the paper's choice under "sgd" and
        the one that generalised best in our measurements under "lbfgs".
    max_iter : int, optional
        Iterations at most: 100 for "lbfgs", 1000 epochs for "sgd".
    tol : float, default=1e-6
        "lbfgs" stops when the cost falls by less, relative to its size or to 1.
    learning_rate : float, default=0.01
        "sgd": step of the prototypes in the first epoch (eq. 18).""",
    "matrix_rate": """
    matrix_learning_rate : float, default=1e-3
        "sgd": step of relevances or matrices (eq. 19).""",
    "stopping": """
    early_stopping : {"best", "none"} or int, default="best"
        "sgd": "best" runs all epochs and keeps the one with the highest training
        accuracy (ties: the lower cost); a number stops after so many epochs without a
        better one and keeps the best; "none" keeps the last.""",
    "sgd_params": """
    sgd_params : dict, optional
        "sgd": details that are seldom changed, by name. "decay" (default 1e-4): rates
        fall as ``1 / (1 + t decay)`` with the epoch t. "clip_step" (default False):
        whether to keep a prototype from jumping past the object that attracts it.""",
    "matrix_sgd_params": """
    sgd_params : dict, optional
        "sgd": details that are seldom changed, by name. "decay" (default 1e-4): rates
        fall as ``1 / (1 + t decay)`` with the epoch t. "matrix_decay" (default: as
        "decay"): how the rate of relevances or matrices falls. "matrix_epoch" (default
        100): first epoch in which relevances or matrices learn; prototypes go first.
        "clip_step" (default False): whether to keep a prototype from jumping past the
        object that attracts it.""",
    "local_sgd_params": """
    sgd_params : dict, optional
        "sgd": details that are seldom changed, by name. "decay" (default 1e-4): rates
        fall as ``1 / (1 + t decay)`` with the epoch t. "matrix_decay" (default: as
        "decay"): how the rate of matrices falls. "local_learning_rate" (default: as
        ``matrix_learning_rate``) and "local_decay" (default: as "matrix_decay"): rate
        of the local matrices, alpha_3 of eq. 31. "matrix_epoch" (default 100): first
        epoch in which matrices learn; prototypes go first. "clip_step" (default False):
        whether to keep a prototype from jumping past the object that attracts it.""",
    "everyday": """
    random_state : int, RandomState instance or None, default=None
        Seed of the start and of the order of the objects.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each iteration with a dict (``iteration`` or ``epoch``, ``loss``,
        ``accuracy``). Returning True ends the fit, with the result so far.""",
    "matrix": """
    regularization : float, default=0.0
        Strength theta of the penalty ``-theta log det(Omega Omega^T)``, which keeps
        the directions from dying out. Half of what Schneider et al. (2010) call
        theta.""",
    "null_space": """
    null_space_correction : bool, default=False
        Project the rows of the learned matrix onto the span of the training objects:
        what it does outside was never trained.""",
    "matrix_init": """
    matrix_init : str or ndarray, default="auto"
        Start of the matrix: "random", "identity", "pca", "lda" or numbers. "auto" is
        "random" for "sgd", as in the paper; for "lbfgs" it is "lda" or, with as many
        rows as features, "identity".""",
    "n_init": """
    n_init : int, default=1
        "lbfgs" with the start "lda": number of starts. The others are random turns of
        the discriminant directions; the one with the lowest cost after a few
        iterations goes on.""",
    "attributes": """
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    prototypes_ : ndarray of shape (n_prototypes, n_features)
        The prototypes, sorted by class.
    prototype_labels_ : ndarray of shape (n_prototypes,)
        Their labels.
    metric_ : PrototypeMetric
        How the model measures: a record with the kind of metric, its factors, and
        functions for images and distances of objects.
    n_assigned_ : ndarray of shape (n_prototypes,)
        Number of training objects nearest to each prototype.
    loss_curve_, accuracy_curve_ : list of float
        Mean cost and training accuracy after each iteration.
    validation_curve_ : list of float
        Accuracy on held-out objects, where ``fit`` was given some.
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
    "local": """
    localization : {"class", "prototype"}, default="class"
        Whether the prototypes of a class share one local matrix.
    normalize_local : bool, default=True
        Keep each local matrix at norm 1. Without it one of them may shrink until its
        class takes over.""",
}
