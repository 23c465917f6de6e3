import numpy as np
from sklearn.ensemble import RandomForestClassifier

from labelscape.jobs.changes import decision_changes


def table(n=200):
    """Return numbers and a column of three categories, of which two columns decide."""
    rng = np.random.default_rng(0)
    category = rng.integers(3, size=n)
    X = np.column_stack([rng.normal(size=(n, 3)), np.eye(3)[category]])
    return X, (X[:, 0] > 0) & (category > 0), np.array([0, 1, 2, 3, 3, 3])


def changed(X, column_of, found, k):
    mine = X[found.rows[k]].copy()
    taken = np.isin(column_of, found.taken[k])
    mine[taken] = X[found.other[k], taken]
    return mine


def test_the_values_of_another_object_change_the_answer_and_none_is_in_vain():
    X, y, column_of = table()
    forest = RandomForestClassifier(30, random_state=0).fit(X, y)
    found = decision_changes(forest.predict, X, column_of, np.arange(len(X)))
    answers = forest.predict(X)
    for k in range(len(X)):
        assert answers[found.other[k]] != answers[k]
        after = changed(X, column_of, found, k)
        assert forest.predict(after[None])[0] == found.answers[k] != answers[k]
        # A column of categories is taken over as a whole: one of them is 1.
        assert after[3:].sum() == 1.0
        for column in found.taken[k]:
            less = after.copy()
            less[column_of == column] = X[k, column_of == column]
            assert forest.predict(less[None])[0] == answers[k]


def test_columns_that_do_not_matter_are_not_named():
    X, _, column_of = table()
    found = decision_changes(
        lambda Z: (Z[:, 0] > 0) & (Z[:, 3] < 0.5), X, column_of, np.arange(50)
    )
    assert {column for taken in found.taken for column in taken} == {0, 3}


def test_the_nearest_object_with_another_answer_is_named():
    X = np.array([[0.0], [1.0], [2.0], [10.0]])
    found = decision_changes(lambda Z: Z[:, 0] > 1.5, X, np.array([0]), np.arange(4))
    assert found.other.tolist() == [2, 2, 1, 1]


def test_a_classifier_with_one_answer_has_none_to_change_to():
    X, _, column_of = table(20)
    assert decision_changes(lambda Z: np.zeros(len(Z)), X, column_of, [0, 1]) is None
