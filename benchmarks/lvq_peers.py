"""Training time and accuracy of matrix LVQ, sklvq, prototorch and NCA.

sklvq needs scikit-learn 1.5.2 and prototorch needs PyTorch, so each runs in another
Python interpreter, whose path is in the variable SKLVQ_PYTHON or PROTOTORCH_PYTHON. A
peer without this variable is omitted. All peers read the same arrays, one after the
other. The second fit is timed, because the first fit may compile.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import (
    KNeighborsClassifier,
    NeighborhoodComponentsAnalysis,
)
from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.prototypes import GMLVQ, LiRaMLVQ
from labelscape.quality import knn_accuracy

# Time limit of a peer in seconds; its time is then a lower bound.
PATIENCE = 240

SKLVQ = """
import json, sys, time, warnings
import numpy as np
from sklvq import GMLVQ
warnings.simplefilter("ignore")
data = np.load(sys.argv[1])
M = int(sys.argv[2])

def fit():
    model = GMLVQ(
        solver_type="lbfgs",
        activation_type="sigmoid",
        activation_params={"beta": 2},
        relevance_n_components=M,
        random_state=0,
    )
    start = time.perf_counter()
    model.fit(data["X"], data["y"])
    return model, time.perf_counter() - start

fit()
model, seconds = fit()
score = float(np.mean(model.predict(data["X_test"]) == data["y_test"]))
print(json.dumps([score, seconds]))
"""

PROTOTORCH = """
import json, logging, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
for name in ("lightning", "pytorch_lightning", "lightning.pytorch"):
    logging.getLogger(name).setLevel(logging.ERROR)
import prototorch as pt
import prototorch.models
import pytorch_lightning as pl
import torch
from prototorch.core.initializers import PCALinearTransformInitializer, SMCI
data = np.load(sys.argv[1])
M = int(sys.argv[2])
X = torch.tensor(data["X"], dtype=torch.float32)
y = torch.tensor(data["y"], dtype=torch.long)
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(X, y), batch_size=64, shuffle=True
)
classes = len(np.unique(data["y"]))

def fit(epochs=30):
    torch.manual_seed(0)
    model = pt.models.GMLVQ(
        {
            "input_dim": X.shape[1],
            "latent_dim": M,
            "distribution": {"num_classes": classes, "per_class": 1},
            "proto_lr": 0.01,
            "bb_lr": 0.01,
        },
        optimizer=torch.optim.Adam,
        prototypes_initializer=SMCI((X, y)),
        omega_initializer=PCALinearTransformInitializer(X),
    )
    trainer = pl.Trainer(
        accelerator="cpu",
        max_epochs=epochs,
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
    )
    start = time.perf_counter()
    trainer.fit(model, loader)
    return model, time.perf_counter() - start

fit(1)
model, seconds = fit()
with torch.no_grad():
    found = model.predict(torch.tensor(data["X_test"], dtype=torch.float32)).numpy()
print(json.dumps([float(np.mean(found == data["y_test"])), seconds]))
"""


def splits():
    """Yield name, training and test data, z-scored by the training data."""
    X, y = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(X))
    yield "digits", X[order][:898], y[order][:898], X[order][898:], y[order][898:]
    train, test = load("segmentation_train"), load("segmentation_test")
    yield "segmentation", train.X, train.y, test.X, test.y
    usps = load("usps")
    order = np.random.default_rng(0).permutation(len(usps.X))
    X, y = usps.X[order], usps.y[order]
    yield "usps", X[:5500], y[:5500], X[5500:], y[5500:]


def ours(X, y, X_test, y_test, M, **settings):
    def fit():
        kind = LiRaMLVQ if X.shape[1] > M else GMLVQ
        model = kind(n_components=M, **settings)
        start = time.perf_counter()
        model.fit(X, y)
        return model, time.perf_counter() - start

    fit()
    model, seconds = fit()
    return model.score(X_test, y_test), seconds


def peer(code, variable, file, M):
    python = os.environ.get(variable)
    if not python:
        return None
    try:
        run = subprocess.run(
            [python, "-W", "ignore", "-c", code, str(file), str(M)],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return [np.nan, PATIENCE / 2]  # two fits, each at least half of it on average
    if run.returncode:
        reason = run.stderr.strip().splitlines()[-1]
        print(f"  {variable}: {reason}", file=sys.stderr)
        return None
    return json.loads(run.stdout.strip().splitlines()[-1])


def row(data, M, name, found, base):
    if found is not None:
        ratio = "" if base is None else f"{found[1] / base:8.1f}x"
        print(f"{data:14}{M:>5}  {name:14}{found[0]:7.3f}{found[1]:10.3f} s{ratio}")


def against_nca():
    """Compare 2-D maps of NCA and LiRaM LVQ: 1-NN accuracy for 2000 samples."""
    print("\n2-D maps of 2000 samples: 1-NN on the map, leave-one-out and held-out")
    for name in ("segmentation", "satimage"):
        table = load(name)
        order = np.random.default_rng(0).permutation(len(table.X))
        fitted, unseen = order[:2000], order[2000:]
        X = StandardScaler().fit(table.X[fitted]).transform(table.X)
        y = table.y
        LiRaMLVQ(max_iter=1).fit(X[fitted], y[fitted])
        peers = {
            "NCA": NeighborhoodComponentsAnalysis(n_components=2, random_state=0),
            "LiRaM": LiRaMLVQ(random_state=0),
        }
        slow = None
        for peer_name, model in peers.items():
            start = time.perf_counter()
            model.fit(X[fitted], y[fitted])
            seconds = time.perf_counter() - start
            slow = seconds if slow is None else slow
            Z = model.transform(X)
            vote = KNeighborsClassifier(1).fit(Z[fitted], y[fitted])
            print(
                f"{name:14}{peer_name:8}{knn_accuracy(Z[fitted], y[fitted]):7.3f}"
                f"{vote.score(Z[unseen], y[unseen]):8.3f}{seconds:9.2f} s"
                f"{slow / seconds:8.0f}x"
            )


def main():
    warnings.simplefilter("ignore")  # constant pixels
    print("data             M  peer         accuracy   training    ours is faster by")
    for name, X, y, X_test, y_test in splits():
        scaler = StandardScaler().fit(X)
        X, X_test = scaler.transform(X), scaler.transform(X_test)
        classes, y = np.unique(y, return_inverse=True)
        y_test = np.searchsorted(classes, y_test)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "data.npz")
            np.savez(file, X=X, y=y, X_test=X_test, y_test=y_test)
            for M in (2, X.shape[1]):
                found = ours(X, y, X_test, y_test, M)
                row(name, M, "labelscape", found, None)
                # Our fit stops at the accuracy of the peer.
                short = ours(X, y, X_test, y_test, M, max_iter=10)
                row(name, M, "10 iterations", short, found[1])
                sklvq = peer(SKLVQ, "SKLVQ_PYTHON", file, M)
                row(name, M, "sklvq", sklvq, found[1])
                prototorch = peer(PROTOTORCH, "PROTOTORCH_PYTHON", file, M)
                row(name, M, "prototorch", prototorch, found[1])
    against_nca()


if __name__ == "__main__":
    main()
