from sklearn.utils.estimator_checks import parametrize_with_checks

from labelscape.prototypes._icf import ICF
from labelscape.prototypes._kmeans_prototypes import KMeansPrototypes
from labelscape.prototypes._lvq_and_grow import LVQAndGrow
from labelscape.prototypes._push_and_grow import PushAndGrow


@parametrize_with_checks(
    [PushAndGrow(), LVQAndGrow(random_state=0), KMeansPrototypes(random_state=0), ICF()]
)
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)
