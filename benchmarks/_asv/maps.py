"""Maps of the digits: linear, cross-fitted, and new rows on them."""

from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.embeddings import LFDA, CrossFittedTSNE, FisherKernelTSNE, Sammon


def digits(rows):
    """Return standardized digits and their classes."""
    table = load("digits")
    return StandardScaler().fit_transform(table.X)[:rows], table.y[:rows]


class Linear:
    """LFDA of 1,000 rows."""

    def setup(self):
        self.X, self.y = digits(1000)

    def time_fit(self):
        LFDA().fit(self.X, self.y)


class CrossFitted:
    """The cross-fitted map of 500 rows, and 500 new rows on it."""

    timeout = 300

    def setup(self):
        X, self.y = digits(1000)
        self.X, self.X_new = X[:500], X[500:]
        self.y = self.y[:500]
        self.model = CrossFittedTSNE(random_state=0).fit(self.X, self.y)

    def time_fit(self):
        CrossFittedTSNE(random_state=0).fit(self.X, self.y)

    def time_transform(self):
        self.model.transform(self.X_new)


class Stress:
    """Sammon's map of 500 rows."""

    def setup(self):
        self.X, _ = digits(500)

    def time_fit(self):
        Sammon(max_iter=50, random_state=0).fit(self.X)


class Fisher:
    """Kernel t-SNE with the Fisher metric, 300 rows."""

    timeout = 300

    def setup(self):
        self.X, self.y = digits(300)

    def time_fit(self):
        FisherKernelTSNE(random_state=0).fit(self.X, self.y)
