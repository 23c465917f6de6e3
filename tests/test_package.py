"""The time and the content of `import labelscape`."""

import os
import subprocess
import sys

import pytest

import labelscape

HEAVY = ["numba", "matplotlib", "anywidget", "fastapi", "uvicorn", "torch", "openTSNE"]
HEAVY += ["dask", "distributed"]


STATEMENTS = [
    "import labelscape",
    "from labelscape import quality, datasets, save, load",
    "from labelscape.prototypes import *",
    "from labelscape.embeddings import *",
    "from labelscape.geometry import *",
    "from labelscape.boundary import *",
    "from labelscape import plotting",
    "from labelscape.jobs import *",
    "from labelscape import explore",
]


def test_importing_loads_no_heavy_package():
    code = f"""
import sys
for statement in {STATEMENTS}:
    exec(statement)
    for name in {HEAVY}:
        assert name not in sys.modules, f"{{statement}} loads {{name}}"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_server_of_the_app_loads_nothing_that_computes():
    code = """
import sys
import labelscape.hosts.app.server
print({"numba", "pandas", "scipy", "sklearn"} & set(sys.modules))
"""
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="asks the OpenMP of GCC")
@pytest.mark.parametrize("policy", [None, "ACTIVE"])
def test_threads_that_wait_sleep_unless_the_user_has_said_otherwise(policy):
    environment = os.environ | {"OMP_DISPLAY_ENV": "VERBOSE", "OMP_WAIT_POLICY": policy}
    code = "from labelscape.prototypes import GLVQ"  # loads scikit-learn, and OpenMP
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={name: value for name, value in environment.items() if value is not None},
        check=True,
        capture_output=True,
        text=True,
    )
    assert ("GOMP_SPINCOUNT = '0'" in done.stderr) == (policy is None)


def test_rooms_open_when_they_are_first_entered():
    code = "import labelscape, sys; print('labelscape.quality' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"
    assert labelscape.quality.trustworthiness


def test_every_public_name_can_be_reached():
    for name in labelscape.__all__:
        assert getattr(labelscape, name) is not None


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="maps"):
        _ = labelscape.maps


def test_the_version_is_that_of_the_distribution():
    from importlib.metadata import version

    assert labelscape.__version__ == version("labelscape")
