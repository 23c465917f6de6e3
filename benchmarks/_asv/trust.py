"""Whether a map can be trusted: the report, the test of separation, the audit."""

from sklearn.decomposition import PCA

from labelscape import audit
from labelscape.datasets import load
from labelscape.embeddings import LFDA
from labelscape.quality import honesty, report


class Report:
    """The measures of a map of 1,000 rows, and the memory that they need."""

    def setup(self):
        table = load("digits")
        self.X, self.y = table.X[:1000], table.y[:1000]
        self.Z = PCA(2, random_state=0).fit_transform(self.X)

    def time_report(self):
        report(self.X, self.Z, self.y)

    def peakmem_report(self):
        report(self.X, self.Z, self.y)


class Separation:
    """The test of separation of a linear map."""

    timeout = 300

    def setup(self):
        self.table = load("wine")

    def time_honesty(self):
        honesty(LFDA(), self.table.X, self.table.y, random_state=0)


class Labels:
    """The audit of 178 labels."""

    timeout = 300

    def setup(self):
        self.table = load("wine")

    def time_audit(self):
        audit(self.table.X, self.table.y, random_state=0)
