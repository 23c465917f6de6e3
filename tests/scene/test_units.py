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
from labelscape.scene._internal import scene_of
from labelscape.scene._units import Units, can_be_undone


@pytest.mark.parametrize("scaler", [MinMaxScaler(), RobustScaler(), StandardScaler()])
def test_slopes_are_those_of_the_scaler(scaler):
    X, _ = iris()
    units = Units((scaler.fit(X),))
    assert_allclose(
        units.slopes(4), scaler.scale_ ** (-1 if "data_min_" in vars(scaler) else 1)
    )
    assert_allclose(units.to_data(scaler.transform(X)), X)
    assert_allclose(units.to_model(X), scaler.transform(X))


def test_two_scalers_act_one_after_the_other():
    X, _ = iris()
    one = MinMaxScaler().fit(X)
    two = StandardScaler().fit(one.transform(X))
    units = Units((one, two))
    assert_allclose(units.to_data(two.transform(one.transform(X))), X)
    assert_allclose(units.slopes(4), X.std(axis=0))


@pytest.mark.parametrize(
    "scaler", [PowerTransformer(), QuantileTransformer(n_quantiles=20)]
)
def test_a_curved_scale_has_no_slope(scaler):
    X, y = iris()
    assert Units((scaler.fit(X),)).slopes(4) is None
    model = PushAndGrow().fit(scaler.transform(X), y)

    scene = scene_of(make_pipeline(scaler, model), X, y, regions=False, quality=False)
    assert scene.model.metric is None
    assert_allclose(
        scene.model.prototypes.values, scaler.inverse_transform(model.prototypes_)
    )


def test_steps_that_mix_features_are_not_undone():
    assert not can_be_undone(PCA(4))
    assert can_be_undone(StandardScaler())
    assert np.array_equal(Units().slopes(3), np.ones(3))


def test_a_standard_scaler_is_not_probed(monkeypatch):
    X, _ = iris()
    scaler = StandardScaler().fit(X)
    monkeypatch.setattr(scaler, "inverse_transform", pytest.fail)
    np.testing.assert_array_equal(Units((scaler,)).slopes(4), scaler.scale_)


@pytest.mark.parametrize(
    ("scalers", "unit"),
    [
        ((), "data"),
        ((StandardScaler(),), "standard_deviation"),
        ((StandardScaler(with_std=False),), "model"),
        ((MinMaxScaler(),), "model"),
        ((StandardScaler(), StandardScaler()), "model"),
    ],
)
def test_the_unit_of_a_length_is_what_the_scalers_make_of_it(scalers, unit):
    assert Units(scalers).unit == unit


def test_the_length_of_a_change_is_in_the_unit_that_is_said():
    X, y = iris()
    for steps, unit in (([], np.ones(4)), ([StandardScaler()], X.std(axis=0))):
        model = make_pipeline(*steps, PushAndGrow()).fit(X, y)
        scene = scene_of(model, X, y, regions=False, quality=False, random_state=0)
        found = scene.model.explanations
        lengths = np.linalg.norm(found.changes / unit, axis=1)
        assert_allclose(lengths, found.change_distances, rtol=1e-4)
        assert scene.model.unit == ("standard_deviation" if steps else "data")
