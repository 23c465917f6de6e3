import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from labelscape.boundary._classifier_output import BLOCK_BYTES, ClassScores
from labelscape.prototypes import GLVQ

X, y = load_iris(return_X_y=True)
NAMES = np.array(["setosa", "versicolor", "virginica"])
TWO = y < 2


class Answering:
    """A classifier that returns given predictions."""

    def __init__(self, answer, method="predict_proba", classes=None):
        setattr(self, method, lambda Z: answer(Z) if callable(answer) else answer)
        if classes is not None:
            self.classes_ = np.asarray(classes)


def halves(Z):
    p = np.full((len(Z), 2), 0.5)
    p[: len(Z) // 2] = [0.0, 1.0]
    return p


@pytest.mark.parametrize(
    ("classifier", "kind"),
    [
        (GaussianNB(), "probability"),
        (RandomForestClassifier(5, random_state=0), "probability"),
        (SVC(), "decision"),
        (LinearSVC(), "decision"),
        (make_pipeline(StandardScaler(), LogisticRegression()), "probability"),
        (make_pipeline(StandardScaler(), SVC()), "decision"),
        (GLVQ(random_state=0), "probability"),
    ],
)
def test_probabilities_come_before_decision_values(classifier, kind):
    classifier.fit(X, NAMES[y])
    scores = ClassScores(classifier)
    r = scores.values(X)
    assert scores.kind == kind
    assert r.shape == (150, 3) == (150, scores.n_outputs)
    assert (scores.classes_ == NAMES).all()
    given = "predict_proba" if kind == "probability" else "decision_function"
    np.testing.assert_allclose(r, getattr(classifier, given)(X), rtol=1e-12)
    assert (scores.labels(r) == NAMES[r.argmax(axis=1)]).all()


def test_predictions_are_asked_for_where_there_is_nothing_else():
    tree = DecisionTreeClassifier(random_state=0).fit(X, NAMES[y])
    scores = ClassScores(Answering(tree.predict, "predict"))
    r = scores.values(X)
    assert scores.kind == "label"
    assert (scores.classes_ == NAMES).all()
    assert (r == (tree.predict(X)[:, None] == NAMES)).all()
    assert (scores.certainty(r) == 1.0).all()


def test_decision_values_of_two_classes_are_one_column():
    classifier = SVC().fit(X[TWO], NAMES[y[TWO]])
    scores = ClassScores(classifier)
    r = scores.values(X[TWO])
    assert r.shape == (100, 1)
    assert scores.n_outputs == 1
    assert (scores.labels(r) == classifier.predict(X[TWO])).all()


def test_a_nameless_classifier_by_decision_values_has_two_classes_or_more():
    scores = ClassScores(Answering(np.linspace(-1, 1, 7), "decision_function"))
    assert scores.labels(scores.values(X[:7])).tolist() == [0, 0, 0, 0, 1, 1, 1]
    scores = ClassScores(Answering(np.eye(3), "decision_function"))
    assert scores.labels(scores.values(X[:3])).tolist() == [0, 1, 2]


def test_two_columns_of_decision_values_are_the_same_as_their_difference():
    d = np.linspace(-1, 1, 7)
    both = Answering(np.column_stack([-d, d]), "decision_function", classes=[0, 1])
    np.testing.assert_allclose(ClassScores(both).values(X[:7])[:, 0], 2 * d)


def test_a_function_is_a_classifier_and_may_name_its_classes():
    scores = ClassScores(halves)
    r = scores.values(X)
    assert (scores.classes_ == [0, 1]).all()
    assert scores.name == "halves"
    assert set(scores.labels(r)) == {0, 1}

    def named(Z):
        return halves(Z)

    named.classes_ = ["no", "yes"]
    scores = ClassScores(named)
    assert set(scores.labels(scores.values(X))) == {"no", "yes"}


def test_certainty_is_the_largest_probability():
    scores = ClassScores(GaussianNB().fit(X, y))
    r = scores.values(X)
    assert (scores.certainty(r) == r.max(axis=1)).all()


def test_certainty_of_decision_values_is_their_lead_over_its_95th_percentile():
    scores = ClassScores(LinearSVC().fit(X, y))
    r = scores.values(X)
    ordered = np.sort(r, axis=1)
    lead = ordered[:, -1] - ordered[:, -2]
    expected = np.minimum(lead / np.percentile(lead, 95), 1.0)
    np.testing.assert_allclose(scores.certainty(r), expected, rtol=1e-12)


def test_decision_values_that_never_differ_are_no_certainty():
    scores = ClassScores(Answering(np.ones((5, 3)), "decision_function", [0, 1, 2]))
    assert (scores.certainty(scores.values(X[:5])) == 0.0).all()


@pytest.mark.parametrize("rows", [TWO, slice(None)])
def test_decision_values_become_probabilities_in_their_order(rows):
    scores = ClassScores(SVC().fit(X[rows], y[rows]))
    r = scores.values(X[rows])
    scores.sharpen(r)
    p = scores.predict_proba(X[rows])
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    assert (scores.classes_[p.argmax(axis=1)] == scores.labels(r)).all()
    first_two = np.sort(p, axis=1)[:, -2:]
    odds = np.median(first_two[:, 1] / first_two[:, 0])
    assert odds == pytest.approx(20.0, rel=0.01)


def test_predictions_are_counted_and_asked_in_blocks(monkeypatch):
    monkeypatch.setattr(
        "labelscape.boundary._classifier_output.BLOCK_BYTES", 40 * 8 * 4
    )
    sizes = []

    def ask(Z):
        sizes.append(len(Z))
        return halves(Z)

    scores = ClassScores(ask)
    scores.values(X)
    assert sizes == [40, 40, 40, 30]
    assert scores.n_predictions == 150


def test_many_classes_are_asked_for_in_smaller_blocks():
    # A support vector machine holds a number for each pair of classes and object.
    sizes = []

    def of_many(Z):
        sizes.append(len(Z))
        return np.full((len(Z), 200), 1 / 200)

    of_many.classes_ = np.arange(200)
    ClassScores(of_many).values(np.zeros((1000, 2)))
    assert max(sizes) * 8 * (200 * 199 / 2) <= BLOCK_BYTES


def test_a_classifier_that_was_fitted_to_a_frame_gets_one():
    frame = pd.DataFrame(X, columns=list("abcd"))
    scores = ClassScores(GaussianNB().fit(frame, y))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores.values(X)


def test_answers_of_the_classifier_are_not_changed():
    answer = np.full((4, 2), 0.50001)
    ClassScores(lambda Z: answer).values(X[:4])
    assert (answer == 0.50001).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.full((150, 3), np.nan), "150 of 150 rows are wrong, the first"),
        (np.full((150, 3), 0.5), "adding up to 1"),
        (np.tile([1.5, -0.5, 0.0], (150, 1)), "not negative"),
        (np.full(150, 0.5), r"shape \(150,\). Return both probabilities"),
        (np.full((150, 1), 1.0), r"shape \(150, 1\). Return both probabilities"),
        (np.full((149, 3), 1 / 3), r"shape \(149, 3\)"),
        (np.full((150, 3), "yes"), "must return numbers"),
        (np.full((2, 150, 3), 1 / 3), r"shape \(2, 150, 3\)"),
    ],
)
def test_answers_that_are_no_probabilities_are_refused(answer, message):
    with pytest.raises(ValueError, match=message):
        ClassScores(Answering(answer)).values(X)


