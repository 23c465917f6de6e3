import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.geometry.cases import clouds, plain
from tests.geometry.reference import sphere_length
from threadpoolctl import threadpool_limits

from labelscape.embeddings import FisherMDS, Sammon
from labelscape.geometry import FisherMetric, _lines, _sources


@pytest.fixture
def data():
    return clouds(30)


@pytest.fixture
def classifier(data):
    return make_pipeline(StandardScaler(), LogisticRegression()).fit(*data)


def test_a_classifier_is_asked_along_the_lines(data, classifier, monkeypatch):
    monkeypatch.setattr(_lines, "BATCH_BYTES", 5000)
    X, _ = data
    metric = FisherMetric(n_steps=4, regularization=0.0, estimator=classifier).fit(X)
    D = metric.pairwise(X)
    assert (D == D.T).all()
    t = np.linspace(0.0, 1.0, 5)[:, None]
    wanted = sphere_length(classifier.predict_proba((1 - t) * X[2] + t * X[9]))
    assert D[2, 9] == pytest.approx(wanted, rel=1e-11)
    np.testing.assert_allclose(metric.pairwise(X[:3], X), D[:3], atol=1e-12)
    p = classifier.predict_proba(X)
    np.testing.assert_allclose(metric.predict_proba(X), p, rtol=1e-14)
    assert metric.classes_.tolist() == [0, 1, 2]


def test_a_parzen_estimate_given_as_a_function_is_the_parzen_metric(data):
    X, y = data
    parzen = plain().fit(X, y)
    metric = FisherMetric(regularization=0.0, estimator=parzen.predict_proba).fit(X)
    np.testing.assert_allclose(metric.pairwise(), parzen.pairwise(), atol=1e-10)
    np.testing.assert_allclose(metric.tensor(X), parzen.tensor(X), atol=1e-3)
    np.testing.assert_allclose(metric.relevances(X), parzen.relevances(X), atol=1e-3)


def test_neighbours_and_paths_work_with_a_classifier(data, classifier):
    X, _ = data
    for method in ("straight", "endpoint", "graph"):
        metric = FisherMetric(n_steps=3, estimator=classifier, method=method).fit(X)
        D = metric.pairwise()
        np.fill_diagonal(D, np.inf)
        distances, _ = metric.kneighbors(n_neighbors=4)
        np.testing.assert_allclose(distances, np.sort(D, axis=1)[:, :4], atol=1e-12)


def test_copies_keep_the_fitted_classifier(data, classifier):
    metric = FisherMetric(n_steps=2, estimator=classifier, random_state=0)
    assert clone(metric).estimator is classifier
    assert Sammon(metric=metric, max_iter=5).fit_transform(*data).shape == (30, 2)


