"""The maps that can be asked for by name."""

from collections.abc import Collection
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple


class Method(NamedTuple):
    """A map by its name on the command line."""

    name: str
    room: str
    estimator: str
    description: str
    uses_labels: bool = True

    @property
    def kind(self) -> type:
        """The class of the estimator."""
        found: type = getattr(import_module(self.room), self.estimator)
        return found

    def make(self, n_components: int, n_rows: int, n_classes: int, seed: int) -> Any:
        """Return the estimator, not yet fitted."""
        if self.name == "lda":  # has no more directions than that
            n_components = min(n_components, n_classes - 1)
        estimator = self.kind()
        parameters = estimator.get_params()
        if "random_state" in parameters:
            estimator.set_params(random_state=seed)
        if "perplexity" in parameters:
            # Honesty fits the map to half of the rows, and t-SNE asks for three times
            # as many neighbours as this.
            most = max(1, (n_rows // 2 - 1) // 3)
            estimator.set_params(perplexity=min(parameters["perplexity"], most))
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
    Method("pca", "sklearn.decomposition", "PCA", "principal components", False),
    Method("wmds", "labelscape.embeddings", "WeightedMDS", "weighted MDS", False),
    Method(
        "sammon",
        "labelscape.embeddings",
        "Sammon",
        "all distances, short ones most of all",
        uses_labels=False,
    ),
    Method(
        "cca",
        "labelscape.embeddings",
        "CCA",
        "curvilinear component analysis: short distances on the map",
        uses_labels=False,
    ),
    Method(
        "ddhds",
        "labelscape.embeddings",
        "DDHDS",
        "neighbourhoods of data with many features",
        uses_labels=False,
    ),
    Method(
        "classimap",
        "labelscape.embeddings",
        "ClassiMap",
        "puts the errors of the map where they do not mix classes",
    ),
    Method(
        "xom",
        "labelscape.embeddings",
        "XOM",
        "exploratory observation machine",
        uses_labels=False,
    ),
    Method(
        "nexom",
        "labelscape.embeddings",
        "NEXOM",
        "neighbour embedding XOM",
        uses_labels=False,
    ),
    Method(
        "tsne",
        "labelscape.embeddings",
        "KernelTSNE",
        "t-SNE that can place new objects",
        uses_labels=False,
    ),
    Method(
        "fisher-tsne",
        "labelscape.embeddings",
        "FisherKernelTSNE",
        "the same with distances that count what matters for the classes",
    ),
    Method(
        "fisher-mds",
        "labelscape.embeddings",
        "FisherMDS",
        "MDS with such distances",
    ),
)

NAMES = tuple(method.name for method in METHODS)


def method_named(name: str) -> Method:
    """Return the method of this name.

    Examples
    --------
    >>> method_named("lfda").description
    'local Fisher discriminant analysis'
    """
    return METHODS[NAMES.index(one_named(name, NAMES, "method"))]


def one_named(name: str, names: Collection[str], what: str) -> str:
    """Return the one of these names that was meant, or say which there are.

    Examples
    --------
    >>> one_named("LFDA", ["lda", "lfda"], "method")
    'lfda'
    """
    wanted = name.lower().replace("_", "-")
    if wanted in names:
        return wanted
    near = get_close_matches(wanted, names, n=1, cutoff=0.5)
    raise ValueError(
        f"There is no {what} {name!r}. "
        + (f"Did you mean {near[0]!r}? " if near else "")
        + f"There are: {', '.join(names)}."
    )
