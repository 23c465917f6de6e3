"""A well-formed file whose model no fit has made, or that reaches beyond itself."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, RobustScaler, StandardScaler
from tests.faults.kinds import X, Y, made
from tests.faults.model_files.members import Members, refused, unchecked

from labelscape import load, save
from labelscape._core.errors import InputError
from labelscape.embeddings import CCA, Sammon
from labelscape.geometry import FisherMetric
from labelscape.prototypes import GLVQ, GRLVQ, LGMLVQ


def saved(model, path, **attributes):
    for name, value in attributes.items():
        setattr(model, name, value)
    save(model, path, include_data=True)
    return path


@pytest.mark.parametrize(
    ("model", "attributes", "words"),
    [
        (
            LGMLVQ,
            {"prototype_labels_": np.array(["a"])},
            "LGMLVQ: .* prototype_labels_",
        ),
        (GRLVQ, {"prototypes_": np.ones((1, 4))}, "prototype_labels_ must be"),
        (GLVQ, {"prototypes_": np.full((3, 4), np.nan)}, "finite floats"),
        (GLVQ, {"prototype_labels_": np.array(["c", "b", "a"])}, "in the order of"),
        (GLVQ, {"temperature_": 0.0}, "temperature_ must be a number above 0"),
        (GLVQ, {"loss_curve_": [np.nan]}, "loss_curve_ must be a list of finite"),
        (GLVQ, {"predict": 3}, "learned attribute 'predict', which does not exist in"),
        (CCA, {"training_X_": np.full((24, 4), np.nan)}, "training_X_ must be"),
        (Sammon, {"_spread": (1.0, 2.0)}, "_spread must be a tuple of four"),
        (FisherMetric, {"n_steps_": 10**9}, "n_steps_ must be a whole number"),
    ],
)
def test_a_model_that_no_fit_has_made_is_refused(model, attributes, words, tmp_path):
    path = tmp_path / "a.model"
    saved(made(model).fit(X, Y), path, **attributes)
    refused(path, words)


def test_a_record_is_checked_inside_of_its_model(tmp_path):
    metric = made(FisherMetric).fit(X, Y)
    parzen = metric._parzen
    path = saved(
        metric, tmp_path / "a", _parzen=parzen._replace(starts=parzen.starts + 9)
    )
    refused(path, r"Parzen\.starts must be increasing whole numbers from 0 to 24")


def test_a_model_inside_another_is_checked(tmp_path):
    broken = made(GLVQ).fit(X, Y)
    broken.prototypes_ = broken.prototypes_[:1]
    model = make_pipeline(StandardScaler(), broken)
    refused(
        saved(model, tmp_path / "a"), "GLVQ: the fitted attribute prototype_labels_"
    )


@pytest.mark.parametrize(
    ("scaler", "attribute", "value"),
    [
        (StandardScaler(), "scale_", np.zeros(4)),
        (StandardScaler(), "mean_", np.ones(3)),
        (MinMaxScaler(), "min_", np.full(4, np.inf)),
        (StandardScaler(), "mean_", None),
        (RobustScaler(), "center_", None),
    ],
)
def test_a_scaler_is_checked_too(scaler, attribute, value, tmp_path):
    setattr(scaler.fit(X), attribute, value)
    model = make_pipeline(scaler, made(GLVQ))
    with unchecked():
        path = saved(model, tmp_path / "a")
    refused(path, f"{attribute} must be")


def test_a_pipeline_with_a_memory_is_not_saved(tmp_path):
    model = make_pipeline(StandardScaler(), GLVQ(), memory=str(tmp_path / "cache"))
    with pytest.raises(InputError, match=r"memory must be None, .*set_params"):
        save(model, tmp_path / "a.model")


@pytest.mark.parametrize(
    ("parameter", "value", "words"),
    [
        ("memory", "somewhere", "memory must be None"),
    ],
)
def test_a_pipeline_that_reaches_beyond_its_file_is_refused(
    parameter, value, words, tmp_path
):
    path = tmp_path / "a.model"
    save(make_pipeline(StandardScaler(), GLVQ()), path)
    members = Members(path)
    manifest = members.manifest
    manifest["model"]["parameters"][parameter] = value
    members.manifest = manifest
    members.write(path)
    refused(path, words)


# What reading a file may take, measured from outside.

PEAK = """
import sys
from pathlib import Path
import labelscape.prototypes
from labelscape import load

def peak():
    # Not by resource: that counts the process which started this one, too.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if "VmHWM" in line)

before = peak()
try:
    load(sys.argv[1])
except ValueError as error:
    print(error, file=sys.stderr)
print(peak() - before)
"""


def taken(path):
    """Return by how many bytes a process grows that reads a file, and what it says."""
    command = [sys.executable, "-c", PEAK, str(path)]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(child.stdout), child.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="asks /proc for the memory")
def test_a_large_file_of_something_else_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "zeros").open("wb") as file:
        file.truncate(2**29)  # takes no room on the disk
    grown, words = taken(tmp_path / "zeros")
    assert "it is not a Labelscape model file" in words
    assert grown < 2**26


def test_what_is_as_it_should_be_still_loads(tmp_path):
    model = make_pipeline(StandardScaler(), made(LGMLVQ)).fit(X, Y)
    save(model, tmp_path / "a.model")
    np.testing.assert_array_equal(
        load(tmp_path / "a.model").predict(X), model.predict(X)
    )