def test_columns_must_be_as_many_as_classes():
    with pytest.raises(ValueError, match=r"\(150, 4\); it returned .* \(150, 2\)"):
        ClassScores(Answering(halves, classes=range(4))).values(X)


def test_infinite_decision_values_are_refused():
    wrong = np.where(y[:, None] == 1, np.inf, np.ones((150, 3)))
    with pytest.raises(ValueError, match="must return finite numbers; 50 of 150"):
        ClassScores(Answering(wrong, "decision_function", range(3))).values(X)


def test_labels_that_are_no_labels_are_refused():
    with pytest.raises(ValueError, match="one label per sample"):
        ClassScores(Answering(np.zeros((150, 2)), "predict")).values(X)
    with pytest.raises(ValueError, match="predicts 2, which is not among its classes"):
        ClassScores(Answering(y, "predict", classes=[0, 1])).values(X)
    with pytest.raises(ValueError, match="predicts 'setosa', which is not among"):
        ClassScores(Answering(NAMES[y], "predict", classes=NAMES[1:])).values(X)
    mixed = np.array(["a", 1] * 75, dtype=object)
    with pytest.raises(ValueError, match="labels of several kinds"):
        ClassScores(Answering(mixed, "predict")).values(X)


@pytest.mark.parametrize("classes", [None, [0, 1, 2]])
def test_a_regression_is_no_classifier(classes):
    words = r"\(Answering\) returns continuous numbers, such as 0.25, not labels. Pass"
    with pytest.raises(ValueError, match=words):
        ClassScores(Answering(y + 0.25, "predict", classes)).values(X)


def test_labels_may_be_whole_numbers_of_any_type():
    assert ClassScores(Answering(y.astype(float), "predict")).values(X).shape == (
        150,
        3,
    )


def test_a_classifier_that_works_in_place_leaves_the_objects_alone():
    pipe = make_pipeline(StandardScaler(copy=False), SVC()).fit(X.copy(), y)
    mine = X.copy()
    expected = pipe.decision_function(X.copy())
    np.testing.assert_array_equal(ClassScores(pipe).values(mine), expected)
    np.testing.assert_array_equal(mine, X)


def test_one_class_is_nothing_to_tell_apart():
    with pytest.raises(ValueError, match="has only 1 class"):
        ClassScores(Answering(halves, classes=["all"]))
    with pytest.raises(ValueError, match=r"has only 1 class, \[0.0\], so there"):
        ClassScores(Answering(np.zeros(150), "predict")).values(X)


def test_a_classifier_that_is_not_fitted_is_named():
    with pytest.raises(NotFittedError, match=r"classifier \(SVC\) is not fitted yet"):
        ClassScores(SVC()).values(X)


def test_several_outputs_are_refused():
    tree = DecisionTreeClassifier().fit(X, np.column_stack([y, y > 1]))
    with pytest.raises(ValueError, match="has several outputs"):
        ClassScores(tree)


def test_votes_of_pairs_are_refused_with_the_way_out():
    classifier = SVC(decision_function_shape="ovo").fit(X, y)
    with pytest.raises(ValueError, match="decision_function_shape='ovr'"):
        ClassScores(classifier)
    with pytest.raises(ValueError, match="decision_function_shape='ovr'"):
        ClassScores(make_pipeline(StandardScaler(), classifier).fit(X, y))
    assert (
        ClassScores(classifier.set_params(decision_function_shape="ovr"))
        .values(X)
        .any()
    )


@pytest.mark.parametrize("wrong", ["SVC", 3, np.ones(3), SVC])
def test_what_is_no_classifier_is_refused(wrong):
    with pytest.raises(ValueError, match="classifier must be fitted and have"):
        _ = ClassScores(wrong).kind
