"""The maps that can be asked for by name."""

from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple


class Method(NamedTuple):
    """A map by its name on the command line."""

    name: str
    room: str
    estimator: str
    description: str

    def make(self, n_components: int, n_classes: int, seed: int) -> Any:
        """Return the estimator, not yet fitted."""
        if self.name == "lda":  # has no more directions than that
            n_components = min(n_components, n_classes - 1)
        estimator = getattr(import_module(self.room), self.estimator)()
        if "random_state" in estimator.get_params():
            estimator.set_params(random_state=seed)
        return estimator.set_params(n_components=n_components)


METHODS = (
    Method(
        "liram",
        "labelscape.prototypes",
        "LiRaMLVQ",
        "limited rank matrix LVQ: supervised, with prototypes",
    ),
    Method(
        "local-liram",
        "labelscape.prototypes",
        "LocalLiRaMLVQ",
        "the same with a metric for each class",
    ),
    Method(
        "lfda",
        "labelscape.embeddings",
        "LFDA",
        "local Fisher discriminant analysis",
    ),
    Method(
        "lda",
        "sklearn.discriminant_analysis",
        "LinearDiscriminantAnalysis",
        "Fisher's discriminant analysis",
    ),
    Method(
        "nca",
        "sklearn.neighbors",
        "NeighborhoodComponentsAnalysis",
        "neighbourhood components analysis",
    ),
    Method("pca", "sklearn.decomposition", "PCA", "principal components, no labels"),
    Method("wmds", "labelscape.embeddings", "WeightedMDS", "weighted MDS, no labels"),
)


def method_named(name: str) -> Method:
    """Return the method of this name.

    Examples
    --------
    >>> method_named("lfda").description
    'local Fisher discriminant analysis'
    """
    names = {method.name: method for method in METHODS}
    wanted = name.lower().replace("_", "-")
    if wanted in names:
        return names[wanted]
    near = get_close_matches(wanted, names, n=1, cutoff=0.5)
    raise ValueError(
        f"There is no method {name!r}. "
        + (f"Did you mean {near[0]!r}? " if near else "")
        + f"There are: {', '.join(names)}."
    )