def test_a_classifier_of_named_columns_gets_its_names(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LogisticRegression().fit(frame, y)
    D = FisherMetric(n_steps=2, estimator=model, random_state=0).fit(frame).pairwise()
    bare = LogisticRegression().fit(X, y)
    expected = FisherMetric(n_steps=2, estimator=bare, random_state=0).fit(X)
    np.testing.assert_allclose(D, expected.pairwise(), atol=1e-12)


def test_a_classifier_of_other_columns_is_refused_also_under_a_map(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    turned = frame[["c", "b", "a"]]
    metric = FisherMetric(n_steps=2, estimator=LogisticRegression().fit(frame, y))
    words = r"estimator \(LogisticRegression\).* was fitted to: column 0 is 'c', but"
    for model in (metric, Sammon(metric=metric), FisherMDS(metric=metric)):
        with pytest.raises(ValueError, match=f"^{type(model).__name__}: .*{words}"):
            model.fit(turned)


def test_a_classifier_that_works_in_place_leaves_the_objects_alone(data):
    X, y = data
    pipe = make_pipeline(StandardScaler(copy=False), LogisticRegression())
    pipe.fit(X.copy(), y)
    mine = X.copy()
    D = FisherMetric(n_steps=2, estimator=pipe, random_state=0).fit(mine).pairwise(mine)
    np.testing.assert_array_equal(mine, X)
    calm = lambda Z: pipe.predict_proba(Z.copy())  # noqa: E731
    expected = FisherMetric(n_steps=2, estimator=calm, random_state=0).fit(X).pairwise()
    np.testing.assert_array_equal(D, expected)


def test_threads_of_blas_do_not_change_a_bit():
    X, y = clouds(300, 64)
    bayes = GaussianNB().fit(X, y)
    metric = FisherMetric(
        estimator=bayes, method="endpoint", regularization=0.1, random_state=0
    )
    found = []
    for threads in (1, 2):
        with threadpool_limits(threads, user_api="blas"):
            metric.fit(X)
            parts = metric.pairwise(), metric.pairwise(X, X[:90] + 1.0)
            found.append([*parts, *metric.kneighbors(X + 1.0, 20)])
    for one, two in zip(*found, strict=True):
        np.testing.assert_array_equal(one, two)


def test_posteriors_of_exactly_0_and_1_cost_pi_for_a_change_of_class():
    X = np.array([[-2.0], [-1.0], [1.0], [2.0]])

    def certain(X):
        right = X[:, 0] > 0.0
        return np.column_stack([~right, right]).astype(float)

    metric = FisherMetric(estimator=certain, regularization=0.0).fit(X)
    D = metric.pairwise()
    np.testing.assert_allclose(D[0], [0.0, 0.0, np.pi, np.pi], atol=1e-12)
    assert (metric.tensor(X) == 0.0).all()
    assert (metric.relevances(X) == 0.0).all()


def test_one_step_asks_nothing_between(data, classifier):
    X, _ = data
    one = FisherMetric(n_steps=1, estimator=classifier, random_state=0).fit(X)
    ends = FisherMetric(method="endpoint", estimator=classifier, random_state=0).fit(X)
    np.testing.assert_allclose(one.pairwise(), ends.pairwise(), atol=1e-12)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda X: np.full((len(X), 2), np.nan), "must return probabilities"),
        (lambda X: np.full((len(X), 2), 0.7), "adding up to 1"),
        (lambda X: np.tile([1.5, -0.5], (len(X), 1)), "not negative"),
        (lambda X: np.ones(len(X)), "one row of probabilities per sample"),
        (lambda X: np.ones((len(X), 1)), "for two classes or more"),
        (lambda X: np.ones((3, 2)) / 2, r"returned an array of shape \(3, 2\)"),
        (42, "must have predict_proba or be a function"),
        (lambda X: np.full((len(X), 2), "yes"), "cannot be read as numbers"),
        (LogisticRegression, r"got the class LogisticRegression. Pass Logist.*\(\)"),
    ],
)
def test_answers_that_are_no_probabilities_are_refused(data, answer, words):
    with pytest.raises(ValueError, match=words):
        FisherMetric(estimator=answer).fit(data[0])


def test_slopes_of_a_classifier_are_refused(data, classifier):
    with pytest.raises(ValueError, match="Use rule='sphere' with it"):
        FisherMetric(estimator=classifier, rule="left").fit(data[0])


def test_slopes_of_a_classifier_are_worked_out_in_blocks(monkeypatch):
    X, y = clouds(30)
    asked = []
    model = LogisticRegression().fit(X, y)

    def classify(points):
        asked.append(len(points))
        return model.predict_proba(points)

    metric = FisherMetric(estimator=classify, random_state=0).fit(X)
    whole = metric.tensor(X)
    cut = _sources.row_blocks
    monkeypatch.setattr(_sources, "row_blocks", lambda n, size: cut(n, size, 7 * size))
    asked.clear()
    np.testing.assert_allclose(metric.tensor(X), whole, rtol=1e-9, atol=1e-12)
    assert max(asked) == 7
