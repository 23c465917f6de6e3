"""Run one method in its own environment: ``python _league_child.py FILE FOLDER``.

The script reads each ``N.in.npz`` of the folder (X, y, X_new), writes ``N.out.npz``
(Z, Z_new, processor seconds) or ``N.error.txt``, and prints a line ``done N``. The
script needs only NumPy and the packages of the method.
"""

import runpy
import sys
import time
import warnings
from pathlib import Path

import numpy as np


def main(method, folder):
    """Map every split in the folder."""
    warnings.simplefilter("ignore")
    fit_transform = runpy.run_path(method)["fit_transform"]
    for source in sorted(Path(folder).glob("*.in.npz")):
        split = source.name.split(".")[0]
        data = np.load(source)
        start = time.process_time()
        try:
            Z, Z_new = fit_transform(data["X"], data["y"], data["X_new"])
        except Exception as error:  # any error is the result of the method
            words = " ".join(str(error).split())
            message = f"{type(error).__name__}: {words}"
            source.with_name(f"{split}.error.txt").write_text(message, encoding="utf-8")
        else:
            seconds = time.process_time() - start
            target = source.with_name(f"{split}.out.npz")
            np.savez(target, Z=Z, Z_new=Z_new, seconds=seconds)
        print(f"\ndone {split}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
