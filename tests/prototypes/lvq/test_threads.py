"""The same seed gives the same bits, whatever the number of threads."""

import os
import subprocess
import sys

import pytest
from tests.prototypes.lvq.cases import FAMILY

SCRIPT = """
import hashlib
import numpy as np
from sklearn.datasets import make_blobs
from labelscape._core.threads import n_threads
from labelscape.prototypes import SGD, {names}

X, y = make_blobs(4500, 20, centers=3, cluster_std=9.0, random_state=0)
for model in ({names}):
    for solver, iterations in (("lbfgs", 8), (SGD(matrix_epoch=1), 2)):
        options = dict(solver=solver, max_iter=iterations, random_state=0)
        fitted = model(3, **options).fit(X, y)
        bits = hashlib.sha256(fitted.prototypes_.tobytes())
        for name in ("omega_", "local_matrices_", "relevances_"):
            if hasattr(fitted, name):
                bits.update(np.ascontiguousarray(getattr(fitted, name)).tobytes())
        bits.update(np.array(fitted.loss_curve_).tobytes())
        bits.update(fitted.predict(X).tobytes())
        bits.update(fitted.predict_proba(X).tobytes())
        if hasattr(fitted, "transform"):
            bits.update(fitted.transform(X).tobytes())
        print(model.__name__, solver, bits.hexdigest())
print("threads", n_threads())
"""


def printed(threads):
    names = ", ".join(model.__name__ for model in FAMILY)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace("{names}", names)],
        env=os.environ | {"OMP_NUM_THREADS": str(threads)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


@pytest.mark.slow
def test_one_and_two_threads_give_the_same_bits():
    one, two = printed(1), printed(2)
    if two[-1] != "threads 2":
        pytest.skip("this machine has one core")
    assert one[-1] == "threads 1"
    assert one[:-1] == two[:-1]
