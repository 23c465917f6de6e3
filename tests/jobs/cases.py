"""Small tables for the jobs, and a recorder of their steps."""

import numpy as np
import pandas

from labelscape.datasets import load, read_table


def table_of(X, y, **more):
    """Return a table of a matrix and labels, and of further columns."""
    columns = {f"x{j}": X[:, j] for j in range(X.shape[1])} | more | {"kind": y}
    return read_table(pandas.DataFrame(columns), label="kind", missing="impute")


def some_iris(step=3):
    """Return every third iris."""
    iris = load("iris")
    return table_of(iris.X[::step], iris.y[::step])


def without_classes():
    return read_table(np.random.default_rng(0).normal(size=(9, 2)))


class Ear:
    """A ``begin`` that remembers the steps, and counts the parts of each."""

    def __init__(self):
        self.steps, self.parts = [], []

    def __call__(self, step):
        self.steps.append(step)
        self.parts.append(0)
        at = len(self.parts) - 1

        def part(*_):
            self.parts[at] += 1

        return part

    @property
    def names(self):
        return [step.name for step in self.steps]
