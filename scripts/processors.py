"""Run a command as on other processors; without a command, run the numerical tests.

    python scripts/processors.py [SETTING ...] [-- COMMAND ...]

Libraries choose their code by the processor, so the last bits of results differ. Each
setting makes one library choose as on another processor. A setting is skipped if this
machine lacks the instructions.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
# Parts of the package whose results are computed from numbers.
NUMERICAL = (
    "boundary core crossfit embeddings geometry prototypes quality resampling scene"
)
CORES = ("SkylakeX", "Haswell", "Sandybridge", "Nehalem")
SETTINGS = {core: {"OPENBLAS_CORETYPE": core} for core in CORES} | {
    "numba-generic": {"NUMBA_CPU_NAME": "generic"},
    "numpy-baseline": {
        "NPY_DISABLE_CPU_FEATURES": " ".join(
            np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
        )
    },
}
# Multiplies matrices, then prints which code NumPy and SciPy chose.
PROBE = """
import numpy, scipy.linalg, threadpoolctl
scipy.linalg.blas.dgemm(1.0, numpy.ones((64, 64)) @ numpy.ones((64, 64)), numpy.eye(64))
blas = [one for one in threadpoolctl.threadpool_info() if one["user_api"] == "blas"]
print(*(one.get("architecture") for one in blas))
"""


def tests() -> list[str]:
    """Return the command of the numerical tests, without those of scikit-learn."""
    rooms = NUMERICAL.split()
    code = ROOT / "src" / "labelscape"
    parts = [ROOT / "tests" / room for room in rooms]
    parts += [p for room in rooms for p in (code / room, code / f"_{room}")]
    paths = [part.relative_to(ROOT).as_posix() for part in parts if part.exists()]
    shared = "--numprocesses auto --dist loadfile --no-loadscope-reorder --quiet"
    ignored = "--ignore-glob=*/test_contract.py"
    return [sys.executable, "-m", "pytest", *shared.split(), ignored, *paths]


def is_possible(setting: str, environment: dict[str, str]) -> bool:
    """Return whether the libraries here run with a setting."""
    probe = [sys.executable, "-c", PROBE]
    found = subprocess.run(probe, env=environment, capture_output=True, text=True)
    if found.returncode:  # the processor does not know an instruction
        return False
    return setting not in CORES or set(found.stdout.split()) == {setting}


def main() -> None:
    """Run the command with each setting, and name the settings with which it failed."""
    options = sys.argv[1:]
    cut = options.index("--") if "--" in options else len(options)
    wanted, command = options[:cut] or list(SETTINGS), options[cut + 1 :] or tests()
    if unknown := [name for name in wanted if name not in SETTINGS]:
        sys.exit(f"Unknown: {', '.join(unknown)}. Settings: {', '.join(SETTINGS)}.")
    failed = []
    for name in wanted:
        environment = os.environ | SETTINGS[name] | {"PROCESSOR": name}
        if not is_possible(name, environment):
            print(f"== {name}: skipped, the libraries cannot use it here", flush=True)
            continue
        print(f"== {name}", flush=True)
        if subprocess.run(command, cwd=ROOT, env=environment).returncode:
            failed.append(name)
    if failed:
        sys.exit(f"Failed with: {', '.join(failed)}.")


if __name__ == "__main__":
    main()
