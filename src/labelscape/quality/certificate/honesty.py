"""Honesty: how much of the separation on a map is valid for held-out samples.

A supervised map is fitted to labels, so it separates classes. Here it is fitted to half
of the independent rows or groups, several times, and tested on the other half.
"""

from functools import partial

from sklearn.utils import check_random_state

from labelscape._core.estimator import Progress
from labelscape._core.params import COMMON, arguments, either, one_of, whole
from labelscape._resampling.refits import share_threads, with_transform
from labelscape.quality.certificate.fits import judged_fit
from labelscape.quality.certificate.report import HonestyReport
from labelscape.quality.certificate.table_trial import TableTrial

OWNER = "honesty"
_RULES = {
    "n_splits": whole(1, limit=10_000),
    "n_refits": whole(0, limit=10_000),
    "max_samples": either(whole(20), one_of(None)),
    **COMMON,
}


@arguments(**_RULES)
def honesty(
    estimator,
    X,
    y,
    groups=None,
    *,
    n_splits=5,
    n_refits=3,
    max_samples=None,
    feature_names=None,
    labels_from=None,
    n_jobs=None,
    random_state=None,
    verbose=False,
    callback=None,
) -> HonestyReport:
    """Test whether the separation on a map is real, and how much of it is shown.

    Parameters
    ----------
    estimator : map with ``fit``
        The map to test. It is fitted to parts of X and y; labels are not passed to
        ``transform``. A map without ``transform`` is wrapped in
        :class:`~labelscape.embeddings.KernelMap`.
    X : array-like of shape (n, d)
        Samples, in the order of their table. Equal rows stay together in all splits.
    y : array-like of shape (n,)
        Class labels.
    groups : array-like of shape (n,), optional
        The group of each row, such as a patient, a plate or a document. Rows of one
        group stay together in all splits. A row without a value (None, NaN) is its own
        group.
    n_splits : int, default=5
        Number of random splits into a half for the fit and a held-out half.
    n_refits : int, default=3
        Number of fits to shuffled labels, which show artifacts of the method.
    max_samples : int, optional
        If there are more samples, about this many are drawn at random for all fits,
        with a larger share of rare classes.
    feature_names : sequence of str, optional
        Names of features in warnings; by default from a data frame, or "x0", "x1".
    labels_from : estimator with ``fit_predict``, optional
        The clustering that made the labels, such as ``KMeans(8)``. It is applied to
        simulated data without groups, with the distributions and correlations of the
        features of X. The verdict states how often simulated gaps are at least as deep.
    n_jobs : int, optional
        Number of processes; -1 for all cores. By default, fits of estimators of
        Labelscape run in threads, and other fits run one after the other.
    random_state : int, RandomState instance or None, default=None
        Seed of splits and shuffles, and of the estimator if it has none. The result
        does not depend on ``n_jobs``.
    verbose : bool, default=False
        Show a progress bar.
    callback : callable, optional
        Called after each fit with a dict (``fit``, ``seen``, ``unseen``). If it returns
        True, no further fits are started.

    Returns
    -------
    HonestyReport
        Its ``verdict`` is printed as two or three sentences.

    Notes
    -----
    A unit is a row, or all rows that stay together. The p-value is exact, because only
    labels of held-out units are shuffled, which were not used to fit the map. It is the
    p-value of the first split, or the median of all splits if the median is larger.
    Five neighbors vote, or fewer if the smallest class has fewer units.

    If groups share classes, such as donors that all have several cell types, each group
    is left out in turn. Then ``unseen`` is the accuracy for a new group, and
    ``verdict.known`` the accuracy for new rows of known groups. For the p-values,
    labels are shuffled inside groups, and each block of groups is tested with a map
    that was fitted to the blocks before it.

    A class with fewer than two units is omitted and reported. If fewer than ten units
    or only one class remain, the verdict is "untested".

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    >>> from labelscape.quality import honesty
    >>> X, y = load_wine(return_X_y=True)
    >>> report = honesty(LinearDiscriminantAnalysis(), X, y, random_state=0)
    >>> report.verdict.real, report.verdict.kept, report.p_value
    ('yes', 'all', 0.001)
    """
    estimator = with_transform(estimator, owner=OWNER)
    rng = check_random_state(random_state)
    trial = TableTrial.of_table(
        X, y, groups, rng, OWNER, max_samples, feature_names, recipe=labels_from
    )
    if trial.problem.why_not:
        return trial.untested()
    bar = partial(Progress, OWNER, verbose=verbose, callback=callback)
    judge = partial(judged_fit, estimator)
    workers = {"n_jobs": n_jobs, "share_threads": share_threads(estimator)}
    return trial.report(judge, rng, bar, n_splits, n_refits, **workers)
