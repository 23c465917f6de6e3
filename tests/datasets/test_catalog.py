import subprocess
import sys

import numpy as np
import pytest

from labelscape.datasets import available, load

AT_HAND = [info for info in available() if info.origin != "papers"]


@pytest.mark.parametrize("info", AT_HAND, ids=lambda info: info.name)
def test_the_catalog_tells_the_truth(info):
    table = load(info.name)
    assert table.X.shape == (info.n_rows, info.n_features)
    assert len(np.unique(table.y)) == info.n_classes
    assert table.name == info.name
    assert info.description.endswith(".")


def test_names_are_unique_and_spelling_is_forgiven():
    names = [info.name for info in available()]
    assert len(set(names)) == len(names)
    assert load("Breast-Cancer").name == "breast_cancer"


def test_an_unknown_name_brings_the_near_ones():
    with pytest.raises(ValueError, match=r"no data set 'irsi'. Did you mean 'iris'"):
        load("irsi")
    with pytest.raises(ValueError, match=r"available\(\)"):
        load("zzz")


def test_text_is_read_without_libraries_that_are_extras(tmp_path):
    (tmp_path / "t.csv").write_text("x,class\n1,a\n2,b\n")
    code = (
        "import sys\n"
        "for name in ('pandas', 'pyarrow', 'matplotlib', 'numba'):\n"
        "    sys.modules[name] = None  # as if it were not installed\n"
        "from labelscape.datasets import load, read_table\n"
        "print(read_table('t.csv', 'class'), load('iris').X.shape)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    expected = "Table 't': 2 rows, 1 feature, 2 classes (a 1, b 1) (150, 4)"
    assert done.stdout.strip() == expected, done.stderr
