import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests.prototypes.lvq.cases import FAMILY

from labelscape.prototypes import LiRaMLVQ

# scikit-learn checks with arbitrary labels, and maps rightly say so.
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*labels cannot be predicted from the data"
)


ONLINE = {
    "check_sample_weight_equivalence_on_dense_data": "an object of weight 2 is one "
    "long step, the same object twice is two short ones at other times",
    "check_class_weight_classifiers": "its features spread over 20 units: too far for "
    "the paper's rates, which are meant for z-scores",
}


@pytest.mark.slow
@parametrize_with_checks([model(random_state=0) for model in FAMILY])
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(
    [LiRaMLVQ(random_state=0, solver="sgd", max_iter=120)],
    expected_failed_checks=lambda _: ONLINE,
)
def test_the_contract_holds_for_online_training(estimator, check):
    check(estimator)


@parametrize_with_checks([LiRaMLVQ(random_state=0, missing="ignore")])
def test_the_contract_holds_where_values_may_be_missing(estimator, check):
    check(estimator)
