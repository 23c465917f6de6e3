"""Which classifiers have a formula for their slope: the registry, by kind.

Classifiers are known by the name of their class or of one of its bases, so that none of
them has to be imported here, and subclasses are covered. A subclass may have changed
what the formula relies on: whoever uses a pass compares its values with the
classifier's own first.
"""

from labelscape.boundary.gradients.linear import (
    linear_pass,
    logistic_pass,
    multinomial_pass,
    naive_bayes_pass,
    network_pass,
    quadratic_pass,
    sgd_pass,
)
from labelscape.boundary.gradients.prototypes import prototype_pass
from labelscape.boundary.gradients.svm import svm_pass
from labelscape.boundary.gradients.wrappers import (
    TRANSFORMERS,
    attribute,
    calibrated_pass,
    one_vs_rest_pass,
    pipeline_pass,
    voting_pass,
)

CLASSIFIERS = {
    "LogisticRegression": logistic_pass,
    "LinearDiscriminantAnalysis": logistic_pass,
    "SGDClassifier": sgd_pass,
    "LinearClassifierMixin": linear_pass,
    "MultinomialNB": multinomial_pass,
    "BaseSVC": svm_pass,
    "MLPClassifier": network_pass,
    "QuadraticDiscriminantAnalysis": quadratic_pass,
    "GaussianNB": naive_bayes_pass,
    "PrototypeClassifier": prototype_pass,
}

WRAPPERS = {
    "Pipeline": pipeline_pass,
    "BaseSearchCV": attribute("best_estimator_"),
    "BaseThresholdClassifier": attribute("estimator_"),
    "FrozenEstimator": attribute("estimator"),
    "OneVsRestClassifier": one_vs_rest_pass,
    "VotingClassifier": voting_pass,
    "CalibratedClassifierCV": calibrated_pass,
}

PACKAGES = ("sklearn", "labelscape")


def analytic_pass(classifier, kind):
    """Return values and slope of a classifier by formula, None if there is none."""
    if kind == "transform":
        builder = _lookup(TRANSFORMERS, classifier)
        return None if builder is None else builder(classifier)
    builder = _lookup(WRAPPERS, classifier)
    if builder is not None:
        return builder(classifier, kind, analytic_pass)
    builder = _lookup(CLASSIFIERS, classifier)
    return None if builder is None else builder(classifier, kind)


def _lookup(table, estimator):
    for base in type(estimator).__mro__:
        if base.__module__.partition(".")[0] in PACKAGES and base.__name__ in table:
            return table[base.__name__]
    return None
