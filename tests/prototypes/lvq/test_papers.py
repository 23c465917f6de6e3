"""A few of the paper's numbers; all of them are in benchmarks/lvq_paper.py."""

import csv
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from labelscape.prototypes import GMLVQ, LiRaMLVQ, LocalLiRaMLVQ

REPOSITORY = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("LABELSCAPE_DATA", REPOSITORY.parent / "shared" / "data"))
PAPER = {"solver": "sgd", "max_iter": 400}


def read(name):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"{name} is absent: set LABELSCAPE_DATA to its folder")
    with path.open(newline="") as file:
        rows = list(csv.reader(file))[1:]
    X = np.array([row[:-1] for row in rows], dtype=float)
    return X, np.array([row[-1] for row in rows])


@pytest.fixture(scope="module")
def segmentation():
    (X, y), (X_test, y_test) = (
        read(f"segmentation_{part}.csv") for part in ("train", "test")
    )
    X, X_test = (np.delete(A, [2, 3, 4], axis=1) for A in (X, X_test))
    scaler = StandardScaler().fit(X)
    return scaler.transform(X), y, scaler.transform(X_test), y_test


def mean_test_accuracy(model, data, seeds=3, **parameters):
    X, y, X_test, y_test = data
    fitted = [model(random_state=s, **parameters).fit(X, y) for s in range(seeds)]
    return 100 * np.mean([m.score(X_test, y_test) for m in fitted])


def test_segmentation_in_two_dimensions_by_the_paper_s_schedule(segmentation):
    assert mean_test_accuracy(LiRaMLVQ, segmentation, **PAPER) > 82.0


def test_segmentation_with_local_metrics(segmentation):
    assert mean_test_accuracy(LocalLiRaMLVQ, segmentation, **PAPER) > 82.0


def test_segmentation_with_a_full_matrix(segmentation):
    assert mean_test_accuracy(GMLVQ, segmentation, **PAPER) > 87.0


def test_segmentation_with_the_defaults(segmentation):
    assert mean_test_accuracy(LiRaMLVQ, segmentation) > 84.0
    assert mean_test_accuracy(GMLVQ, segmentation) > 90.0


def test_dropping_rows_after_training_is_worse_than_training_with_few(segmentation):
    X, y, X_test, y_test = segmentation
    cut = [
        GMLVQ(random_state=s, **PAPER).fit(X, y).reduced(2).score(X_test, y_test)
        for s in range(3)
    ]
    trained = mean_test_accuracy(LiRaMLVQ, segmentation, **PAPER)
    assert 100 * np.mean(cut) < trained - 4.0


def test_few_directions_of_a_full_matrix_survive_long_training(segmentation):
    X, y, *_ = segmentation
    counts = []
    for epochs in (120, 500):
        model = GMLVQ(
            solver="sgd", max_iter=epochs, early_stopping="none", random_state=0
        ).fit(X, y)
        eigenvalues = np.linalg.svd(model.omega_, compute_uv=False) ** 2
        counts.append(np.sum(eigenvalues > 0.01))
    assert 8 <= counts[0] <= 12
    assert 2 <= counts[1] <= 5


def test_tumours_are_told_apart_without_error():
    X, y = read("srbct50.csv")
    X = StandardScaler().fit_transform(X)
    for seed in range(3):
        model = LiRaMLVQ(solver="sgd", max_iter=400, random_state=seed).fit(X, y)
        assert model.score(X, y) == 1.0
