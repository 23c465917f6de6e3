"""Faults of the audit: lights, reasons and chances that were not true."""

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from tests.faults.reported.registry import reported

import labelscape


def _moved(y, rows, label):
    given = y.copy()
    given[rows] = label
    return given


def _far_classes(n=300, n_classes=3):
    y, rng = np.arange(n) % n_classes, np.random.default_rng(7)
    centers = 10 * rng.normal(size=(n_classes, 8))
    return rng.normal(size=(n, 8)) + centers[y], y, rng


@reported("A1", "not green when 20 labels of class 0 are called 1")
def labels_of_one_class_are_moved_to_one_other(folder):
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    tables = [(X, _moved(y, np.flatnonzero(y == 0)[:20], 1))]
    X, y, rng = _far_classes()
    tables.append((X, _moved(y, rng.permutation(np.flatnonzero(y == 0))[:20], 1)))
    lights = [labelscape.audit(*T, random_state=0).lights[0] for T in tables]
    states = [light.state for light in lights]
    return "good" not in states, f"digits {states[0]}, three classes {states[1]}"


@reported("trial W5", "no untrue reason: chance at 99% right, overlap at 98% right")
def reasons_are_true(folder):
    rng = np.random.default_rng(60)
    y = np.repeat(np.arange(60), 10)
    X = rng.normal(size=(600, 10)) + 4 * rng.normal(size=(60, 10))[y]
    many = labelscape.audit(X, y, random_state=0)
    cancer = labelscape.audit(*load_breast_cancer(return_X_y=True), random_state=0)
    figures = [report.lights[0].figure for report in (many, cancer)]
    untrue = "no better than chance" in figures[0] or "too much" in figures[1]
    return not untrue, " / ".join(figures)


@reported("trial W7", "without a list, texts and tables show ranks, not chances")
def no_chance_without_an_estimate(folder):
    rng = np.random.default_rng(0)
    y = np.arange(300) % 2
    X = rng.normal(size=(300, 4)) + np.array([1.0, 0, 0, 0]) * y[:, None]
    reports = {
        "overlap": labelscape.audit(X, y, random_state=0),
        "iris": labelscape.audit(*load_iris(return_X_y=True), random_state=0),
    }
    with_chances = [
        name
        for name, report in reports.items()
        if not len(report.suspects)
        and (
            "chance wrong" in str(report)
            or report.to_frame().chance_wrong.notna().any()
        )
    ]
    return not with_chances, f"chances without a list: {with_chances}"
