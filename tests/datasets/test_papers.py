from types import SimpleNamespace
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest

from labelscape.datasets import available, load

NAMES = {info.name: info for info in available() if info.origin == "papers"}


@pytest.mark.parametrize("info", NAMES.values(), ids=NAMES.keys())
@pytest.mark.usefixtures("papers_data")
def test_the_sets_of_the_papers_are_what_the_catalog_says(info):
    table = load(info.name)
    assert table.X.shape[0] == info.n_rows
    assert len(table.encoder.column_names) == info.n_features
    assert len(np.unique(table.y)) == info.n_classes
    assert np.isfinite(table.X).all()
    assert table.name == info.name


@pytest.mark.usefixtures("papers_data")
def test_segmentation_is_its_training_rows_and_then_its_test_rows():
    whole, train, test = (
        load(name)
        for name in ("segmentation", "segmentation_train", "segmentation_test")
    )
    np.testing.assert_array_equal(whole.X, np.vstack([train.X, test.X]))
    np.testing.assert_array_equal(whole.y, np.concatenate([train.y, test.y]))


@pytest.mark.usefixtures("papers_data")
def test_missing_values_are_counted_per_column():
    colic = load("colic")
    assert sum(colic.missing.values()) == 1927
    assert len(colic.missing) == 21


def test_offline_the_message_says_where_to_put_the_file(monkeypatch, tmp_path):
    def offline(*_, **__):
        raise URLError("no route to host")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", offline)
    monkeypatch.setenv("LABELSCAPE_DATA", str(tmp_path))
    with pytest.raises(
        OSError, match=r"OpenML cannot be reached .*no route.*sonar\.csv"
    ):
        load("sonar")
    monkeypatch.delenv("LABELSCAPE_DATA")
    with pytest.raises(
        OSError, match="not on this machine, and OpenML does not have it"
    ):
        load("usps")


def test_scikit_learn_takes_how_it_is_asked(monkeypatch, tmp_path):
    def refuse(*_, **__):
        raise URLError("no route")

    monkeypatch.setenv("LABELSCAPE_DATA", str(tmp_path))
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", refuse)
    with (
        pytest.warns(UserWarning, match="network error"),
        pytest.raises(OSError, match=r"OpenML cannot be reached .*no route"),
    ):
        load("sonar")


def test_openml_serves_what_the_folder_lacks_if_it_is_the_same(monkeypatch):
    def fetched(n_rows):
        X = pd.DataFrame(np.arange(4.0 * n_rows).reshape(-1, 4), columns=list("pqrs"))
        frame = X.assign(side=pd.Categorical(np.resize(["L", "B", "R"], n_rows)))
        return SimpleNamespace(data=X, frame=frame, target_names=["side"])

    monkeypatch.delenv("LABELSCAPE_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: fetched(625))
    table = load("balance-scale")
    assert table.X.shape == (625, 4)
    assert table.name == "balance-scale"
    assert set(table.y) == {"L", "B", "R"}
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: fetched(600))
    with pytest.raises(OSError, match="not the data set of the papers"):
        load("balance-scale")
