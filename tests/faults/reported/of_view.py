"""One number for one fact, and words that are true where they stand."""

import numpy as np
from sklearn.cluster import KMeans
from tests.faults.reported.registry import reported

from labelscape import audit
from labelscape._core.errors import InputError, Setting, sentence
from labelscape.datasets import Reading, load, read_table
from labelscape.hosts.app.errors import PageWording
from labelscape.hosts.app.records import Job, Settings, Source
from labelscape.hosts.app.tasks import fit
from labelscape.jobs import map_table
from labelscape.quality import certify


def noise(folder, n=300):
    """Return a table without signal, of two classes."""
    rng = np.random.RandomState(0)
    rows = [f"{i % 2},{','.join(map(str, rng.normal(size=8)))}" for i in range(n)]
    path = folder / "noise.csv"
    path.write_text("\n".join(["arm,a,b,c,d,e,f,g,h", *rows]), encoding="utf-8")
    return read_table(path, label="arm")


@reported("trial W3", "the legend has the accuracy of the drawn predictions", True)
def accuracy_of_the_legend(folder):
    scene = map_table(noise(folder), "crossfit", judge=False).scene()
    legend = scene.maps[0].regions.accuracy
    found = float((scene.predictions == scene.labels).mean())
    return abs(legend - found) < 0.005, f"legend {legend:.0%}, search {found:.0%}"


@reported("trial W6", "row order has one number on a page", True)
def one_number_for_row_order(folder):
    result = map_table(load("wine"), "lda", audit=True)
    figures = [
        next(one.figure for one in findings if one.code == "order")
        for findings in (result.honesty.warnings, result.audit.findings)
    ]
    return figures[0] == figures[1], f"test {figures[0]:.1%}, audit {figures[1]:.1%}"


@reported("trial W6 features", "features that fail alone are not said to be none", True)
def features_that_separate_together(folder):
    X = np.random.RandomState(0).normal(size=(120, 400))
    report = audit(X, KMeans(3, n_init=3, random_state=0).fit_predict(X))
    words = report.lights[2].figure
    return not (report.has_signal and words.startswith("none")), words


@reported("trial W13 outlier", "a row that is far from all others is named")
def the_row_far_away(folder):
    X = np.random.RandomState(0).normal(size=(120, 3))
    X[7] = 40.0
    report = audit(X, np.arange(120) % 2, random_state=0)
    words = next(str(one) for one in report.findings if one.code == "outliers")
    return "row 7" in words, words


@reported("trial W13 pairs", "one other pair is in the singular", True)
def one_other_pair(folder):
    rng = np.random.RandomState(0)
    y = np.repeat(np.arange(5), 150)
    X = rng.normal(size=(750, 2))
    X[:, 0] += np.array([0.0, 9.0, 18.0, 27.0, 28.5])[y]
    gap = str(certify(X, X, y, random_state=0).verdict)
    return "1 other pairs" not in gap, gap.splitlines()[-1]


@reported("trial no. 19", "messages of the app have no parameters of Python", True)
def words_of_the_app(folder):
    path = folder / "iris.csv"
    iris = load("iris")
    lines = [
        ",".join(map(str, [*row, y])) for row, y in zip(iris.X, iris.y, strict=True)
    ]
    path.write_text("\n".join(["a,b,c,d,kind", *lines]), encoding="utf-8")
    settings = Settings(
        table="0" * 12,
        method="icf",
        reading=Reading(label="kind"),
        seed=0,
        honesty=False,
        audit=False,
    )
    order = Job(Source(path, "iris.csv"), settings, folder, None, None)
    words = fit(order, lambda news: None).summary
    return "include_data" not in words and "prototypes_" not in words, words


@reported("trial no. 19 forms", "fields of a form are chosen and not passed")
def verb_of_the_app(folder):
    error = InputError("For another sheet, pass ", Setting("sheet", "Two"), ".")
    words = sentence(error, PageWording({}))
    return "pass" not in words, words
