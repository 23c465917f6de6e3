"""The maps and classifiers that can be asked for by name."""

from collections.abc import Collection
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple


class Method(NamedTuple):
    """A map by its name on the command line, and by the one that people read."""

    name: str
    title: str
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
            from labelscape.embeddings._internal import usual_perplexity

            # Honesty fits the map to half of the rows: with the same perplexity, so
            # that it speaks of the same map.
            estimator.set_params(perplexity=int(usual_perplexity(n_rows // 2)))
        return estimator.set_params(n_components=n_components)


METHODS = (
    Method(
        "liram",
        "LiRaM LVQ",
        "labelscape.prototypes",
        "LiRaMLVQ",
        "limited rank matrix LVQ: supervised, with prototypes",
    ),
    Method(
        "local-liram",
        "Local LiRaM LVQ",
        "labelscape.prototypes",
        "LocalLiRaMLVQ",
        "the same with a metric for each class",
    ),
    Method(
        "lfda",
        "Local Fisher discriminant",
        "labelscape.embeddings",
        "LFDA",
        "local Fisher discriminant analysis",
    ),
    Method(
        "lda",
        "Linear discriminant",
        "sklearn.discriminant_analysis",
        "LinearDiscriminantAnalysis",
        "Fisher's discriminant analysis",
    ),
    Method(
        "nca",
        "Neighbourhood components",
        "sklearn.neighbors",
        "NeighborhoodComponentsAnalysis",
        "neighbourhood components analysis",
    ),
    Method(
        "pca",
        "Principal components",
        "sklearn.decomposition",
        "PCA",
        "principal components",
        False,
    ),
    Method(
        "wmds",
        "Weighted MDS",
        "labelscape.embeddings",
        "WeightedMDS",
        "weighted MDS",
        False,
    ),
    Method(
        "sammon",
        "Sammon's mapping",
        "labelscape.embeddings",
        "Sammon",
        "all distances, short ones most of all",
        uses_labels=False,
    ),
    Method(
        "cca",
        "Curvilinear components",
        "labelscape.embeddings",
        "CCA",
        "curvilinear component analysis: short distances on the map",
        uses_labels=False,
    ),
    Method(
        "ddhds",
        "DD-HDS",
        "labelscape.embeddings",
        "DDHDS",
        "neighbourhoods of data with many features",
        uses_labels=False,
    ),
    Method(
        "classimap",
        "ClassiMap",
        "labelscape.embeddings",
        "ClassiMap",
        "puts the errors of the map where they do not mix classes",
    ),
    Method(
        "xom",
        "XOM",
        "labelscape.embeddings",
        "XOM",
        "exploratory observation machine",
        uses_labels=False,
    ),
    Method(
        "nexom",
        "NE-XOM",
        "labelscape.embeddings",
        "NEXOM",
        "neighbour embedding XOM",
        uses_labels=False,
    ),
    Method(
        "tsne",
        "Kernel t-SNE",
        "labelscape.embeddings",
        "KernelTSNE",
        "t-SNE that can place new objects",
        uses_labels=False,
    ),
    Method(
        "fisher-tsne",
        "Fisher kernel t-SNE",
        "labelscape.embeddings",
        "FisherKernelTSNE",
        "the same with distances that count what matters for the classes",
    ),
    Method(
        "fisher-mds",
        "Fisher MDS",
        "labelscape.embeddings",
        "FisherMDS",
        "MDS with such distances",
    ),
)

NAMES = tuple(method.name for method in METHODS)

# What a comparison is of: ten maps of different kinds, with and without labels, by
# lines, distances and neighbours.
COMPARED = (
    "liram",
    "lfda",
    "lda",
    "nca",
    "pca",
    "sammon",
    "classimap",
    "nexom",
    "tsne",
    "fisher-tsne",
)

# Each by its room and class.
CLASSIFIERS = {
    "svm": ("sklearn.svm", "SVC"),
    "forest": ("sklearn.ensemble", "RandomForestClassifier"),
    "logistic": ("sklearn.linear_model", "LogisticRegression"),
    "gmlvq": ("labelscape.prototypes", "GMLVQ"),
    "pag": ("labelscape.prototypes", "PushAndGrow"),
}


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
