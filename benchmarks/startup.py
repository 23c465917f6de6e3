"""Time of the import, of the first fit after installation, and in a new process.

The first fit compiles kernels and stores them on disk. Later processes load these
kernels.
"""

import os
import subprocess
import sys
import tempfile

FIT = """
import time
start = time.perf_counter()
from sklearn.datasets import load_iris
from labelscape.prototypes import LiRaMLVQ
X, y = load_iris(return_X_y=True)
LiRaMLVQ(solver={solver!r}).fit(X, y)
print(time.perf_counter() - start)
"""

IMPORT = """
import time
import sklearn
start = time.perf_counter()
import labelscape
print(time.perf_counter() - start)
"""


def seconds(code, cache):
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "NUMBA_CACHE_DIR": cache},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(run.stdout)


def main():
    with tempfile.TemporaryDirectory() as cache:
        extra = min(seconds(IMPORT, cache) for _ in range(3))
        print(f"import labelscape, beyond sklearn        {extra:7.3f} s")
        for solver in ("lbfgs", "sgd"):
            code = FIT.format(solver=solver)
            for when in ("after install", "of a new process"):
                label = f"{solver}, first fit {when}"
                print(f"{label:40} {seconds(code, cache):7.2f} s")


if __name__ == "__main__":
    main()
