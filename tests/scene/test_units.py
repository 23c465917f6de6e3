import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MinMaxScaler,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
)
from tests.scene.cases import iris

from labelscape.prototypes import PushAndGrow
from labelscape.scene import build_scene
from labelscape.scene._units import Units, can_be_undone


@pytest.mark.parametrize("scaler", [MinMaxScaler(), RobustScaler(), StandardScaler()])
def test_slopes_are_those_of_the_scaler(scaler):
    X, _ = iris()
    units = Units((scaler.fit(X),))
    assert_allclose(
        units.slopes(4), scaler.scale_ ** (-1 if "data_min_" in vars(scaler) else 1)
    )
    assert_allclose(units.shown(scaler.transform(X)), X)
    assert_allclose(units.seen(X), scaler.transform(X))


def test_two_scalers_act_one_after_the_other():
    X, _ = iris()
    one = MinMaxScaler().fit(X)
    two = StandardScaler().fit(one.transform(X))
    units = Units((one, two))
    assert_allclose(units.shown(two.transform(one.transform(X))), X)
    assert_allclose(units.slopes(4), X.std(axis=0))


@pytest.mark.parametrize(
    "scaler", [PowerTransformer(), QuantileTransformer(n_quantiles=20)]
)
def test_a_curved_scale_has_no_slope(scaler):
    X, y = iris()
    assert Units((scaler.fit(X),)).slopes(4) is None
    model = PushAndGrow().fit(scaler.transform(X), y)

    scene = build_scene(
        make_pipeline(scaler, model), X, y, regions=False, quality=False
    )
    assert scene.model.metric is None
    assert_allclose(
        scene.model.prototypes.values, scaler.inverse_transform(model.prototypes_)
    )


def test_steps_that_mix_features_are_not_undone():
    assert not can_be_undone(PCA(4))
    assert can_be_undone(StandardScaler())
    assert np.array_equal(Units().slopes(3), np.ones(3))
