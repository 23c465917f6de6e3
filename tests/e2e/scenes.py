"""Views for browser tests: the wine data, with names that contain HTML."""

from functools import cache

import numpy as np
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelscape import datasets, explore
from labelscape.embeddings import LFDA, Sammon
from labelscape.hosts.notebook.explorer import Explorer, ShownScene
from labelscape.prototypes import LiRaMLVQ

SCRIPT = "<script>document.title='broken in'</script>"
IMAGE = "<img src=x onerror=\"document.title='broken in'\">"


def wine_view():
    """Return an Explorer of two maps and a model; all names are hostile."""
    first = _wine()
    return Explorer(ShownScene(first.scene, first._explain))


@cache
def _wine():
    wine = datasets.load("wine")
    classes = {"class_0": SCRIPT, "class_1": "<b>oak & elm</b>", "class_2": "plain"}
    y = np.array([classes[label] for label in wine.y])
    model = make_pipeline(StandardScaler(), LiRaMLVQ(random_state=0)).fit(wine.X, y)
    pca = make_pipeline(StandardScaler(), PCA(2)).fit(wine.X)
    return explore(
        model,
        wine.X,
        y,
        feature_names=[f"{IMAGE}{name}" for name in wine.feature_names],
        ids=[f"<i>{row}</i>" for row in range(len(y))],
        title=f"Wine {SCRIPT}",
        maps={"PCA": pca},
        random_state=0,
    )


def large_view():
    """Return an Explorer of more points than a scene explains."""
    iris = datasets.load("iris")
    X, y = np.tile(iris.X, (8, 1)), np.tile(iris.y, 8)
    view = explore(LiRaMLVQ(random_state=0).fit(X, y), X, y, quality=False)
    known = set(view.scene.model.explanations.objects.tolist())
    view.unexplained = next(i for i in range(len(y)) if i not in known)
    return view


def unjudged_view():
    """Return an Explorer of a map whose honesty was not measured."""
    iris = datasets.load("iris")
    model = LFDA().fit(iris.X, iris.y)
    return explore(model, iris.X, iris.y, quality=False, random_state=0)


def forming_view():
    """Return an Explorer of a map that is not fitted yet."""
    iris = datasets.load("iris")
    return explore(Sammon(random_state=0), iris.X, iris.y, quality=False)
