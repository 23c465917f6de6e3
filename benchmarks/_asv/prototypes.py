"""Prototype models of the digits: training, and the explanation of one decision."""

from sklearn.preprocessing import StandardScaler

from labelscape.datasets import load
from labelscape.prototypes import GMLVQ, LiRaMLVQ


class Training:
    """LiRaM LVQ of 1,000 rows."""

    def setup(self):
        table = load("digits")
        self.X = StandardScaler().fit_transform(table.X)[:1000]
        self.y = table.y[:1000]

    def time_fit(self):
        LiRaMLVQ(random_state=0).fit(self.X, self.y)


class Explanation:
    """Why a wine has its class, and what would change it."""

    def setup(self):
        table = load("wine")
        self.X = StandardScaler().fit_transform(table.X)
        self.model = GMLVQ(random_state=0).fit(self.X, table.y)

    def time_explain(self):
        self.model.explain(self.X[0])
