import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from labelscape import embeddings
from labelscape.embeddings import (
    CCA,
    DDHDS,
    LFDA,
    NCA,
    NEXOM,
    OPLSDA,
    PLSDA,
    SNE,
    XOM,
    ClassiMap,
    ClassNeRV,
    CrossFittedTSNE,
    FisherKernelTSNE,
    FisherMDS,
    FisherTSNE,
    KernelMap,
    KernelTSNE,
    LandmarkMap,
    Sammon,
    WeightedMDS,
)


class Curvilinear(CCA):
    """Scikit-learn's checks treat what is called CCA as its own cross decomposition."""


SHORT = {"early_exaggeration_iter": 5, "max_iter": 5}

MAPS = [
    LFDA(),
    NCA(max_iter=5),
    PLSDA(),
    OPLSDA(),
    WeightedMDS(n_init=2, max_iter=50),
    Sammon(n_pivots=200, max_iter=50),
    Curvilinear(n_pivots=200),
    DDHDS(n_pivots=200),
    ClassiMap(n_pivots=200),
    ClassNeRV(max_iter=20),
    SNE(max_iter=20),
    XOM(),
    NEXOM(),
    KernelMap(Sammon(n_pivots=200, max_iter=5)),
    LandmarkMap(Sammon(n_pivots=200, max_iter=5), n_landmarks=4),
    KernelTSNE(perplexity=2, **SHORT),
    FisherTSNE(perplexity=2, **SHORT),
    FisherKernelTSNE(perplexity=2, **SHORT),
    CrossFittedTSNE(perplexity=2, focus=0.5, **SHORT),
    FisherMDS(max_iter=20),
]


# Labels of some checks are drawn by chance, which Fisher maps notice.
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*labels cannot be predicted from the data")
@parametrize_with_checks(MAPS)
def test_the_estimator_contract_of_scikit_learn_holds(estimator, check):
    check(estimator)


def test_every_map_of_the_room_is_checked():
    checked = {type(model).__name__ for model in MAPS} - {"Curvilinear"} | {"CCA"}
    maps = {
        name
        for name in embeddings.__all__
        if hasattr(getattr(embeddings, name), "fit_transform")
    }
    assert maps == checked


def test_maps_come_out_as_data_frames_where_asked():
    X = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [0.0, 3.0, 1.0]}, index=[7, 8, 9])
    Z = WeightedMDS().set_output(transform="pandas").fit_transform(X)
    assert list(Z.columns) == ["weightedmds0", "weightedmds1"]
    assert list(Z.index) == [7, 8, 9]


@pytest.mark.parametrize("model", [m for m in MAPS if hasattr(m, "callback")])
def test_a_callback_that_is_no_function_is_refused(model):
    X, y = np.arange(24.0).reshape(12, 2), [0, 1] * 6
    with pytest.raises(ValueError, match="callback must be None, or a function, got 3"):
        clone(model).set_params(callback=3).fit(X, y)
