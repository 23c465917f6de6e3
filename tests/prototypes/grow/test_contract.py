import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelscape.prototypes.grow.icf import ICF
from labelscape.prototypes.grow.kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes.grow.lvq_and_grow import LVQAndGrow
from labelscape.prototypes.grow.push_and_grow import PushAndGrow


@pytest.mark.slow
@parametrize_with_checks(
    [PushAndGrow(), LVQAndGrow(random_state=0), KMeansPrototypes(random_state=0), ICF()]
)
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)
