import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelscape import crossfit
from labelscape.crossfit import CrossFit, RandomFeatureClassifier

MODELS = [RandomFeatureClassifier(n_waves=30), CrossFit(GaussianNB(), n_folds=2)]


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(MODELS)
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)


def test_every_estimator_of_the_room_is_checked():
    assert {type(model).__name__ for model in MODELS} == set(crossfit.__all__)
