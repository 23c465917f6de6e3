"""Gradients by formulas are equal to numerical gradients of the classifier."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.decomposition import PCA, TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import VarianceThreshold
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import (
    LogisticRegression,
    Perceptron,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NeighborhoodComponentsAnalysis
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC, NuSVC

from labelscape.boundary._slopes import analytic_pass
from labelscape.prototypes import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    KMeansPrototypes,
    LiRaMLVQ,
    LocalLiRaMLVQ,
    PushAndGrow,
)

METHODS = {"probability": "predict_proba", "decision": "decision_function"}
D = 4


def data(n_classes, n=150):
    """Blobs that overlap, with string labels, features on different scales."""
    rng = np.random.default_rng(n_classes)
    class_of = np.arange(n) % n_classes
    centers = 0.8 * rng.normal(size=(n_classes, D))
    X = (centers[class_of] + rng.normal(size=(n, D))) * (1.0, 3.0, 0.5, 1.0) + 4.0
    return X, np.array([f"class {c}" for c in range(n_classes)])[class_of]


def fitted(classifier, X, y):
    with warnings.catch_warnings():
        # Few steps do not converge, and probability=True is on its way out.
        warnings.simplefilter("ignore")
        return classifier.fit(X, y)


def differences(r, Z, R, step=1e-5):
    """J_r(Z)^T R by central differences."""
    G = np.empty_like(Z)
    for j in range(Z.shape[1]):
        h = step * np.eye(Z.shape[1])[j]
        G[:, j] = np.sum((r(Z + h) - r(Z - h)) * R, axis=1) / (2.0 * step)
    return G


def assert_slope(forward, r, Z, rel=1e-6):
    values, back = forward(Z)
    assert values == pytest.approx(r(Z), rel=1e-9, abs=1e-9)
    R = np.random.default_rng(0).normal(size=values.shape)
    G, expected = back(R), differences(r, Z, R)
    assert np.abs(G).max() > 1e-5
    assert np.abs(G - expected).max() <= rel * np.abs(expected).max()


def own_values(classifier, kind):
    def r(Z):
        values = getattr(classifier, METHODS[kind])(Z)
        return values[:, None] if values.ndim == 1 else values

    return r


def svm(**options):
    return SVC(C=3.0, decision_function_shape="ovo", **options)


BOTH, DECISION = list(METHODS), ["decision"]
KINDS = {
    "logistic": (LogisticRegression(), BOTH),
    "lda": (LinearDiscriminantAnalysis(), BOTH),
    "ridge": (RidgeClassifier(), DECISION),
    "linear svc": (LinearSVC(), DECISION),
    "perceptron": (Perceptron(), DECISION),
    "sgd": (SGDClassifier(loss="log_loss", alpha=0.1, random_state=0), DECISION),
    "svc linear": (svm(kernel="linear"), DECISION),
    "svc rbf": (svm(), DECISION),
    "nu-svc": (NuSVC(nu=0.1, decision_function_shape="ovo"), DECISION),
    "glvq": (GLVQ(prototypes_per_class=2, max_iter=20, random_state=0), BOTH),
    "grlvq": (GRLVQ(max_iter=20, random_state=0), BOTH),
    "gmlvq": (GMLVQ(max_iter=20, random_state=0), BOTH),
    "liram": (LiRaMLVQ(2, max_iter=20, random_state=0), BOTH),
    "lgmlvq": (LGMLVQ(max_iter=20, random_state=0), BOTH),
    "local liram": (LocalLiRaMLVQ(2, max_iter=20, random_state=0), BOTH),
    "k-means prototypes": (KMeansPrototypes(2, random_state=0), BOTH),
    "push and grow": (PushAndGrow(), BOTH),
}
CASES = [(name, kind) for name, (_, kinds) in KINDS.items() for kind in kinds]


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize(("name", "kind"), CASES)
def test_the_formula_is_the_slope_of_the_classifier(name, kind, n_classes):
    X, y = data(n_classes)
    classifier = fitted(KINDS[name][0], X, y)
    Z = X[:40] + 0.1
    assert_slope(analytic_pass(classifier, kind, X), own_values(classifier, kind), Z)


TRANSFORMERS = {
    "standard": StandardScaler(),
    "standard without mean": StandardScaler(with_mean=False),
    "standard without scale": StandardScaler(with_std=False),
    "min-max": MinMaxScaler(feature_range=(-1, 2)),
    "max-abs": MaxAbsScaler(),
    "robust": RobustScaler(),
    "robust without centre": RobustScaler(with_centering=False, with_scaling=False),
    "pca": PCA(2),
    "pca whitened": PCA(3, whiten=True),
    "svd": TruncatedSVD(2),
    "lda": LinearDiscriminantAnalysis(n_components=1),
    "lda by eigenvalues": LinearDiscriminantAnalysis(solver="eigen"),
    "nca": NeighborhoodComponentsAnalysis(2, max_iter=5),
    "liram": LiRaMLVQ(2, max_iter=10, random_state=0),
    "selection": VarianceThreshold(1.0),
    "imputer": SimpleImputer(),
    "nothing": "passthrough",
}


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_a_pipeline_follows_the_chain_rule(name):
    X, y = data(3)
    pipeline = fitted(
        make_pipeline(StandardScaler(), TRANSFORMERS[name], LogisticRegression()), X, y
    )
    forward = analytic_pass(pipeline, "probability", X)
    assert_slope(forward, own_values(pipeline, "probability"), X[:40] + 0.1)


def test_a_search_has_the_slope_of_its_best_model():
    X, y = data(2)
    search = fitted(GridSearchCV(LogisticRegression(), {"C": [0.1, 1.0]}, cv=2), X, y)
    forward = analytic_pass(search, "probability", X)
    assert_slope(forward, own_values(search, "probability"), X[:20])


def test_votes_of_pairs_are_smoothed():
    X, y = data(5)
    classifier = SVC(decision_function_shape="ovr").fit(X, y)
    forward = analytic_pass(classifier, "decision", X)
    Z = X[:40] + 0.1
    assert_slope(forward, lambda Z: forward(Z)[0], Z)
    # Away from the borders of all pairs, nothing is smoothed.
    pairs = classifier.set_params(decision_function_shape="ovo").decision_function(X)
    far = np.abs(pairs).min(axis=1) > 0.6
    assert far.sum() > 10
    votes = classifier.set_params(decision_function_shape="ovr").decision_function(X)
    assert forward(X)[0][far] == pytest.approx(votes[far], abs=1e-4)


def test_without_what_scikit_learn_keeps_to_itself_there_is_no_formula():
    X, y = data(3)
    classifier = SVC().fit(X, y)
    assert analytic_pass(classifier, "decision", X) is not None
    del classifier._gamma
    assert analytic_pass(classifier, "decision", X) is None


def test_saturated_probabilities_have_slope_zero_and_no_nan():
    X, y = data(5)
    for classifier in (
        LogisticRegression(),
        KMeansPrototypes(2, random_state=0),
    ):
        forward = analytic_pass(fitted(classifier, X, y), "probability", X)
        values, back = forward(1e6 * (X - X.mean(axis=0)))
        assert np.isfinite(values).all()
        assert np.isfinite(back(np.ones_like(values))).all()


def test_on_a_prototype_the_slope_is_finite():
    X, y = data(2)
    model = KMeansPrototypes(2, random_state=0).fit(X, y)
    values, back = analytic_pass(model, "decision", X)(model.prototypes_)
    assert np.isfinite(back(np.ones_like(values))).all()


def test_models_in_single_precision_and_with_sparse_coefficients_have_slopes():
    X, y = data(3)
    model = GMLVQ(max_iter=10, random_state=0).fit(X.astype(np.float32), y)
    values, back = analytic_pass(model, "probability", X)(X)
    assert values == pytest.approx(model.predict_proba(X), abs=1e-5)
    assert back(values).dtype == np.float64
    linear = LogisticRegression().fit(X, y).sparsify()
    forward = analytic_pass(linear, "decision", X)
    assert_slope(forward, own_values(linear, "decision"), X)
    sparse = svm().fit(csr_array(X), y)
    values = analytic_pass(sparse, "decision", X)(X)[0]
    assert values == pytest.approx(sparse.decision_function(csr_array(X)))


def kernel_of_products(A, B):
    return A @ B.T


@pytest.mark.parametrize(
    "classifier",
    [
        RandomForestClassifier(5, random_state=0),
        GaussianProcessClassifier(max_iter_predict=5, optimizer=None),
        GaussianNB(),
        MLPClassifier((3,), max_iter=5, random_state=0),
        SVC(kernel=kernel_of_products),
        SVC(kernel="poly"),
        make_pipeline(PolynomialFeatures(2), LinearDiscriminantAnalysis()),
        make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()),
        make_pipeline(StandardScaler(), GaussianNB()),
    ],
    ids=lambda classifier: type(classifier).__name__,
)
def test_where_there_is_no_formula_there_is_none(classifier):
    X, y = data(3, n=30)
    classifier = fitted(classifier, X, y)
    for kind, method in METHODS.items():
        if hasattr(classifier, method):
            assert analytic_pass(classifier, kind, X) is None
    assert analytic_pass(lambda X: X, "probability", X) is None
