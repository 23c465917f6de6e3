"""Print a digest of what each estimator learns from the embedded data sets.

Run ``python scripts/digests.py > before.json`` and change the code. Then
``python scripts/digests.py before.json`` lists the results that differ. Each fit uses
at most 160 rows, so the script takes a few minutes.

On other processors the last bits differ. So if ``before.json`` is from another one,
only predicted classes are compared: ``python scripts/processors.py Nehalem -- python
scripts/digests.py before.json`` lists those that depend on the processor.
"""

import hashlib
import inspect
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numba
import numpy as np
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info

import labelscape.boundary
import labelscape.crossfit
import labelscape.embeddings
import labelscape.geometry
import labelscape.prototypes
from labelscape.datasets import load

SETS = ("iris", "wine", "digits", "breast_cancer", "modes", "gaussians", "noise", "xor")
ROWS = 160
ANSWERS = ("transform", "predict", "predict_proba", "decision_function", "relevances")


def estimators() -> dict[str, type]:
    """Return all public classes with a ``fit``."""
    rooms = ("prototypes", "embeddings", "geometry", "crossfit", "boundary")
    doors = [getattr(labelscape, room) for room in rooms]
    public = {name: getattr(door, name) for door in doors for name in door.__all__}
    return {
        name: value
        for name, value in public.items()
        if inspect.isclass(value) and hasattr(value, "fit")
    }


def made(cls: type) -> Any:
    """Return an estimator with default parameters, and with required parts."""
    from sklearn.svm import SVC

    parts = {
        "embedder": labelscape.embeddings.Sammon(random_state=0),
        "classifier": SVC(random_state=0),
        "random_state": 0,
    }
    known = inspect.signature(cls).parameters
    return cls(**{name: parts[name] for name in parts if name in known})


def digest(value: Any) -> str | None:
    """Return a short digest of arrays and numbers; None for other values."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        value = " ".join(digest(part) or "" for part in value)
    array = np.asarray(value)
    if array.dtype.kind not in "biufUc":
        return None
    text = f"{array.dtype.str}{array.shape}".encode() + array.tobytes()
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def learned(cls: type, name: str) -> dict[str, str | None]:
    """Return digests of one fit: of learned attributes, and of results for new rows."""
    table = load(name)
    X = StandardScaler().fit_transform(table.X)
    every = np.arange(0, len(X), max(1, len(X) // (2 * ROWS)))
    fitted, new = every[::2][:ROWS], every[1::2][:20]
    y = np.asarray(table.y)[fitted]
    model = made(cls)
    if hasattr(model, "classifier"):
        model.classifier.fit(X[fitted], y)
    model.fit(X[fitted], y)
    values = {key: value for key, value in vars(model).items() if key[-1] == "_"}
    for question in ANSWERS:
        if hasattr(model, question):
            values[question] = getattr(model, question)(X[new])
    return {key: digest(value) for key, value in sorted(values.items())}


def processor() -> str:
    """Return which code BLAS, numba and NumPy chose for this processor."""
    libraries = [one for one in threadpool_info() if one["user_api"] == "blas"]
    blas = {str(one.get("architecture")) for one in libraries}
    compiler = numba.config.CPU_NAME or "native"
    simd = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])
    return f"BLAS {' '.join(sorted(blas))}; numba {compiler}; NumPy {' '.join(simd)}"


def main() -> None:
    """Print all digests, or the differences from the digests in a file."""
    found: dict[str, str | None] = {"processor": processor()}
    for label, cls in sorted(estimators().items()):
        for name in SETS:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                try:
                    answers = learned(cls, name)
                except ValueError as error:
                    answers = {"error": digest(str(error))}
            found |= {f"{label} {name} {key}": value for key, value in answers.items()}
    if len(sys.argv) < 2:
        print(json.dumps(found, indent=0))
        return
    before = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    here, there = found.pop("processor"), before.pop("processor", None)
    if there != here:
        print(f"Only predicted classes are compared: {there} before, {here} now.")
        before, found = (
            {key: value for key, value in run.items() if key.endswith(" predict")}
            for run in (before, found)
        )
    changed = [key for key in before if key in found and before[key] != found[key]]
    print("\n".join(changed))
    both = before.keys() & found.keys()
    print(f"{len(both) - len(changed)} same, {len(changed)} differ")
    print(f"only before: {sorted(before.keys() - found.keys())}")
    print(f"only now: {sorted(found.keys() - before.keys())}")


if __name__ == "__main__":
    main()
